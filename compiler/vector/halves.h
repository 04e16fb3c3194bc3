// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Registers whose halves come from two places. */
#ifndef WEFT_VECTOR_HALVES_H
#define WEFT_VECTOR_HALVES_H

#include "llvm/IR/Function.h"

namespace weft {

/**
 * Where 16 bytes of a long load are put beside other 16 of it, they are loaded for it once more:
 * an insertion from memory, which any vector unit does, instead of an exchange of two registers'
 * halves, which one unit does and slowly. For registers of 32 bytes, see vector/perfect_shuffle.cc.
 */
void loadHalves(llvm::Function &function);

} // namespace weft

#endif
