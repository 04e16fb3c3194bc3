// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "math/trig.h"

/**
 * Defines one overload per writable address space of a function whose last argument is a pointer
 * through which its second result goes: `name(<in>, space type *)`. `value` computes both, the
 * second through a private pointer, so that the parts stay in registers after inlining.
 */
#define WEFT_OUT_SPACES(name, value, result, in, args, type)                                       \
    WEFT_OUT_SPACE(name, value, result, in, args, __private type)                                  \
    WEFT_OUT_SPACE(name, value, result, in, args, __global type)                                   \
    WEFT_OUT_SPACE(name, value, result, in, args, __local type)                                    \
    WEFT_OUT_SPACE(name, value, result, in, args, __generic type)
#define WEFT_OPEN(...) __VA_ARGS__
#define WEFT_OUT_SPACE(name, value, result, in, args, type)                                        \
    WEFT_FN result name(WEFT_OPEN in, type *out) {                                                 \
        __private WEFT_OUT_TYPE second;                                                            \
        result first = value(WEFT_OPEN args, &second);                                             \
        *out = second;                                                                             \
        return first;                                                                              \
    }

/** 1.5 * 2^23: adding it to a float below 2^22 in magnitude rounds that to an integer, which the
 * low bits of the sum then hold. Unlike a conversion, that is defined for NaNs. */
#define WEFT_SHIFTER_F 0x1.8p23f

/** x * 2^e for floats in two powers of two, |e| < 252: one rounding if |x| is near 1. */
#define WEFT_SCALE(x, e)                                                                           \
    ((x) * WEFT_AS(gentype, (((e) >> (igentype)1) + (igentype)127) << (igentype)23) *              \
     WEFT_AS(gentype, ((e) - ((e) >> (igentype)1) + (igentype)127) << (igentype)23))

/** Doubles and longs at the width of the instantiation, see math/core.h. */
#define WEFT_D WEFT_VECTOR(double)
#define WEFT_L WEFT_VECTOR(long)
