// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Masks of vectors for targets that have no registers of bits. */
#ifndef WEFT_VECTOR_MASK_WORDS_H
#define WEFT_VECTOR_MASK_WORDS_H

#include "llvm/IR/Function.h"

namespace weft {

/** Vectors of so many bits that are made of others become vectors of words, as wide as what most of
 *  the function's comparisons compare. Directly before code generation: InstCombine would undo it.
 */
void makeMasksWords(llvm::Function &function, unsigned lanes);

} // namespace weft

#endif
