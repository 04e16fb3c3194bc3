// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Instructions on vectors of lanes in place of those of one lane.

#include "vector/wide.h"
#include "norm/internals.h"
#include "norm/instructions.h"
#include "norm/packed_dot.h"
#include "vector/prepare.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft {

Widener::Widener(Function &kernel, bool hasMasks, unsigned registerBits)
    : kernel(kernel), width(widthOf(kernel)), hasMasks(hasMasks), registerBits(registerBits),
      layout(kernel.getParent()->getDataLayout()), shapes(kernel), builder(kernel.getContext()) {}

/* ---- types and operands ---------------------------------------------------------------------- */

unsigned partCount(Type *type) {
    if (auto *vector = dyn_cast<FixedVectorType>(type))
        return vector->getNumElements();
    if (auto *structure = dyn_cast<StructType>(type))
        return structure->getNumElements();
    return 1;
}

Type *partType(Type *type, unsigned part) {
    if (auto *vector = dyn_cast<FixedVectorType>(type))
        return vector->getElementType();
    if (auto *structure = dyn_cast<StructType>(type))
        return structure->getElementType(part);
    return type;
}

/** True for an OpenCL vector or a structure, false for a scalar. */
static bool hasParts(const Type *type) {
    return type->isVectorTy() || type->isStructTy();
}

Value *partOf(IRBuilderBase &builder, Value *value, unsigned part) {
    Type *type = value->getType();
    if (type->isVectorTy())
        return builder.CreateExtractElement(value, part);
    return type->isStructTy() ? builder.CreateExtractValue(value, part) : value;
}

Constant *laneSteps(Type *scalar, unsigned lanes, int64_t stride) {
    SmallVector<Constant *, 64> steps;
    for (unsigned lane = 0; lane < lanes; lane++)
        steps.push_back(ConstantInt::get(scalar->getContext(),
                                         APInt(scalar->getIntegerBitWidth(),
                                               static_cast<uint64_t>(stride) * lane, false, true)));
    return ConstantVector::get(steps);
}

Type *Widener::wideType(Type *type) const {
    return FixedVectorType::get(type, width);
}

Constant *Widener::steps(Type *type, int64_t stride) const {
    return laneSteps(type, width, stride);
}

Value *Widener::spreadScalar(Value *value, Shape shape) {
    if (!shape.isUniform() && value->getType()->isPointerTy())
        return builder.CreateGEP(builder.getInt8Ty(), value,
                                 steps(builder.getInt64Ty(), shape.stride));
    Value *all = builder.CreateVectorSplat(width, value);
    return shape.isUniform() ? all : builder.CreateAdd(all, steps(value->getType(), shape.stride));
}

/** The lane's number, as an integer of any size. */
static bool isLaneId(const Value *value) {
    while (isa<TruncInst, ZExtInst, SExtInst>(value))
        value = cast<CastInst>(value)->getOperand(0);
    auto *instruction = dyn_cast<Instruction>(value);
    return instruction && internalOf(*instruction) == Internal::LaneId;
}

/** A uniform or strided value in all lanes, computed once where it is defined. */
Widener::Parts Widener::spread(Value *value) {
    Type *type = value->getType();
    Parts parts;
    if (auto *constant = dyn_cast<Constant>(value)) {
        for (unsigned part = 0; part < partCount(type); part++) {
            Constant *one = hasParts(type) ? constant->getAggregateElement(part) : constant;
            parts.push_back(ConstantVector::getSplat(ElementCount::getFixed(width), one));
        }
        return parts;
    }
    if (isLaneId(value))
        return {steps(type, 1)};
    IRBuilderBase::InsertPointGuard guard(builder);
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction)
        builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    else
        builder.SetInsertPoint(&kernel.getEntryBlock(),
                               kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Shape shape = hasParts(type) ? Shape::uniform() : shapes.of(*value);
    for (unsigned part = 0; part < partCount(type); part++)
        parts.push_back(spreadScalar(partOf(builder, value, part), shape));
    return parts;
}

