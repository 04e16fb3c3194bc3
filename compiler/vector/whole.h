// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** OpenCL vectors of all lanes that stay as they lie in memory. */
#ifndef WEFT_VECTOR_WHOLE_H
#define WEFT_VECTOR_WHOLE_H

#include "llvm/IR/Function.h"

namespace weft {

/**
 * Where the same is done with all elements of OpenCL vectors that were loaded side by side, as in
 * sums of `float4 * float`, does it on registers of `registerBits` as they lie in memory, if that
 * takes fewer instructions than to take them apart. For a kernel that is wide; what is left over is
 * for ADCE. Returns how many operations on vectors are.
 */
unsigned keepWhole(llvm::Function &kernel, unsigned registerBits);

} // namespace weft

#endif
