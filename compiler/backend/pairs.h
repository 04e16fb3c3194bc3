// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Look-ups of the kernel library (kernel-lib/math/math.h): `__weft_pair_<lanes>(at, table, second)`
 * has, for each lane, the first or second double of the table's pair `at`, of which the low 32 bits
 * count, of a table of 16 pairs the low four; `__weft_number_<lanes>(at, table)` the float `at` of
 * 16 or 8, of which the low four or three bits count.
 */
#ifndef WEFT_BACKEND_PAIRS_H
#define WEFT_BACKEND_PAIRS_H

#include "backend/target.h"

#include "llvm/IR/Module.h"

namespace weft {

/**
 * Makes instructions of all look-ups. Of 16 pairs AVX-512 has permutations, whose table stays in
 * registers; else, from four lanes on, the places go through memory, which takes none of the units
 * that compute, whole pairs are loaded and transposed. Floats are permuted from AVX2 on.
 */
void lowerPairs(llvm::Module &module, const Target &target);

} // namespace weft

#endif
