// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Arguments of doubles' functions whose exact results lie nearest to a double, or to the middle of
 * two: within 2^-55 of a last place and less. */
#ifndef WEFT_TESTS_HARD_H
#define WEFT_TESTS_HARD_H

#include <stddef.h>

/** The arguments known for a function, {0, 0} behind the last; NULL: none. The second is 0 where
 * the function has one. Source: V. Lefèvre, J.-M. Muller, Worst Cases for Correct Rounding of the
 * Elementary Functions in Double Precision (ARITH-15, 2001), and what Lefèvre and the authors of
 * CORE-MATH have found since; exhaust-random --cases goes over all of them. */
const double (*weft_maths_hard(const char *name))[2];

#endif
