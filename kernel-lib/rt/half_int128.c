// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Between half and 128-bit integers. */
#include "bits.h"

weft_i128 __fixhfti(_Float16 x);
weft_u128 __fixunshfti(_Float16 x);
_Float16 __floattihf(weft_i128 x);
_Float16 __floatuntihf(weft_u128 x);
float __extendhfsf2(_Float16 x);
_Float16 __truncdfhf2(double x);
weft_i128 __fixsfti(float x);
weft_u128 __fixunssfti(float x);

weft_i128 __fixhfti(_Float16 x) {
    return __fixsfti(__extendhfsf2(x));
}

weft_u128 __fixunshfti(_Float16 x) {
    return __fixunssfti(__extendhfsf2(x));
}

/* From 65520 on the result is infinity; below, double is exact and the rounding the only one. */
_Float16 __floatuntihf(weft_u128 x) {
    return __truncdfhf2(x < 65536 ? (double)(int)x : 65536.0);
}

_Float16 __floattihf(weft_i128 x) {
    weft_u128 sign = (weft_u128)(x >> 127), magnitude = ((weft_u128)x ^ sign) - sign;
    double value = magnitude < 65536 ? (double)(int)magnitude : 65536.0;
    return __truncdfhf2(sign ? -value : value);
}
