// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The control flow of a kernel as stage linearise looks at it. */
#ifndef WEFT_VECTOR_FLOW_H
#define WEFT_VECTOR_FLOW_H

#include "vector/divergence.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

#include <vector>

namespace weft {

/**
 * Blocks in the order in which one vector of items comes through them, and which blocks are run by
 * the same lanes. Wants: no switches, no critical edges, loops in simplified form, one return.
 *
 * The order is topological but for back edges; a loop's blocks are neighbours, and so are a block
 * and what it dominates (blocks behind a loop that a block in it dominates follow the loop). This
 * is what partial linearisation asks for (Moll and Hack, PLDI 2018).
 */
class Flow {
  public:
    explicit Flow(llvm::Function &kernel);

    unsigned numberOf(const llvm::BasicBlock *block) const { return numbers.lookup(block); }

    /** The first block with the same mask; a loop's header has its own if lanes leave it apart. */
    llvm::BasicBlock *leader(llvm::BasicBlock *block) const;

    /** Lanes leave the loop at different times. */
    bool isDivergent(const llvm::Loop *loop) const { return divergentLoops.contains(loop); }
    /** The lanes of this block do not all go the same way. */
    bool parts(const llvm::BasicBlock &block) const;

    llvm::Function &kernel;
    llvm::DominatorTree tree;
    llvm::LoopInfo loops;
    Divergence divergence;
    std::vector<llvm::BasicBlock *> order;

  private:
    using Blocks = llvm::SmallVector<llvm::BasicBlock *, 8>;
    void place(llvm::BasicBlock *block, llvm::Loop *loop, Blocks &outside);
    void placeIn(llvm::BasicBlock *block, llvm::Loop *loop, Blocks &outside);
    void findPostDominators();
    unsigned common(unsigned a, unsigned b) const;
    bool postDominates(unsigned later, unsigned earlier) const;
    void findLeaders();
    void findLeadersOnce();
    llvm::BasicBlock *leaderOf(llvm::BasicBlock *block) const;
    bool leavesApart(llvm::Loop &loop) const;

    llvm::DenseMap<const llvm::BasicBlock *, unsigned> numbers, reverse;
    std::vector<unsigned> nearest; /* post-dominator of each block, in a graph without back edges */
    mutable llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> leaders;
    llvm::SmallPtrSet<const llvm::Loop *, 8> divergentLoops;
};

/** The branch in front of the block says that less than one in so many goes there; false where no
 *  single branch leads there, or it does not say. */
bool isSeldom(const llvm::BasicBlock &block, uint64_t oneIn);

} // namespace weft

#endif
