// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/reader.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::spirv {

namespace {

using BinaryOps = llvm::Instruction::BinaryOps;

BinaryOps binaryOf(Op op) {
    static const std::pair<Op, BinaryOps> rows[] = {
        {Op::IAdd, BinaryOps::Add},           {Op::FAdd, BinaryOps::FAdd},
        {Op::ISub, BinaryOps::Sub},           {Op::FSub, BinaryOps::FSub},
        {Op::IMul, BinaryOps::Mul},           {Op::FMul, BinaryOps::FMul},
        {Op::UDiv, BinaryOps::UDiv},          {Op::SDiv, BinaryOps::SDiv},
        {Op::FDiv, BinaryOps::FDiv},          {Op::UMod, BinaryOps::URem},
        {Op::SRem, BinaryOps::SRem},          {Op::BitwiseOr, BinaryOps::Or},
        {Op::BitwiseXor, BinaryOps::Xor},     {Op::BitwiseAnd, BinaryOps::And},
        {Op::LogicalOr, BinaryOps::Or},       {Op::LogicalAnd, BinaryOps::And},
        {Op::LogicalNotEqual, BinaryOps::Xor}};
    for (const auto &[known, binary] : rows)
        if (known == op)
            return binary;
    return BinaryOps::Add;
}

CmpInst::Predicate predicateOf(Op op) {
    static const std::pair<Op, CmpInst::Predicate> rows[] = {
        {Op::LogicalEqual, CmpInst::ICMP_EQ},
        {Op::IEqual, CmpInst::ICMP_EQ},
        {Op::INotEqual, CmpInst::ICMP_NE},
        {Op::UGreaterThan, CmpInst::ICMP_UGT},
        {Op::SGreaterThan, CmpInst::ICMP_SGT},
        {Op::UGreaterThanEqual, CmpInst::ICMP_UGE},
        {Op::SGreaterThanEqual, CmpInst::ICMP_SGE},
        {Op::ULessThan, CmpInst::ICMP_ULT},
        {Op::SLessThan, CmpInst::ICMP_SLT},
        {Op::ULessThanEqual, CmpInst::ICMP_ULE},
        {Op::SLessThanEqual, CmpInst::ICMP_SLE},
        {Op::FOrdEqual, CmpInst::FCMP_OEQ},
        {Op::FUnordEqual, CmpInst::FCMP_UEQ},
        {Op::FOrdNotEqual, CmpInst::FCMP_ONE},
        {Op::FUnordNotEqual, CmpInst::FCMP_UNE},
        {Op::FOrdLessThan, CmpInst::FCMP_OLT},
        {Op::FUnordLessThan, CmpInst::FCMP_ULT},
        {Op::FOrdGreaterThan, CmpInst::FCMP_OGT},
        {Op::FUnordGreaterThan, CmpInst::FCMP_UGT},
        {Op::FOrdLessThanEqual, CmpInst::FCMP_OLE},
        {Op::FUnordLessThanEqual, CmpInst::FCMP_ULE},
        {Op::FOrdGreaterThanEqual, CmpInst::FCMP_OGE},
        {Op::FUnordGreaterThanEqual, CmpInst::FCMP_UGE},
        {Op::LessOrGreater, CmpInst::FCMP_ONE},
        {Op::Ordered, CmpInst::FCMP_ORD},
        {Op::Unordered, CmpInst::FCMP_UNO}};
    for (const auto &[known, predicate] : rows)
        if (known == op)
            return predicate;
    return CmpInst::ICMP_EQ;
}

/** NotNaN, NSZ, AllowRecip, Fast of FPFastMathMode; AllowContractFastINTEL, AllowReassocINTEL. Not
 *  NotInf (front/source.cc). */
FastMathFlags fastMath(uint32_t mode) {
    FastMathFlags flags;
    if (mode & 0x10) {
        flags.setFast();
        flags.setNoInfs(false);
        return flags;
    }
    flags.setNoNaNs(mode & 1);
    flags.setNoSignedZeros(mode & 4);
    flags.setAllowReciprocal(mode & 8);
    flags.setAllowContract(mode & 0x10000);
    flags.setAllowReassoc(mode & 0x20000);
    return flags;
}

} // namespace

