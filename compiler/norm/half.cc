// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Half in float: S. A. Figueroa, "When is double rounding innocuous?", 1995, for + - * / and sqrt
// (24 >= 2 * 11 + 2); S. Boldo, G. Melquiond, "Emulation of a FMA and correctly rounded sums:
// proved algorithms using rounding to odd", 2008, for fma and conversions from double.

#include "norm/half.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;

namespace weft {

namespace {

bool isHalf(const Type *type) {
    return type->getScalarType()->isHalfTy();
}

class HalfLowering {
  public:
    HalfLowering(Function &function, bool hasConversions)
        : function(function), hasConversions(hasConversions), builder(function.getContext()) {}
    void run();

  private:
    Value *lower(Instruction &instruction);
    Value *lowerCast(CastInst &cast);
    Value *lowerIntrinsic(IntrinsicInst &call);
    Value *withFloats(Instruction &instruction);
    Value *fusedMultiplyAdd(IntrinsicInst &call);
    Value *fromInteger(Value *integer, bool isSigned);
    Value *toInteger(Value *half, Type *type);
    Value *fromDouble(Value *wide);
    Value *toOdd(Value *rounded, Value *isInexact, Value *isAway);
    Value *toFloat(Value *half);
    Value *toHalf(Value *value);
    Value *floatOfBits(Value *bits, Type *type);
    Value *halfByBits(Value *value);

