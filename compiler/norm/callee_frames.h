// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Large variables of functions that stay functions. */
#ifndef WEFT_NORM_CALLEE_FRAMES_H
#define WEFT_NORM_CALLEE_FRAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace weft {

/** Bytes of variables that a function may have in its own frame; and where calls are nested so
 *  deeply that a thread's stack does not suffice. */
constexpr uint64_t maxCalleeFrame = 1024, leastCalleeFrame = 64;

/** Bytes of all variables whose size is known. */
uint64_t frameBytes(const llvm::Function &function);

/**
 * Variables of large frames move to one block of the kernel, which can put it where there is room:
 * frames on a thread's stack are small. There is no recursion, so each function has its place in
 * the block, behind those of all that call it. The block is Internal::CalleeFrames in `functions`
 * (callees before callers) from here on; each keeps at most `most` bytes in its own frame. Gives
 * the bytes that each of `kernels` needs, 0 included.
 */
llvm::DenseMap<llvm::Function *, uint64_t>
moveLargeFrames(llvm::ArrayRef<llvm::Function *> functions,
                llvm::ArrayRef<llvm::Function *> kernels, uint64_t most);

/** Makes the block a variable of the kernel, which lives while a function runs that needs it. */
void placeCalleeFrames(llvm::Function &kernel, uint64_t bytes);

} // namespace weft

#endif
