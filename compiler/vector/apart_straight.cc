// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Straight code that loads from one buffer and stores to another in turn, as an unrolled
// `out[16 * i + k] = in[16 * i + k] ^ x[k]` or `p[3 * i + k] += v[3 * i + k]` does: its loads could
// be one, and its stores one, if the buffers did not overlap. The launch knows whether they do, so
// such code is there twice, as loops are (apart.cc).

#include "norm/internals.h"
#include "vector/apart.h"
#include "vector/bundle.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace weft {

namespace {

/** Instructions of a part, and parts of a kernel that are there twice: what they cost to build. */
constexpr size_t maxPart = 300, maxParts = 4;

/** Instructions of one block. */
struct Part {
    Instruction *first, *last;
};

/** For each block, the part that its bundles reach over. */
SmallVector<Part, maxParts> partsOf(ArrayRef<Bundle> bundles) {
    MapVector<BasicBlock *, Part> parts;
    for (const Bundle &bundle : bundles)
        for (const BundleMember &member : bundle.members) {
            if (!bundle.needsApart)
                continue;
            Instruction *access = member.access;
            Part &part = parts.insert({access->getParent(), {access, access}}).first->second;
            if (access->comesBefore(part.first))
                part.first = access;
            if (part.last->comesBefore(access))
                part.last = access;
        }
    SmallVector<Part, maxParts> all;
    for (auto &[block, part] : parts)
        all.push_back(part);
    return all;
}

/** Its simple accesses; none: it may not be copied, or is long. */
Accesses accessesOf(const Part &part) {
    Accesses accesses;
    size_t size = 0;
    for (Instruction &instruction :
         make_range(part.first->getIterator(), std::next(part.last->getIterator()))) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (++size > maxPart || isa<AllocaInst>(instruction) ||
            (call && (call->isConvergent() || call->cannotDuplicate())))
            return {};
        if (isa<LoadInst, StoreInst>(instruction))
            accesses.push_back({&instruction, bufferOf(*getLoadStorePointerOperand(&instruction))});
    }
    return accesses;
}

/** Values of one way that are used behind it come from either. */
void joinWays(BasicBlock &way, BasicBlock &copy, BasicBlock &after, ValueToValueMapTy &map) {
    for (Instruction &value : way) {
        if (!value.isUsedOutsideOfBlock(&way))
            continue;
        PHINode *phi = PHINode::Create(value.getType(), 2, value.getName(), after.begin());
        value.replaceUsesOutsideBlock(phi, &way);
        phi->addIncoming(&value, &way);
        phi->addIncoming(map.lookup(&value), &copy);
    }
}

/** Has the part run only where buffers are apart, a copy elsewhere. */
void copyPart(const Part &part) {
    BasicBlock *before = part.first->getParent();
    BasicBlock *way = before->splitBasicBlock(part.first->getIterator(), "apart");
    BasicBlock *after = way->splitBasicBlock(std::next(part.last->getIterator()), "together");
    ValueToValueMapTy map;
    BasicBlock *copy = CloneBasicBlock(way, map, ".overlapping", before->getParent());
    remapInstructionsInBlocks(copy, map);
    joinWays(*way, *copy, *after, map);
    IRBuilder<> builder(before->getTerminator());
    builder.CreateCondBr(callInternal(builder, Internal::Apart), way, copy,
                         MDBuilder(before->getContext()).createLikelyBranchWeights());
    before->getTerminator()->eraseFromParent();
}

} // namespace

Apart copyStraightForApart(Function &kernel, FunctionAnalysisManager &analyses) {
    if (!hasBuffersToTellApart(kernel))
        return {};
    Apart buffers;
    size_t count = 0;
    for (const Part &part : partsOf(findBundles(kernel, analyses, Buffers::Apart))) {
        const Accesses accesses = accessesOf(part);
        if (accesses.empty() || ++count > maxParts)
            continue;
        copyPart(part);
        buffers |= tellApart(kernel.getContext(), accesses);
    }
    if (buffers.buffers)
        analyses.clear(kernel, kernel.getName());
    return buffers;
}

} // namespace weft
