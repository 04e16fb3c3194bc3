// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/live.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

LiveRegisters::LiveRegisters(Function &function, function_ref<unsigned(const Value &)> registers,
                             const LoopInfo *loops)
    : registers(registers), loops(loops) {
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlock *block : post_order(&function)) {
            Live live = liveBehind(*block);
            const unsigned waiting = idle(*block, live);
            inBlock[block] = walk(*block, live) - waiting;
            all = std::max(all, inBlock[block]);
            Live &known = before[block];
            changed |= known.size() != live.size();
            known = std::move(live);
        }
    }
}

LiveRegisters::Live LiveRegisters::liveBehind(const BasicBlock &block) const {
    Live live;
    for (const BasicBlock *next : successors(&block)) {
        auto found = before.find(next);
        if (found != before.end())
            live.insert(found->second.begin(), found->second.end());
        for (const PHINode &phi : next->phis())
            if (const Value *value = phi.getIncomingValueForBlock(&block); registers(*value))
                live.insert(value);
    }
    return live;
}

/** From the block's end to its beginning; returns the most registers seen. */
unsigned LiveRegisters::walk(const BasicBlock &block, Live &live) const {
    unsigned now = 0;
    for (const Value *value : live)
        now += registers(*value);
    unsigned most = now;
    for (const Instruction &instruction : reverse(block)) {
        if (live.erase(&instruction))
            now -= registers(instruction);
        if (isa<PHINode>(instruction))
            continue;
        for (const Value *operand : instruction.operand_values())
            if (const unsigned count = registers(*operand); count && live.insert(operand).second)
                now += count;
        most = std::max(most, now);
    }
    return most;
}

/** A PHI uses a value where it comes from. */
static bool isUsedIn(const Loop &loop, const Value &value) {
    return any_of(value.uses(), [&](const Use &use) {
        auto *phi = dyn_cast<PHINode>(use.getUser());
        return loop.contains(phi ? phi->getIncomingBlock(use)
                                 : cast<Instruction>(use.getUser())->getParent());
    });
}

/** Registers of what is alive behind a block in a loop that has nothing to do with it. */
unsigned LiveRegisters::idle(const BasicBlock &block, const Live &behind) const {
    const Loop *loop = loops ? loops->getLoopFor(&block) : nullptr;
    unsigned count = 0;
    if (loop)
        for (const Value *value : behind)
            if (!loop->contains(cast<Instruction>(value)) && !isUsedIn(*loop, *value))
                count += registers(*value);
    return count;
}

DenseMap<const BasicBlock *, unsigned> registersOfBlocks(Function &body, unsigned bits,
                                                         const LoopInfo &loops) {
    auto registers = [bits](const Value &value) -> unsigned {
        auto *type = dyn_cast<FixedVectorType>(value.getType());
        auto *call = dyn_cast<IntrinsicInst>(&value);
        const bool isLoad =
            isa<LoadInst>(value) || (call && call->getIntrinsicID() == Intrinsic::masked_load);
        if (!type || !isa<Instruction>(value) || isLoad || getSplatValue(&value) ||
            type->getScalarSizeInBits() < 8)
            return 0;
        return std::max(1U, type->getNumElements() * type->getScalarSizeInBits() / bits);
    };
    const LiveRegisters live(body, registers, &loops);
    DenseMap<const BasicBlock *, unsigned> most;
    for (const BasicBlock &block : body)
        most[&block] = live.mostIn(block);
    return most;
}

} // namespace weft
