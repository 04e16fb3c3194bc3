// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/group_arith.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace weft {

namespace {

/** One operation in the words of LLVM. */
struct ArithRow {
    Arith arith;
    AtomicRMWInst::BinOp update;
    Intrinsic::ID reduction;
};

constexpr ArithRow arithRows[] = {
    {Arith::Add, AtomicRMWInst::Add, Intrinsic::vector_reduce_add},
    {Arith::Mul, multiplyUpdate, Intrinsic::vector_reduce_mul},
    {Arith::SMin, AtomicRMWInst::Min, Intrinsic::vector_reduce_smin},
    {Arith::UMin, AtomicRMWInst::UMin, Intrinsic::vector_reduce_umin},
    {Arith::SMax, AtomicRMWInst::Max, Intrinsic::vector_reduce_smax},
    {Arith::UMax, AtomicRMWInst::UMax, Intrinsic::vector_reduce_umax},
    {Arith::And, AtomicRMWInst::And, Intrinsic::vector_reduce_and},
    {Arith::Or, AtomicRMWInst::Or, Intrinsic::vector_reduce_or},
    {Arith::Xor, AtomicRMWInst::Xor, Intrinsic::vector_reduce_xor},
    {Arith::FAdd, AtomicRMWInst::FAdd, Intrinsic::not_intrinsic},
    {Arith::FMul, multiplyFloatUpdate, Intrinsic::not_intrinsic},
    {Arith::FMin, AtomicRMWInst::FMin, Intrinsic::not_intrinsic},
    {Arith::FMax, AtomicRMWInst::FMax, Intrinsic::not_intrinsic},
};

const ArithRow &rowOf(Arith arith) {
    return *find_if(arithRows, [&](const ArithRow &row) { return row.arith == arith; });
}

} // namespace

AtomicRMWInst::BinOp updateOf(Arith arith) {
    return rowOf(arith).update;
}

std::optional<Arith> arithOf(AtomicRMWInst::BinOp update) {
    auto *row = find_if(arithRows, [&](const ArithRow &row) { return row.update == update; });
    return row == std::end(arithRows) ? std::nullopt : std::optional(row->arith);
}

Intrinsic::ID reductionOf(Arith arith) {
    return rowOf(arith).reduction;
}

std::optional<Arith> arithOf(StringRef word, Type *type, bool isSigned) {
    using Found = std::optional<Arith>;
    if (type->isFPOrFPVectorTy())
        return StringSwitch<Found>(word)
            .Case("add", Arith::FAdd)
            .Case("mul", Arith::FMul)
            .Case("min", Arith::FMin)
            .Case("max", Arith::FMax)
            .Default(std::nullopt);
    return StringSwitch<Found>(word)
        .Case("add", Arith::Add)
        .Case("mul", Arith::Mul)
        .Case("min", isSigned ? Arith::SMin : Arith::UMin)
        .Case("max", isSigned ? Arith::SMax : Arith::UMax)
        .Case("and", Arith::And)
        .Case("or", Arith::Or)
        .Case("xor", Arith::Xor)
        .Default(std::nullopt);
}

bool isSignedParameter(StringRef mangled) {
    return !mangled.starts_with("h") && !mangled.starts_with("t") && !mangled.starts_with("j") &&
           !mangled.starts_with("m");
}

/** "The identity I is 0 for add; INT_MAX, UINT_MAX ... and +INF for min; INT_MIN, 0 ... and -INF
 * for max" (OpenCL C 2.0, section 6.13.15); 1 for mul, all bits for and, 0 for or and xor. */
Constant *identityOf(Arith arith, Type *type) {
    unsigned bits = type->getScalarSizeInBits();
    switch (arith) {
    case Arith::Mul:
        return ConstantInt::get(type, 1);
    case Arith::FMul:
        return ConstantFP::get(type, 1.0);
    case Arith::SMin:
        return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
    case Arith::SMax:
        return ConstantInt::get(type, APInt::getSignedMinValue(bits));
    case Arith::UMin:
    case Arith::And:
        return Constant::getAllOnesValue(type);
    case Arith::FMin:
        return ConstantFP::getInfinity(type, false);
    case Arith::FMax:
        return ConstantFP::getInfinity(type, true);
    default:
        return Constant::getNullValue(type);
    }
}

static Value *choose(IRBuilderBase &builder, CmpInst::Predicate predicate, Value *before,
                     Value *value) {
    return builder.CreateSelect(builder.CreateCmp(predicate, value, before), value, before);
}

Value *combine(IRBuilderBase &builder, Arith arith, Value *before, Value *value) {
    switch (arith) {
    case Arith::Add:
        return builder.CreateAdd(before, value);
    case Arith::Mul:
        return builder.CreateMul(before, value);
    case Arith::And:
        return builder.CreateAnd(before, value);
    case Arith::Or:
        return builder.CreateOr(before, value);
    case Arith::Xor:
        return builder.CreateXor(before, value);
    case Arith::FAdd:
        return builder.CreateFAdd(before, value);
    case Arith::FMul:
        return builder.CreateFMul(before, value);
    case Arith::FMin:
        return choose(builder, CmpInst::FCMP_OLT, before, value);
    case Arith::FMax:
        return choose(builder, CmpInst::FCMP_OGT, before, value);
    case Arith::SMin:
        return choose(builder, CmpInst::ICMP_SLT, before, value);
    case Arith::UMin:
        return choose(builder, CmpInst::ICMP_ULT, before, value);
    case Arith::SMax:
        return choose(builder, CmpInst::ICMP_SGT, before, value);
    case Arith::UMax:
        return choose(builder, CmpInst::ICMP_UGT, before, value);
    }
    return nullptr;
}

} // namespace weft
