// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gathers and scatters whose lanes probably lie side by side: code asks, and then takes a vector.

#include "vector/wide.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace weft {

namespace {

/** Each makes a kernel's code longer. */
constexpr unsigned maxExpected = 32;
/** Elements from one lane to the next that a wide load still pays for. */
constexpr int64_t maxDistance = 4;

constexpr const char *strideMetadata = "weft.stride";

/** One gather or scatter whose pointers have probably this stride. */
class Expected {
  public:
    Expected(IntrinsicInst &call, int64_t stride)
        : call(call), isStore(call.getIntrinsicID() == Intrinsic::masked_scatter),
          pointers(call.getArgOperand(isStore)), mask(call.getArgOperand(isStore + 1)),
          align(commonAlignment(call.getParamAlign(isStore).valueOrOne(),
                                static_cast<uint64_t>(stride))), /* the first lane may be off */
          type(cast<FixedVectorType>(isStore ? call.getArgOperand(0)->getType() : call.getType())),
          layout(call.getModule()->getDataLayout()), stride(stride), builder(&call) {}

    /** False: it is what it was. `isSure`: the guess is taken for granted. */
    bool expand(bool isSure);

  private:
    void findChecked();
    std::optional<APInt> lastFirst(unsigned size, bool isSigned) const;
    Value *isTogether();
    Value *firstSum();
    Value *firstPointer();
    Value *loadTogether(Value *pointer);

