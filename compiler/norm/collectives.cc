// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A work-group function becomes barriers and one variable in local memory: an accumulator to which
// each item adds its value. Between two barriers the items of a group come one after the other, in
// the order of their linear local ids, so what an item finds in the accumulator is its scan; that
// atomics are used says that no stage may bring the items into another order or do them at once.

#include "norm/collectives.h"

#include "norm/group_arith.h"
#include "norm/internals.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

/** One variable per type and length: what a second function of the group may overwrite is guarded
 *  by the barrier in front of it. */
Value *sharedVariable(Module &module, Type *element, unsigned count) {
    std::string name = "weft.collective." + std::to_string(count);
    raw_string_ostream(name) << '.' << *element;
    if (GlobalVariable *known = module.getNamedGlobal(name))
        return known;
    Type *type = ArrayType::get(element, count);
    return new GlobalVariable(module, type, false, GlobalValue::InternalLinkage,
                              UndefValue::get(type), name, nullptr, GlobalValue::NotThreadLocal, 3);
}

void barrier(IRBuilder<> &builder) {
    builder.CreateCall(
        declareInternal(*builder.GetInsertBlock()->getModule(), Internal::Barrier),
        {builder.getInt32(1) /* CLK_LOCAL_MEM_FENCE */, builder.getInt32(1) /* work-group */});
}

enum class Result { Total, Exclusive, Inclusive };

Value *accumulate(IRBuilder<> &builder, Arith arith, Value *value, Result result) {
    Type *type = value->getType();
    bool asBits = arith == Arith::FMul; // its update is one of integers
    Type *held = asBits ? builder.getIntNTy(type->getScalarSizeInBits()) : type;
    Value *shared = sharedVariable(*builder.GetInsertBlock()->getModule(), held, 1);
    barrier(builder); // all have read what an earlier function left there
    builder.CreateStore(identityOf(arith, type), shared);
    barrier(builder);
    Value *before = builder.CreateBitCast(
        builder.CreateAtomicRMW(updateOf(arith), shared, builder.CreateBitCast(value, held),
                                MaybeAlign(), AtomicOrdering::Monotonic),
        type);
    if (result == Result::Exclusive)
        return before;
    if (result == Result::Inclusive)
        return combine(builder, arith, before, value);
    barrier(builder);
    return builder.CreateLoad(type, shared);
}

/** "Broadcast the value of a for work-item identified by local_id to all work-items". */
Value *broadcast(IRBuilder<> &builder, CallBase &call) {
    Value *value = call.getArgOperand(0);
    Value *isSource = builder.getTrue();
    for (unsigned index = 1; index < call.arg_size(); index++) {
        Value *id = callInternal(builder, Internal::LocalId, index - 1);
        isSource = builder.CreateAnd(isSource, builder.CreateICmpEQ(id, call.getArgOperand(index)));
    }
    // Everybody writes, all but one to a place that nobody reads: no branch.
    Value *shared = sharedVariable(*builder.GetInsertBlock()->getModule(), value->getType(), 2);
    Value *other = builder.CreateConstInBoundsGEP1_64(value->getType(), shared, 1);
    barrier(builder);
    builder.CreateStore(value, builder.CreateSelect(isSource, shared, other));
    barrier(builder);
    return builder.CreateLoad(value->getType(), shared);
}

/** "Evaluates predicate for all work-items and returns a non-zero value if ... all (any)". */
Value *vote(IRBuilder<> &builder, CallBase &call, Arith arith) {
    Value *predicate =
        builder.CreateZExt(builder.CreateIsNotNull(call.getArgOperand(0)), builder.getInt32Ty());
    Value *votes = accumulate(builder, arith, predicate, Result::Total);
    return builder.CreateZExt(builder.CreateIsNotNull(votes), call.getType());
}

} // namespace

Value *lowerCollective(CallBase &call, StringRef name, StringRef mangled) {
    if (!name.consume_front("work_group_") || call.arg_empty())
        return nullptr;
    IRBuilder<> builder(&call);
    if (name == "broadcast")
        return broadcast(builder, call);
    if (name == "all" || name == "any")
        return vote(builder, call, name == "all" ? Arith::And : Arith::Or);
    Result result = Result::Total;
    if (name.consume_front("scan_inclusive_"))
        result = Result::Inclusive;
    else if (name.consume_front("scan_exclusive_"))
        result = Result::Exclusive;
    else if (!name.consume_front("reduce_"))
        return nullptr;
    Value *value = call.getArgOperand(0);
    bool logical = name.consume_front("logical_");
    if (logical)
        value = builder.CreateZExt(builder.CreateIsNotNull(value), call.getType());
    std::optional<Arith> arith = arithOf(name, call.getType(), isSignedParameter(mangled));
    if (!arith)
        return nullptr;
    Value *made = accumulate(builder, *arith, value, result);
    return logical ? builder.CreateZExt(builder.CreateIsNotNull(made), call.getType()) : made;
}

} // namespace weft
