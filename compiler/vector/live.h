// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** How many registers the values of a function take at one time. */
#ifndef WEFT_VECTOR_LIVE_H
#define WEFT_VECTOR_LIVE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace weft {

/** Values that are alive, in the order that the code has: near enough to choose by. */
class LiveRegisters {
  public:
    /** `registers`: how many an instruction's value takes; 0: it does not count. With `loops`, what
     *  a loop neither makes nor uses does not count in it: it can wait in memory meanwhile. */
    LiveRegisters(llvm::Function &function,
                  llvm::function_ref<unsigned(const llvm::Value &)> registers,
                  const llvm::LoopInfo *loops = nullptr);

    /** At most at one time: in the whole function, or in a block. */
    unsigned most() const { return all; }
    unsigned mostIn(const llvm::BasicBlock &block) const { return inBlock.lookup(&block); }

  private:
    using Live = llvm::DenseSet<const llvm::Value *>;
    Live liveBehind(const llvm::BasicBlock &block) const;
    unsigned walk(const llvm::BasicBlock &block, Live &live) const;
    unsigned idle(const llvm::BasicBlock &block, const Live &behind) const;

    const llvm::function_ref<unsigned(const llvm::Value &)> registers;
    const llvm::LoopInfo *const loops;
    llvm::DenseMap<const llvm::BasicBlock *, Live> before;
    llvm::DenseMap<const llvm::BasicBlock *, unsigned> inBlock;
    unsigned all = 0;
};

/** How many vector registers a target has whose widest have so many bits. */
constexpr unsigned registersFor(unsigned bits) {
    return bits == 512 ? 32 : 16;
}

/** Registers of `bits` that a wide body's vectors take at most in each block. What is loaded or
 *  the same in all lanes may come from memory when it is wanted, and does not count. */
llvm::DenseMap<const llvm::BasicBlock *, unsigned>
registersOfBlocks(llvm::Function &body, unsigned bits, const llvm::LoopInfo &loops);

} // namespace weft

#endif
