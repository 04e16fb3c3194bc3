// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "oracle/strands.h"
#include "norm/sub_groups.h"
#include "oracle/oracle.h"
#include "vector/bodies.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace weft {

/* Numbers that kernel-lib/rt/exchange.c has, too. */
static_assert(static_cast<int>(Exchange::Broadcast) == 0 &&
              static_cast<int>(Exchange::Exclusive) == 5);
static_assert(static_cast<int>(Arith::Add) == 0 && static_cast<int>(Arith::SMin) == 2 &&
              static_cast<int>(Arith::And) == 6 && static_cast<int>(Arith::FAdd) == 9 &&
              static_cast<int>(Arith::FMax) == 12);

Value *toBits(IRBuilder<> &builder, Value *value) {
    Type *type = value->getType(), *i64 = builder.getInt64Ty();
    if (type->isPointerTy())
        return builder.CreatePtrToInt(value, i64);
    Type *bits = builder.getIntNTy(type->getScalarSizeInBits());
    return builder.CreateZExt(builder.CreateBitCast(value, bits), i64);
}

Value *fromBits(IRBuilder<> &builder, Value *bits, Type *type) {
    if (type->isPointerTy())
        return builder.CreateIntToPtr(bits, type);
    Type *narrow = builder.getIntNTy(type->getScalarSizeInBits());
    return builder.CreateBitCast(builder.CreateTrunc(bits, narrow), type);
}

Value *StrandFunction::meet(IRBuilder<> &builder, Instruction &where, unsigned why, Value *value,
                            Value *other, Value *mask) {
    MeetingPlace place = placeOf(builder, where);
    Value *zero = builder.getInt64(0);
    return callRt(builder, "weft_rt_meet", builder.getInt64Ty(),
                  {builder.getInt32(why), value ? toBits(builder, value) : zero,
                   other ? toBits(builder, other) : zero,
                   mask ? builder.CreateZExt(mask, builder.getInt32Ty()) : builder.getInt32(1),
                   place.numbers, place.count});
}

bool StrandFunction::meetsAt(const Instruction &instruction) const {
    bool fences = record.info.flags & WEFT_KERNEL_SUB_GROUPS && width > 1;
    return needsLanes(instruction) || (fences && isa<FenceInst>(instruction));
}

void StrandFunction::meetAtFences() {
    SmallVector<FenceInst *, 8> fences;
    for (Instruction &instruction : instructions(*function))
        if (auto *fence = dyn_cast<FenceInst>(&instruction); fence && meetsAt(*fence))
            fences.push_back(fence);
    for (FenceInst *fence : fences) {
        IRBuilder<> builder(fence);
        meet(builder, *fence, WEFT_RT_STEP, nullptr, nullptr, nullptr);
    }
}

Value *StrandFunction::exchange(IRBuilder<> &builder, CallBase &call) {
    SubGroupCall group{&call};
    Type *type = call.getType();
    unsigned what = static_cast<unsigned>(group.exchange()) |
                    static_cast<unsigned>(group.arith()) << 8 | type->getScalarSizeInBits() << 16;
    return fromBits(
        builder,
        meet(builder, call, WEFT_RT_EXCHANGE + what, group.value(), group.other(), group.mask()),
        type);
}

Value *StrandFunction::answer(IRBuilder<> &builder, Internal internal, CallBase &call) {
    switch (internal) {
    case Internal::Width:
        return builder.getInt32(width);
    case Internal::Lanes:
        return ofStrand(builder, offsetof(weft_rt_strand, lanes));
    case Internal::LaneId:
        return ofStrand(builder, offsetof(weft_rt_strand, lane));
    case Internal::FirstLane:
        return ofStrand(builder, offsetof(weft_rt_strand, first_lane));
    case Internal::Ballot:
        return meet(builder, call, WEFT_RT_BALLOT, call.getArgOperand(0), nullptr,
                    call.getArgOperand(1));
    case Internal::SubGroup:
        return exchange(builder, call);
    default:
        return ItemFunction::answer(builder, internal, call);
    }
}

void StrandFunction::wait(IRBuilder<> &builder, CallBase &) {
    callRt(builder, "weft_rt_oracle_barrier", builder.getVoidTy());
}

void runStrands(Function &kernel, Function &code, KernelRecord &record, unsigned kind,
                unsigned width) {
    record.stacks.symbols[shapeOf(kernel)] = {code.getName().str()};
    record.stacks.perRun = kind == WEFT_RT_VECTORS ? 1 : width;
    IRBuilder<> builder(kernel.getContext());
    makeRunner(
        kernel, code, "weft_rt_oracle",
        {builder.getInt32(kind), builder.getInt64(width), builder.getInt32(isLinear(kernel))});
}

} // namespace weft
