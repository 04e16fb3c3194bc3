// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_rsqrt(gentype x) {
    return weft_quick_rsqrt(x);
}
