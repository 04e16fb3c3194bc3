// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype fmod(gentype x, gentype y);

/*
 * x - n y with n = x / y rounded to nearest even: after an exact reduction to below 2 |y| at most
 * two exact subtractions of |y| remain. a > b - a stands for 2 a > b, without overflow or rounding.
 */
WEFT_FN gentype remainder(gentype x, gentype y) {
    gentype a = __builtin_elementwise_abs(x), b = __builtin_elementwise_abs(y);
    gentype twice = b + b;
    gentype r = WEFT_SELECT(twice == (gentype)INFINITY, a, fmod(a, twice));
    r = WEFT_SELECT(a == (gentype)INFINITY, (gentype)NAN, r);
    gentype first = WEFT_SELECT(r > b - r, r - b, r);
    gentype second = WEFT_SELECT(first >= b - first, first - b, first);
    r = WEFT_SELECT(r > b - r, second, r);
    igentype sign = WEFT_AS(igentype, x) & ((igentype)1 << (igentype)(WEFT_BITS - 1));
    gentype result = WEFT_AS(gentype, WEFT_AS(igentype, r) ^ sign);
    return WEFT_SELECT(y != y, y, result);
}
