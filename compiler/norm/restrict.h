// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What `restrict` says where work-items meet. */
#ifndef WEFT_NORM_RESTRICT_H
#define WEFT_NORM_RESTRICT_H

#include "llvm/IR/Function.h"

namespace weft {

/**
 * `restrict` speaks of one work-item's accesses. LLVM takes a `noalias` parameter for memory that
 * no call touches which does not get its address, a barrier among them, behind which stands what
 * other items have written through the same parameter. So the kernel's parameters through which it
 * writes lose the attribute if it has a barrier. Expects values, not variables that hold the
 * parameters.
 */
void forgetRestrict(llvm::Function &kernel);

} // namespace weft

#endif
