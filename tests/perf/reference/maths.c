// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's functions in streaming loops.
#include "reference.h"

#include <math.h>

// OpenCL C has it, C does not.
static inline float rsqrtf(float x) {
    return 1.0f / sqrtf(x);
}

static inline double rsqrt(double x) {
    return 1.0 / sqrt(x);
}

#define LOOP(NAME, T, CALL)                                                                        \
    static void NAME(void *const b[]) {                                                            \
        const T *restrict x = b[0], *restrict z = b[1];                                            \
        T *restrict y = b[2];                                                                      \
        (void)z;                                                                                   \
        _Pragma("omp parallel for") for (long i = 0; i < MATHS_N; i++) y[i] = CALL;                \
    }

#define MATHS1(F, CF, LOW, HIGH, ULP)                                                              \
    LOOP(loop_##F, float, CF(x[i]))                                                                \
    static double exact_##F(double x, double z) {                                                  \
        (void)z;                                                                                   \
        return F(x);                                                                               \
    }
#define MATHS2(F, CF, LOW, HIGH, LOW2, HIGH2, ULP)                                                 \
    LOOP(loop_##F, float, CF(x[i], z[i]))                                                          \
    static double exact_##F(double x, double z) {                                                  \
        return F(x, z);                                                                            \
    }
#define MATHS1_F64(F, LOW, HIGH, ULP)              LOOP(loop_##F##_f64, double, F(x[i]))
#define MATHS2_F64(F, LOW, HIGH, LOW2, HIGH2, ULP) LOOP(loop_##F##_f64, double, F(x[i], z[i]))
#include "maths.def"
#undef MATHS1
#undef MATHS2
#undef MATHS1_F64
#undef MATHS2_F64

#define MATHS1(F, CF, LOW, HIGH, ULP) {#F, #F, loop_##F, exact_##F, 1, 0, LOW, HIGH, 0, 1, ULP},
#define MATHS2(F, CF, LOW, HIGH, LOW2, HIGH2, ULP)                                                 \
    {#F, #F, loop_##F, exact_##F, 2, 0, LOW, HIGH, LOW2, HIGH2, ULP},
#define MATHS1_F64(F, LOW, HIGH, ULP)                                                              \
    {#F "_f64", #F, loop_##F##_f64, NULL, 1, 1, LOW, HIGH, 0, 1, ULP},
#define MATHS2_F64(F, LOW, HIGH, LOW2, HIGH2, ULP)                                                 \
    {#F "_f64", #F, loop_##F##_f64, NULL, 2, 1, LOW, HIGH, LOW2, HIGH2, ULP},
const struct maths maths_functions[] = {
#include "maths.def"
};
const size_t maths_count = sizeof maths_functions / sizeof *maths_functions;
