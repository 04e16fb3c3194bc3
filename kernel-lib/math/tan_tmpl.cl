// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_tan(gentype x);

/* tan(±0) is ±0, which libclc's loses in double. */
WEFT_FN gentype tan(gentype x) {
    return WEFT_SELECT(x == (gentype)0, x, weft_clc_tan(x));
}
