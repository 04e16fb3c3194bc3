// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gathers and scatters whose lanes probably lie side by side: code asks, and then takes a vector.

#include "vector/wide.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

/** Each makes a kernel's code longer. */
constexpr unsigned maxExpected = 32;
/** Elements from one lane to the next that a wide load still pays for. */
constexpr uint64_t maxDistance = 4;

constexpr const char *strideMetadata = "weft.stride";

/** A gather or scatter, or several for elements side by side, whose pointers have probably this
 * stride. */
class Expected {
  public:
    Expected(ArrayRef<Instruction *> calls, int64_t stride, bool hasMasks)
        : calls(calls), call(cast<IntrinsicInst>(*calls[0])),
          isStore(call.getIntrinsicID() == Intrinsic::masked_scatter),
          pointers(call.getArgOperand(isStore)), mask(call.getArgOperand(isStore + 1)),
          align(commonAlignment(call.getParamAlign(isStore).valueOrOne(),
                                static_cast<uint64_t>(stride))), /* the first lane may be off */
          type(cast<FixedVectorType>(isStore ? call.getArgOperand(0)->getType() : call.getType())),
          layout(call.getModule()->getDataLayout()), stride(stride), hasMasks(hasMasks),
          builder(&call) {}

    /** False: it is what it was. */
    bool expand();

  private:
    void findIndex();
    bool skipSum();
    bool skipProduct();
    void findChecked();
    std::optional<APInt> boundOfFirst(unsigned size, bool isSigned) const;
    Value *isTogether();
    Value *ofFirst(Instruction &step, Value *value);
    Value *firstSum();
    Value *doesNotWrap();
    Value *firstPointer();
    SmallVector<Value *, 4> access();
    void loopOverLanes();

    const ArrayRef<Instruction *> calls; /* the first of them: */
    IntrinsicInst &call;
    const bool isStore;
    Value *pointers, *mask;
    Align align;
    FixedVectorType *type;
    const DataLayout &layout;
    const int64_t stride;
    const bool hasMasks;
    uint64_t distance = 0; /* elements from lane to lane */
    bool needsAll = false; /* of lanes that are off nothing may be accessed, and there is no mask */
    IRBuilder<> builder;
    /** What is compared: the pointers, or a vector that they are made of by what is in `path`. */
    Value *checked = nullptr, *first = nullptr;
    int64_t checkedStride = 0;
    SmallVector<Instruction *, 4> path; /* from the pointers inwards */
};

/** The one operand that is a vector; null: there are several. */
Use *vectorOperand(GetElementPtrInst &gep) {
    Use *only = nullptr;
    for (Use &use : gep.operands())
        if (use->getType()->isVectorTy()) {
            if (only)
                return nullptr;
            only = &use;
        }
    return only;
}

/** Of a sum of vectors, or a difference from one value, the only operand that is not the same in
 * all lanes; null: it is something else. */
Use *variableAddend(Value &value) {
    auto *sum = dyn_cast<BinaryOperator>(&value);
    if (!sum || !sum->getType()->isIntOrIntVectorTy())
        return nullptr;
    if (sum->getOpcode() == Instruction::Sub)
        return getSplatValue(sum->getOperand(1)) ? &sum->getOperandUse(0) : nullptr;
    if (sum->getOpcode() != Instruction::Add)
        return nullptr;
    for (unsigned index : {0, 1})
        if (getSplatValue(sum->getOperand(1 - index)))
            return &sum->getOperandUse(index);
    return nullptr;
}

/** The factor of a product of a vector and a constant; none, or too large: 0. */
int64_t constantFactor(const Value &value) {
    const APInt *by;
    if (match(&value, m_Mul(m_Value(), m_APInt(by))))
        return by->trySExtValue().value_or(0);
    if (match(&value, m_Shl(m_Value(), m_APInt(by))) && by->ult(by->getBitWidth() - 1))
        return int64_t{1} << by->getZExtValue();
    return 0;
}

