// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/sub_groups.h"

#include "norm/internals.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace weft {

uint64_t SubGroupCall::constant(unsigned index) const {
    return cast<ConstantInt>(call->getArgOperand(index))->getZExtValue();
}

SubGroupCall subGroupCall(const Instruction &instruction) {
    if (internalOf(instruction) != Internal::SubGroup)
        return {};
    return {const_cast<CallBase *>(cast<CallBase>(&instruction))};
}

bool needsLanes(const Instruction &instruction) {
    Internal internal = internalOf(instruction);
    return internal == Internal::Ballot || internal == Internal::SubGroup;
}

void setLanes(CallBase &call, Value *mask) {
    call.setArgOperand(call.arg_size() - 1, mask);
}

namespace {

/* ---- internal calls -------------------------------------------------------------------------- */

Value *exchangeScalars(IRBuilder<> &builder, Exchange exchange, Arith arith, Value *value,
                       Value *other) {
    Type *type = value->getType(), *i32 = builder.getInt32Ty();
    std::string suffix;
    raw_string_ostream(suffix) << *type;
    Function *function = declareInternal(
        *builder.GetInsertBlock()->getModule(), Internal::SubGroup,
        FunctionType::get(type, {i32, i32, type, i32, builder.getInt1Ty()}, false), suffix);
    return builder.CreateCall(function, {builder.getInt32(static_cast<unsigned>(exchange)),
                                         builder.getInt32(static_cast<unsigned>(arith)), value,
                                         other, builder.getTrue()});
}

/** An OpenCL vector element by element. */
Value *exchangeValues(IRBuilder<> &builder, Exchange exchange, Arith arith, Value *value,
                      Value *other) {
    auto *vector = dyn_cast<FixedVectorType>(value->getType());
    if (!vector)
        return exchangeScalars(builder, exchange, arith, value, other);
    Value *result = PoisonValue::get(vector);
    for (unsigned index = 0; index < vector->getNumElements(); index++)
        result = builder.CreateInsertElement(
            result,
            exchangeScalars(builder, exchange, arith, builder.CreateExtractElement(value, index),
                            other),
            index);
    return result;
}

Value *move(IRBuilder<> &builder, Exchange exchange, Value *value, Value *lane) {
    return exchangeValues(builder, exchange, Arith::Add, value, lane);
}

Value *ballot(IRBuilder<> &builder, Value *predicate) {
    return builder.CreateCall(
        declareInternal(*builder.GetInsertBlock()->getModule(), Internal::Ballot),
        {predicate, builder.getTrue()});
}

Value *narrow(IRBuilder<> &builder, Value *value) {
    return builder.CreateTrunc(value, builder.getInt32Ty());
}

Value *laneId(IRBuilder<> &builder) {
    return narrow(builder, callInternal(builder, Internal::LaneId));
}

/** `count`: cttz or ctlz; of no bits at all 64. */
Value *countZeros(IRBuilder<> &builder, Intrinsic::ID count, Value *bits) {
    return builder.CreateIntrinsic(count, {builder.getInt64Ty()}, {bits, builder.getFalse()});
}

Value *firstLane(IRBuilder<> &builder) {
    Value *bits = ballot(builder, builder.getTrue());
    return narrow(builder, countZeros(builder, Intrinsic::cttz, bits));
}

/** get_max_sub_group_size(), as a long. */
Value *width(IRBuilder<> &builder) {
    return builder.CreateZExt(callInternal(builder, Internal::Width), builder.getInt64Ty());
}

/** This lane's bit of a ballot. */
Value *laneBit(IRBuilder<> &builder) {
    return builder.CreateShl(builder.getInt64(1), callInternal(builder, Internal::LaneId));
}

/* ---- queries --------------------------------------------------------------------------------- */

/** Sub-groups of a group of so many items: "all but the last are of the maximum size". */
Value *countSubGroups(IRBuilder<> &builder, Value *items) {
    Value *size = width(builder), *last = builder.CreateSub(size, builder.getInt64(1));
    return narrow(builder, builder.CreateUDiv(builder.CreateNUWAdd(items, last), size));
}

Value *enqueuedItems(IRBuilder<> &builder) {
    Value *items = builder.getInt64(1);
    for (unsigned dimension = 0; dimension < 3; dimension++)
        items =
            builder.CreateMul(items, callInternal(builder, Internal::EnqueuedLocalSize, dimension));
    return items;
}

Value *subGroupId(IRBuilder<> &builder) {
    Value *size = width(builder);
    return narrow(builder, builder.CreateUDiv(callInternal(builder, Internal::FirstLane), size));
}

Value *lowerQuery(IRBuilder<> &builder, StringRef name) {
    if (name == "get_sub_group_size")
        return narrow(builder, callInternal(builder, Internal::Lanes));
    if (name == "get_max_sub_group_size")
        return callInternal(builder, Internal::Width);
    if (name == "get_num_sub_groups")
        return countSubGroups(builder, callInternal(builder, Internal::GroupItems));
    if (name == "get_enqueued_num_sub_groups")
        return countSubGroups(builder, enqueuedItems(builder));
    if (name == "get_sub_group_id")
        return subGroupId(builder);
    if (name == "get_sub_group_local_id")
        return laneId(builder);
    return nullptr;
}

/* ---- ballots --------------------------------------------------------------------------------- */

/** A uint4 of which "the bit for lane n is bit n % 32 of component n / 32". */
Value *bitsToVector(IRBuilder<> &builder, Value *bits) {
    Type *i32 = builder.getInt32Ty();
    Value *vector = Constant::getNullValue(FixedVectorType::get(i32, 4));
    vector = builder.CreateInsertElement(vector, builder.CreateTrunc(bits, i32), uint64_t{0});
    return builder.CreateInsertElement(
        vector, builder.CreateTrunc(builder.CreateLShr(bits, 32), i32), uint64_t{1});
}

/** "Only considering the bits ... that represent ... local IDs less than the maximum size". */
Value *bitsOfLanes(IRBuilder<> &builder) {
    return builder.CreateLShr(builder.getInt64(~uint64_t{0}),
                              builder.CreateSub(builder.getInt64(64), width(builder)));
}

Value *vectorToBits(IRBuilder<> &builder, Value *vector) {
    Type *i64 = builder.getInt64Ty();
    Value *low = builder.CreateZExt(builder.CreateExtractElement(vector, uint64_t{0}), i64);
    Value *high = builder.CreateZExt(builder.CreateExtractElement(vector, uint64_t{1}), i64);
    return builder.CreateOr(low, builder.CreateShl(high, 32));
}

/** The lanes in front of this one. */
Value *bitsBefore(IRBuilder<> &builder) {
    return builder.CreateSub(laneBit(builder), builder.getInt64(1));
}

Value *lowerMask(IRBuilder<> &builder, StringRef relation) {
    Value *before = bitsBefore(builder), *mine = laneBit(builder), *bits = nullptr;
    if (relation == "eq")
        bits = mine;
    else if (relation == "lt")
        bits = before;
    else if (relation == "le")
        bits = builder.CreateOr(before, mine);
    else if (relation == "ge")
        bits = builder.CreateNot(before);
    else if (relation == "gt")
        bits = builder.CreateNot(builder.CreateOr(before, mine));
    else
        return nullptr;
    return bitsToVector(builder, builder.CreateAnd(bits, bitsOfLanes(builder)));
}

Value *bitAt(IRBuilder<> &builder, Value *bits, Value *lane) {
    lane = builder.CreateAnd(builder.CreateZExtOrTrunc(lane, builder.getInt64Ty()), 63);
    return narrow(builder, builder.CreateAnd(builder.CreateLShr(bits, lane), 1));
}

Value *countBits(IRBuilder<> &builder, Value *bits) {
    return narrow(builder, builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits));
}

