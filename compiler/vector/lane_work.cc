// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What has to be done for one item after the other, and for no lane that is off: atomics, volatile
// accesses, calls with effects. Between linearise and widen such work is a call of a function that
// holds nothing else, so that no pass can merge it with other work, take its result's uses into it,
// or move it to where other lanes come.

#include "vector/wide.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

/* ---- between linearise and widen ------------------------------------------------------------- */

/** What passes may conclude; addresses may be constants inside, so never less than "any memory". */
static void describe(Function &function, const Instruction &work) {
    function.addFnAttr(laneWorkAttribute);
    function.addFnAttr(Attribute::NoInline);
    function.setDoesNotThrow();
    auto *call = dyn_cast<CallBase>(&work);
    if (!call)
        return;
    if (call->willReturn())
        function.setWillReturn();
    if (call->doesNotAccessMemory())
        function.setDoesNotAccessMemory();
    else if (call->onlyReadsMemory())
        function.setOnlyReadsMemory();
}

CallInst *createLaneWork(IRBuilderBase &builder, Instruction &work, Value *mask) {
    SmallVector<Value *, 8> operands = {mask};
    SmallVector<Type *, 8> types = {mask->getType()};
    Instruction *inside = work.clone();
    for (Use &operand : inside->operands())
        if (!isa<Constant>(operand.get())) {
            operands.push_back(operand.get());
            types.push_back(operand->getType());
        }
    auto *function =
        Function::Create(FunctionType::get(work.getType(), types, false),
                         GlobalValue::InternalLinkage, "__weft_lane_work", work.getModule());
    describe(*function, work);
    auto *block = BasicBlock::Create(work.getContext(), "", function);
    inside->insertInto(block, block->end());
    inside->setDebugLoc({});
    unsigned next = 1;
    for (Use &operand : inside->operands())
        if (!isa<Constant>(operand.get()))
            operand.set(function->getArg(next++));
    bool isVoid = work.getType()->isVoidTy();
    ReturnInst::Create(work.getContext(), isVoid ? nullptr : inside, block);
    return builder.CreateCall(function, operands);
}

LaneWork laneWork(Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->hasFnAttribute(laneWorkAttribute))
        return {};
    return {call, &callee->getEntryBlock().front()};
}

/* ---- in stage widen -------------------------------------------------------------------------- */

Instruction *LaneWork::instantiate(function_ref<Value *(Value *)> operandOf) const {
    Instruction *copy = work->clone();
    for (Use &operand : copy->operands())
        if (isa<Argument>(operand.get()))
            operand.set(operandOf(outer(operand.get())));
    copy->setDebugLoc(call->getDebugLoc());
    return copy;
}

Value *LaneWork::outer(Value *operand) const {
    auto *argument = dyn_cast<Argument>(operand);
    return argument ? call->getArgOperand(argument->getArgNo()) : operand;
}

/** In the loop over lanes the result grows by one lane in each trip. */
Widener::Parts Widener::growResult(const LaneWork &work, Instruction &one, BasicBlock &before,
                                   Value *lane) {
    Type *type = work.call->getType();
    Parts results;
    for (unsigned part = 0; part < partCount(type); part++) {
        Type *wideOne = wideType(partType(type, part));
        builder.SetInsertPoint(one.getParent(), one.getParent()->begin());
        PHINode *grown = builder.CreatePHI(wideOne, 2);
        builder.SetInsertPoint(one.getParent()->getTerminator());
        Value *next = builder.CreateInsertElement(grown, partOf(builder, &one, part), lane);
        grown->addIncoming(PoisonValue::get(wideOne), &before);
        grown->addIncoming(next, one.getParent());
        builder.SetInsertPoint(work.call->getParent(), work.call->getParent()->begin());
        PHINode *result = builder.CreatePHI(wideOne, 2);
        result->addIncoming(next, one.getParent());
        result->addIncoming(PoisonValue::get(wideOne), &before);
        results.push_back(result);
    }
    return results;
}

/** Lanes of this type, or of a vector's elements, lie in memory one behind the other; not bits, and
 *  no structures, which may have such in them. */
static bool isOfBytes(const Type *type) {
    const unsigned bits = type->isPointerTy() ? 64 : type->getScalarSizeInBits();
    return bits >= 8 && isPowerOf2_32(bits);
}

/** Memory for all lanes of the `number`th value of such a type. No two pieces of lane work are at
 * it at one time, so they share it. */
AllocaInst *Widener::laneVariable(Type *type, unsigned number) {
    AllocaInst *&memory = laneVariables[{type, number}];
    if (!memory) {
        IRBuilder<> entry(&kernel.getEntryBlock(), kernel.getEntryBlock().begin());
        memory = entry.CreateAlloca(wideType(type));
        memory->setAlignment(std::min(layout.getPrefTypeAlign(wideType(type)), Align(64)));
    }
    return memory;
}

/** The same, from `before` to the call that is to go. */
Value *Widener::laneMemory(Type *type, unsigned number, const LaneWork &work, BasicBlock &before) {
    AllocaInst *memory = laneVariable(type, number);
    IRBuilder<>(before.getTerminator()).CreateLifetimeStart(memory);
    IRBuilder<>(work.call->getNextNode()).CreateLifetimeEnd(memory);
    return memory;
}