const Widener::Parts &Widener::wide(Value *value) {
    auto found = values.find(value);
    if (found != values.end())
        return found->second;
    assert(!varies(value) && "operands come first");
    Parts parts = spread(value);
    return values[value] = std::move(parts);
}

/** The value in one lane, whose number is known at run time or a constant. */
Value *Widener::ofLane(Value *value, Value *lane) {
    Shape shape = shapes.of(*value);
    Type *type = value->getType();
    if (shape.isUniform())
        return value;
    if (!shape.varies) {
        if (type->isPointerTy())
            return builder.CreateGEP(builder.getInt8Ty(), value,
                                     builder.CreateMul(lane, builder.getInt64(shape.stride)));
        Value *offset = builder.CreateZExtOrTrunc(
            builder.CreateMul(lane, builder.getInt64(shape.stride)), type);
        return builder.CreateAdd(value, offset);
    }
    const Parts &parts = wide(value);
    if (!hasParts(type))
        return builder.CreateExtractElement(parts[0], lane);
    Value *whole = PoisonValue::get(type);
    for (unsigned part = 0; part < parts.size(); part++) {
        Value *one = builder.CreateExtractElement(parts[part], lane);
        whole = type->isVectorTy() ? builder.CreateInsertElement(whole, one, part)
                                   : builder.CreateInsertValue(whole, one, part);
    }
    return whole;
}

Value *Widener::bitsOf(Value *mask) {
    return builder.CreateBitCast(mask, builder.getIntNTy(width));
}

Value *Widener::any(Value *mask) {
    return builder.CreateIsNotNull(bitsOf(mask));
}

/* ---- parts side by side ---------------------------------------------------------------------- */

/** Lane by lane one group of `groups` elements, the first of which are the parts. */
Value *Widener::join(ArrayRef<Value *> parts, unsigned groups) {
    SmallVector<Value *, 16> all(parts);
    all.resize(groups, PoisonValue::get(parts[0]->getType()));
    if (groups == 1)
        return all[0];
    return builder.CreateShuffleVector(concatenateVectors(builder, all),
                                       createInterleaveMask(width, groups));
}

Widener::Parts Widener::separate(Value *joined, unsigned count, unsigned groups) {
    Parts parts;
    if (groups == 1)
        return {joined};
    for (unsigned part = 0; part < count; part++)
        parts.push_back(builder.CreateShuffleVector(joined, createStrideMask(part, groups, width)));
    return parts;
}

/* ---- instructions ---------------------------------------------------------------------------- */

void Widener::replace(Instruction &instruction, Parts parts) {
    for (Value *part : parts)
        if (!part->hasName() && isa<Instruction>(part))
            part->setName(instruction.getName());
    values[&instruction] = std::move(parts);
    dead.push_back(&instruction);
}

void Widener::widenPhi(PHINode &phi) {
    Parts parts;
    for (unsigned part = 0; part < partCount(phi.getType()); part++)
        parts.push_back(
            builder.CreatePHI(wideType(partType(phi.getType(), part)), phi.getNumIncomingValues()));
    phis.push_back(&phi);
    replace(phi, std::move(parts));
}

void Widener::finishPhis() {
    for (PHINode *phi : phis)
        for (unsigned index = 0; index < phi->getNumIncomingValues(); index++) {
            Parts from = wide(phi->getIncomingValue(index));
            Parts to = values[phi];
            for (unsigned part = 0; part < to.size(); part++)
                cast<PHINode>(to[part])->addIncoming(from[part], phi->getIncomingBlock(index));
        }
}

Value *Widener::widenPointer(GetElementPtrInst &gep) {
    SmallVector<Value *, 4> indices;
    Value *base = gep.getPointerOperand();
    if (!isUniform(base))
        base = wideScalar(base);
    for (Value *index : gep.indices())
        indices.push_back(isUniform(index) ? index : wideScalar(index));
    return builder.CreateGEP(gep.getSourceElementType(), base, indices, "", gep.getNoWrapFlags());
}

/**
 * Pointers as integers. They are added up from their parts, and compared as integers: LLVM 22's
 * InstCombine makes invalid code of comparisons and differences of vectors of pointers where one of
 * them is made of a scalar pointer that is used elsewhere as well.
 */
