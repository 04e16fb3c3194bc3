// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-group functions on vectors of lanes.

#include "norm/sub_groups.h"
#include "vector/wide.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

/** Lane k of the result is lane indices[k] of `value`, modulo the width; indices may vary. */
Value *Widener::permute(Value *value, Value *indices) {
    Type *type = value->getType(), *element = type->getScalarType();
    indices = builder.CreateAnd(indices, ConstantInt::get(indices->getType(), width - 1));
    if (auto *constant = dyn_cast<Constant>(indices)) {
        SmallVector<int, 64> places;
        for (unsigned lane = 0; lane < width; lane++) {
            auto *index = dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(lane));
            places.push_back(index ? static_cast<int>(index->getZExtValue()) : PoisonMaskElem);
        }
        return builder.CreateShuffleVector(value, places);
    }
    // LLVM has no operation for it: through memory, which a gather reads.
    IRBuilder<> entry(&kernel.getEntryBlock(), kernel.getEntryBlock().begin());
    AllocaInst *memory = entry.CreateAlloca(type);
    memory->setAlignment(layout.getPrefTypeAlign(type));
    builder.CreateLifetimeStart(memory);
    builder.CreateAlignedStore(value, memory, memory->getAlign());
    Value *pointers = builder.CreateGEP(
        element, memory, builder.CreateZExt(indices, wideType(builder.getInt64Ty())));
    Value *result = builder.CreateMaskedGather(type, pointers, layout.getABITypeAlign(element));
    builder.CreateLifetimeEnd(memory);
    return result;
}

/** Lane k of the result is lane k - distance; the first lanes get `filling`. */
static Value *shiftUp(IRBuilderBase &builder, Value *value, Value *filling, unsigned width,
                      unsigned distance) {
    SmallVector<int, 64> places;
    for (unsigned lane = 0; lane < width; lane++)
        places.push_back(static_cast<int>(lane < distance ? width : lane - distance));
    return builder.CreateShuffleVector(value, filling, places);
}

/** Lane k of the result is lane k ^ distance. */
static Value *swapLanes(IRBuilderBase &builder, Value *value, unsigned width, unsigned distance) {
    SmallVector<int, 64> places;
    for (unsigned lane = 0; lane < width; lane++)
        places.push_back(static_cast<int>(lane ^ distance));
    return builder.CreateShuffleVector(value, places);
}

Constant *Widener::identities(Arith arith, Type *type) const {
    return ConstantVector::getSplat(ElementCount::getFixed(width), identityOf(arith, type));
}

/** Each lane's value, of lanes that are off what changes nothing. */
Value *Widener::ofLanesOn(Arith arith, Value *value, Value *mask) {
    return builder.CreateSelect(mask, wideScalar(value), identities(arith, value->getType()));
}

Value *Widener::scan(Arith arith, Value *value, bool isExclusive) {
    Constant *identity = identities(arith, value->getType()->getScalarType());
    for (unsigned distance = 1; distance < width; distance *= 2)
        value = combine(builder, arith, shiftUp(builder, value, identity, width, distance), value);
    return isExclusive ? shiftUp(builder, value, identity, width, 1) : value;
}

/** Each lane gets what its cluster of `size` neighbours combines to; null: all lanes. */
Value *Widener::reduce(Arith arith, Value *value, Value *size) {
    auto *constant = dyn_cast_or_null<ConstantInt>(size);
    for (unsigned distance = 1; distance < width; distance *= 2) {
        if (constant && constant->getValue().ule(distance))
            break;
        Value *more = combine(builder, arith, value, swapLanes(builder, value, width, distance));
        if (!size || constant) {
            value = more;
            continue;
        }
        Value *limit = ConstantInt::get(size->getType(), distance);
        value = builder.CreateSelect(builder.CreateICmpUGT(size, limit), more, value);
    }
    return value;
}

/** The value of the first lane whose mask is set, or of lane 0. */
Value *Widener::ofFirst(Value *value, Value *mask) {
    if (isUniform(value))
        return value;
    Value *first = builder.getIntN(width, 0);
    if (!isUniform(mask))
        first = builder.CreateIntrinsic(Intrinsic::cttz, {first->getType()},
                                        {bitsOf(wideScalar(mask)), builder.getFalse()});
    first = builder.CreateAnd(first, builder.getIntN(width, width - 1));
    return ofLane(value, builder.CreateZExtOrTrunc(first, builder.getInt64Ty()));
}

Value *Widener::widenBallot(CallInst &call) {
    Value *off = Constant::getNullValue(wideType(builder.getInt1Ty()));
    Value *bits = builder.CreateSelect(wideScalar(call.getArgOperand(1)),
                                       wideScalar(call.getArgOperand(0)), off);
    return builder.CreateZExt(bitsOf(bits), builder.getInt64Ty());
}

/** Lanes that are off hold anything, poison as well: none of it may reach the others. */
Value *Widener::widenExchange(const SubGroupCall &call) {
    Value *value = call.value();
    if (call.exchange() == Exchange::Broadcast) {
        Value *lane = builder.CreateFreeze(ofFirst(call.other(), call.mask()));
        lane = builder.CreateAnd(lane, ConstantInt::get(lane->getType(), width - 1));
        return builder.CreateFreeze(ofLane(value, builder.CreateZExt(lane, builder.getInt64Ty())));
    }
    if (call.exchange() == Exchange::Shuffle)
        return permute(builder.CreateFreeze(wideScalar(value)), wideScalar(call.other()));
    Value *own = ofLanesOn(call.arith(), value, wideScalar(call.mask()));
    switch (call.exchange()) {
    case Exchange::Reduce:
        return builder.CreateExtractElement(reduce(call.arith(), own, nullptr), uint64_t{0});
    case Exchange::Cluster:
        return reduce(call.arith(), own,
                      isUniform(call.other()) ? call.other() : wideScalar(call.other()));
    default:
        return scan(call.arith(), own, call.exchange() == Exchange::Exclusive);
    }
}

} // namespace weft
