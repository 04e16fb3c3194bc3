// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that all items leave after the same number of turns, wherever they begin: what the items of
// a group load together, `for (i = id; i < 256; i += 64)` with ids below 64.

#include "vector/prepare.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

/** The branch behind the last block, if it compares with a constant what begins with none. */
static BranchInst *exitOf(const Loop &loop) {
    BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
    auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
    if (!before || !branch || !branch->isConditional() || !loop.isLoopExiting(latch))
        return nullptr;
    auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
    const bool begins = any_of(loop.getHeader()->phis(), [&](const PHINode &phi) {
        return phi.getType()->isIntegerTy() &&
               isa<Instruction>(phi.getIncomingValueForBlock(before));
    });
    return compare && isa<ConstantInt>(compare->getOperand(1)) && begins ? branch : nullptr;
}

/** Counts them by a number of its own, which begins with 0. */
static void countFrom0(Loop &loop, BranchInst &exit, const APInt &turns) {
    BasicBlock *header = loop.getHeader();
    IRBuilder<> builder(header, header->begin());
    Type *type = builder.getInt32Ty();
    PHINode *count = builder.CreatePHI(type, 2, "turn");
    builder.SetInsertPoint(&exit);
    Value *next = builder.CreateNUWAdd(count, ConstantInt::get(type, 1));
    Value *more = builder.CreateICmpULE(next, ConstantInt::get(type, turns.getZExtValue()));
    count->addIncoming(ConstantInt::get(type, 0), loop.getLoopPreheader());
    count->addIncoming(next, loop.getLoopLatch());
    if (exit.getSuccessor(0) != header)
        exit.swapSuccessors();
    exit.setCondition(more);
}

void countTurns(Function &kernel, FunctionAnalysisManager &analyses) {
    constexpr uint64_t mostTurns = 1 << 20;
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(kernel);
    SmallVector<std::pair<Loop *, BranchInst *>, 4> found;
    for (Loop *loop : loops.getLoopsInPreorder())
        if (BranchInst *exit = exitOf(*loop))
            found.push_back({loop, exit});
    if (found.empty())
        return;
    ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(kernel);
    SmallVector<std::optional<APInt>, 4> turns;
    for (auto [loop, exit] : found) {
        const SCEV *count = evolution.getExitCount(loop, exit->getParent());
        turns.emplace_back();
        if (isa<SCEVCouldNotCompute, SCEVConstant>(count))
            continue;
        /* Both are true: sums of negative multiples are bounded as signed numbers. */
        const ConstantRange range =
            evolution.getUnsignedRange(count).intersectWith(evolution.getSignedRange(count));
        if (const APInt *one = range.getSingleElement(); one && one->ult(mostTurns))
            turns.back() = *one;
    }
    for (auto [which, known] : zip(found, turns))
        if (known)
            countFrom0(*which.first, *which.second, *known);
}

} // namespace weft
