// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype weft_clc_pow(gentype x, gentype y);

#if WEFT_BITS == 32
WEFT_FN gentype pow(gentype x, gentype y) {
    return weft_clc_pow(x, y);
}
#else
/*
 * libclc's pow goes wrong where y log(x) is beyond about 2^60. There the result is 0 or infinity,
 * and is so with a smaller y, which stays even as all doubles from 2^54 on: 2^44 where |x| is at
 * least 2^-30 away from 1, else 2^70.
 */
WEFT_FN gentype pow(gentype x, gentype y) {
    gentype magnitude = __builtin_elementwise_abs(y);
    gentype away = __builtin_elementwise_abs(__builtin_elementwise_abs(x) - (gentype)1.0);
    gentype bound = WEFT_SELECT(away >= (gentype)0x1p-30, (gentype)0x1p44, (gentype)0x1p70);
    gentype from = WEFT_SELECT(away >= (gentype)0x1p-30, (gentype)0x1p54, (gentype)0x1p70);
    gentype limited = __builtin_elementwise_copysign(bound, y);
    limited = WEFT_SELECT(magnitude > from, limited, y);
    return weft_clc_pow(x, WEFT_SELECT(magnitude < (gentype)INFINITY, limited, y));
}
#endif
