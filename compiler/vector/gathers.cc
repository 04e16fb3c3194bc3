// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gathers as loads of one lane after the other, without a branch. The processors that are slow at
// the instruction (each Zen) take about as long for either from the nearest cache, but their
// prefetchers only see the loads: what streams from memory takes two to five times as long by
// gathers. Tables stay where they are, and the instruction has fewer results to put together.

#include "vector/gathers.h"
#include "vector/flow.h"
#include "vector/lanes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

bool hasGather(const IntrinsicInst &gather, const TargetTransformInfo &target) {
    const Align align = gather.getParamAlign(0).valueOrOne();
    auto *type = cast<VectorType>(gather.getType());
    return target.isLegalMaskedGather(type, align) &&
           !target.forceScalarizeMaskedGather(type, align);
}

namespace {

/** Where there are more streams than a processor follows, they take long to build: three
 *  instructions for each lane instead of one. (tinygrad's convolutions have up to 128.) */
constexpr size_t mostSlow = 8;

/** A way taken by less than one of two: lanes were guessed to lie side by side and do not
 *  (vector/expect.cc). */
constexpr uint64_t seldom = 2;

/** Whether lanes go through memory in an order of their own, not one that was read from memory. */
bool isStream(const Value *places) {
    SmallSetVector<const Value *, 16> made;
    made.insert(places);
    for (unsigned next = 0; next < made.size(); next++) {
        auto *instruction = dyn_cast<Instruction>(made[next]);
        if (!instruction)
            continue;
        if (instruction->mayReadFromMemory())
            return false;
        for (const Value *operand : instruction->operand_values())
            if (operand->getType()->isVectorTy())
                made.insert(operand);
    }
    return true;
}

void takeApart(IntrinsicInst &gather) {
    IRBuilder<> builder(&gather);
    auto *type = cast<FixedVectorType>(gather.getType());
    const LaneAccess access{cast<CallInst>(&gather)};
    Value *places = access.pointer(), *off = gather.getArgOperand(2);
    const bool isMasked = !match(access.mask(), m_AllOnes());
    if (isMasked) {
        Constant *nothing = nothingAt(*gather.getModule(), places->getType()->getScalarType());
        places = builder.CreateSelect(access.mask(), places,
                                      ConstantVector::getSplat(type->getElementCount(), nothing));
    }
    Value *all = PoisonValue::get(type);
    for (unsigned lane = 0; lane < type->getNumElements(); lane++) {
        LoadInst *load = builder.CreateAlignedLoad(
            type->getElementType(), builder.CreateExtractElement(places, lane), access.align());
        if (!isMasked) /* of `nothing` none of it is true */
            load->setAAMetadata(gather.getAAMetadata());
        all = builder.CreateInsertElement(all, load, lane);
    }
    if (isMasked && !isa<UndefValue>(off))
        all = builder.CreateSelect(access.mask(), all, off);
    all->takeName(&gather);
    gather.replaceAllUsesWith(all);
    gather.eraseFromParent();
}

} // namespace

void takeGathersApart(Function &function, const TargetTransformInfo &target, bool slowGathers) {
    SmallVector<IntrinsicInst *, 32> without, slow;
    for (Instruction &instruction : instructions(function)) {
        auto *gather = dyn_cast<IntrinsicInst>(&instruction);
        if (!gather || gather->getIntrinsicID() != Intrinsic::masked_gather)
            continue;
        if (!hasGather(*gather, target))
            without.push_back(gather);
        else if (slowGathers && isStream(gather->getArgOperand(0)) &&
                 !isSeldom(*gather->getParent(), seldom))
            slow.push_back(gather);
    }
    for_each(without, [](IntrinsicInst *gather) { takeApart(*gather); });
    if (slow.size() <= mostSlow)
        for_each(slow, [](IntrinsicInst *gather) { takeApart(*gather); });
}

} // namespace weft
