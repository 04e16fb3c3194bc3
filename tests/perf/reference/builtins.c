// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of section "builtins", and each function in double for the check of results.
#include "reference.h"

#include <math.h>

#define PI   3.14159265358979323846
#define RT   double
#define R(F) F
#define FREE 1e9 // near zeros of functions whose error is absolute
#define BUILTIN(F, KIND, CALL, LOW, HIGH, LOW2, HIGH2, U32, U64, U16)                              \
    static double exact_##F(double x, double z) {                                                  \
        (void)z;                                                                                   \
        return CALL;                                                                               \
    }
#include "builtins.def"

#define BUILTIN_F32(F, ...) reference_fn builtin_##F##_f32;
#define BUILTIN(F, ...)     reference_fn builtin_##F##_f32, builtin_##F##_f64, builtin_##F##_f16;
#include "builtins.def"

#define A                       1
#define AI                      2
#define AB                      2
#define ABA                     2
#define AT                      1
#define AN                      1
#define ABN                     2
#define ROW(F, BITS, KIND, ULP) {#F, builtin_##F##_f##BITS, exact_##F, KIND, BITS, ULP},
#define BUILTIN_F32(F, KIND, CALL, LOW, HIGH, LOW2, HIGH2, U32, U64, U16) ROW(F, 32, KIND, U32)
#define BUILTIN(F, KIND, CALL, LOW, HIGH, LOW2, HIGH2, U32, U64, U16)                              \
    ROW(F, 32, KIND, U32) ROW(F, 64, KIND, U64) ROW(F, 16, KIND, U16)
const struct maths builtin_functions[] = {
#include "builtins.def"
};
