// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section "builtins": every maths function in float, double and half, and the half_ and native_
// ones (reference/builtins.def).
#include "compute.h"

// Places in builtin_functions, which comes from the same file.
enum {
#define BUILTIN_F32(F, ...) AT_##F##_f32,
#define BUILTIN(F, ...)     AT_##F##_f32, AT_##F##_f64, AT_##F##_f16,
#include "reference/builtins.def"
};

#define INPUT(TYPE, LOW, HIGH)                                                                     \
    {.type = TYPE, .count = MATHS_N, .fill = fill_uniform, .low = LOW, .high = HIGH}
#define LINE(NAME, BITS, SUFFIX, TITLE, OPTIONS, KIND, LOW, HIGH, LOW2, HIGH2)                     \
    {"builtins/" #NAME SUFFIX,                                                                     \
     #NAME TITLE,                                                                                  \
     UNIT_NS,                                                                                      \
     &compute_probe,                                                                               \
     0,                                                                                            \
     &(const struct compute){.file = "builtins",                                                   \
                             .kernel = "apply",                                                    \
                             .options = OPTIONS " -DKIND=" #KIND " -DFUNCTION=" #NAME,             \
                             .arguments = "b0 b1 b2",                                              \
                             .global = {MATHS_N},                                                  \
                             .local = {256},                                                       \
                             .maths = &builtin_functions[AT_##NAME##_f##BITS],                     \
                             .arrays = {INPUT(F##BITS, LOW, HIGH),                                 \
                                        INPUT(F##BITS, LOW2, HIGH2),                               \
                                        {.type = F##BITS, .count = MATHS_N, .out = true}}}},

#define FLOAT(F, ...)  LINE(F, 32, "", "", "-DTYPE=float", __VA_ARGS__)
#define DOUBLE(F, ...) LINE(F, 64, "_f64", ", double", "-DDOUBLE -DTYPE=double", __VA_ARGS__)
#define HALF(F, ...)   LINE(F, 16, "_f16", ", half", "-DHALF -DTYPE=half", __VA_ARGS__)
#define BUILTIN_F32(F, KIND, CALL, LOW, HIGH, LOW2, HIGH2, ...)                                    \
    FLOAT(F, KIND, LOW, HIGH, LOW2, HIGH2)
#define BUILTIN(F, KIND, CALL, LOW, HIGH, LOW2, HIGH2, ...)                                        \
    FLOAT(F, KIND, LOW, HIGH, LOW2, HIGH2)                                                         \
    DOUBLE(F, KIND, LOW, HIGH, LOW2, HIGH2)                                                        \
    HALF(F, KIND, LOW, HIGH, LOW2, HIGH2)
const struct line builtin_lines[] = {
#include "reference/builtins.def"
};
const size_t builtin_line_count = sizeof builtin_lines / sizeof *builtin_lines;