void Reader::decorateArithmetic(const Instruction &instruction, Value *result) {
    auto *made = dyn_cast<llvm::Instruction>(result);
    if (!made || !instruction.resultId)
        return;
    if (isa<OverflowingBinaryOperator>(made)) {
        made->setHasNoSignedWrap(source.decoration(instruction.resultId, Decorate::NoSignedWrap) !=
                                 nullptr);
        made->setHasNoUnsignedWrap(
            source.decoration(instruction.resultId, Decorate::NoUnsignedWrap) != nullptr);
    }
    const Decoration *mode = source.decoration(instruction.resultId, Decorate::FPFastMathMode);
    if (mode && !mode->operands.empty() && isa<FPMathOperator>(made))
        made->setFastMathFlags(fastMath(mode->operands[0]));
}

void Reader::readBinary(const Instruction &instruction) {
    Value *made = builder.CreateBinOp(binaryOf(instruction.op), operand(instruction, 0),
                                      operand(instruction, 1));
    decorateArithmetic(instruction, made);
    set(instruction, made);
}

/** The amount may be of another width; amounts that are not below the width are undefined. */
void Reader::readShift(const Instruction &instruction) {
    Value *base = operand(instruction, 0);
    Value *amount = builder.CreateZExtOrTrunc(operand(instruction, 1), base->getType());
    BinaryOps op = instruction.op == Op::ShiftLeftLogical    ? BinaryOps::Shl
                   : instruction.op == Op::ShiftRightLogical ? BinaryOps::LShr
                                                             : BinaryOps::AShr;
    Value *made = builder.CreateBinOp(op, base, amount);
    decorateArithmetic(instruction, made);
    set(instruction, made);
}

/** SMod and FMod: the sign is the divisor's. FRem and FMod are exact: the library's fmod. */
void Reader::readRemainder(const Instruction &instruction) {
    Value *left = operand(instruction, 0), *right = operand(instruction, 1);
    Type *type = left->getType();
    bool real = type->isFPOrFPVectorTy();
    Value *rest = real ? callBuiltin("fmod", type, {{left}, {right}}, Effect::Pure)
                       : builder.CreateSRem(left, right);
    if (instruction.op == Op::FRem)
        return set(instruction, rest);
    Value *zero = Constant::getNullValue(type);
    auto negative = [&](Value *value) {
        return real ? builder.CreateFCmpOLT(value, zero) : builder.CreateICmpSLT(value, zero);
    };
    Value *differs = builder.CreateXor(negative(rest), negative(right));
    Value *some = real ? builder.CreateFCmpUNE(rest, zero) : builder.CreateICmpNE(rest, zero);
    Value *other = real ? builder.CreateFAdd(rest, right) : builder.CreateAdd(rest, right);
    set(instruction, builder.CreateSelect(builder.CreateAnd(differs, some), other, rest));
}

void Reader::readUnary(const Instruction &instruction) {
    Value *first = operand(instruction, 0), *made = nullptr;
    auto *lanes = dyn_cast<FixedVectorType>(first->getType());
    switch (instruction.op) {
    case Op::SNegate:
        made = builder.CreateNeg(first);
        break;
    case Op::FNegate:
        made = builder.CreateFNeg(first);
        break;
    case Op::BitReverse:
        made = builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, first);
        break;
    case Op::BitCount:
        made = builder.CreateZExtOrTrunc(builder.CreateUnaryIntrinsic(Intrinsic::ctpop, first),
                                         resultType(instruction));
        break;
    case Op::Any:
    case Op::All:
        /* Clang 22 writes any(int) and any(int4) as if OpAny took signs, and scalars. */
        if (first->getType()->isIntOrIntVectorTy() && !first->getType()->isIntOrIntVectorTy(1))
            first = builder.CreateIsNeg(first);
        if (!lanes && first->getType()->isIntegerTy(1))
            made = first;
        for (unsigned i = 0; lanes && i < lanes->getNumElements(); i++) {
            Value *lane = builder.CreateExtractElement(first, i);
            made = !made                       ? lane
                   : instruction.op == Op::Any ? builder.CreateOr(made, lane)
                                               : builder.CreateAnd(made, lane);
        }
        break;
    case Op::ExpectKHR:
        made = first;
        break;
    case Op::AssumeTrueKHR:
        builder.CreateAssumption(first);
        return;
    default: /* Not, LogicalNot */
        made = builder.CreateNot(first);
        break;
    }
    if (!made)
        return fail(instruction, "the operand must be a vector");
    decorateArithmetic(instruction, made);
    set(instruction, made);
}

