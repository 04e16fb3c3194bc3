// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of maths lines, and each function in double for the check of results.
#include "reference.h"

#include <math.h>

static inline double rsqrt(double x) {
    return 1.0 / sqrt(x);
}

#define EXACT(NAME, CALL)                                                                          \
    reference_fn loop_##NAME;                                                                      \
    static double exact_##NAME(double x, double z) {                                               \
        (void)z;                                                                                   \
        return CALL;                                                                               \
    }
#define MATHS1(F, CF, LOW, HIGH, ULP)              EXACT(F, F(x))
#define MATHS2(F, CF, LOW, HIGH, LOW2, HIGH2, ULP) EXACT(F, F(x, z))
#define MATHS1_F64(F, LOW, HIGH, ULP)              EXACT(F##_f64, F(x))
#define MATHS2_F64(F, LOW, HIGH, LOW2, HIGH2, ULP) EXACT(F##_f64, F(x, z))
#include "maths.def"
#undef MATHS1
#undef MATHS2
#undef MATHS1_F64
#undef MATHS2_F64

#define MATHS1(F, CF, LOW, HIGH, ULP)              {#F, loop_##F, exact_##F, 1, 32, ULP},
#define MATHS2(F, CF, LOW, HIGH, LOW2, HIGH2, ULP) {#F, loop_##F, exact_##F, 2, 32, ULP},
#define MATHS1_F64(F, LOW, HIGH, ULP) {#F, loop_##F##_f64, exact_##F##_f64, 1, 64, ULP},
#define MATHS2_F64(F, LOW, HIGH, LOW2, HIGH2, ULP)                                                 \
    {#F, loop_##F##_f64, exact_##F##_f64, 2, 64, ULP},
const struct maths maths_functions[] = {
#include "maths.def"
};
