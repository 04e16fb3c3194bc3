// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/flow.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ProfDataUtils.h"

using namespace llvm;

namespace weft {

Flow::Flow(Function &kernel) : kernel(kernel), tree(kernel), loops(tree), divergence(kernel) {
    ReversePostOrderTraversal<Function *> traversal(&kernel);
    for (BasicBlock *block : traversal)
        reverse[block] = static_cast<unsigned>(reverse.size());
    Blocks outside;
    place(&kernel.getEntryBlock(), nullptr, outside);
    for (BasicBlock *block : order)
        numbers[block] = static_cast<unsigned>(numbers.size());
    findPostDominators();
    findLeaders();
}

/* ---- order ----------------------------------------------------------------------------------- */

/** `block` and what it dominates inside of `loop`; what is outside of it is left over. */
void Flow::placeIn(BasicBlock *block, Loop *loop, Blocks &outside) {
    order.push_back(block);
    Blocks children;
    for (DomTreeNode *child : tree.getNode(block)->children())
        children.push_back(child->getBlock());
    sort(children, [&](BasicBlock *a, BasicBlock *b) { return reverse[a] < reverse[b]; });
    for (BasicBlock *child : children)
        if (loop && !loop->contains(child))
            outside.push_back(child);
        else
            place(child, loop, outside);
}

void Flow::place(BasicBlock *block, Loop *loop, Blocks &outside) {
    Loop *inner = loops.getLoopFor(block);
    if (inner == loop || !inner || inner->getHeader() != block)
        return placeIn(block, loop, outside);
    Blocks behind;
    placeIn(block, inner, behind);
    sort(behind, [&](BasicBlock *a, BasicBlock *b) { return reverse[a] < reverse[b]; });
    for (BasicBlock *next : behind)
        if (loop && !loop->contains(next))
            outside.push_back(next);
        else
            place(next, loop, outside);
}

/* ---- post-dominators ------------------------------------------------------------------------- */

unsigned Flow::common(unsigned a, unsigned b) const {
    while (a != b) {
        if (a < b)
            a = nearest[a];
        else
            b = nearest[b];
    }
    return a;
}

/**
 * In the graph without back edges, where a loop's last block leads to all its exits instead: a lane
 * leaves it by one of them sooner or later. One pass suffices, since the graph has no cycle.
 */
void Flow::findPostDominators() {
    unsigned end = static_cast<unsigned>(order.size());
    nearest.assign(end + 1, end);
    for (unsigned number = end; number-- > 0;) {
        SmallVector<BasicBlock *, 4> next(successors(order[number]));
        Loop *loop = loops.getLoopFor(order[number]);
        if (loop && loop->getLoopLatch() == order[number]) {
            next.clear();
            loop->getUniqueExitBlocks(next);
        }
        unsigned found = next.empty() ? end : numberOf(next[0]);
        for (BasicBlock *block : next)
            found = common(found, numberOf(block));
        nearest[number] = found;
    }
}

bool Flow::postDominates(unsigned later, unsigned earlier) const {
    while (earlier < later)
        earlier = nearest[earlier];
    return earlier == later;
}

/* ---- leaders --------------------------------------------------------------------------------- */

BasicBlock *Flow::leader(BasicBlock *block) const {
    BasicBlock *found = leaders.lookup(block);
    while (found != leaders.lookup(found))
        found = leaders.lookup(found);
    return leaders[block] = found;
}

bool Flow::parts(const BasicBlock &block) const {
    const Instruction &terminator = *block.getTerminator();
    if (terminator.getNumSuccessors() < 2)
        return false;
    if (divergence.isDivergentBranch(terminator))
        return true;
    for (Loop *loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
        if (isDivergent(loop))
            for (const BasicBlock *next : successors(&block))
                if (!loop->contains(next))
                    return true;
    return false;
}

/** A block is run by the same lanes as an earlier one if all that come there come here. */
BasicBlock *Flow::leaderOf(BasicBlock *block) const {
    Loop *loop = loops.getLoopFor(block);
    if (loop && loop->getHeader() == block)
        return block;
    BasicBlock *same = nullptr;
    for (BasicBlock *before : predecessors(block)) {
        BasicBlock *theirs = parts(*before) ? nullptr : leader(before);
        if (!theirs || (same && theirs != same)) {
            same = nullptr;
            break;
        }
        same = theirs;
    }
    if (same)
        return same;
    BasicBlock *above = tree.getNode(block)->getIDom()->getBlock();
    while (above && loops.getLoopFor(above) != loop) {
        Loop *left = loops.getLoopFor(above);
        if (!left || left->contains(block))
            return block;
        while (left->getParentLoop() && !left->getParentLoop()->contains(block))
            left = left->getParentLoop();
        above = left->getLoopPreheader();
    }
    if (above && postDominates(numberOf(block), numberOf(above)))
        return leader(above);
    return block;
}

/** Also by an exit that all lanes take together, if it leads out of a loop around this one that
 *  is left apart: they wait there, and the last block of this loop has to ask whether any is left.
 */
bool Flow::leavesApart(Loop &loop) const {
    SmallVector<BasicBlock *, 8> exiting;
    loop.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting)
        if (parts(*block) || leader(block) != loop.getHeader())
            return true;
    return false;
}

/** A loop that turns out to be left apart changes what holds inside of it: once more then. */
void Flow::findLeaders() {
    for (size_t before = ~size_t{0}; before != divergentLoops.size();) {
        before = divergentLoops.size();
        leaders.clear();
        findLeadersOnce();
    }
}

void Flow::findLeadersOnce() {
    leaders[order[0]] = order[0];
    for (unsigned number = 1; number < order.size(); number++) {
        BasicBlock *block = order[number];
        // Behind the last block of a loop it is known who leaves it how.
        for (Loop *loop = loops.getLoopFor(order[number - 1]); loop && !loop->contains(block);
             loop = loop->getParentLoop()) {
            if (isDivergent(loop) || leavesApart(*loop))
                divergentLoops.insert(loop);
            else
                leaders[loop->getHeader()] = leader(loop->getLoopPreheader());
        }
        BasicBlock *found = leaderOf(block);
        leaders[block] = found;
    }
}

bool isSeldom(const BasicBlock &block, uint64_t oneIn) {
    const BasicBlock *before = block.getSinglePredecessor();
    auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    uint64_t yes = 0, no = 0;
    if (!branch || !branch->isConditional() || !extractBranchWeights(*branch, yes, no))
        return false;
    const uint64_t here = branch->getSuccessor(0) == &block ? yes : no;
    return here < (yes + no) / oneIn;
}

} // namespace weft