/** What an index in so few bits may be in the first lane, at most, or at least where lanes go
 * downwards, for those of other lanes not to wrap around; none: there is always one that does. */
std::optional<APInt> Expected::boundOfFirst(unsigned size, bool isSigned) const {
    const APInt least = isSigned ? APInt::getSignedMinValue(size) : APInt(size, 0);
    const APInt most = isSigned ? APInt::getSignedMaxValue(size) : APInt::getMaxValue(size);
    const uint64_t reach = AbsoluteValue(checkedStride) * (type->getNumElements() - 1);
    if (most.getZExtValue() < reach)
        return std::nullopt;
    return checkedStride < 0 ? least + reach : most - reach;
}

/** From the pointers to the index that they are made of, as far as one vector is behind all. */
void Expected::findIndex() {
    while (auto *gep = dyn_cast<GetElementPtrInst>(checked)) {
        Use *vector = vectorOperand(*gep);
        if (!vector)
            return;
        if (vector->getOperandNo() != 0) {
            auto place = std::next(gep_type_begin(gep), vector->getOperandNo() - 1);
            if (place.isStruct())
                return;
            auto each = static_cast<int64_t>(place.getSequentialElementStride(layout));
            if (!each || checkedStride % each)
                return;
            checkedStride /= each;
        }
        path.push_back(gep);
        checked = vector->get();
    }
}

/** What is the same for all lanes changes no distance, whatever wraps around. In a loop over a
 *  column, what is left is the same in all turns (`clamp(x) + k * pitch`) and asked once. */
bool Expected::skipSum() {
    Use *vector = variableAddend(*checked);
    if (!vector)
        return false;
    path.push_back(cast<Instruction>(checked));
    checked = vector->get();
    return true;
}

/** A product of 64 bits wraps around as addresses do: a pixel's place times its bytes. */
bool Expected::skipProduct() {
    const int64_t factor = constantFactor(*checked);
    if (factor <= 0 || checked->getType()->getScalarSizeInBits() != 64 || checkedStride % factor)
        return false;
    checkedStride /= factor;
    path.push_back(cast<Instruction>(checked));
    checked = path.back()->getOperand(0);
    return true;
}

/** Nearer to where lanes come from there are half as many bits to compare, and accesses share. */
void Expected::findChecked() {
    checked = pointers;
    checkedStride = stride;
    findIndex();
    while (skipSum() || skipProduct())
        ;
    /* Of an index in fewer bits, isTogether() asks as well whether it wraps between two lanes. */
    auto *extension = dyn_cast<CastInst>(checked);
    if (extension && isa<SExtInst, ZExtInst>(extension) &&
        boundOfFirst(extension->getSrcTy()->getScalarSizeInBits(), isa<SExtInst>(extension))) {
        path.push_back(extension);
        checked = extension->getOperand(0);
    }
    while (skipSum())
        ;
}

/** True where no lane that is on is elsewhere than its distance from the first lane says. */
Value *Expected::isTogether() {
    checked = builder.CreateFreeze(checked);
    first = builder.CreateExtractElement(checked, uint64_t{0}, "first");
    unsigned width = type->getNumElements();
    bool isPointer = first->getType()->isPointerTy();
    Constant *steps =
        laneSteps(isPointer ? builder.getInt64Ty() : first->getType(), width, checkedStride);
    Value *expected = isPointer ? builder.CreateGEP(builder.getInt8Ty(), first, steps)
                                : builder.CreateAdd(builder.CreateVectorSplat(width, first), steps);
    Value *apart = builder.CreateSelect(mask, builder.CreateICmpNE(checked, expected),
                                        Constant::getNullValue(mask->getType()));
    Type *bits = builder.getIntNTy(width);
    Value *result = builder.CreateIsNull(builder.CreateBitCast(apart, bits));
    first = firstSum();
    if (Value *whole = doesNotWrap())
        result = builder.CreateAnd(result, whole);
    if (needsAll)
        return builder.CreateAnd(result, builder.CreateICmpEQ(builder.CreateBitCast(mask, bits),
                                                              Constant::getAllOnesValue(bits)));
    if (distance) /* one scalar load must not happen without a lane */
        return result;
    return builder.CreateAnd(result, builder.CreateIsNotNull(builder.CreateBitCast(mask, bits)));
}

