// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instructions for each access under a mask: docs/passes.md, group-loops, has what was measured.

#include "group/dense.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

namespace {

/** An access under a mask, with the branch that asks whether all lanes are on, costs about as much
 *  as 13 to 20 instructions on targets without AVX-512: a tenth may be lost, a third not. */
constexpr double perAccess = 100;
/** More than any region may have. */
constexpr double tooMany = 1 << 24;
/** Of elements of 64 bits and more, whose masks of pairs would have to be made: only what hardly
 *  ever runs may have them. */
constexpr double perPair = 256;

/** Accesses that a mask makes dearer, as a number to compare with instructions. */
double accessesIn(const Instruction &instruction) {
    if (isa<AllocaInst>(instruction))
        return tooMany; /* what is stored under a mask is not forwarded to loads */
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
        return 0;
    Type *type = call->getType();
    switch (call->getIntrinsicID()) {
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
        type = call->getArgOperand(0)->getType();
        break;
    case Intrinsic::masked_gather:
    case Intrinsic::masked_load:
        break;
    default:
        return 0;
    }
    unsigned bits = type->getScalarSizeInBits();
    if (bits > 32 || !bits) /* 0: pointers */
        return perPair;
    return 1; /* gathers, too: they take a mask anyway, but a constant one is in no register */
}

/** Each as often as it runs. */
struct Count {
    double instructions = 0, accesses = 0;

    void add(const Count &other);
    bool isDense() const { return instructions >= accesses * perAccess; }
};

void Count::add(const Count &other) {
    instructions += other.instructions;
    accesses += other.accesses;
}

} // namespace

bool isDense(Function &region) {
    DominatorTree tree(region);
    LoopInfo loops(tree);
    BranchProbabilityInfo probabilities(region, loops);
    BlockFrequencyInfo frequencies(region, probabilities, loops);
    const auto once = static_cast<double>(frequencies.getEntryFreq().getFrequency());
    DenseMap<const Loop *, Count> ofLoop;
    Count all;
    for (const BasicBlock &block : region) {
        const double times =
            static_cast<double>(frequencies.getBlockFreq(&block).getFrequency()) / once;
        Count here;
        for (const Instruction &instruction : block)
            here.add({times, times * accessesIn(instruction)});
        all.add(here);
        for (const Loop *loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
            ofLoop[loop].add(here);
    }
    return all.isDense() && all_of(ofLoop, [](const auto &loop) { return loop.second.isDense(); });
}

} // namespace weft
