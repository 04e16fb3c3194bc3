// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A work-group function becomes barriers and one variable in local memory: an accumulator to which
// each item adds its value. Between two barriers the items of a group come one after the other, in
// the order of their linear local ids, so what an item finds in the accumulator is its scan; that
// atomics are used says that no stage may bring the items into another order or do them at once.

#include "norm/collectives.h"

#include "norm/internals.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

using Operation = AtomicRMWInst::BinOp;

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

Operation operationOf(StringRef name, Type *type, bool isSigned) {
    if (type->isFloatingPointTy())
        return StringSwitch<Operation>(name)
            .Case("add", Operation::FAdd)
            .Case("min", Operation::FMin)
            .Case("max", Operation::FMax)
            .Default(Operation::BAD_BINOP);
    return StringSwitch<Operation>(name)
        .Case("add", Operation::Add)
        .Case("min", isSigned ? Operation::Min : Operation::UMin)
        .Case("max", isSigned ? Operation::Max : Operation::UMax)
        .Default(Operation::BAD_BINOP);
}

/** "The identity I is 0 for add; INT_MAX, UINT_MAX ... and +INF for min; INT_MIN, 0 ... and -INF
 * for max" (OpenCL C 2.0, section 6.13.15). */
Constant *identityOf(Operation operation, Type *type) {
    unsigned bits = type->getScalarSizeInBits();
    switch (operation) {
    case Operation::Min:
        return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
    case Operation::Max:
        return ConstantInt::get(type, APInt::getSignedMinValue(bits));
    case Operation::UMin:
    case Operation::And:
        return Constant::getAllOnesValue(type);
    case Operation::FMin:
        return ConstantFP::getInfinity(type, false);
    case Operation::FMax:
        return ConstantFP::getInfinity(type, true);
    default:
        return Constant::getNullValue(type);
    }
}

/** The plain operation: what the accumulator holds behind this item. Comparisons and selections,
 *  which are the same for vectors. */
Value *combine(IRBuilder<> &builder, Operation operation, Value *before, Value *value) {
    CmpInst::Predicate less;
    switch (operation) {
    case Operation::FAdd:
        return builder.CreateFAdd(before, value);
    case Operation::Add:
        return builder.CreateAdd(before, value);
    case Operation::FMin:
        less = CmpInst::FCMP_OLT;
        break;
    case Operation::FMax:
        less = CmpInst::FCMP_OGT;
        break;
    case Operation::Min:
        less = CmpInst::ICMP_SLT;
        break;
    case Operation::UMin:
        less = CmpInst::ICMP_ULT;
        break;
    case Operation::Max:
        less = CmpInst::ICMP_SGT;
        break;
    default:
        less = CmpInst::ICMP_UGT;
        break;
    }
    return builder.CreateSelect(builder.CreateCmp(less, value, before), value, before);
}

enum class Result { Total, Exclusive, Inclusive };

Value *accumulate(IRBuilder<> &builder, Operation operation, Value *value, Result result) {
    Type *type = value->getType();
    Value *shared = sharedVariable(*builder.GetInsertBlock()->getModule(), type, 1);
    barrier(builder); // all have read what an earlier function left there
    builder.CreateStore(identityOf(operation, type), shared);
    barrier(builder);
    Value *before =
        builder.CreateAtomicRMW(operation, shared, value, MaybeAlign(), AtomicOrdering::Monotonic);
    if (result == Result::Exclusive)
        return before;
    if (result == Result::Inclusive)
        return combine(builder, operation, before, value);
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
Value *vote(IRBuilder<> &builder, CallBase &call, Operation operation) {
    Value *predicate =
        builder.CreateZExt(builder.CreateIsNotNull(call.getArgOperand(0)), builder.getInt32Ty());
    Value *votes = accumulate(builder, operation, predicate, Result::Total);
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
        return vote(builder, call, name == "all" ? Operation::And : Operation::Or);
    Result result = Result::Total;
    if (name.consume_front("scan_inclusive_"))
        result = Result::Inclusive;
    else if (name.consume_front("scan_exclusive_"))
        result = Result::Exclusive;
    else if (!name.consume_front("reduce_"))
        return nullptr;
    bool isSigned = !mangled.starts_with("j") && !mangled.starts_with("m") &&
                    !mangled.starts_with("t") && !mangled.starts_with("h");
    Operation operation = operationOf(name, call.getType(), isSigned);
    if (operation == Operation::BAD_BINOP)
        return nullptr;
    return accumulate(builder, operation, call.getArgOperand(0), result);
}

} // namespace weft
