// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Checks that stages carry themselves (Switches::checks, docs/differential.md). A claim that does
 * not hold ends the command with CL_OUT_OF_RESOURCES; the debug log names it.
 */
#ifndef WEFT_VECTOR_CLAIMS_H
#define WEFT_VECTOR_CLAIMS_H

#include "vector/flow.h"

#include "llvm/IR/IRBuilder.h"

namespace weft {

/** Reports the fault `which` (WEFT_FAULT_MASK ...) when the kernel runs if `fails`, an i1, is set
 *  in some lane, or for some item. */
void claim(llvm::IRBuilderBase &builder, llvm::Value *fails, unsigned which);

/**
 * Each lane's own way through the kernel as it was before linearise: a variable holds the number of
 * the block that the lane is in or waits for, and only the branches that it takes itself change it.
 * A block's mask must be the lanes that are there.
 */
class LaneWalk {
  public:
    /** `at`: an i32 of each lane. */
    LaneWalk(const Flow &flow, llvm::AllocaInst *at) : flow(flow), at(at) {}

    void begin(llvm::IRBuilderBase &builder, llvm::Value *active, const llvm::BasicBlock &entry);
    /** At the beginning of a block that runs with `mask`. */
    void arrive(llvm::IRBuilderBase &builder, const llvm::BasicBlock &block, llvm::Value *mask);
    /** In front of the block's terminator, which is still the one of a single item. */
    void leave(llvm::IRBuilderBase &builder, const llvm::BasicBlock &block);

  private:
    llvm::Value *isAt(llvm::IRBuilderBase &builder, const llvm::BasicBlock &block);

    const Flow &flow;
    llvm::AllocaInst *at;
};

} // namespace weft

#endif
