// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/walk.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

/** Of one lane's row (vector/transpose.cc): its place comes from a vector of places. */
bool isOfOneLane(const LoadInst &load) {
    return isa<ExtractElementInst>(load.getPointerOperand()->stripInBoundsConstantOffsets());
}

/** Lanes load from places of their own. */
bool isGather(const Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
        return isOfOneLane(*load);
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == Intrinsic::masked_gather;
}

/** Where an instruction loads from, null if it does not. */
const Value *loadedPlace(const Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
        return load->getPointerOperand();
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return isGather(instruction) || (call && call->getIntrinsicID() == Intrinsic::masked_load)
               ? call->getArgOperand(0)
               : nullptr;
}

bool isPrivate(const Value &place) {
    return place.getType()->getScalarType()->getPointerAddressSpace() == 0;
}

/** What stores to private variables in the loop write, and where, and for which lanes. */
SmallVector<const Value *, 16> privateStores(const Loop &loop) {
    SmallVector<const Value *, 16> written;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &instruction : *block) {
            auto *call = dyn_cast<IntrinsicInst>(&instruction);
            auto id = call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
            if (isa<StoreInst>(instruction) || id == Intrinsic::masked_store ||
                id == Intrinsic::masked_scatter)
                if (isPrivate(*instruction.getOperand(1)))
                    append_range(written, instruction.operand_values());
        }
    return written;
}

using Slice = SmallSetVector<const Instruction *, 32>;

/** The loop's instructions that `value` is computed from, in this turn or earlier ones. */
Slice sliceOf(const Value &value, const Loop &loop, bool throughMemory) {
    Slice slice;
    bool hasStores = !throughMemory;
    auto add = [&](const Value *each) {
        auto *instruction = dyn_cast<Instruction>(each);
        if (instruction && loop.contains(instruction))
            slice.insert(instruction);
    };
    add(&value);
    for (unsigned next = 0; next < slice.size(); next++) {
        const Instruction *instruction = slice[next];
        for (const Value *operand : instruction->operand_values())
            add(operand);
        const Value *place = loadedPlace(*instruction);
        if (!hasStores && place && isPrivate(*place)) {
            hasStores = true;
            for (const Value *written : privateStores(loop))
                add(written);
        }
    }
    return slice;
}

bool leadsToItself(const Instruction &load, const Loop &loop, bool throughMemory) {
    const Value *place = loadedPlace(load);
    return !isPrivate(*place) && !loop.isLoopInvariant(place) &&
           sliceOf(*place, loop, throughMemory).contains(&load);
}

} // namespace

bool asksLanes(const BasicBlock &block) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    auto *compare =
        branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    auto *bits = compare ? dyn_cast<BitCastInst>(compare->getOperand(0)) : nullptr;
    return bits && bits->getSrcTy()->isVectorTy();
}

bool isForAll(const Loop &loop) {
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    return any_of(exiting, [](const BasicBlock *block) { return asksLanes(*block); });
}

/** `first + <0, 1, 2, ...>` of a count that grows by at least as much in each turn as the lanes are
 *  apart; by what is no constant: by a size, which is no less than a vector's. */
static bool countsInStep(Value &counts, const Loop &loop, ScalarEvolution &evolution) {
    Value *splat = nullptr;
    Constant *steps = nullptr;
    if (!match(&counts, m_c_Add(m_Value(splat), m_Constant(steps))))
        return false;
    Value *first = getSplatValue(splat);
    auto *growth = first ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(first)) : nullptr;
    const unsigned lanes = cast<FixedVectorType>(counts.getType())->getNumElements();
    auto *last = dyn_cast_or_null<ConstantInt>(steps->getAggregateElement(lanes - 1));
    if (!growth || growth->getLoop() != &loop || !growth->isAffine() || !last)
        return false;
    auto *step = dyn_cast<SCEVConstant>(growth->getStepRecurrence(evolution));
    return !step || step->getAPInt().abs().ugt(last->getValue().abs());
}

bool leaveInStep(const Loop &loop, ScalarEvolution &evolution) {
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    return all_of(exiting, [&](const BasicBlock *block) {
        if (!asksLanes(*block))
            return true;
        auto *any = cast<ICmpInst>(cast<BranchInst>(block->getTerminator())->getCondition());
        Value *left = nullptr, *right = nullptr;
        CmpPredicate predicate;
        if (!match(any->getOperand(0),
                   m_BitCast(m_Select(m_Value(), m_ICmp(predicate, m_Value(left), m_Value(right)),
                                      m_Zero()))))
            return false;
        return (loop.isLoopInvariant(right) && countsInStep(*left, loop, evolution)) ||
               (loop.isLoopInvariant(left) && countsInStep(*right, loop, evolution));
    });
}

bool chases(const Loop &loop) {
    return any_of(loop.blocks(), [&](const BasicBlock *block) {
        return any_of(*block, [&](const Instruction &instruction) {
            return loadedPlace(instruction) && leadsToItself(instruction, loop, false);
        });
    });
}

bool lanesWalkApart(const Loop &loop) {
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    return any_of(exiting, [&](const BasicBlock *block) {
        return asksLanes(*block) &&
               any_of(
                   sliceOf(*cast<BranchInst>(block->getTerminator())->getCondition(), loop, true),
                   [&](const Instruction *instruction) {
                       return isGather(*instruction) && leadsToItself(*instruction, loop, true);
                   });
    });
}

} // namespace weft
