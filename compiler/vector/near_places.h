// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Places of gathers and scatters, as the instructions take them. */
#ifndef WEFT_VECTOR_NEAR_PLACES_H
#define WEFT_VECTOR_NEAR_PLACES_H

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Function.h"

namespace weft {

/** Computes them in the block that accesses them, from indices of 32 bits where there are such. */
void bringPlacesNear(llvm::Function &function, const llvm::TargetTransformInfo &target);

} // namespace weft

#endif