/** What asks about a ballot that was made before: plain arithmetic. */
Value *lowerBallotQuery(IRBuilder<> &builder, CallBase &call, StringRef name) {
    Value *all = vectorToBits(builder, call.getArgOperand(0));
    if (name == "inverse_ballot")
        return bitAt(builder, all, callInternal(builder, Internal::LaneId));
    if (name == "ballot_bit_extract")
        return bitAt(builder, all, call.getArgOperand(1));
    Value *bits = builder.CreateAnd(all, bitsOfLanes(builder));
    if (name == "ballot_bit_count")
        return countBits(builder, bits);
    Value *before = bitsBefore(builder);
    if (name == "ballot_exclusive_scan")
        return countBits(builder, builder.CreateAnd(bits, before));
    if (name == "ballot_inclusive_scan")
        return countBits(builder,
                         builder.CreateAnd(bits, builder.CreateOr(before, laneBit(builder))));
    if (name == "ballot_find_lsb")
        return narrow(builder, countZeros(builder, Intrinsic::cttz, bits));
    if (name == "ballot_find_msb")
        return narrow(builder, builder.CreateSub(builder.getInt64(63),
                                                 countZeros(builder, Intrinsic::ctlz, bits)));
    return nullptr;
}

/* ---- votes ----------------------------------------------------------------------------------- */