/** What `step` computes of lane 0's `value`; nothing is promised of it, since lane 0 may be off. */
Value *Expected::ofFirst(Instruction &step, Value *value) {
    if (auto *extension = dyn_cast<CastInst>(&step))
        return builder.CreateCast(extension->getOpcode(), value, step.getType()->getScalarType());
    if (auto *sumOrProduct = dyn_cast<BinaryOperator>(&step)) {
        Use *addend = variableAddend(step);
        const unsigned other = addend ? 1 - addend->getOperandNo() : 1;
        Value *operand = getSplatValue(step.getOperand(other));
        return builder.CreateBinOp(sumOrProduct->getOpcode(), value, operand);
    }
    auto &gep = cast<GetElementPtrInst>(step);
    SmallVector<Value *, 4> operands;
    for (Value *operand : gep.operands())
        operands.push_back(operand->getType()->isVectorTy() ? value : operand);
    return builder.CreateGEP(gep.getSourceElementType(), operands[0],
                             ArrayRef(operands).drop_front());
}

/** Lane 0's index, of what is compared; its sums leave the path. */
Value *Expected::firstSum() {
    Value *value = first;
    for (; !path.empty() && variableAddend(*path.back()); path.pop_back())
        value = ofFirst(*path.back(), value);
    return value;
}

/** Bits that wrap around between the first lane, which may be off, and the last one that is on make
 * a pointer of another place, whatever they say when they are compared. Null: none do. */
Value *Expected::doesNotWrap() {
    const unsigned size = first->getType()->getScalarSizeInBits();
    if (first->getType()->isPointerTy() || size >= 64)
        return nullptr;
    const bool isSigned = path.empty() || !isa<ZExtInst>(path.back()); /* as places count */
    const std::optional<APInt> bound = boundOfFirst(size, isSigned);
    if (!bound)
        return builder.getFalse();
    const CmpInst::Predicate order = checkedStride < 0
                                         ? isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE
                                     : isSigned ? CmpInst::ICMP_SLE
                                                : CmpInst::ICMP_ULE;
    return builder.CreateICmp(order, first, builder.getInt(*bound));
}

Value *Expected::firstPointer() {
    Value *value = first;
    for (Instruction *step : reverse(path))
        value = ofFirst(*step, value);
    return value;
}

SmallVector<Value *, 4> Expected::access() {
    Value *pointer = firstPointer(), *on = needsAll ? nullptr : mask;
    Type *element = type->getElementType();
    if (distance == 0)
        return {builder.CreateVectorSplat(type->getNumElements(),
                                          builder.CreateAlignedLoad(element, pointer, align))};
    const LaneGroups groups{type->getNumElements(),
                            static_cast<unsigned>(calls.size()),
                            static_cast<unsigned>(distance),
                            stride < 0,
                            element,
                            align,
                            hasMasks};
    if (!isStore)
        return groups.load(builder, pointer, on);
    SmallVector<Value *, 4> values;
    for (Instruction *one : calls)
        values.push_back(one->getOperand(0));
    groups.store(builder, values, pointer, on);
    return {};
}

/** One lane after the other where the guess is wrong: a loop, where no instruction gathers such
 *  elements. Each part of each lane would be a load (gathers.cc), or a branch and a store. */
