// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's functions in streaming loops. Compiled with -ffast-math, which is what lets gcc
// take the library's vector functions (libmvec) where there are some: what C can do at its best.
#include "reference.h"

#include <math.h>

// OpenCL C has it, C does not.
static inline float rsqrtf(float x) {
    return 1.0f / sqrtf(x);
}

#define LOOP(NAME, T, CALL)                                                                        \
    void loop_##NAME(void *const b[]) {                                                            \
        const T *restrict x = b[0], *restrict z = b[1];                                            \
        T *restrict y = b[2];                                                                      \
        (void)z;                                                                                   \
        _Pragma("omp parallel for simd") for (long i = 0; i < MATHS_N; i++) y[i] = CALL;           \
    }

#define MATHS1(F, CF, LOW, HIGH, ULP)              LOOP(F, float, CF(x[i]))
#define MATHS2(F, CF, LOW, HIGH, LOW2, HIGH2, ULP) LOOP(F, float, CF(x[i], z[i]))
#define MATHS1_F64(F, LOW, HIGH, ULP)              LOOP(F##_f64, double, F(x[i]))
#define MATHS2_F64(F, LOW, HIGH, LOW2, HIGH2, ULP) LOOP(F##_f64, double, F(x[i], z[i]))
#include "maths.def"
