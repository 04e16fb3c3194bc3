// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype native_rsqrt(gentype x) {
    return weft_quick_rsqrt(x);
}