Value *Widener::wideAddress(Value *pointer) {
    Type *i64 = builder.getInt64Ty();
    Shape shape = shapes.of(*pointer);
    if (!shape.varies) {
        Value *first = builder.CreateVectorSplat(width, builder.CreatePtrToInt(pointer, i64));
        return shape.isUniform() ? first : builder.CreateAdd(first, steps(i64, shape.stride));
    }
    auto *gep = dyn_cast<GEPOperator>(wideScalar(pointer));
    if (!gep || gep->getPointerOperandType()->isVectorTy())
        return builder.CreatePtrToInt(wideScalar(pointer), wideType(i64));
    Value *base = builder.CreatePtrToInt(gep->getPointerOperand(), i64);
    return builder.CreateAdd(builder.CreateVectorSplat(width, base),
                             emitGEPOffset(&builder, layout, gep));
}

/** One wide instruction of the same kind, on the first parts. */
Widener::Parts Widener::widenPlain(Instruction &instruction) {
    Value *result = nullptr;
    if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
        result = builder.CreateBinOp(binary->getOpcode(), wideScalar(binary->getOperand(0)),
                                     wideScalar(binary->getOperand(1)));
    else if (auto *unary = dyn_cast<UnaryOperator>(&instruction))
        result = builder.CreateUnOp(unary->getOpcode(), wideScalar(unary->getOperand(0)));
    else if (isa<PtrToIntInst>(instruction))
        result = builder.CreateZExtOrTrunc(wideAddress(instruction.getOperand(0)),
                                           wideType(instruction.getType()));
    else if (isa<ICmpInst>(instruction) && instruction.getOperand(0)->getType()->isPointerTy())
        result = builder.CreateICmp(cast<ICmpInst>(instruction).getPredicate(),
                                    wideAddress(instruction.getOperand(0)),
                                    wideAddress(instruction.getOperand(1)));
    else if (auto *cast = dyn_cast<CastInst>(&instruction))
        result = builder.CreateCast(cast->getOpcode(), wideScalar(cast->getOperand(0)),
                                    wideType(cast->getType()));
    else if (auto *compare = dyn_cast<CmpInst>(&instruction))
        result = builder.CreateCmp(compare->getPredicate(), wideScalar(compare->getOperand(0)),
                                   wideScalar(compare->getOperand(1)));
    else if (auto *select = dyn_cast<SelectInst>(&instruction))
        result = builder.CreateSelect(
            isUniform(select->getCondition()) ? select->getCondition()
                                              : wideScalar(select->getCondition()),
            wideScalar(select->getTrueValue()), wideScalar(select->getFalseValue()));
    else if (isa<FreezeInst>(instruction))
        result = builder.CreateFreeze(wideScalar(instruction.getOperand(0)));
    if (auto *made = dyn_cast_or_null<Instruction>(result))
        if (made->getOpcode() == instruction.getOpcode())
            made->copyIRFlags(&instruction);
    if (!result)
        return {};
    return {result};
}

/** A bitcast between types of several elements. */
Widener::Parts Widener::widenBits(Instruction &cast) {
    Type *from = cast.getOperand(0)->getType(), *to = cast.getType();
    Value *joined = join(wide(cast.getOperand(0)), partCount(from));
    Type *type = FixedVectorType::get(to->getScalarType(), width * partCount(to));
    return separate(builder.CreateBitCast(joined, type), partCount(to), partCount(to));
}

