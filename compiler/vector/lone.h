// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Groups of one work-item: programs that ask for the kind of device take such groups on CPUs. */
#ifndef WEFT_VECTOR_LONE_H
#define WEFT_VECTOR_LONE_H

#include "llvm/IR/Function.h"

namespace weft {

/** Something in the kernel is not the same for all items of a group, as far as ids go. */
bool asksItems(const llvm::Function &kernel);

/**
 * Makes of `kernel`, before it is wide, what a group of one item runs: its ids in the group are 0,
 * the group's sizes 1, and nobody is waited for at barriers. Sets loneAttribute.
 */
void makeLone(llvm::Function &kernel);

} // namespace weft

#endif
