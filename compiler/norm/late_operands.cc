// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// (late ^ a) ^ b: whoever wants the result waits for two operations, of which one could have been
// done meanwhile. LLVM's Reassociate takes what stands last in the block for what is known last,
// such as what is loaded last; its combiner of machine instructions changes little of it.

#include "norm/late_operands.h"
#include "norm/latency.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

/** When a value is known, in cycles from its block's beginning if nothing else is waited for, and
 *  from when what comes from other blocks and turns is known; -1: it does not wait for that. */
struct Time {
    int inBlock = 0, behindOthers = -1;

    /** Whatever comes later: the loads, or the turn before. */
    bool isLaterThan(const Time &other) const {
        return inBlock > other.inBlock &&
               (behindOthers > other.behindOthers || other.behindOthers < 0);
    }
};
using Times = DenseMap<const Value *, Time>; /* of a block's instructions so far */

Time known(const Value *value, const Times &times) {
    if (auto found = times.find(value); found != times.end())
        return found->second;
    return isa<Instruction>(value) ? Time{0, 0} : Time();
}

Time knownOf(const Instruction &instruction, const Times &times) {
    Time time;
    if (isa<PHINode>(instruction))
        return {0, 0};
    for (const Value *operand : instruction.operand_values()) {
        const Time its = known(operand, times);
        time.inBlock = std::max(time.inBlock, its.inBlock);
        time.behindOthers = std::max(time.behindOthers, its.behindOthers);
    }
    const int latency = static_cast<int>(timeOf(instruction).latency);
    return {time.inBlock + latency, time.behindOthers < 0 ? -1 : time.behindOthers + latency};
}

/** Both are the same operation, of whose operands any two may come first. */
bool mayChange(const BinaryOperator &outer, const BinaryOperator &inner) {
    return inner.getOpcode() == outer.getOpcode() && inner.hasOneUse() &&
           inner.getParent() == outer.getParent() && outer.isCommutative() &&
           outer.isAssociative() && inner.isAssociative();
}

/** (late op a) op b becomes (a op b) op late, where `late` is known behind both. */
bool takeLast(BinaryOperator &outer, Times &times) {
    auto isLater = [&](const Value *value, const Value *than) {
        return known(value, times).isLaterThan(known(than, times));
    };
    for (unsigned place : {0, 1}) {
        auto *inner = dyn_cast<BinaryOperator>(outer.getOperand(place));
        if (!inner || !mayChange(outer, *inner))
            continue;
        Value *late = inner->getOperand(0), *early = inner->getOperand(1);
        Value *other = outer.getOperand(1 - place);
        if (isLater(early, late))
            std::swap(late, early);
        if (!isLater(late, early) || !isLater(late, other))
            continue;
        IRBuilder<> builder(&outer);
        Value *first = builder.CreateBinOp(outer.getOpcode(), early, other);
        if (auto *made = dyn_cast<Instruction>(first)) {
            made->setDebugLoc(inner->getDebugLoc());
            if (isa<FPMathOperator>(outer)) {
                made->copyFastMathFlags(inner);
                made->andIRFlags(&outer); /* what only one of them may, both may not now */
            }
            times[made] = knownOf(*made, times);
        }
        outer.setOperand(0, first);
        outer.setOperand(1, late);
        outer.dropPoisonGeneratingFlags();
        times.erase(inner);
        inner->eraseFromParent();
        return true;
    }
    return false;
}

} // namespace

void takeLateOperandsLast(Function &function) {
    for (BasicBlock &block : function) {
        Times times;
        for (Instruction &instruction : make_early_inc_range(block)) {
            if (auto *outer = dyn_cast<BinaryOperator>(&instruction))
                takeLast(*outer, times);
            times[&instruction] = knownOf(instruction, times);
        }
    }
}

} // namespace weft