/**
 * One lane's value for a function: from memory, where `before` puts that of all lanes. A call takes
 * all vector registers, which would be stored and loaded once in each trip.
 */
Value *Widener::ofLaneInMemory(Value *value, Value *lane, const LaneWork &work, BasicBlock &before,
                               unsigned &number) {
    Type *type = value->getType();
    if (!varies(value) || !isOfBytes(type))
        return ofLane(value, lane);
    const Parts parts = wide(value);
    Value *whole = PoisonValue::get(type);
    for (unsigned part = 0; part < parts.size(); part++) {
        Type *element = partType(type, part);
        Value *memory = laneMemory(element, number++, work, before);
        IRBuilder<>(before.getTerminator()).CreateStore(parts[part], memory);
        Value *one = builder.CreateLoad(element, builder.CreateGEP(element, memory, lane));
        whole = type->isVectorTy() ? builder.CreateInsertElement(whole, one, part) : one;
    }
    return whole;
}

/** The result of a function, which each trip of the loop over lanes puts into memory. */
Widener::Parts Widener::collectResult(const LaneWork &work, Instruction &one, BasicBlock &before,
                                      Value *lane, unsigned number) {
    Type *type = work.call->getType();
    Parts results;
    for (unsigned part = 0; part < partCount(type); part++) {
        Type *element = partType(type, part);
        Value *memory = laneMemory(element, number++, work, before);
        builder.SetInsertPoint(one.getParent()->getTerminator());
        builder.CreateStore(partOf(builder, &one, part), builder.CreateGEP(element, memory, lane));
        builder.SetInsertPoint(work.call);
        results.push_back(builder.CreateLoad(wideType(element), memory));
    }
    return results;
}

/** A block in front of `at` that runs if a bit is set, for code at its end. */
BasicBlock *Widener::openIfAny(Instruction &at, Value *bits) {
    BasicBlock *before = at.getParent();
    BasicBlock *after = SplitBlock(before, at.getIterator());
    before->getTerminator()->eraseFromParent();
    auto *block = BasicBlock::Create(kernel.getContext(), "lane", &kernel, after);
    builder.SetInsertPoint(before);
    Instruction *branch = builder.CreateCondBr(builder.CreateIsNotNull(bits), block, after);
    branch->setMetadata(partialMetadata, after->getTerminator()->getMetadata(partialMetadata));
    builder.SetInsertPoint(block);
    builder.SetInsertPoint(builder.CreateBr(after));
    return block;
}

/** Each lane's number among those that are on. */
Value *Widener::rankOf(Value *bits, Type *type) {
    SmallVector<Constant *, 64> below;
    for (unsigned lane = 0; lane < width; lane++)
        below.push_back(ConstantInt::get(
            type->getContext(), APInt::getLowBitsSet(bits->getType()->getIntegerBitWidth(), lane)));
    Value *before =
        builder.CreateAnd(builder.CreateVectorSplat(width, bits), ConstantVector::get(below));
    return builder.CreateZExtOrTrunc(builder.CreateUnaryIntrinsic(Intrinsic::ctpop, before),
                                     wideType(type));
}

/** What the values of the lanes that are on come to. */
Value *Widener::ofAllLanes(Arith arith, Value *value, Value *mask, Value *bits) {
    Type *type = value->getType();
    if (arith == Arith::Add && isUniform(value)) {
        Value *count = builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits);
        return builder.CreateMul(value, builder.CreateZExtOrTrunc(count, type));
    }
    return builder.CreateUnaryIntrinsic(reductionOf(arith), ofLanesOn(arith, value, mask));
}

/** What those lanes below each come to that are on: all add the same, or a scan. */
Value *Widener::ofLanesBelow(Arith arith, Value *value, Value *mask, Value *bits) {
    if (arith == Arith::Add && isUniform(value))
        return builder.CreateMul(wideScalar(value), rankOf(bits, value->getType()));
    return scan(arith, ofLanesOn(arith, value, mask), true);
}

/**
 * All lanes update one word: one update with what theirs come to. What each finds there is what the
 * first one does, with what those below it come to, as if they followed each other (places for
 * results: `out[atomic_inc(n)]`; work-group scans).
 */
