// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Kernels in which an argument chooses where lanes access memory. */
#ifndef WEFT_VECTOR_CHOICES_H
#define WEFT_VECTOR_CHOICES_H

#include "llvm/IR/PassManager.h"

namespace weft {

/**
 * Copies a kernel's body for each way of a choice among places by its arguments, as in
 * `x = axis == 0 ? k : id`, where accesses would be lane by lane because of it. Returns how many
 * choices were made so. Not of kernels whose copies would be long.
 */
unsigned copyForChoices(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
