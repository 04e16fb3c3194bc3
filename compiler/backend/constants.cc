// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * LLVM keeps a constant vector as bytes, and whoever looks at its elements one by one gets a
 * constant for each, which is looked up in a table of the context: for a float about 950
 * instructions, most of them to compare it with the table's marks of empty places. The lanes of one
 * value are 16 to 64 elements, nearly always the same, and half a dozen of LLVM's passes look at
 * all of them, again and again. Here an element that all lanes have is remembered with its vector,
 * and the questions that bytes answer alone are answered without elements.
 *
 * Nothing is decided otherwise: the code is the same. With the types of vectors (vector_types.cc)
 * it saves a fourteenth of what it takes to build 1500 lines for AVX-512.
 */

#include "backend/constants.h"

#include "backend/replaced.h"

#include "llvm/CodeGen/SelectionDAGNodes.h"

namespace weft {

using llvm::APFloat;
using llvm::Constant;
using llvm::ConstantDataSequential;
using llvm::ConstantDataVector;
using llvm::ConstantFP;
using llvm::ConstantFPSDNode;
using llvm::ConstantSDNode;
using llvm::SDValue;

WEFT_REPLACED(Constant *, element, "_ZNK4llvm22ConstantDataSequential20getElementAsConstantEm",
              const ConstantDataSequential *, uint64_t);
WEFT_REPLACED(Constant *, anyElement, "_ZNK4llvm8Constant19getAggregateElementEj", const Constant *,
              unsigned);
WEFT_REPLACED(Constant *, splatOf, "_ZNK4llvm8Constant13getSplatValueEb", const Constant *, bool);
WEFT_REPLACED(ConstantFP *, valueIn, "_ZN4llvm10ConstantFP3getERNS_11LLVMContextERKNS_7APFloatE",
              llvm::LLVMContext &, const APFloat &);
WEFT_REPLACED(bool, hasExpression, "_ZNK4llvm8Constant26containsConstantExpressionEv",
              const Constant *);
WEFT_REPLACED(bool, hasUndefined, "_ZNK4llvm8Constant28containsUndefOrPoisonElementEv",
              const Constant *);
WEFT_REPLACED(bool, hasUndef, "_ZNK4llvm8Constant20containsUndefElementEv", const Constant *);
WEFT_REPLACED(bool, hasPoison, "_ZNK4llvm8Constant21containsPoisonElementEv", const Constant *);
WEFT_REPLACED(ConstantSDNode *, integerOf, "_ZN4llvm19isConstOrConstSplatENS_7SDValueEbb", SDValue,
              bool, bool);
WEFT_REPLACED(ConstantFPSDNode *, floatOf, "_ZN4llvm21isConstOrConstSplatFPENS_7SDValueEb", SDValue,
              bool);

namespace {

/** LLVM's functions have no parameter for it. */
thread_local ConstantMemory *memory;

bool isSplat(const ConstantDataSequential &constant) {
    auto *vector = llvm::dyn_cast<ConstantDataVector>(&constant);
    return vector && vector->isSplat();
}

/** What a vector in instruction selection is built of, if it is the same for all lanes; else
 *  nothing. LLVM takes down for each lane whether it is undefined. */
SDValue sameForAll(SDValue value) {
    if (value.getOpcode() != llvm::ISD::BUILD_VECTOR)
        return {};
    const SDValue first = value.getOperand(0);
    for (const llvm::SDUse &each : value->ops())
        if (each.get() != first)
            return {};
    return first.isUndef() ? SDValue() : first;
}

} // namespace

ConstantMemory::ConstantMemory() {
    memory = this;
}

ConstantMemory::~ConstantMemory() {
    memory = nullptr;
}

Constant *ConstantMemory::elementOf(const ConstantDataSequential &vector, uint64_t index) {
    Splat &splat = splats[reinterpret_cast<uintptr_t>(&vector) / alignof(ConstantDataSequential) %
                          splats.size()];
    if (splat.vector == &vector)
        return splat.element;
    if (!isSplat(vector))
        return element(&vector, index);
    splat = {&vector, element(&vector, 0)};
    return splat.element;
}

ConstantFP *ConstantMemory::valueOf(llvm::LLVMContext &context, const APFloat &value) {
    if (!last || !last->getValueAPF().bitwiseIsEqual(value) || &last->getContext() != &context)
        last = valueIn(context, value);
    return last;
}

Constant *elementInPlace(const ConstantDataSequential *vector, uint64_t index) {
    return memory ? memory->elementOf(*vector, index) : element(vector, index);
}

Constant *anyElementInPlace(const Constant *constant, unsigned index) {
    auto *vector = memory ? llvm::dyn_cast<ConstantDataSequential>(constant) : nullptr;
    if (vector && index < vector->getNumElements())
        return memory->elementOf(*vector, index);
    return anyElement(constant, index);
}

Constant *splatOfInPlace(const Constant *constant, bool allowPoison) {
    auto *vector = memory ? llvm::dyn_cast<ConstantDataVector>(constant) : nullptr;
    if (!vector)
        return splatOf(constant, allowPoison);
    return vector->isSplat() ? memory->elementOf(*vector, 0) : nullptr;
}

ConstantFP *valueInInPlace(llvm::LLVMContext &context, const APFloat &value) {
    return memory ? memory->valueOf(context, value) : valueIn(context, value);
}

/* Bytes are numbers, nothing else. */

bool hasExpressionInPlace(const Constant *constant) {
    return !llvm::isa<ConstantDataSequential>(constant) && hasExpression(constant);
}

bool hasUndefinedInPlace(const Constant *constant) {
    return !llvm::isa<ConstantDataSequential>(constant) && hasUndefined(constant);
}

bool hasUndefInPlace(const Constant *constant) {
    return !llvm::isa<ConstantDataSequential>(constant) && hasUndef(constant);
}

bool hasPoisonInPlace(const Constant *constant) {
    return !llvm::isa<ConstantDataSequential>(constant) && hasPoison(constant);
}

/* ---- in instruction selection ------------------------------------------------------------------
 */

ConstantSDNode *integerOfInPlace(SDValue value, bool allowUndef, bool allowTruncation) {
    const SDValue same = sameForAll(value);
    if (!same)
        return integerOf(value, allowUndef, allowTruncation);
    if (same.getValueType() != value.getValueType().getScalarType() && !allowTruncation)
        return nullptr;
    return llvm::dyn_cast<ConstantSDNode>(same);
}

ConstantFPSDNode *floatOfInPlace(SDValue value, bool allowUndef) {
    const SDValue same = sameForAll(value);
    return same ? llvm::dyn_cast<ConstantFPSDNode>(same) : floatOf(value, allowUndef);
}

} // namespace weft