void Reader::readProduct(const Instruction &instruction) {
    Value *left = operand(instruction, 0), *right = operand(instruction, 1), *made;
    auto *type = dyn_cast<FixedVectorType>(left->getType());
    if (!type)
        return fail(instruction, "the operand must be a vector");
    if (instruction.op == Op::VectorTimesScalar) {
        made = builder.CreateFMul(left, builder.CreateVectorSplat(type->getNumElements(), right));
    } else if (type->getNumElements() <= 4 && !type->getElementType()->isHalfTy()) {
        made = callBuiltin("dot", resultType(instruction), {{left}, {right}}, Effect::Pure);
    } else {
        Value *products = builder.CreateFMul(left, right);
        made = builder.CreateExtractElement(products, uint64_t{0});
        for (unsigned i = 1; i < type->getNumElements(); i++)
            made = builder.CreateFAdd(made, builder.CreateExtractElement(products, i));
    }
    decorateArithmetic(instruction, made);
    set(instruction, made);
}

/**
 * SPV_KHR_integer_dot_product: the components of two vectors (or four bytes packed into a word)
 * extended to the result's width, multiplied and added. Bytes are the kernel library's, which has
 * code of its own for them.
 */
void Reader::readIntegerDot(const Instruction &instruction) {
    const bool first = instruction.op != Op::UDot && instruction.op != Op::UDotAccSat;
    const bool second = instruction.op == Op::SDot || instruction.op == Op::SDotAccSat;
    const bool saturates = instruction.op >= Op::SDotAccSat;
    Value *left = operand(instruction, 0), *right = operand(instruction, 1);
    Type *result = resultType(instruction), *word = builder.getInt32Ty();
    if (left->getType() == word && right->getType() == word)
        for (Value **packed : {&left, &right})
            *packed = builder.CreateBitCast(*packed, FixedVectorType::get(builder.getInt8Ty(), 4));
    auto *type = dyn_cast<FixedVectorType>(left->getType());
    if (!type || right->getType() != type || !type->getElementType()->isIntegerTy() ||
        !result->isIntegerTy() ||
        result->getIntegerBitWidth() < type->getElementType()->getIntegerBitWidth() ||
        (saturates && operand(instruction, 2)->getType() != result))
        return fail(instruction, "the operands must be words or vectors of integers of one type, "
                                 "the result and what is accumulated integers as wide at least");
    Value *made;
    if (result == word && type->getElementType()->isIntegerTy(8) && type->getNumElements() == 4) {
        made = callBuiltin("dot", word, {{left, first}, {right, second}}, Effect::Pure);
    } else {
        Type *wide = FixedVectorType::get(result, type->getNumElements());
        made = builder.CreateAddReduce(builder.CreateMul(
            builder.CreateIntCast(left, wide, first), builder.CreateIntCast(right, wide, second)));
    }
    if (saturates)
        made = builder.CreateBinaryIntrinsic(first ? Intrinsic::sadd_sat : Intrinsic::uadd_sat,
                                             made, operand(instruction, 2));
    set(instruction, made);
}

