// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Kernels whose items could be grouped in any way. */
#ifndef WEFT_VECTOR_FLAT_H
#define WEFT_VECTOR_FLAT_H

#include "llvm/IR/Function.h"

namespace weft {

/**
 * True if nothing that the kernel can ask depends on how items are grouped: no barriers, local
 * memory, local or group ids and sizes. Right behind stage inline-barriers: a global id must still
 * be the sum of the group's base and a local id.
 */
bool isFlat(llvm::Function &kernel);

} // namespace weft

#endif
