// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Loops for launches whose buffers do not overlap. */
#ifndef WEFT_VECTOR_APART_H
#define WEFT_VECTOR_APART_H

#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace weft {

/**
 * Copies innermost and outer loops that gain from buffers that are apart: sums that stay in
 * registers instead of memory, loads that are the same in all turns. Which of both runs is asked of
 * the launch by the internal call __weft_apart. Returns the arguments that it is to look at, a bit
 * for each (weft_kernel_info.apart); 0: nothing was copied. Loops are rotated before.
 */
uint64_t copyLoopsForApart(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
