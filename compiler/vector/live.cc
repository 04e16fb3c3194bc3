// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/live.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

LiveRegisters::LiveRegisters(Function &function, function_ref<unsigned(const Value &)> registers)
    : registers(registers) {
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlock *block : post_order(&function)) {
            Live live = liveBehind(*block);
            inBlock[block] = walk(*block, live);
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

DenseMap<const BasicBlock *, unsigned> registersOfBlocks(Function &body, unsigned bits) {
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
    const LiveRegisters live(body, registers);
    DenseMap<const BasicBlock *, unsigned> most;
    for (const BasicBlock &block : body)
        most[&block] = live.mostIn(block);
    return most;
}

} // namespace weft