void Expected::loopOverLanes() {
    BasicBlock *before = call.getParent(), *after = SplitBlock(before, &call);
    BasicBlock *block = BasicBlock::Create(call.getContext(), "", before->getParent(), after);
    const unsigned lanes = type->getNumElements();
    IntegerType *word = builder.getIntNTy(std::max(lanes, 8U));
    builder.SetInsertPoint(before->getTerminator());
    Value *bits = builder.CreateZExt(builder.CreateBitCast(mask, builder.getIntNTy(lanes)), word);
    builder.CreateCondBr(builder.CreateIsNull(bits), after, block);
    before->getTerminator()->eraseFromParent();

    builder.SetInsertPoint(block);
    PHINode *left = builder.CreatePHI(word, 2);
    SmallVector<PHINode *, 4> loaded;
    for (size_t part = 0; !isStore && part < calls.size(); part++)
        loaded.push_back(builder.CreatePHI(type, 2));
    Value *lane = builder.CreateIntrinsic(Intrinsic::cttz, {word}, {left, builder.getTrue()});
    Value *place = builder.CreateExtractElement(pointers, lane);
    for (auto [part, one] : enumerate(calls)) {
        Value *at = builder.CreateConstInBoundsGEP1_64(type->getElementType(), place, part);
        const Align to = cast<CallInst>(one)->getParamAlign(isStore).valueOrOne();
        if (isStore) {
            builder.CreateAlignedStore(builder.CreateExtractElement(one->getOperand(0), lane), at,
                                       to);
            continue;
        }
        Value *element = builder.CreateAlignedLoad(type->getElementType(), at, to);
        Value *all = builder.CreateInsertElement(loaded[part], element, lane);
        loaded[part]->addIncoming(PoisonValue::get(type), before);
        loaded[part]->addIncoming(all, block);
    }
    Value *rest = builder.CreateAnd(left, builder.CreateSub(left, ConstantInt::get(word, 1)));
    left->addIncoming(bits, before);
    left->addIncoming(rest, block);
    builder.CreateCondBr(builder.CreateIsNull(rest), after, block);
    for (auto [part, one] : enumerate(calls)) {
        if (!isStore) {
            builder.SetInsertPoint(after, after->begin());
            PHINode *all = builder.CreatePHI(type, 2);
            all->addIncoming(PoisonValue::get(type), before);
            all->addIncoming(loaded[part]->getIncomingValue(1), block);
            one->replaceAllUsesWith(all);
        }
        one->eraseFromParent();
    }
}

bool Expected::expand() {
    const auto size = static_cast<int64_t>(layout.getTypeStoreSize(type->getElementType()));
    const bool isGroup = calls.size() > 1;
    if (stride % size)
        return false;
    distance = AbsoluteValue(stride / size);
    if (!isGroup && (isStore ? distance != 1 : distance > maxDistance))
        return false;
    needsAll = isGroup && !hasMasks && size < 4;
    findChecked();
    Value *together = isTogether();
    MDNode *weights = MDBuilder(call.getContext()).createLikelyBranchWeights();
    insteadWhere(builder, together, calls, weights, [&] { return access(); });
    if (isGroup && size < 4)
        loopOverLanes();
    return true;
}

} // namespace

void expectStride(CallInst &call, const Shape &shape, unsigned parts) {
    if (!shape.guess)
        return;
    Type *number = Type::getInt64Ty(call.getContext());
    auto note = [&](int64_t value) {
        return ConstantAsMetadata::get(ConstantInt::getSigned(number, value));
    };
    call.setMetadata(strideMetadata,
                     MDNode::get(call.getContext(), {note(*shape.guess), note(parts)}));
}

unsigned expandExpected(Function &kernel, bool hasMasks) {
    SmallVector<Instruction *, 16> noted;
    for (Instruction &instruction : instructions(kernel))
        if (instruction.hasMetadata(strideMetadata))
            noted.push_back(&instruction);
    unsigned count = 0;
    for (Instruction *call : noted) {
        MDNode *node = call->getMetadata(strideMetadata);
        auto number = [&](unsigned index) {
            return mdconst::extract<ConstantInt>(node->getOperand(index))->getSExtValue();
        };
        const int64_t stride = number(0);
        SmallVector<Instruction *, 4> calls = {call};
        while (static_cast<int64_t>(calls.size()) < number(1))
            calls.push_back(calls.back()->getNextNode());
        call->setMetadata(strideMetadata, nullptr);
        if (count < maxExpected)
            count += Expected(calls, stride, hasMasks).expand();
    }
    return count;
}

} // namespace weft
