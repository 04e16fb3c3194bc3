// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instructions for each access under a mask: docs/passes.md, group-loops, has what was measured.

#include "group/dense.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

using namespace llvm;

namespace weft {

namespace {

/** An access under a mask, with the branch that asks whether all lanes are on, costs about as much
 *  as five to ten instructions on targets without AVX-512. */
constexpr unsigned perAccess = 24;
/** More than any region may have. */
constexpr unsigned tooMany = 1 << 24;

/** Accesses that a mask makes dearer, one for each register, as a number to compare with
 *  instructions. */
unsigned accessesIn(const Instruction &instruction, unsigned vectorBits) {
    if (isa<AllocaInst>(instruction))
        return tooMany; /* what is stored under a mask is not forwarded to loads */
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
        return 0;
    Type *type = call->getType();
    bool isGather = false;
    switch (call->getIntrinsicID()) {
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
        type = call->getArgOperand(0)->getType();
        break;
    case Intrinsic::masked_gather:
        isGather = true;
        break;
    case Intrinsic::masked_load:
        break;
    default:
        return 0;
    }
    unsigned bits = type->getScalarSizeInBits();
    if (bits > 32 || !bits) /* 0: pointers */
        return tooMany;     /* masks of pairs would have to be made */
    /* Gathers of AVX2 take a mask anyway; there are none of smaller elements. */
    if (isGather && vectorBits >= 256 && bits == 32)
        return 0;
    return static_cast<unsigned>(
        divideCeil(type->getPrimitiveSizeInBits().getFixedValue(), vectorBits));
}

struct Count {
    unsigned instructions = 0, accesses = 0;

    void add(const Count &other);
    bool isDense() const { return instructions / perAccess >= accesses; }
};

void Count::add(const Count &other) {
    instructions += other.instructions;
    accesses = std::min(accesses + other.accesses, tooMany);
}

} // namespace

bool isDense(Function &region, unsigned vectorBits) {
    DominatorTree tree(region);
    LoopInfo loops(tree);
    DenseMap<const Loop *, Count> ofLoop;
    Count all;
    for (const BasicBlock &block : region) {
        Count here;
        for (const Instruction &instruction : block)
            here.add({1, accessesIn(instruction, vectorBits)});
        all.add(here);
        for (const Loop *loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
            ofLoop[loop].add(here);
    }
    return all.isDense() && all_of(ofLoop, [](const auto &loop) { return loop.second.isDense(); });
}

} // namespace weft