/** What takes vectors or structures apart and puts them together; false: not by constant places. */
bool Widener::widenVector(Instruction &instruction, Parts &result) {
    if (auto *extract = dyn_cast<ExtractElementInst>(&instruction)) {
        auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
        if (!index || index->uge(partCount(extract->getVectorOperandType())))
            return false;
        result = {wide(extract->getVectorOperand())[index->getZExtValue()]};
    } else if (auto *insert = dyn_cast<InsertElementInst>(&instruction)) {
        auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
        if (!index || index->uge(partCount(insert->getType())))
            return false;
        result = wide(insert->getOperand(0));
        result[index->getZExtValue()] = wideScalar(insert->getOperand(1));
    } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
        Parts from = wide(shuffle->getOperand(0));
        from.append(wide(shuffle->getOperand(1)));
        for (int index : shuffle->getShuffleMask())
            result.push_back(index < 0 ? PoisonValue::get(from[0]->getType())
                                       : from[static_cast<size_t>(index)]);
    } else if (auto *extract = dyn_cast<ExtractValueInst>(&instruction)) {
        if (extract->getNumIndices() != 1 || extract->getType()->isAggregateType())
            return false;
        result = {wide(extract->getAggregateOperand())[extract->getIndices()[0]]};
    } else if (isa<BitCastInst>(instruction) &&
               (instruction.getType()->isVectorTy() ||
                instruction.getOperand(0)->getType()->isVectorTy())) {
        result = widenBits(instruction);
    } else {
        return false;
    }
    return true;
}

bool Widener::widenInternal(CallInst &call, Parts &result) {
    switch (internalOf(call)) {
    case Internal::Active: {
        Value *lanes =
            builder.CreateTrunc(callInternal(builder, Internal::Lanes), builder.getInt32Ty());
        result = {builder.CreateICmpULT(steps(builder.getInt32Ty(), 1),
                                        builder.CreateVectorSplat(width, lanes))};
        return true;
    }
    case Internal::Any: {
        Value *mask = call.getArgOperand(0);
        call.replaceAllUsesWith(isUniform(mask) ? mask : any(wideScalar(mask)));
        dead.push_back(&call);
        return true;
    }
    case Internal::Same: {
        Value *value = ofFirst(call.getArgOperand(0), call.getArgOperand(1));
        if (isPartial(call))
            value = builder.CreateFreeze(value);
        call.replaceAllUsesWith(value);
        dead.push_back(&call);
        return true;
    }
    case Internal::Check: {
        Value *fails = call.getArgOperand(0);
        if (!isUniform(fails))
            call.setArgOperand(0, any(wideScalar(fails)));
        return true;
    }
    case Internal::Here:
        here = wideScalar(call.getArgOperand(0));
        dead.push_back(&call);
        return true;
    case Internal::FirstLane:
        call.replaceAllUsesWith(callInternal(builder, Internal::LocalLinearId));
        dead.push_back(&call);
        return true;
    case Internal::Ballot:
        call.replaceAllUsesWith(widenBallot(call));
        dead.push_back(&call);
        return true;
    case Internal::SubGroup: {
        SubGroupCall group{&call};
        Value *value = widenExchange(group);
        if (!group.isUniform()) {
            result = {value};
            return true;
        }
        call.replaceAllUsesWith(value);
        dead.push_back(&call);
        return true;
    }
    default:
        return false;
    }
}

/** One call for all lanes, for each element of an OpenCL vector. */
Widener::Parts Widener::widenCalled(CallInst &call) {
    std::optional<Called> called = Called::of(call);
    Parts parts;
    for (unsigned part = 0; part < partCount(call.getType()); part++) {
        SmallVector<Value *, 2> arguments;
        for (Value *argument : call.args())
            arguments.push_back(wide(argument)[part]);
        parts.push_back(called ? createCalled(builder, called->withLanes(width), arguments)
                               : createNamedInstruction(builder, call, arguments));
    }
    return parts;
}

bool Widener::widenCall(CallInst &call, Parts &result) {
    if (isPackedDot(call)) {
        result = {createPackedDot(
            builder, call, {wideScalar(call.getArgOperand(0)), wideScalar(call.getArgOperand(1))})};
        return true;
    }
    if (Called::of(call) || isNamedInstruction(call)) {
        result = widenCalled(call);
        return true;
    }
    if (!isVectorised(call) || call.getType()->isVectorTy())
        return false;
    Intrinsic::ID id = call.getIntrinsicID();
    SmallVector<Value *, 4> arguments;
    SmallVector<Type *, 4> types;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
        types.push_back(wideType(call.getType()));
    for (unsigned index = 0; index < call.arg_size(); index++) {
        Value *argument = call.getArgOperand(index);
        if (isVectorIntrinsicWithScalarOpAtArg(id, index, nullptr)) {
            if (!isUniform(argument))
                return false;
            arguments.push_back(argument);
        } else {
            arguments.push_back(wideScalar(argument));
        }
        if (isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(index), nullptr))
            types.push_back(arguments.back()->getType());
    }
    CallInst *made = builder.CreateIntrinsic(id, types, arguments);
    made->copyIRFlags(&call);
    result = {made};
    return true;
}

