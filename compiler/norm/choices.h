// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef WEFT_NORM_CHOICES_H
#define WEFT_NORM_CHOICES_H

#include "llvm/IR/Function.h"

namespace weft {

/** Choices between floats by two comparisons, which InstCombine likes to make, become two choices
 *  where the back end has better instructions for these: fmin and fmax, and what is one value and
 *  no vector. Directly before code generation, since InstCombine would undo it. The same bits, NaNs
 *  and zeros included. */
void partChoices(llvm::Function &function);

} // namespace weft

#endif
