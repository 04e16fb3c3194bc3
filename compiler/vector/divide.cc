// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Divisions of integers by what is no constant: no machine has them for vectors, and one lane after
// the other takes 10 to 40 cycles each. Floating-point divisions of vectors give the same.

#include "vector/wide.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace weft {

namespace {

/** A double holds all integers below; added to one, it leaves the integer in the lowest bits. */
constexpr unsigned exactBits = 52;
constexpr double shift = 4503599627370496.0; /* 2^52 */

class Division {
  public:
    explicit Division(BinaryOperator &division)
        : division(division), builder(&division), type(cast<FixedVectorType>(division.getType())),
          isSigned(division.getOpcode() == Instruction::SDiv ||
                   division.getOpcode() == Instruction::SRem),
          wantsRest(division.getOpcode() == Instruction::URem ||
                    division.getOpcode() == Instruction::SRem) {}

    void expand();

  private:
    Value *byFloats();
    Value *byShiftedDoubles(Value *dividend, Value *divisor);
    Value *areShort(Value *dividend, Value *divisor);
    Value *absolute(Value *value) {
        return builder.CreateBinaryIntrinsic(Intrinsic::abs, value, builder.getFalse());
    }
    Value *toDouble(Value *value);
    Constant *splat(double value) {
        return ConstantFP::get(type->getWithNewType(builder.getDoubleTy()), value);
    }

    BinaryOperator &division;
    IRBuilder<> builder;
    FixedVectorType *type;
    const bool isSigned, wantsRest;
};

/**
 * Up to 32 bits: the quotient in double, cut off, is that of the integers. What is no integer is at
 * least 1 / divisor away from the next one, 2^-32 of its own size, and rounding moves it by 2^-53.
 * So it is with float and 16 bits.
 */
Value *Division::byFloats() {
    const bool isNarrow = type->getScalarSizeInBits() <= 16;
    Type *real = type->getWithNewType(isNarrow ? builder.getFloatTy() : builder.getDoubleTy());
    Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
    auto convert = [&](Value *value) {
        return isSigned ? builder.CreateSIToFP(value, real) : builder.CreateUIToFP(value, real);
    };
    Value *quotient = builder.CreateFDiv(convert(dividend), convert(divisor));
    quotient =
        isSigned ? builder.CreateFPToSI(quotient, type) : builder.CreateFPToUI(quotient, type);
    return wantsRest ? builder.CreateSub(dividend, builder.CreateMul(quotient, divisor)) : quotient;
}

/** Of an integer that is short enough. */
Value *Division::toDouble(Value *value) {
    Value *bits =
        builder.CreateOr(value, ConstantInt::get(type, uint64_t{0x3ff + exactBits} << exactBits));
    return builder.CreateFSub(
        builder.CreateBitCast(bits, type->getWithNewType(builder.getDoubleTy())), splat(shift));
}

/** Both have no more bits than a double, without their signs. */
Value *Division::areShort(Value *dividend, Value *divisor) {
    Value *high = builder.CreateLShr(builder.CreateOr(dividend, divisor), exactBits);
    Value *any = builder.CreateOrReduce(high);
    return builder.CreateIsNull(any);
}

/** The quotient may be rounded up to the next integer, then the rest is negative. */
Value *Division::byShiftedDoubles(Value *dividend, Value *divisor) {
    Value *quotient = builder.CreateFDiv(toDouble(dividend), toDouble(divisor));
    Value *shifted = builder.CreateBitCast(builder.CreateFAdd(quotient, splat(shift)), type);
    Value *whole =
        builder.CreateAnd(shifted, ConstantInt::get(type, maskTrailingOnes<uint64_t>(exactBits)));
    Value *rest = builder.CreateSub(dividend, builder.CreateMul(whole, divisor));
    Value *isOver = builder.CreateICmpSLT(rest, Constant::getNullValue(type));
    Value *sign = division.getOperand(0); /* the rest's is the dividend's */
    Value *result;
    if (wantsRest) {
        result = builder.CreateSelect(isOver, builder.CreateAdd(rest, divisor), rest);
    } else {
        result = builder.CreateAdd(whole, builder.CreateSExt(isOver, type));
        sign = builder.CreateXor(sign, division.getOperand(1));
    }
    if (!isSigned)
        return result;
    Value *isNegative = builder.CreateICmpSLT(sign, Constant::getNullValue(type));
    return builder.CreateSelect(isNegative, builder.CreateNeg(result), result);
}

void Division::expand() {
    if (type->getScalarSizeInBits() <= 32) {
        division.replaceAllUsesWith(byFloats());
        division.eraseFromParent();
        return;
    }
    /* Lanes that are off may have anything, and decide as well. */
    for (Use &operand : division.operands())
        operand.set(builder.CreateFreeze(operand.get()));
    Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
    if (isSigned) {
        dividend = absolute(dividend);
        divisor = absolute(divisor);
    }
    MDNode *weights = MDBuilder(division.getContext()).createLikelyBranchWeights();
    insteadWhere(builder, areShort(dividend, divisor), division, weights,
                 [&] { return byShiftedDoubles(dividend, divisor); });
}

/** LLVM multiplies instead of dividing by a constant. */
bool isSlow(const Instruction &instruction) {
    auto *type = dyn_cast<FixedVectorType>(instruction.getType());
    return type && instruction.isIntDivRem() && type->getScalarSizeInBits() <= 64 &&
           isPowerOf2_32(type->getScalarSizeInBits()) && type->getScalarSizeInBits() >= 8 &&
           !isa<Constant>(instruction.getOperand(1));
}

} // namespace

void expandDivisions(Function &kernel) {
    SmallVector<BinaryOperator *, 8> divisions;
    for (Instruction &instruction : instructions(kernel))
        if (isSlow(instruction))
            divisions.push_back(cast<BinaryOperator>(&instruction));
    for (BinaryOperator *division : divisions)
        Division(*division).expand();
}

} // namespace weft
