// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code of one lane under masks (vector/lanes.h): each lane is a strand, those without an item, too.
// That all of a vector take each branch together, that a lane is on where the code says that one
// is, and that what counts as the same for all lanes is the same, is looked at on the way.

#include "oracle/oracle.h"
#include "oracle/strands.h"
#include "vector/lanes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

namespace {

/** A value that nobody may use. */
Constant *garbage(Type *type) {
    if (auto *vector = dyn_cast<FixedVectorType>(type))
        return ConstantVector::getSplat(vector->getElementCount(),
                                        garbage(vector->getElementType()));
    if (auto *structure = dyn_cast<StructType>(type)) {
        SmallVector<Constant *, 8> members;
        for (Type *member : structure->elements())
            members.push_back(garbage(member));
        return ConstantStruct::get(structure, members);
    }
    if (auto *array = dyn_cast<ArrayType>(type))
        return ConstantArray::get(
            array,
            SmallVector<Constant *, 8>(array->getNumElements(), garbage(array->getElementType())));
    auto bits = [&](unsigned count) {
        return ConstantInt::get(
            type->getContext(),
            APInt::getSplat(std::max(count, 8u), APInt(8, WEFT_RT_GARBAGE & 255)).trunc(count));
    };
    if (type->isPointerTy())
        return ConstantExpr::getIntToPtr(bits(64), type);
    if (type->isFloatingPointTy())
        return ConstantFP::get(
            type->getContext(),
            APFloat(type->getFltSemantics(), bits(type->getScalarSizeInBits())->getValue()));
    if (type->isIntegerTy())
        return bits(type->getIntegerBitWidth());
    return PoisonValue::get(type);
}

class LockStepLane : public StrandFunction {
  public:
    LockStepLane(Function &kernel, KernelRecord &record)
        : StrandFunction(kernel, record, widthOf(kernel)) {}

    Function *buildLane();

  private:
    Value *answer(IRBuilder<> &builder, Internal internal, CallBase &call) override;
    void wait(IRBuilder<> &builder, CallBase &barrier) override {
        meet(builder, barrier, WEFT_RT_BARRIER, nullptr, nullptr, nullptr);
    }
    MeetingPlace placeOf(IRBuilder<> &builder, Instruction &where) override;
    void onlyIfOn(CallInst &call, Value *mask, function_ref<Value *(IRBuilder<> &)> work);
    void expandAccess(const LaneAccess &access);
    void expandWork(CallInst &call);
    void spoilPoison();

    uint64_t calls = 0;
};

/** Each call is a place of its own. */
MeetingPlace LockStepLane::placeOf(IRBuilder<> &builder, Instruction &) {
    auto *number = ConstantDataArray::get(builder.getContext(), ArrayRef<uint64_t>{++calls});
    auto *place = new GlobalVariable(module, number->getType(), true, GlobalValue::InternalLinkage,
                                     number, "weft_place");
    return {place, builder.getInt64(1)};
}

Value *LockStepLane::answer(IRBuilder<> &builder, Internal internal, CallBase &call) {
    auto truth = [&](unsigned why, Value *value, Value *mask) {
        return builder.CreateTrunc(meet(builder, call, why, value, nullptr, mask),
                                   builder.getInt1Ty());
    };
    switch (internal) {
    case Internal::Active:
        return builder.CreateICmpULT(ofStrand(builder, offsetof(weft_rt_strand, lane)),
                                     ofStrand(builder, offsetof(weft_rt_strand, lanes)));
    case Internal::Any:
        return truth(WEFT_RT_ANY, call.getArgOperand(0), nullptr);
    case Internal::Same:
        return truth(WEFT_RT_SAME, call.getArgOperand(0), call.getArgOperand(1));
    default:
        return StrandFunction::answer(builder, internal, call);
    }
}

/** What `work` does, in the place of the call; it gives garbage where the mask is not set. */
void LockStepLane::onlyIfOn(CallInst &call, Value *mask,
                            function_ref<Value *(IRBuilder<> &)> work) {
    BasicBlock *before = call.getParent();
    Instruction *then = SplitBlockAndInsertIfThen(mask, call.getIterator(), false);
    IRBuilder<> builder(then);
    Value *value = work(builder);
    if (!call.getType()->isVoidTy()) {
        builder.SetInsertPoint(&call);
        PHINode *result = builder.CreatePHI(call.getType(), 2);
        result->addIncoming(value, then->getParent());
        result->addIncoming(garbage(call.getType()), before);
        call.replaceAllUsesWith(result);
    }
    call.eraseFromParent();
}

void LockStepLane::expandAccess(const LaneAccess &access) {
    if (access.some()) {
        IRBuilder<> builder(access.call);
        meet(builder, *access.call, WEFT_RT_SOME, nullptr, nullptr, access.mask());
    }
    onlyIfOn(*access.call, access.mask(), [&](IRBuilder<> &builder) -> Value * {
        if (access.isStore)
            return builder.CreateAlignedStore(access.value(), access.pointer(), access.align());
        return builder.CreateAlignedLoad(access.call->getType(), access.pointer(), access.align());
    });
}

/** The function that holds the work is called by the lanes that are on. */
void LockStepLane::expandWork(CallInst &call) {
    onlyIfOn(call, call.getArgOperand(0), [&](IRBuilder<> &builder) {
        Instruction *copy = call.clone();
        return builder.Insert(copy);
    });
}

/** Poison is what lanes that are off have. */
void LockStepLane::spoilPoison() {
    for (Instruction &instruction : instructions(*function))
        for (Use &operand : instruction.operands())
            if (isa<PoisonValue>(operand.get()))
                operand.set(garbage(operand->getType()));
}

Function *LockStepLane::buildLane() {
    build("weft_item_" + source.getName());
    SmallVector<CallInst *, 32> all;
    for (Instruction &instruction : instructions(*function))
        if (auto *call = dyn_cast<CallInst>(&instruction))
            all.push_back(call);
    for (CallInst *call : all) {
        Function *callee = call->getCalledFunction();
        if (LaneAccess access = laneAccess(*call))
            expandAccess(access);
        else if (callee && callee->hasFnAttribute(laneWorkAttribute))
            expandWork(*call);
    }
    meetAtFences();
    spoilPoison();
    return function;
}

} // namespace

void runLockStep(Function &kernel, KernelRecord &record) {
    if (widthOf(kernel) == 1)
        return runItems(kernel, record);
    Function *code = LockStepLane(kernel, record).buildLane();
    runStrands(kernel, *code, record, WEFT_RT_LOCK_STEP, widthOf(kernel));
}

} // namespace weft