/** Anything else without effects: once for each lane. */
Widener::Parts Widener::unroll(Instruction &instruction) {
    Type *type = instruction.getType();
    Parts parts;
    for (unsigned part = 0; part < partCount(type); part++)
        parts.push_back(PoisonValue::get(wideType(partType(type, part))));
    for (unsigned lane = 0; lane < width; lane++) {
        Value *number = builder.getInt64(lane);
        Instruction *copy = instruction.clone();
        for (Use &operand : copy->operands())
            if (!isa<Function>(operand.get()))
                operand.set(ofLane(operand.get(), number));
        builder.Insert(copy);
        for (unsigned part = 0; part < parts.size(); part++)
            parts[part] =
                builder.CreateInsertElement(parts[part], partOf(builder, copy, part), number);
    }
    counts.unrolled++;
    return parts;
}

/** What is neither memory, control flow nor an internal call. */
Widener::Parts Widener::widenVarying(Instruction &instruction) {
    Parts parts;
    if (widenVector(instruction, parts))
        return parts;
    if (auto *call = dyn_cast<CallInst>(&instruction))
        return widenCall(*call, parts) ? parts : unroll(instruction);
    if (hasParts(instruction.getType()))
        return unroll(instruction);
    if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
        return {widenPointer(*gep)};
    if (none_of(instruction.operands(), [](const Use &use) { return hasParts(use->getType()); }))
        parts = widenPlain(instruction);
    return parts.empty() ? unroll(instruction) : parts;
}

/** What is the same in all lanes may be some bits of a value that is not: lane 0's stays as well.
 */
void Widener::keepFirst(Instruction &instruction) {
    if (!isa<BinaryOperator>(instruction))
        return;
    for (Use &operand : instruction.operands())
        if (varies(operand)) {
            Instruction *first = cast<Instruction>(operand)->clone();
            builder.Insert(first);
            operand.set(first);
        }
}

void Widener::widen(Instruction &instruction) {
    builder.SetInsertPoint(&instruction);
    if (LaneAccess access = laneAccess(instruction))
        return widenAccess(instruction, access);
    if (LaneWork work = laneWork(instruction))
        return widenLaneWork(work);
    Parts parts;
    if (auto *call = dyn_cast<CallInst>(&instruction))
        if (widenInternal(*call, parts)) {
            if (!parts.empty())
                replace(instruction, std::move(parts));
            return;
        }
    if (!varies(&instruction)) {
        if (isPartial(instruction) && !isUniform(&instruction))
            instruction.dropPoisonGeneratingFlags(); /* lane 0 may be off */
        checkShape(instruction);
        keepFirst(instruction);
        return;
    }
    if (auto *phi = dyn_cast<PHINode>(&instruction))
        return widenPhi(*phi);
    replace(instruction, widenVarying(instruction));
}

void Widener::run() {
    // Lane work splits blocks: what is to be widened is known before.
    std::vector<Instruction *> todo;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&kernel))
        for (Instruction &instruction : *block)
            if (!instruction.isTerminator())
                todo.push_back(&instruction);
    for (Instruction *instruction : todo) {
        if (!instruction->getType()->isVoidTy())
            (varies(instruction) ? counts.vectors : counts.shared)++;
        widen(*instruction);
    }
    finishPhis();
    for (Instruction *instruction : dead)
        instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
    for (Instruction *instruction : dead)
        instruction->eraseFromParent();
    for (Instruction &instruction : make_early_inc_range(instructions(kernel)))
        if (internalOf(instruction) == Internal::LaneId) {
            instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), 0));
            instruction.eraseFromParent();
        }
}

} // namespace weft
