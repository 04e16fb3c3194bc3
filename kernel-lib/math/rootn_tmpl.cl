// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_rootn(gentype x, intn n);

#if WEFT_BITS == 32
#define WEFT_DOUBLES WEFT_VECTOR(double)
WEFT_FN WEFT_DOUBLES weft_clc_rootn(WEFT_DOUBLES x, intn n);
/* In double, since libclc's takes subnormal floats for zero. */
WEFT_FN gentype rootn(gentype x, intn n) {
    return WEFT_CONVERT(gentype, weft_clc_rootn(WEFT_CONVERT(WEFT_DOUBLES, x), n));
}
#undef WEFT_DOUBLES
#else
WEFT_FN gentype rootn(gentype x, intn n) {
    return weft_clc_rootn(x, n);
}
#endif