Value *asInt(IRBuilder<> &builder, Value *bit) {
    return builder.CreateZExt(bit, builder.getInt32Ty());
}

Value *isTrue(IRBuilder<> &builder, CallBase &call) {
    return builder.CreateIsNotNull(call.getArgOperand(0));
}

Value *allEqual(IRBuilder<> &builder, Value *value) {
    Value *first = broadcastFirst(builder, value);
    Value *differs = value->getType()->isFloatingPointTy() ? builder.CreateFCmpUNE(value, first)
                                                           : builder.CreateICmpNE(value, first);
    return builder.CreateIsNull(ballot(builder, differs));
}

Value *lowerVote(IRBuilder<> &builder, CallBase &call, StringRef name) {
    bool isPlain = !name.consume_front("non_uniform_");
    if (name == "any")
        return asInt(builder, builder.CreateIsNotNull(ballot(builder, isTrue(builder, call))));
    if (name == "all")
        return asInt(builder, builder.CreateIsNull(
                                  ballot(builder, builder.CreateIsNull(call.getArgOperand(0)))));
    if (!isPlain && name == "all_equal")
        return asInt(builder, allEqual(builder, call.getArgOperand(0)));
    if (isPlain && name == "elect")
        return asInt(builder, electLane(builder));
    if (isPlain && name == "ballot")
        return bitsToVector(builder, ballot(builder, isTrue(builder, call)));
    return nullptr;
}

/* ---- moves ----------------------------------------------------------------------------------- */

/** Lanes of a cluster turn by `delta`; without a size the cluster is the whole sub-group. */
Value *rotatedLane(IRBuilder<> &builder, CallBase &call) {
    Value *lane = laneId(builder);
    Value *turned = builder.CreateAdd(lane, call.getArgOperand(1));
    if (call.arg_size() < 3)
        return turned; /* lanes count modulo the width in any case */
    Value *inside = builder.CreateSub(call.getArgOperand(2), builder.getInt32(1));
    return builder.CreateOr(builder.CreateAnd(lane, builder.CreateNot(inside)),
                            builder.CreateAnd(turned, inside));
}

Value *lowerMove(IRBuilder<> &builder, CallBase &call, StringRef name) {
    Value *value = call.getArgOperand(0);
    if (name == "broadcast_first")
        return broadcastFirst(builder, value);
    if (call.arg_size() < 2)
        return nullptr;
    Value *other = builder.CreateZExtOrTrunc(call.getArgOperand(1), builder.getInt32Ty());
    if (name == "broadcast" || name == "non_uniform_broadcast")
        return move(builder, Exchange::Broadcast, value, other);
    Value *lane = nullptr;
    if (name == "shuffle")
        lane = other;
    else if (name == "shuffle_xor")
        lane = builder.CreateXor(laneId(builder), other);
    else if (name == "shuffle_up")
        lane = builder.CreateSub(laneId(builder), other);
    else if (name == "shuffle_down")
        lane = builder.CreateAdd(laneId(builder), other);
    else if (name == "rotate" || name == "clustered_rotate")
        lane = rotatedLane(builder, call);
    return lane ? move(builder, Exchange::Shuffle, value, lane) : nullptr;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

Value *lowerArithmetic(IRBuilder<> &builder, CallBase &call, StringRef name, StringRef mangled) {
    Value *value = call.getArgOperand(0), *other = builder.getInt32(0);
    name.consume_front("non_uniform_");
    Exchange exchange;
    if (name.consume_front("reduce_"))
        exchange = Exchange::Reduce;
    else if (name.consume_front("scan_inclusive_"))
        exchange = Exchange::Inclusive;
    else if (name.consume_front("scan_exclusive_"))
        exchange = Exchange::Exclusive;
    else if (name.consume_front("clustered_reduce_") && call.arg_size() == 2)
        exchange = Exchange::Cluster;
    else
        return nullptr;
    if (exchange == Exchange::Cluster)
        other = builder.CreateZExtOrTrunc(call.getArgOperand(1), builder.getInt32Ty());
    bool isLogical = name.consume_front("logical_");
    if (isLogical)
        value = builder.CreateIsNotNull(value);
    std::optional<Arith> arith = arithOf(name, value->getType(), isSignedParameter(mangled));
    if (!arith)
        return nullptr;
    Value *result = exchangeValues(builder, exchange, *arith, value, other);
    return isLogical ? builder.CreateZExt(result, call.getType()) : result;
}

} // namespace

