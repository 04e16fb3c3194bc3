// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** `volatile` where nobody can look. */
#ifndef WEFT_NORM_QUIET_H
#define WEFT_NORM_QUIET_H

#include "llvm/IR/Function.h"

namespace weft {

/**
 * Integers in private variables whose address goes nowhere are nobody's but this item's: if they
 * are written outside of loops only, `volatile` says nothing about them ("volatile int tid", to
 * keep some compiler from computing it again). Those of floating-point types stay, since programs
 * round by them, and so do those that loops write: such a loop is there to take time. For stage
 * canonical, in front of SROA.
 */
void forgetPrivateVolatile(llvm::Function &function);

} // namespace weft

#endif