bool Widener::updateAtOnce(const LaneWork &work, Value *mask, Value *bits) {
    auto *update = dyn_cast<AtomicRMWInst>(work.work);
    if (!update || !update->getType()->isIntegerTy() ||
        !isUniform(work.outer(update->getPointerOperand())))
        return false;
    bool isSub = update->getOperation() == AtomicRMWInst::Sub;
    std::optional<Arith> arith = isSub ? Arith::Add : arithOf(update->getOperation());
    if (!arith || reductionOf(*arith) == Intrinsic::not_intrinsic) /* a product of floats */
        return false;
    Value *value = work.outer(update->getValOperand());
    BasicBlock *before = work.call->getParent(), *block = openIfAny(*work.call, bits);
    auto *one = cast<AtomicRMWInst>(work.instantiate([](Value *operand) { return operand; }));
    one->setOperand(1, ofAllLanes(*arith, value, mask, bits));
    builder.Insert(one);
    counts.combined++;
    if (work.call->use_empty()) {
        dead.push_back(work.call);
        return true;
    }
    builder.SetInsertPoint(work.call->getParent(), work.call->getParent()->begin());
    PHINode *found = builder.CreatePHI(value->getType(), 2);
    found->addIncoming(one, block);
    found->addIncoming(PoisonValue::get(value->getType()), before);
    builder.SetInsertPoint(work.call);
    Value *others = ofLanesBelow(*arith, value, mask, bits);
    Value *start = builder.CreateVectorSplat(width, found);
    replace(*work.call,
            {isSub ? builder.CreateSub(start, others) : combine(builder, *arith, start, others)});
    return true;
}

/** An update of local memory, which is a load and a store: a group is one thread's. */
static bool isLocalUpdate(const Instruction &work) {
    auto *update = dyn_cast<AtomicRMWInst>(&work);
    return update && update->getPointerAddressSpace() == 3;
}

/**
 * Where all lanes are on, updates that nobody waits for follow each other without a loop; the call
 * is left for where some are off.
 *
 * The addresses of local updates are put into memory and loaded one by one, which nobody may
 * undo. Taken out of a register, by vpextrq, a histogram takes nine times as long on Zen 4 where
 * the distance of one increment from the next is a multiple of 8 bytes of code: its loads are then
 * taken to depend on the store before.
 */
void Widener::unrollUpdate(const LaneWork &work, Value *bits) {
    Value *address = work.outer(cast<AtomicRMWInst>(work.work)->getPointerOperand());
    Type *pointer = address->getType();
    AllocaInst *addresses =
        isLocalUpdate(*work.work) && varies(address) ? laneVariable(pointer, 0) : nullptr;
    Value *all = ConstantInt::get(
        bits->getType(), APInt::getLowBitsSet(bits->getType()->getIntegerBitWidth(), width));
    Instruction *then = nullptr, *otherwise = nullptr;
    SplitBlockAndInsertIfThenElse(builder.CreateICmpEQ(bits, all), work.call->getIterator(), &then,
                                  &otherwise,
                                  MDBuilder(kernel.getContext()).createLikelyBranchWeights());
    builder.SetInsertPoint(then);
    if (addresses) {
        builder.CreateLifetimeStart(addresses);
        builder.CreateStore(wide(address)[0], addresses, true);
    }
    for (unsigned lane = 0; lane < width; lane++)
        builder.Insert(work.instantiate([&](Value *operand) -> Value * {
            if (!addresses || operand != address)
                return ofLane(operand, builder.getInt64(lane));
            Value *place = builder.CreateConstInBoundsGEP1_64(pointer, addresses, lane);
            return builder.CreateLoad(pointer, place, true);
        }));
    if (addresses)
        builder.CreateLifetimeEnd(addresses);
    work.call->moveBefore(otherwise->getIterator());
    builder.SetInsertPoint(work.call);
}

/** A loop over the lanes whose mask is set, in their order. */
void Widener::widenLaneWork(const LaneWork &work) {
    Value *mask = wideScalar(work.call->getArgOperand(0));
    Type *type = builder.getIntNTy(std::max(width, 8u));
    Value *bits = builder.CreateZExt(bitsOf(mask), type);
    if (updateAtOnce(work, mask, bits))
        return;
    if (isa<AtomicRMWInst>(work.work) && work.call->use_empty())
        unrollUpdate(work, bits);
    BasicBlock *before = work.call->getParent(), *block = openIfAny(*work.call, bits);
    BasicBlock *after = work.call->getParent();
    PHINode *left = builder.CreatePHI(type, 2, "lanes");
    Value *lane = builder.CreateZExt(
        builder.CreateIntrinsic(Intrinsic::cttz, {type}, {left, builder.getTrue()}),
        builder.getInt64Ty(), "lane");
    const bool isFunction = isa<CallInst>(work.work) && !isa<IntrinsicInst>(work.work);
    const bool isInMemory = isFunction || isLocalUpdate(*work.work);
    unsigned number = 0;
    Instruction *one = work.instantiate([&](Value *operand) {
        return isInMemory ? ofLaneInMemory(operand, lane, work, *before, number)
                          : ofLane(operand, lane);
    });
    builder.Insert(one);
    Value *rest = builder.CreateAnd(left, builder.CreateSub(left, ConstantInt::get(type, 1)));
    left->addIncoming(bits, before);
    left->addIncoming(rest, block);
    builder.CreateCondBr(builder.CreateIsNull(rest), after, block);
    block->getTerminator()->eraseFromParent();
    counts.laneBlocks++;
    if (work.call->use_empty())
        dead.push_back(work.call);
    else if (isFunction && isOfBytes(work.call->getType()))
        replace(*work.call, collectResult(work, *one, *before, lane, number));
    else
        replace(*work.call, growResult(work, *one, *before, lane));
}

} // namespace weft
