// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/copy_loop.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace weft {

/** What the copy's blocks bring to the blocks behind the loop. */
static void addWaysOut(const Loop &loop, const ValueToValueMapTy &map) {
    SmallVector<BasicBlock *, 4> exits;
    loop.getUniqueExitBlocks(exits);
    for (BasicBlock *exit : exits)
        for (PHINode &phi : exit->phis())
            for (unsigned index = 0, count = phi.getNumIncomingValues(); index < count; index++) {
                BasicBlock *from = phi.getIncomingBlock(index);
                Value *value = phi.getIncomingValue(index);
                if (!loop.contains(from))
                    continue;
                Value *copied = map.lookup(value);
                phi.addIncoming(copied ? copied : value, cast<BasicBlock>(map.lookup(from)));
            }
}

void copyLoop(Loop &loop, Value &condition, const Twine &suffix, LoopInfo &loops,
              DominatorTree &tree, SmallVectorImpl<BasicBlock *> &blocks) {
    BasicBlock *before = loop.getLoopPreheader();
    BasicBlock *preheader =
        SplitBlock(before, before->getTerminator(), &tree, &loops, nullptr, "usual");
    ValueToValueMapTy map;
    Loop *other =
        cloneLoopWithPreheader(preheader, before, &loop, map, suffix, &loops, &tree, blocks);
    remapInstructionsInBlocks(blocks, map);
    addWaysOut(loop, map);
    IRBuilder<> builder(before->getTerminator());
    builder.CreateCondBr(&condition, preheader, other->getLoopPreheader(),
                         MDBuilder(before->getContext()).createLikelyBranchWeights());
    before->getTerminator()->eraseFromParent();
    tree.recalculate(*before->getParent());
    for (Loop *each : {&loop, other})
        formDedicatedExitBlocks(each, &tree, &loops, nullptr, /*PreserveLCSSA=*/true);
}

} // namespace weft
