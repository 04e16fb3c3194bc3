// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * What the functions of floats are made of, in float, once per width: included by instance.h.
 * Where float is too short, a value is a sum of two floats (T. J. Dekker, A floating-point
 * technique for extending the available precision, Numerische Mathematik 18, 1971).
 *
 * What hardly any argument needs is behind one branch of all lanes, weft_any_of(); all else is
 * without branches and tables. Nothing needs fma: weft_mad() is one where the target has it, and
 * weft_product() is exact without. Polynomials: build/coefficients.py.
 */

#define WEFT_REAL_BITS 32
#include "math/real.h"

/** x with its upper 12 bits only: products of two such numbers are exact. */
WEFT_HELPER gentype weft_top(gentype x) {
    return WEFT_AS(gentype, WEFT_AS(igentype, x) & (igentype)0xfffff000);
}

/** a b, rounded, and what the rounding lost, exactly unless that is subnormal. */
WEFT_HELPER gentype weft_product(gentype a, gentype b, __private gentype *lost) {
    gentype product = a * b;
    if (__weft_has_fma()) {
        *lost = weft_mad(a, b, -product);
    } else {
        gentype a1 = weft_top(a), a2 = a - a1, b1 = weft_top(b), b2 = b - b1;
        *lost = (((a1 * b1 - product) + a1 * b2) + a2 * b1) + a2 * b2;
    }
    return product;
}

/** c - a b where that is exact or a b is near c: not rounded more than once. */
WEFT_HELPER gentype weft_residual(gentype c, gentype a, gentype b) {
    if (__weft_has_fma())
        return weft_mad(-a, b, c);
    gentype lost, product = weft_product(a, b, &lost);
    return (c - product) - lost;
}

/** 1.5 * 2^23: its sum with a float below 2^22 holds that, rounded, in its low bits. */
#define WEFT_SHIFTER_F 0x1.8p23f

/** For each lane the number `at` of a table of 16 or 8, of which the low four or three bits count;
 * compiler/backend/pairs.h. */
gentype __attribute__((const)) WEFT_NUMBER(igentype at, __constant const float *table);

/** A polynomial of u of seven terms, whose coefficients are the numbers `at` of the tables part0 to
 * part6, from the constant upwards. */
#define WEFT_PART_POLY(at, u, part)                                                                \
    weft_part_poly(u, WEFT_NUMBER(at, part##6), WEFT_NUMBER(at, part##5),                          \
                   WEFT_NUMBER(at, part##4), WEFT_NUMBER(at, part##3), WEFT_NUMBER(at, part##2),   \
                   WEFT_NUMBER(at, part##1), WEFT_NUMBER(at, part##0))
WEFT_HELPER gentype weft_part_poly(gentype u, gentype c6, gentype c5, gentype c4, gentype c3,
                                   gentype c2, gentype c1, gentype c0) {
    gentype p = weft_mad(c6, u, c5);
    p = weft_mad(p, u, c4);
    p = weft_mad(p, u, c3);
    p = weft_mad(p, u, c2);
    p = weft_mad(p, u, c1);
    return weft_mad(p, u, c0);
}

/** x between -bound and bound; a NaN stays one. */
WEFT_HELPER gentype weft_limit(gentype x, float bound) {
    gentype y = WEFT_SELECT(x > (gentype)bound, (gentype)bound, x);
    return WEFT_SELECT(y < (gentype)-bound, (gentype)-bound, y);
}

/** 2^n, -126 <= n <= 127. */
WEFT_HELPER gentype weft_power_of_two(igentype n) {
    return WEFT_AS(gentype, (n + (igentype)127) << (igentype)23);
}

#include "math/float_erf.h"
#include "math/float_exp.h"
#include "math/real_exp.h"
#include "math/float_log.h"
#include "math/float_mod.h"
#include "math/float_pow.h"
#include "math/real_pow.h"
#include "math/float_trig.h"
#include "math/real_arc.h"
#include "math/float_pi.h"
#include "math/real_pi.h"
#include "math/float_gamma.h"
#include "math/real_gamma.h"
#include "math/float_quick.h"
#undef WEFT_REAL_BITS
