// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backend/products.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

/** trunc(shift(left * right)) of vectors: 16 bits out of a longer product. */
struct ShortOfProduct {
    Value *left = nullptr, *right = nullptr;
    const APInt *shift = nullptr;
    bool isLogical = false;
    unsigned bits = 0; /* of the product */
};

bool find(TruncInst &trunc, ShortOfProduct &found) {
    if (!trunc.getType()->isVectorTy() || trunc.getType()->getScalarSizeInBits() != 16)
        return false;
    found.bits = trunc.getSrcTy()->getScalarSizeInBits();
    Value *shift = trunc.getOperand(0);
    if (!match(shift,
               m_Shr(m_Mul(m_Value(found.left), m_Value(found.right)), m_APInt(found.shift))))
        return false;
    found.isLogical = match(shift, m_LShr(m_Value(), m_Value()));
    return found.bits > 32 && found.shift->ugt(16) && found.shift->ult(found.bits);
}

bool isSignedShort(Value *value, const DataLayout &layout) {
    return ComputeNumSignBits(value, layout) > value->getType()->getScalarSizeInBits() - 16;
}

bool isUnsignedShort(Value *value, const DataLayout &layout) {
    return computeKnownBits(value, layout).countMaxActiveBits() <= 16;
}

/** The same 16 bits, by way of 32; nullptr: the factors are longer. */
Value *narrowed(TruncInst &trunc, const ShortOfProduct &found) {
    const DataLayout &layout = trunc.getDataLayout();
    const bool isSigned = isSignedShort(found.left, layout) && isSignedShort(found.right, layout);
    if (!isSigned && !(isUnsignedShort(found.left, layout) && isUnsignedShort(found.right, layout)))
        return nullptr;
    IRBuilder<> builder(&trunc);
    Type *type = found.left->getType()->getWithNewBitWidth(32);
    Value *product = builder.CreateMul(builder.CreateTrunc(found.left, type),
                                       builder.CreateTrunc(found.right, type));
    const uint64_t by = found.shift->getZExtValue();
    if (!isSigned)
        return by < 32 ? builder.CreateTrunc(builder.CreateLShr(product, by), trunc.getType())
                       : Constant::getNullValue(trunc.getType());
    Value *part = builder.CreateTrunc(builder.CreateAShr(product, std::min<uint64_t>(by, 31)),
                                      trunc.getType());
    const unsigned left = found.bits - static_cast<unsigned>(by); /* bits that are not shifted in */
    if (!found.isLogical || left >= 16)
        return part;
    return builder.CreateAnd(part, APInt::getLowBitsSet(16, left));
}

} // namespace

void narrowProducts(Module &module) {
    for (Function &function : module)
        for (Instruction &instruction : make_early_inc_range(instructions(function))) {
            ShortOfProduct found;
            auto *trunc = dyn_cast<TruncInst>(&instruction);
            if (!trunc || !find(*trunc, found))
                continue;
            if (Value *value = narrowed(*trunc, found)) {
                trunc->replaceAllUsesWith(value);
                trunc->eraseFromParent();
            }
        }
}

} // namespace weft