    IntrinsicInst &call;
    const bool isStore;
    Value *pointers, *mask;
    Align align;
    FixedVectorType *type;
    const DataLayout &layout;
    int64_t stride, distance = 0;
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

/** What an index in so few bits may be in the first lane, at most, for those of other lanes not to
 * wrap around; none: there is always one that does. */
std::optional<APInt> Expected::lastFirst(unsigned size, bool isSigned) const {
    const APInt most = isSigned ? APInt::getSignedMaxValue(size) : APInt::getMaxValue(size);
    const uint64_t reach = static_cast<uint64_t>(checkedStride) * (type->getNumElements() - 1);
    return most.getZExtValue() < reach ? std::nullopt : std::optional(most - reach);
}

/** Nearer to where lanes come from there are half as many bits to compare, and accesses share. */
void Expected::findChecked() {
    checked = pointers;
    checkedStride = stride;
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
    /* Of an index in fewer bits, isTogether() asks as well whether it wraps between two lanes. */
    auto *extension = dyn_cast<CastInst>(checked);
    if (extension && isa<SExtInst, ZExtInst>(extension) &&
        lastFirst(extension->getSrcTy()->getScalarSizeInBits(), isa<SExtInst>(extension))) {
        path.push_back(extension);
        checked = extension->getOperand(0);
    }
    /* What is the same for all lanes changes no distance, whatever wraps around. In a loop over a
     * column, what is left is the same in all turns (`clamp(x) + k * pitch`) and asked once. */
    while (Use *vector = variableAddend(*checked)) {
        path.push_back(cast<Instruction>(checked));
        checked = vector->get();
    }
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
    // Bits that wrap around between the first lane, which may be off, and the last one that is on
    // make a pointer of another place, whatever they say when they are compared.
    first = firstSum();
    if (unsigned size = first->getType()->getScalarSizeInBits(); !isPointer && size < 64) {
        const bool isSigned = path.empty() || !isa<ZExtInst>(path.back()); /* as places count */
        auto last = lastFirst(size, isSigned);
        result = builder.CreateAnd(
            result, !last      ? builder.getFalse()
                    : isSigned ? builder.CreateICmpSLE(first, builder.getInt(*last))
                               : builder.CreateICmpULE(first, builder.getInt(*last)));
    }
    if (distance) /* one scalar load must not happen without a lane */
        return result;
    return builder.CreateAnd(result, builder.CreateIsNotNull(builder.CreateBitCast(mask, bits)));
}

/** Lane 0's index, of what is compared; its sums leave the path. */
Value *Expected::firstSum() {
    Value *value = first;
    for (; !path.empty() && isa<BinaryOperator>(path.back()); path.pop_back()) {
        auto *sum = cast<BinaryOperator>(path.back());
        const unsigned variable = variableAddend(*sum)->getOperandNo();
        Value *uniform = getSplatValue(sum->getOperand(1 - variable));
        value = builder.CreateBinOp(sum->getOpcode(), value, uniform);
    }
    return value;
}

/** Lane 0's pointer; the lane may be off, so nothing is promised about it. */
Value *Expected::firstPointer() {
    Value *value = first;
    for (Instruction *step : reverse(path)) {
        if (auto *extension = dyn_cast<CastInst>(step)) {
            value =
                builder.CreateCast(extension->getOpcode(), value, step->getType()->getScalarType());
            continue;
        }
        auto *gep = cast<GetElementPtrInst>(step);
        SmallVector<Value *, 4> operands;
        for (Value *operand : gep->operands())
            operands.push_back(operand->getType()->isVectorTy() ? value : operand);
        value = builder.CreateGEP(gep->getSourceElementType(), operands[0],
                                  ArrayRef(operands).drop_front());
    }
    return value;
}

Value *Expected::loadTogether(Value *pointer) {
    unsigned width = type->getNumElements();
    Value *others = call.getArgOperand(2);
    if (distance == 0)
        return builder.CreateVectorSplat(
            width, builder.CreateAlignedLoad(type->getElementType(), pointer, align));
    if (distance == 1)
        return builder.CreateMaskedLoad(type, pointer, align, mask, others);
    auto groups = static_cast<unsigned>(distance);
    Value *picks = expandMask(builder, mask, 1, groups);
    Value *all = builder.CreateMaskedLoad(
        FixedVectorType::get(type->getElementType(), width * groups), pointer, align, picks);
    return builder.CreateShuffleVector(all, createStrideMask(0, groups, width));
}

bool Expected::expand(bool isSure) {
    auto size = static_cast<int64_t>(layout.getTypeStoreSize(type->getElementType()));
    if (stride < 0 || stride % size)
        return false;
    distance = stride / size;
    if (isStore ? distance != 1 : distance > maxDistance)
        return false;
    findChecked();
    Value *together = isTogether();
    if (isSure)
        together = builder.getTrue();
    MDNode *weights = MDBuilder(call.getContext()).createLikelyBranchWeights();
    insteadWhere(builder, together, call, weights, [&]() -> Value * {
        Value *pointer = firstPointer();
        if (isStore)
            return builder.CreateMaskedStore(call.getArgOperand(0), pointer, align, mask);
        return loadTogether(pointer);
    });
    return true;
}

} // namespace

void expectStride(CallInst &call, const Shape &shape) {
    if (!shape.guess)
        return;
    LLVMContext &context = call.getContext();
    call.setMetadata(strideMetadata,
                     MDNode::get(context, ConstantAsMetadata::get(ConstantInt::getSigned(
                                              Type::getInt64Ty(context), *shape.guess))));
}

unsigned expandExpected(Function &kernel, const Switches &switches) {
    SmallVector<std::pair<IntrinsicInst *, int64_t>, 16> calls;
    for (Instruction &instruction : instructions(kernel))
        if (MDNode *node = instruction.getMetadata(strideMetadata)) {
            auto *stride = mdconst::extract<ConstantInt>(node->getOperand(0));
            calls.push_back({cast<IntrinsicInst>(&instruction), stride->getSExtValue()});
        }
    unsigned count = 0;
    for (auto [call, stride] : calls) {
        call->setMetadata(strideMetadata, nullptr);
        if (count < maxExpected)
            count += Expected(*call, stride).expand(switches.broken("guess"));
    }
    return count;
}

} // namespace weft
