// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Atomics become LLVM's instructions, which is what the kernel library's functions hold. Scopes are
// not kept: on a CPU all of them are the system's.

#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

/** What memory semantics say, reduced to what the operation can have. */
AtomicOrdering Reader::ordering(uint32_t semanticsId, bool load, bool store) {
    uint64_t semantics = constantOr(semanticsId, 0x10); /* not known: the strongest */
    bool both = load && store;
    if (semantics & 0x10)
        return AtomicOrdering::SequentiallyConsistent;
    if (semantics & 0x8)
        return both   ? AtomicOrdering::AcquireRelease
               : load ? AtomicOrdering::Acquire
                      : AtomicOrdering::Release;
    if ((semantics & 0x2) && load)
        return AtomicOrdering::Acquire;
    if ((semantics & 0x4) && store)
        return AtomicOrdering::Release;
    return AtomicOrdering::Monotonic;
}

void Reader::readCompareExchange(const Instruction &instruction) {
    Value *address = operand(instruction, 0);
    Value *desired = operand(instruction, 4), *expected = operand(instruction, 5);
    Type *type = desired->getType();
    if (!type->isIntegerTy() || expected->getType() != type)
        return fail(instruction, "the values must be integers of one type");
    AtomicOrdering failure = ordering(instruction.operand(3), true, false);
    auto *made = builder.CreateAtomicCmpXchg(address, expected, desired, MaybeAlign(),
                                             ordering(instruction.operand(2), true, true), failure);
    set(instruction, builder.CreateExtractValue(made, 0));
}

void Reader::readAtomicUpdate(const Instruction &instruction) {
    static const std::pair<Op, AtomicRMWInst::BinOp> rows[] = {
        {Op::AtomicExchange, AtomicRMWInst::Xchg},  {Op::AtomicIIncrement, AtomicRMWInst::Add},
        {Op::AtomicIDecrement, AtomicRMWInst::Sub}, {Op::AtomicIAdd, AtomicRMWInst::Add},
        {Op::AtomicISub, AtomicRMWInst::Sub},       {Op::AtomicSMin, AtomicRMWInst::Min},
        {Op::AtomicUMin, AtomicRMWInst::UMin},      {Op::AtomicSMax, AtomicRMWInst::Max},
        {Op::AtomicUMax, AtomicRMWInst::UMax},      {Op::AtomicAnd, AtomicRMWInst::And},
        {Op::AtomicOr, AtomicRMWInst::Or},          {Op::AtomicXor, AtomicRMWInst::Xor},
        {Op::AtomicFAddEXT, AtomicRMWInst::FAdd},   {Op::AtomicFMinEXT, AtomicRMWInst::FMin},
        {Op::AtomicFMaxEXT, AtomicRMWInst::FMax}};
    bool one = instruction.op == Op::AtomicIIncrement || instruction.op == Op::AtomicIDecrement;
    Value *by = one ? ConstantInt::get(resultType(instruction), 1) : operand(instruction, 3);
    if (!by->getType()->isIntegerTy() && !by->getType()->isFloatingPointTy())
        return fail(instruction, "the value must be a number");
    for (const auto &[op, update] : rows)
        if (op == instruction.op)
            set(instruction,
                builder.CreateAtomicRMW(update, operand(instruction, 0), by, MaybeAlign(),
                                        ordering(instruction.operand(2), true, true)));
}

void Reader::readAtomic(const Instruction &instruction) {
    Value *address = operand(instruction, 0);
    if (!address->getType()->isPointerTy())
        return fail(instruction, "the address is not a pointer");
    const DataLayout &layout = module->getDataLayout();
    auto natural = [&](Type *type) { return Align(layout.getTypeStoreSize(type).getFixedValue()); };
    Type *word = builder.getInt32Ty();
    switch (instruction.op) {
    case Op::AtomicLoad: {
        Type *type = resultType(instruction);
        LoadInst *made = builder.CreateAlignedLoad(type, address, natural(type));
        made->setAtomic(ordering(instruction.operand(2), true, false));
        set(instruction, made);
        break;
    }
    case Op::AtomicStore: {
        Value *stored = operand(instruction, 3);
        StoreInst *made = builder.CreateAlignedStore(stored, address, natural(stored->getType()));
        made->setAtomic(ordering(instruction.operand(2), false, true));
        break;
    }
    case Op::AtomicFlagTestAndSet: {
        Value *before =
            builder.CreateAtomicRMW(AtomicRMWInst::Xchg, address, builder.getInt32(1), MaybeAlign(),
                                    ordering(instruction.operand(2), true, true));
        set(instruction, builder.CreateIsNotNull(before));
        break;
    }
    case Op::AtomicFlagClear: {
        StoreInst *made = builder.CreateAlignedStore(builder.getInt32(0), address, natural(word));
        made->setAtomic(ordering(instruction.operand(2), false, true));
        break;
    }
    case Op::AtomicCompareExchange:
    case Op::AtomicCompareExchangeWeak:
        readCompareExchange(instruction);
        break;
    default:
        readAtomicUpdate(instruction);
        break;
    }
}

} // namespace weft::spirv
