// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "group/outcome.h"
#include "group/meeting.h"
#include "group/uniformity.h"
#include "vector/claims.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"

#include "weft/abi.h"

using namespace llvm;

namespace weft {

/** Branches that an exit may depend on: paths that join again are walked more than once. */
static constexpr unsigned maxDecisions = 32;

/** A PHI of one value, which the region's single way in has made of a loop's. */
Value *Outcome::phiAtStart(PHINode &phi) {
    Value *only = nullptr;
    for (Value *incoming : phi.incoming_values()) {
        if (incoming == &phi)
            continue;
        if (only && incoming != only)
            return nullptr;
        only = incoming;
    }
    return only ? atStart(only) : nullptr;
}

Value *Outcome::atStart(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || instruction->getParent() == &entry)
        return value;
    auto [found, isNew] = known.try_emplace(value, nullptr);
    if (!isNew)
        return found->second;
    if (auto *phi = dyn_cast<PHINode>(instruction)) {
        Value *result = phiAtStart(*phi);
        return known[value] = result;
    }
    if (instruction->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(instruction))
        return nullptr;
    SmallVector<Value *, 4> operands;
    for (Value *operand : instruction->operand_values()) {
        operands.push_back(atStart(operand));
        if (!operands.back())
            return nullptr;
    }
    Instruction *copy = instruction->clone();
    for (unsigned index = 0; index < operands.size(); index++)
        copy->setOperand(index, operands[index]);
    copy->dropUBImplyingAttrsAndMetadata();
    copy->insertBefore(entry.getTerminator()->getIterator());
    return known[value] = copy;
}

void Outcome::hoist(StoreInst &store) {
    Value *value = atStart(store.getValueOperand());
    if (!value)
        return;
    store.setOperand(0, value);
    store.moveBefore(entry.getTerminator()->getIterator());
}

/** The exit that items take from `block` on; null if that is not known at the region's start. */
Value *Outcome::exitFrom(BasicBlock *block, const MeetingPoints &points) {
    Type *i32 = Type::getInt32Ty(block->getContext());
    auto barrier = plan.barrierAt.find(block);
    if (barrier != plan.barrierAt.end())
        return ConstantInt::get(i32, barrier->second);
    if (endsItem(*block) || points.endsSurely(block))
        return ConstantInt::get(i32, endOfItem);
    if (BasicBlock *meeting = points.meeting(block))
        return exitFrom(meeting, points);
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || !plan.uniformity->branchesUniformly(*block) ||
        decisions++ == maxDecisions || !path.insert(block).second)
        return nullptr;
    // The clone's condition, not the clone of the condition: what is made in front of the barrier,
    // where a loop comes to it again, is another value than the one that comes in.
    auto &clone = *cast<BasicBlock>(static_cast<Value *>(values[block]));
    Value *condition = atStart(cast<BranchInst>(clone.getTerminator())->getCondition());
    Value *taken = condition ? exitFrom(branch->getSuccessor(0), points) : nullptr;
    Value *other = taken ? exitFrom(branch->getSuccessor(1), points) : nullptr;
    if (!other)
        return nullptr;
    path.erase(block);
    IRBuilder<> builder(entry.getTerminator());
    return builder.CreateSelect(condition, taken, other);
}

void Outcome::hoistExit(Function &function) {
    if (!region.uniformExit || region.exits.size() < 2)
        return;
    Value *exit = exitFrom(region.entry, MeetingPoints(plan, region));
    if (!exit)
        return;
    for (BasicBlock &block : function)
        if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
            if (plan.switches.checks) {
                IRBuilder<> builder(end);
                claim(builder, builder.CreateICmpNE(end->getOperand(0), exit), WEFT_FAULT_EXIT);
            }
            end->setOperand(0, exit);
        }
}

} // namespace weft
