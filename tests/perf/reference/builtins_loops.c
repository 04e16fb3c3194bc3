// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's functions in streaming loops, as in maths_loops.c; of halves as C has them, by
// way of floats.
#include "reference.h"

#include <math.h>

#define LOOP(F, BITS, T, CALL)                                                                     \
    void builtin_##F##_f##BITS(void *const b[]) {                                                  \
        const T *restrict from = b[0], *restrict other = b[1];                                     \
        T *restrict to = b[2];                                                                     \
        _Pragma("omp parallel for simd") for (long i = 0; i < MATHS_N; i++) {                      \
            const RT x = (RT)from[i], z = other ? (RT)other[i] : 0;                                \
            (void)z;                                                                               \
            to[i] = (T)(CALL);                                                                     \
        }                                                                                          \
    }

#define PI                          3.14159274f
#define RT                          float
#define R(F)                        F##f
#define BUILTIN(F, KIND, CALL, ...) LOOP(F, 32, float, CALL)
#include "builtins.def"
#define BUILTIN_F32(F, ...)
#define BUILTIN(F, KIND, CALL, ...) LOOP(F, 16, _Float16, CALL)
#include "builtins.def"
#undef PI
#undef RT
#undef R

#define PI   3.14159265358979323846
#define RT   double
#define R(F) F
#define BUILTIN_F32(F, ...)
#define BUILTIN(F, KIND, CALL, ...) LOOP(F, 64, double, CALL)
#include "builtins.def"
