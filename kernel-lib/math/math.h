// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "erfc_table.h"
#include "math/erf_table.h"
#include "math/pow_table.h"
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

/** Whether the target's a * b + c may be rounded once: a constant, which
 * compiler/backend/library.cc puts in its place when it knows the target. */
int __attribute__((const)) __weft_has_fma(void);

/** Whether all that compiler/norm/instructions.h names is there, and guesses have 14 bits: AVX-512.
 * Else there are guesses of floats alone, of 11 bits. As constant as the above. */
int __attribute__((const)) __weft_has_avx512(void);

/** Whether some lane needs what hardly any argument does: the vectoriser makes a branch of it that
 * all lanes take together. */
#define WEFT_RARELY(mask) __builtin_expect(weft_any_of(mask), 0)

/** The look-ups of core.h and float.h, a function for each width. */
#define WEFT_PAIR   WEFT_PASTE(__weft_pair_, WEFT_N)
#define WEFT_NUMBER WEFT_PASTE(__weft_number_, WEFT_N)

/** The instructions of compiler/norm/instructions.h, of floats and of doubles. */
#define WEFT_FLOAT_INSTRUCTION(name)  WEFT_PASTE(__weft_##name##_f, WEFT_N)
#define WEFT_DOUBLE_INSTRUCTION(name) WEFT_PASTE(__weft_##name##_d, WEFT_N)

/** To other bases, where one float is enough. */
#define WEFT_LOG2_E  0x1.715476p+0f
#define WEFT_LOG2_10 0x1.a934f0p+1f
#define WEFT_LN_2    0x1.62e430p-1f
#define WEFT_LOG10_2 0x1.344136p-2f

/** Floats, doubles and longs at the width of the instantiation, see math/fp16.h and math/core.h. */
#define WEFT_F  WEFT_VECTOR(float)
#define WEFT_D  WEFT_VECTOR(double)
#define WEFT_L  WEFT_VECTOR(long)
#define WEFT_UL WEFT_VECTOR(ulong)