    Function &function;
    const bool hasConversions; /* F16C */
    IRBuilder<> builder;
    DenseMap<Value *, Value *> floats; /* of halves, in this block */
};

Type *floatLike(Type *type) {
    return type->getWithNewType(Type::getFloatTy(type->getContext()));
}

Type *wordLike(Type *type) {
    return type->getWithNewType(Type::getInt32Ty(type->getContext()));
}

/* ---- conversions ----------------------------------------------------------------------------- */

/**
 * Without F16C a vector would be converted by one call for each of its elements. No float may be
 * subnormal on the way, since those count as zero under -cl-denorms-are-zero: subnormal halves are
 * what is left of 2^-14 * (1 + x) without 2^-14.
 */
Value *HalfLowering::floatOfBits(Value *bits, Type *type) {
    Type *words = bits->getType();
    auto word = [&](uint32_t value) { return ConstantInt::get(words, value); };
    Value *sign = builder.CreateShl(builder.CreateAnd(bits, word(0x8000)), word(16));
    Value *rest = builder.CreateAnd(bits, word(0x7fff));
    Value *moved = builder.CreateShl(rest, word(13));
    Value *normal = builder.CreateAdd(moved, word(112u << 23));
    Value *small =
        builder.CreateFSub(builder.CreateBitCast(builder.CreateAdd(moved, word(113u << 23)), type),
                           ConstantFP::get(type, 0x1p-14));
    Value *isSmall = builder.CreateICmpSLT(rest, word(0x400));
    Value *isHuge = builder.CreateICmpSGE(rest, word(0x7c00));
    Value *isNan = builder.CreateICmpSGT(rest, word(0x7c00));
    Value *huge =
        builder.CreateOr(builder.CreateAdd(normal, word(112u << 23)),
                         builder.CreateAnd(builder.CreateSExt(isNan, words), word(0x400000)));
    Value *all = builder.CreateSelect(isSmall, builder.CreateBitCast(small, words),
                                      builder.CreateSelect(isHuge, huge, normal));
    return builder.CreateBitCast(builder.CreateOr(all, sign), type);
}

/** To nearest even. A subnormal half is what lies at the end of a sum with 1/2, which the addition
 *  rounds; others are rounded by an addition of integers, whose carry goes into the exponent. */
Value *HalfLowering::halfByBits(Value *value) {
    Type *type = value->getType(), *words = wordLike(type);
    auto word = [&](uint32_t bits) { return ConstantInt::get(words, bits); };
    Value *bits = builder.CreateBitCast(value, words);
    Value *sign = builder.CreateAnd(builder.CreateLShr(bits, word(16)), word(0x8000));
    Value *rest = builder.CreateAnd(bits, word(0x7fffffff));
    Value *odd = builder.CreateAnd(builder.CreateLShr(rest, word(13)), word(1));
    Value *normal = builder.CreateLShr(
        builder.CreateAdd(builder.CreateAdd(rest, odd), word(0xfff - (112u << 23))), word(13));
    Value *sum = builder.CreateFAdd(builder.CreateBitCast(rest, type), ConstantFP::get(type, 0.5));
    Value *small = builder.CreateSub(builder.CreateBitCast(sum, words), word(126u << 23));
    Value *isSmall = builder.CreateICmpSLT(rest, word(113u << 23)); /* below 2^-14 */
    Value *isHuge = builder.CreateICmpSGE(rest, word(0x477ff000));  /* 65520 and above */
    Value *isNan = builder.CreateICmpSGT(rest, word(0x7f800000));
    Value *payload = builder.CreateAnd(builder.CreateLShr(rest, word(13)), word(0x1ff));
    Value *huge =
        builder.CreateSelect(isNan, builder.CreateOr(payload, word(0x7e00)), word(0x7c00));
    Value *all = builder.CreateSelect(isSmall, small, builder.CreateSelect(isHuge, huge, normal));
    Type *shorts = type->getWithNewType(builder.getInt16Ty());
    return builder.CreateBitCast(builder.CreateTrunc(builder.CreateOr(all, sign), shorts),
                                 type->getWithNewType(builder.getHalfTy()));
}

/** Once for each block: a half that waits takes half the register that its float does. */
Value *HalfLowering::toFloat(Value *half) {
    Value *&known = floats[half];
    if (known)
        return known;
    Type *type = floatLike(half->getType());
    if (hasConversions || !type->isVectorTy() || isa<Constant>(half))
        return known = builder.CreateFPExt(half, type);
    Type *shorts = type->getWithNewType(builder.getInt16Ty());
    return known = floatOfBits(
               builder.CreateZExt(builder.CreateBitCast(half, shorts), wordLike(type)), type);
}

Value *HalfLowering::toHalf(Value *value) {
    Type *type = value->getType();
    if (hasConversions || !type->isVectorTy())
        return builder.CreateFPTrunc(value, type->getWithNewType(builder.getHalfTy()));
    return halfByBits(value);
}

/* ---- operations ------------------------------------------------------------------------------ */

/**
 * A float that was rounded to nearest becomes the one of both neighbours of the exact value whose
 * last bit is set, if it is inexact: what rounds it again sees that there was something.
 * `isAway`: it is further from zero than the exact value.
 */
Value *HalfLowering::toOdd(Value *rounded, Value *isInexact, Value *isAway) {
    Type *words = wordLike(rounded->getType());
    Value *bits = builder.CreateBitCast(rounded, words);
    bits = builder.CreateAdd(bits, builder.CreateSExt(isAway, words));
    bits = builder.CreateOr(bits, builder.CreateZExt(isInexact, words));
    return builder.CreateBitCast(bits, rounded->getType());
}

/** The product of two halves is exact in float, and so are the sum and its error together. */
Value *HalfLowering::fusedMultiplyAdd(IntrinsicInst &call) {
    Value *z = toFloat(call.getArgOperand(2));
    Value *product =
        builder.CreateFMul(toFloat(call.getArgOperand(0)), toFloat(call.getArgOperand(1)));
    Value *sum = builder.CreateFAdd(product, z);
    Value *ofZ = builder.CreateFSub(sum, product);
    Value *error = builder.CreateFAdd(builder.CreateFSub(product, builder.CreateFSub(sum, ofZ)),
                                      builder.CreateFSub(z, ofZ));
    Type *type = sum->getType();
    Value *isInexact = builder.CreateFCmpONE(error, Constant::getNullValue(type)); /* no NaN */
    Value *signs = builder.CreateXor(builder.CreateBitCast(error, wordLike(type)),
                                     builder.CreateBitCast(sum, wordLike(type)));
    Value *isAway = builder.CreateAnd(
        isInexact, builder.CreateICmpSLT(signs, Constant::getNullValue(signs->getType())));
    return toHalf(toOdd(sum, isInexact, isAway));
}

Value *HalfLowering::fromDouble(Value *wide) {
    Type *type = floatLike(wide->getType());
    if (!hasConversions && !type->isVectorTy())
        return builder.CreateFPTrunc(wide, type->getWithNewType(builder.getHalfTy())); /* rt */
    Value *rounded = builder.CreateFPTrunc(wide, type);
    Value *back = builder.CreateFPExt(rounded, wide->getType());
    Value *isInexact = builder.CreateFCmpONE(back, wide); /* no NaN */
    Value *isAway = builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(Intrinsic::fabs, back),
                                          builder.CreateUnaryIntrinsic(Intrinsic::fabs, wide));
    return toHalf(toOdd(rounded, isInexact, isAway));
}

/** Below 2^24 float is exact, above it all is infinite; so from 2^16 on, which 32 bits hold. */
Value *HalfLowering::fromInteger(Value *integer, bool isSigned) {
    Type *type = integer->getType();
    const unsigned bits = type->getScalarSizeInBits();
    if (bits < 32)
        integer = isSigned ? builder.CreateSExt(integer, wordLike(type))
                           : builder.CreateZExt(integer, wordLike(type));
    if (bits > 32 || (bits == 32 && !isSigned)) {
        Constant *most = ConstantInt::get(type, 65536);
        integer = builder.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin,
                                                integer, most);
        if (isSigned)
            integer =
                builder.CreateBinaryIntrinsic(Intrinsic::smax, integer, ConstantExpr::getNeg(most));
        integer = builder.CreateTrunc(integer, wordLike(type));
    }
    return toHalf(builder.CreateSIToFP(integer, floatLike(type)));
}