Value *electLane(IRBuilder<> &builder) {
    return builder.CreateICmpEQ(laneId(builder), firstLane(builder));
}

Value *broadcastFirst(IRBuilder<> &builder, Value *value) {
    return move(builder, Exchange::Broadcast, value, firstLane(builder));
}

/** The value of a call, by code in front of it; null: it is no sub-group function that has one. */
static Value *lowerValue(IRBuilder<> &builder, CallBase &call, StringRef name, StringRef mangled) {
    if (Value *value = lowerQuery(builder, name))
        return value;
    if (StringRef relation = name;
        relation.consume_front("get_sub_group_") && relation.consume_back("_mask"))
        return lowerMask(builder, relation);
    if (!name.consume_front("sub_group_"))
        return nullptr;
    bool hasArguments = call.arg_size() > 0;
    if (hasArguments && (name.starts_with("ballot_") || name == "inverse_ballot"))
        return lowerBallotQuery(builder, call, name);
    if (Value *value = lowerVote(builder, call, name))
        return value;
    if (!hasArguments)
        return nullptr;
    if (Value *value = lowerMove(builder, call, name))
        return value;
    return lowerArithmetic(builder, call, name, mangled);
}

bool lowerSubGroup(CallBase &call, StringRef name, StringRef mangled, Value *&result) {
    IRBuilder<> builder(&call);
    if (name == "sub_group_barrier") {
        // Lanes are together in any case: only their accesses must not pass each other.
        builder.CreateFence(AtomicOrdering::AcquireRelease);
        return true;
    }
    result = lowerValue(builder, call, name, mangled);
    return result != nullptr;
}

/* ---- kernels --------------------------------------------------------------------------------- */

bool usesSubGroups(Function &kernel) {
    for (const Instruction &instruction : instructions(kernel))
        switch (internalOf(instruction)) {
        case Internal::Width:
        case Internal::Lanes:
        case Internal::LaneId:
        case Internal::FirstLane:
        case Internal::Ballot:
        case Internal::SubGroup:
            return true;
        default:
            break;
        }
    return false;
}

/** What the call gives if the sub-group is one item; null: no call about sub-groups. */
static Value *answerAlone(IRBuilder<> &builder, CallBase &call) {
    switch (internalOf(call)) {
    case Internal::Lanes:
        return builder.getInt64(1);
    case Internal::LaneId:
        return builder.getInt64(0);
    case Internal::FirstLane:
        return callInternal(builder, Internal::LocalLinearId);
    case Internal::Ballot:
        return builder.CreateZExt(call.getArgOperand(0), builder.getInt64Ty());
    case Internal::SubGroup: {
        SubGroupCall group{&call};
        return group.exchange() == Exchange::Exclusive ? identityOf(group.arith(), call.getType())
                                                       : group.value();
    }
    default:
        return nullptr;
    }
}

void fixSubGroupSize(Function &kernel, unsigned width) {
    for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (!call)
            continue;
        IRBuilder<> builder(call);
        Value *result = nullptr;
        if (internalOf(*call) == Internal::Width)
            result = builder.getInt32(width);
        else if (width == 1)
            result = answerAlone(builder, *call);
        if (!result)
            continue;
        call->replaceAllUsesWith(result);
        call->eraseFromParent();
    }
}

} // namespace weft
