// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype native_recip(gentype x) {
    return (gentype)1 / x;
}