/** All finite halves are in 32 bits. */
Value *HalfLowering::toInteger(Value *half, Type *type) {
    Value *words = builder.CreateFPToSI(toFloat(half), wordLike(type));
    return builder.CreateSExtOrTrunc(words, type);
}

Value *HalfLowering::lowerCast(CastInst &cast) {
    Value *from = cast.getOperand(0);
    switch (cast.getOpcode()) {
    case Instruction::FPTrunc:
        if (from->getType()->getScalarType()->isDoubleTy())
            return fromDouble(from);
        return hasConversions ? nullptr : toHalf(from);
    case Instruction::FPExt:
        if (cast.getType()->getScalarType()->isDoubleTy())
            return builder.CreateFPExt(toFloat(from), cast.getType());
        return hasConversions ? nullptr : toFloat(from);
    case Instruction::SIToFP:
    case Instruction::UIToFP:
        return fromInteger(from, cast.getOpcode() == Instruction::SIToFP);
    case Instruction::FPToSI:
    case Instruction::FPToUI:
        return toInteger(from, cast.getType());
    default:
        return nullptr; /* of bits */
    }
}

/** The same instruction on floats. */
Value *HalfLowering::withFloats(Instruction &instruction) {
    Instruction *floating = instruction.clone();
    for (Use &operand : floating->operands())
        if (isHalf(operand->getType()))
            operand.set(toFloat(operand));
    if (isHalf(instruction.getType()))
        floating->mutateType(floatLike(instruction.getType()));
    if (isa<FPMathOperator>(floating))
        floating->setHasAllowContract(false);
    builder.Insert(floating);
    return isHalf(instruction.getType()) ? toHalf(floating) : floating;
}

Value *HalfLowering::lowerIntrinsic(IntrinsicInst &call) {
    const Intrinsic::ID intrinsic = call.getIntrinsicID();
    switch (intrinsic) {
    case Intrinsic::fma:
        return fusedMultiplyAdd(call);
    case Intrinsic::sqrt:
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::round:
    case Intrinsic::roundeven:
    case Intrinsic::canonicalize:
        return toHalf(builder.CreateUnaryIntrinsic(intrinsic, toFloat(call.getArgOperand(0))));
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimum:
    case Intrinsic::maximum:
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum:
        return toHalf(builder.CreateBinaryIntrinsic(intrinsic, toFloat(call.getArgOperand(0)),
                                                    toFloat(call.getArgOperand(1))));
    case Intrinsic::ldexp: {
        Value *power = call.getArgOperand(1);
        return toHalf(builder.CreateIntrinsic(intrinsic,
                                              {floatLike(call.getType()), power->getType()},
                                              {toFloat(call.getArgOperand(0)), power}));
    }
    case Intrinsic::lrint:
    case Intrinsic::llrint:
    case Intrinsic::lround:
    case Intrinsic::llround:
    case Intrinsic::fptosi_sat:
    case Intrinsic::fptoui_sat: {
        Value *from = toFloat(call.getArgOperand(0));
        return builder.CreateIntrinsic(intrinsic, {call.getType(), from->getType()}, {from});
    }
    default:
        return nullptr;
    }
}

/** Null: it stays as it is. */
Value *HalfLowering::lower(Instruction &instruction) {
    builder.SetInsertPoint(&instruction);
    if (auto *cast = dyn_cast<CastInst>(&instruction))
        return lowerCast(*cast);
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        return lowerIntrinsic(*call);
    return isa<BinaryOperator, FCmpInst>(instruction) ? withFloats(instruction) : nullptr;
}

bool takesOrGivesHalf(const Instruction &instruction) {
    return isHalf(instruction.getType()) ||
           any_of(instruction.operand_values(),
                  [](const Value *operand) { return isHalf(operand->getType()); });
}

void HalfLowering::run() {
    for (BasicBlock &block : function) {
        floats.clear();
        for (Instruction &instruction : make_early_inc_range(block)) {
            if (!takesOrGivesHalf(instruction))
                continue;
            Value *lowered = lower(instruction);
            if (!lowered)
                continue;
            lowered->takeName(&instruction);
            instruction.replaceAllUsesWith(lowered);
            instruction.eraseFromParent();
        }
    }
}

} // namespace

bool computesInHalf(const TargetMachine &machine) {
    return machine.getMCSubtargetInfo()->checkFeatures("+avx512fp16");
}

bool computesInHalf(const Function &function) {
    return function.getFnAttribute("target-features").getValueAsString().contains("+avx512fp16");
}

void lowerHalf(Module &module, const TargetMachine &machine) {
    if (computesInHalf(machine))
        return;
    const bool hasConversions = machine.getMCSubtargetInfo()->checkFeatures("+f16c");
    for (Function &function : module)
        HalfLowering(function, hasConversions).run();
}

} // namespace weft
