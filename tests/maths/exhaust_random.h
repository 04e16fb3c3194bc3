// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The functions under test of all levels of x86-64, in one program. */
#ifndef WEFT_TESTS_EXHAUST_RANDOM_H
#define WEFT_TESTS_EXHAUST_RANDOM_H

#include "maths.h"

/** The same functions in the same order for each level. */
typedef struct weft_maths_table {
    const weft_maths_function *functions;
    size_t count;
} weft_maths_table;

extern const weft_maths_table weft_maths_table_v1, weft_maths_table_v2, weft_maths_table_v3,
    weft_maths_table_v4;

#endif
