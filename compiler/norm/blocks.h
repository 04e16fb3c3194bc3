// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Blocks that kernels enqueue: their kernels, and the literals that hold what they capture. */
#ifndef WEFT_NORM_BLOCKS_H
#define WEFT_NORM_BLOCKS_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace weft {

/** A function with this attribute is a block's kernel: what enqueue_kernel starts. */
constexpr const char *blockAttribute = "weft-block";

/**
 * Where Clang hands a block's kernel to a function, that gets the kernel's name; and the pointer to
 * code in each block literal, which nobody needs, becomes null. So no function's address is taken.
 * An error if a block is called that is not known at compile time.
 */
llvm::Error nameBlocks(llvm::Module &module);

} // namespace weft

#endif