/** Two results: low part or sum, and high part or carry. */
void Reader::readWide(const Instruction &instruction) {
    Value *left = operand(instruction, 0), *right = operand(instruction, 1), *low, *high;
    Type *type = left->getType();
    if (!type->isIntOrIntVectorTy() || !resultType(instruction)->isStructTy())
        return fail(instruction, "the operands must be integers, the result a structure");
    if (instruction.op == Op::IAddCarry) {
        low = builder.CreateAdd(left, right);
        high = builder.CreateZExt(builder.CreateICmpULT(low, left), type);
    } else if (instruction.op == Op::ISubBorrow) {
        low = builder.CreateSub(left, right);
        high = builder.CreateZExt(builder.CreateICmpULT(left, right), type);
    } else {
        bool isSigned = instruction.op == Op::SMulExtended;
        low = builder.CreateMul(left, right);
        high = callBuiltin("mul_hi", type, {{left, isSigned}, {right, isSigned}}, Effect::Pure);
    }
    Value *made = PoisonValue::get(resultType(instruction));
    made = builder.CreateInsertValue(made, low, 0);
    set(instruction, builder.CreateInsertValue(made, high, 1));
}

/** Offset and count are scalars; a count of 0 gives 0, or the base where bits are inserted. */
void Reader::readBitField(const Instruction &instruction) {
    bool insertion = instruction.op == Op::BitFieldInsert;
    Value *base = operand(instruction, 0);
    Type *type = base->getType();
    auto *lanes = dyn_cast<FixedVectorType>(type);
    auto spread = [&](Value *number) {
        number = builder.CreateZExtOrTrunc(number, type->getScalarType());
        return lanes ? builder.CreateVectorSplat(lanes->getNumElements(), number) : number;
    };
    Value *offset = spread(operand(instruction, insertion ? 2 : 1));
    Value *count = spread(operand(instruction, insertion ? 3 : 2));
    Value *width = ConstantInt::get(type, type->getScalarSizeInBits());
    Value *none = builder.CreateIsNull(count);
    /* all ones >> (width - count): shifts by the whole width are not defined */
    Value *away =
        builder.CreateSelect(none, Constant::getNullValue(type), builder.CreateSub(width, count));
    Value *made;
    if (insertion) {
        Value *mask = builder.CreateLShr(Constant::getAllOnesValue(type), away);
        mask = builder.CreateSelect(none, Constant::getNullValue(type), mask);
        Value *place = builder.CreateShl(mask, offset);
        Value *bits = builder.CreateShl(builder.CreateAnd(operand(instruction, 1), mask), offset);
        made = builder.CreateOr(builder.CreateAnd(base, builder.CreateNot(place)), bits);
    } else {
        Value *shifted = builder.CreateShl(builder.CreateLShr(base, offset), away);
        made = instruction.op == Op::BitFieldSExtract ? builder.CreateAShr(shifted, away)
                                                      : builder.CreateLShr(shifted, away);
        made = builder.CreateSelect(none, Constant::getNullValue(type), made);
    }
    set(instruction, made);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

void Reader::readCompare(const Instruction &instruction) {
    Value *made = builder.CreateCmp(predicateOf(instruction.op), operand(instruction, 0),
                                    operand(instruction, 1));
    decorateArithmetic(instruction, made);
    set(instruction, made);
}

void Reader::readClassify(const Instruction &instruction) {
    Value *number = operand(instruction, 0), *made;
    Type *type = number->getType();
    if (!type->isFPOrFPVectorTy())
        return fail(instruction, "the operand must be a floating-point number");
    Constant *infinity = ConstantFP::getInfinity(type);
    auto magnitude = [&] { return builder.CreateUnaryIntrinsic(Intrinsic::fabs, number); };
    switch (instruction.op) {
    case Op::IsNan:
        made = builder.CreateFCmpUNO(number, number);
        break;
    case Op::IsInf:
        made = builder.CreateFCmpOEQ(magnitude(), infinity);
        break;
    case Op::IsFinite:
        made = builder.CreateFCmpOLT(magnitude(), infinity);
        break;
    case Op::IsNormal: {
        APFloat smallest = APFloat::getSmallestNormalized(type->getScalarType()->getFltSemantics());
        Value *large = builder.CreateFCmpOGE(magnitude(), ConstantFP::get(type, smallest));
        made = builder.CreateAnd(large, builder.CreateFCmpOLT(magnitude(), infinity));
        break;
    }
    default: {
        Type *bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
        made = builder.CreateICmpSLT(builder.CreateBitCast(number, bits),
                                     Constant::getNullValue(bits));
        break;
    }
    }
    set(instruction, made);
}

} // namespace weft::spirv
