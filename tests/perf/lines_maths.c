// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section "maths": each built-in function of reference/maths.def against the C library's.
#include "compute.h"

// Places in maths_functions, which comes from the same file.
enum {
#define MATHS1(F, CF, LOW, HIGH, ULP)              AT_##F,
#define MATHS2(F, CF, LOW, HIGH, LOW2, HIGH2, ULP) AT_##F,
#define MATHS1_F64(F, LOW, HIGH, ULP)              AT_##F##_f64,
#define MATHS2_F64(F, LOW, HIGH, LOW2, HIGH2, ULP) AT_##F##_f64,
#include "reference/maths.def"
#undef MATHS1
#undef MATHS2
#undef MATHS1_F64
#undef MATHS2_F64
};

#define INPUT(TYPE, LOW, HIGH)                                                                     \
    {.type = TYPE, .count = MATHS_N, .fill = fill_uniform, .low = LOW, .high = HIGH}
#define OUTPUT(TYPE) {.type = TYPE, .count = MATHS_N, .out = true}
#define ONE(F, INDEX, ID, TITLE, TYPE, OPTIONS, LOW, HIGH)                                         \
    {"maths/" ID,                                                                                  \
     TITLE,                                                                                        \
     UNIT_NS,                                                                                      \
     &compute_probe,                                                                               \
     0,                                                                                            \
     &(const struct compute){.file = "maths",                                                      \
                             .kernel = "apply",                                                    \
                             .options = OPTIONS " -DFUNCTION=" #F,                                 \
                             .arguments = "b0 b2",                                                 \
                             .global = {MATHS_N},                                                  \
                             .local = {256},                                                       \
                             .maths = &maths_functions[INDEX],                                     \
                             .arrays = {INPUT(TYPE, LOW, HIGH), {.type = NONE}, OUTPUT(TYPE)}}},
#define TWO(F, INDEX, ID, TITLE, TYPE, OPTIONS, LOW, HIGH, LOW2, HIGH2)                            \
    {"maths/" ID,                                                                                  \
     TITLE,                                                                                        \
     UNIT_NS,                                                                                      \
     &compute_probe,                                                                               \
     0,                                                                                            \
     &(const struct compute){                                                                      \
         .file = "maths",                                                                          \
         .kernel = "apply",                                                                        \
         .options = OPTIONS " -DTWO -DFUNCTION=" #F,                                               \
         .arguments = "b0 b1 b2",                                                                  \
         .global = {MATHS_N},                                                                      \
         .local = {256},                                                                           \
         .maths = &maths_functions[INDEX],                                                         \
         .arrays = {INPUT(TYPE, LOW, HIGH), INPUT(TYPE, LOW2, HIGH2), OUTPUT(TYPE)}}},

#define FLOAT                         "-DTYPE=float"
#define DOUBLE                        "-DDOUBLE -DTYPE=double"
#define MATHS1(F, CF, LOW, HIGH, ULP) ONE(F, AT_##F, #F, #F, F32, FLOAT, LOW, HIGH)
#define MATHS2(F, CF, LOW, HIGH, LOW2, HIGH2, ULP)                                                 \
    TWO(F, AT_##F, #F, #F, F32, FLOAT, LOW, HIGH, LOW2, HIGH2)
#define MATHS1_F64(F, LOW, HIGH, ULP)                                                              \
    ONE(F, AT_##F##_f64, #F "_f64", #F ", double", F64, DOUBLE, LOW, HIGH)
#define MATHS2_F64(F, LOW, HIGH, LOW2, HIGH2, ULP)                                                 \
    TWO(F, AT_##F##_f64, #F "_f64", #F ", double", F64, DOUBLE, LOW, HIGH, LOW2, HIGH2)
const struct line maths_lines[] = {
#include "reference/maths.def"
};
const size_t maths_line_count = sizeof maths_lines / sizeof *maths_lines;
