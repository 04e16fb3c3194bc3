// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** How a kernel's code comes to its arguments. */
#ifndef WEFT_GROUP_ARGUMENTS_H
#define WEFT_GROUP_ARGUMENTS_H

#include "weft/abi.h"

#include "llvm/IR/IRBuilder.h"

namespace weft {

/** The value of one parameter of a kernel: from its slot of the argument block `block`, the slot
 *  itself, or a place in the local memory of `worker`. */
llvm::Value *readArgument(llvm::IRBuilder<> &builder, llvm::Argument &argument,
                          const weft_arg_info &info, llvm::Value *block, llvm::Value *worker);

} // namespace weft

#endif
