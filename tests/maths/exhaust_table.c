// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled for each level: its functions for exhaust_random.c.
#include "exhaust_random.h"

#include WEFT_TABLE

#define TABLE_OF(LEVEL)       weft_maths_table_v##LEVEL
#define TABLE_OF_LEVEL(LEVEL) TABLE_OF(LEVEL)

const weft_maths_table TABLE_OF_LEVEL(WEFT_LEVEL) = {functions,
                                                     sizeof functions / sizeof functions[0]};
