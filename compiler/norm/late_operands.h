// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef WEFT_NORM_LATE_OPERANDS_H
#define WEFT_NORM_LATE_OPERANDS_H

#include "llvm/IR/Function.h"

namespace weft {

/** In sums, products and bit operations of three operands, the one that is known last comes last:
 *  dependency chains become shorter, and as many values stay alive. Directly before code
 *  generation, since InstCombine and Reassociate would undo it. Sums of floats stay as they are
 *  unless the program allows another order. */
void takeLateOperandsLast(llvm::Function &function);

} // namespace weft

#endif
