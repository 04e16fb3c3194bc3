// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many work-items fill a register of the type that prevails in a kernel.

#include "norm/half.h"
#include "vector/prepare.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace weft {

static bool isLong(const Value *value) {
    return isa<Instruction>(value) && value->getType()->getScalarType()->isIntegerTy(64);
}

/** What an instruction takes as a 64-bit integer that is no place in memory: what is stored, mixed
 *  bit by bit or rotated, converted to a float, or of which the upper half is wanted. */
static SmallVector<const Value *, 3> longData(const Instruction &instruction) {
    if (auto *store = dyn_cast<StoreInst>(&instruction))
        return {store->getValueOperand()};
    if (isa<SIToFPInst, UIToFPInst>(instruction))
        return {instruction.getOperand(0)};
    if (isa<TruncInst>(instruction) &&
        PatternMatch::match(instruction.getOperand(0),
                            PatternMatch::m_LShr(PatternMatch::m_Value(), PatternMatch::m_Value())))
        return {instruction.getOperand(0)};
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (instruction.getOpcode() == Instruction::Xor || (call && !call->mayReadOrWriteMemory()))
        return {&instruction};
    return {};
}

/** Instructions that make 64-bit integers of such a kind. Others make addresses, which are the same
 *  or side by side for most lanes and take no registers. */
static unsigned countLong(const Function &kernel) {
    SetVector<const Value *> data;
    for (const Instruction &instruction : instructions(kernel))
        for (const Value *value : longData(instruction))
            if (isLong(value))
                data.insert(value);
    for (unsigned next = 0; next < data.size(); next++) {
        auto *instruction = cast<Instruction>(data[next]);
        if (isa<LoadInst, CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
            continue;
        for (const Value *operand : instruction->operand_values())
            if (isLong(operand))
                data.insert(operand);
    }
    return data.size();
}

unsigned naturalWidth(Function &kernel, unsigned bits, unsigned registers) {
    unsigned doubles = 0, halves = 0, others = 0;
    for (const Instruction &instruction : instructions(kernel)) {
        Type *type = instruction.getType()->getScalarType();
        if (type->isDoubleTy())
            doubles++;
        else if (type->isHalfTy())
            halves++;
        else if (type->isFloatTy() || (type->isIntegerTy() && type->getIntegerBitWidth() > 1 &&
                                       type->getIntegerBitWidth() <= 32))
            others++;
    }
    if (halves > doubles + others && computesInHalf(kernel))
        return std::max(bits / 16, 1u);
    const unsigned lanes = std::max(bits / 32, 1u), half = std::max(bits / 64, 1u);
    if (doubles > others || doubles + countLong(kernel) <= others)
        return doubles > others ? half : lanes;
    // Two registers for each value hide what operations wait for each other, as long as there are
    // registers.
    return mostRegisters(kernel, lanes, bits) > registers ? half : lanes;
}

} // namespace weft
