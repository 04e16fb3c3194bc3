// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conversions: LLVM's instructions, or the library's convert_* where the module asks for saturation
// or a rounding mode.

#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

namespace {

constexpr const char *roundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};

struct ConversionRow {
    Op op;
    llvm::Instruction::CastOps cast; /* of those that keep values */
    bool signedFrom, signedTo, saturates;
};

using CastOps = llvm::Instruction::CastOps;

const ConversionRow &rowOf(Op op) {
    static const ConversionRow rows[] = {{Op::ConvertFToU, CastOps::FPToUI, true, false, false},
                                         {Op::ConvertFToS, CastOps::FPToSI, true, true, false},
                                         {Op::ConvertSToF, CastOps::SIToFP, true, true, false},
                                         {Op::ConvertUToF, CastOps::UIToFP, false, true, false},
                                         {Op::UConvert, CastOps::ZExt, false, false, false},
                                         {Op::SConvert, CastOps::SExt, true, true, false},
                                         {Op::FConvert, CastOps::FPExt, true, true, false},
                                         {Op::SatConvertSToU, CastOps::Trunc, true, false, true},
                                         {Op::SatConvertUToS, CastOps::Trunc, false, true, true}};
    for (const ConversionRow &row : rows)
        if (row.op == op)
            return row;
    return rows[0];
}

} // namespace

Value *Reader::convertExactly(const Instruction &instruction, Value *from, bool saturate,
                              int rounding) {
    const ConversionRow &row = rowOf(instruction.op);
    Type *to = resultType(instruction);
    std::string name = "convert_" + typeName(to, row.signedTo);
    if (saturate)
        name += "_sat";
    if (rounding >= 0)
        name += roundings[rounding];
    return callBuiltin(name, to, {{from, row.signedFrom}}, Effect::Pure);
}

void Reader::readConversion(const Instruction &instruction) {
    const ConversionRow &row = rowOf(instruction.op);
    Value *from = operand(instruction, 0);
    Type *to = resultType(instruction);
    if (from->getType()->isVectorTy() != to->isVectorTy())
        return fail(instruction, "operand and result must have the same number of components");
    bool saturate =
        row.saturates || (to->isIntOrIntVectorTy() &&
                          source.decoration(instruction.resultId, Decorate::SaturatedConversion));
    const Decoration *mode = source.decoration(instruction.resultId, Decorate::FPRoundingMode);
    int rounding = mode && !mode->operands.empty() && mode->operands[0] < 4
                       ? static_cast<int>(mode->operands[0])
                       : -1;
    bool integers = from->getType()->isIntOrIntVectorTy() && to->isIntOrIntVectorTy();
    if (saturate || (rounding >= 0 && !integers))
        return set(instruction, convertExactly(instruction, from, saturate, rounding));
    Value *made;
    if (integers)
        made = builder.CreateIntCast(from, to, row.signedFrom);
    else if (instruction.op == Op::FConvert)
        made = builder.CreateFPCast(from, to);
    else
        made = builder.CreateCast(row.cast, from, to);
    set(instruction, made);
}

void Reader::readPlainConversion(const Instruction &instruction) {
    Value *from = operand(instruction, 0), *made;
    Type *to = resultType(instruction), *type = from->getType();
    switch (instruction.op) {
    case Op::QuantizeToF16:
        made = builder.CreateFPExt(
            builder.CreateFPTrunc(from, type->getWithNewType(builder.getHalfTy())), type);
        break;
    case Op::ConvertPtrToU:
        made = builder.CreatePtrToInt(from, to);
        break;
    case Op::ConvertUToPtr:
        made = builder.CreateIntToPtr(from, to);
        break;
    default:
        if (type == to)
            made = from;
        else if (type->isPointerTy() && to->isPointerTy())
            made = builder.CreateAddrSpaceCast(from, to);
        else if (type->isPointerTy())
            made = builder.CreateBitCast(builder.CreatePtrToInt(from, builder.getInt64Ty()), to);
        else if (to->isPointerTy())
            made = builder.CreateIntToPtr(builder.CreateBitCast(from, builder.getInt64Ty()), to);
        else
            made = builder.CreateBitCast(from, to);
        break;
    }
    set(instruction, made);
}

} // namespace weft::spirv
