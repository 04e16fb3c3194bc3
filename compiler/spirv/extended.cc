// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The extended instruction set OpenCL.std: calls of the built-in functions they are named after.

#include "spirv/reader.h"

using namespace llvm;

namespace weft::spirv {

namespace {

/**
 * An instruction that is a function of the same operands. `signs`: which of OpenCL C's types an
 * integer operand has, one letter per operand, the last for all further ones: s signed, u unsigned.
 */
struct StandardRow {
    uint32_t number;
    const char *name, *signs;
};

constexpr StandardRow rows[] = {
    {0, "acos", "s"},
    {1, "acosh", "s"},
    {2, "acospi", "s"},
    {3, "asin", "s"},
    {4, "asinh", "s"},
    {5, "asinpi", "s"},
    {6, "atan", "s"},
    {7, "atan2", "s"},
    {8, "atanh", "s"},
    {9, "atanpi", "s"},
    {10, "atan2pi", "s"},
    {11, "cbrt", "s"},
    {12, "ceil", "s"},
    {13, "copysign", "s"},
    {14, "cos", "s"},
    {15, "cosh", "s"},
    {16, "cospi", "s"},
    {17, "erfc", "s"},
    {18, "erf", "s"},
    {19, "exp", "s"},
    {20, "exp2", "s"},
    {21, "exp10", "s"},
    {22, "expm1", "s"},
    {23, "fabs", "s"},
    {24, "fdim", "s"},
    {25, "floor", "s"},
    {26, "fma", "s"},
    {27, "fmax", "s"},
    {28, "fmin", "s"},
    {29, "fmod", "s"},
    {30, "fract", "s"},
    {31, "frexp", "s"},
    {32, "hypot", "s"},
    {33, "ilogb", "s"},
    {34, "ldexp", "s"},
    {35, "lgamma", "s"},
    {36, "lgamma_r", "s"},
    {37, "log", "s"},
    {38, "log2", "s"},
    {39, "log10", "s"},
    {40, "log1p", "s"},
    {41, "logb", "s"},
    {42, "mad", "s"},
    {43, "maxmag", "s"},
    {44, "minmag", "s"},
    {45, "modf", "s"},
    {46, "nan", "u"},
    {47, "nextafter", "s"},
    {48, "pow", "s"},
    {49, "pown", "s"},
    {50, "powr", "s"},
    {51, "remainder", "s"},
    {52, "remquo", "s"},
    {53, "rint", "s"},
    {54, "rootn", "s"},
    {55, "round", "s"},
    {56, "rsqrt", "s"},
    {57, "sin", "s"},
    {58, "sincos", "s"},
    {59, "sinh", "s"},
    {60, "sinpi", "s"},
    {61, "sqrt", "s"},
    {62, "tan", "s"},
    {63, "tanh", "s"},
    {64, "tanpi", "s"},
    {65, "tgamma", "s"},
    {66, "trunc", "s"},
    {67, "half_cos", "s"},
    {68, "half_divide", "s"},
    {69, "half_exp", "s"},
    {70, "half_exp2", "s"},
    {71, "half_exp10", "s"},
    {72, "half_log", "s"},
    {73, "half_log2", "s"},
    {74, "half_log10", "s"},
    {75, "half_powr", "s"},
    {76, "half_recip", "s"},
    {77, "half_rsqrt", "s"},
    {78, "half_sin", "s"},
    {79, "half_sqrt", "s"},
    {80, "half_tan", "s"},
    {81, "native_cos", "s"},
    {82, "native_divide", "s"},
    {83, "native_exp", "s"},
    {84, "native_exp2", "s"},
    {85, "native_exp10", "s"},
    {86, "native_log", "s"},
    {87, "native_log2", "s"},
    {88, "native_log10", "s"},
    {89, "native_powr", "s"},
    {90, "native_recip", "s"},
    {91, "native_rsqrt", "s"},
    {92, "native_sin", "s"},
    {93, "native_sqrt", "s"},
    {94, "native_tan", "s"},
    {95, "clamp", "s"},
    {96, "degrees", "s"},
    {97, "max", "s"},
    {98, "min", "s"},
    {99, "mix", "s"},
    {100, "radians", "s"},
    {101, "step", "s"},
    {102, "smoothstep", "s"},
    {103, "sign", "s"},
    {104, "cross", "s"},
    {105, "distance", "s"},
    {106, "length", "s"},
    {107, "normalize", "s"},
    {108, "fast_distance", "s"},
    {109, "fast_length", "s"},
    {110, "fast_normalize", "s"},
    {141, "abs", "s"},
    {142, "abs_diff", "s"},
    {143, "add_sat", "s"},
    {144, "add_sat", "u"},
    {145, "hadd", "s"},
    {146, "hadd", "u"},
    {147, "rhadd", "s"},
    {148, "rhadd", "u"},
    {149, "clamp", "s"},
    {150, "clamp", "u"},
    {151, "clz", "u"},
    {152, "ctz", "u"},
    {153, "mad_hi", "s"},
    {154, "mad_sat", "u"},
    {155, "mad_sat", "s"},
    {156, "max", "s"},
    {157, "max", "u"},
    {158, "min", "s"},
    {159, "min", "u"},
    {160, "mul_hi", "s"},
    {161, "rotate", "u"},
    {162, "sub_sat", "s"},
    {163, "sub_sat", "u"},
    {164, "upsample", "u"},
    {165, "upsample", "su"},
    {166, "popcount", "u"},
    {167, "mad24", "s"},
    {168, "mad24", "u"},
    {169, "mul24", "s"},
    {170, "mul24", "u"},
    {182, "shuffle", "su"},
    {183, "shuffle2", "ssu"},
    {186, "bitselect", "u"},
    {187, "select", "u"},
    {201, "abs", "u"},
    {202, "abs_diff", "u"},
    {203, "mul_hi", "u"},
    {204, "mad_hi", "u"},
};

enum : uint32_t { VectorFirst = 171, VectorLast = 181, Printf = 184, Prefetch = 185 };

/** What vload and vstore instructions are called: {n} is the width, {r} the rounding. */
constexpr struct {
    uint32_t number;
    const char *name;
    bool isLoad, half, hasWidth;
} memoryRows[] = {
    {171, "vload{n}", true, false, true},
    {172, "vstore{n}", false, false, false},
    {173, "vload_half", true, true, false},
    {174, "vload_half{n}", true, true, true},
    {175, "vstore_half", false, true, false},
    {176, "vstore_half{r}", false, true, false},
    {177, "vstore_half{n}", false, true, false},
    {178, "vstore_half{n}{r}", false, true, false},
    {179, "vloada_half{n}", true, true, true},
    {180, "vstorea_half{n}", false, true, false},
    {181, "vstorea_half{n}{r}", false, true, false},
};

std::string fillIn(StringRef name, unsigned lanes, uint32_t rounding) {
    static const char *const modes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    std::string text;
    while (!name.empty()) {
        if (name.consume_front("{n}"))
            text += lanes > 1 ? std::to_string(lanes) : "";
        else if (name.consume_front("{r}"))
            text += modes[rounding & 3];
        else {
            text += name.front();
            name = name.drop_front();
        }
    }
    return text;
}

} // namespace

/* Operands 0 and 1 of OpExtInst are the set and the number; `i` counts behind them. */
Operand Reader::standardOperand(const Instruction &instruction, uint32_t i, char sign) {
    uint32_t id = instruction.operand(2 + i);
    Operand made;
    made.value = value(id);
    made.isSigned = sign == 's';
    if (made.value->getType()->isPointerTy()) {
        made.pointee = pointeeOf(id);
        made.isSigned = true;
    }
    return made;
}

/** (data,) offset, pointer (, width or rounding mode) */
Value *Reader::vectorMemory(const Instruction &instruction, uint32_t number) {
    for (const auto &row : memoryRows) {
        if (row.number != number)
            continue;
        SmallVector<Operand, 3> operands;
        uint32_t count = row.isLoad ? 2 : 3;
        for (uint32_t i = 0; i < count; i++)
            operands.push_back(standardOperand(instruction, i, 's'));
        operands[count - 2].isSigned = false;
        if (!operands[count - 1].value->getType()->isPointerTy())
            return nullptr;
        if (row.isLoad)
            operands[count - 1].qualifiers = "K";
        Type *data = row.isLoad ? resultType(instruction) : operands[0].value->getType();
        operands[count - 1].pointee = row.half ? builder.getHalfTy() : data->getScalarType();
        auto *vector = dyn_cast<FixedVectorType>(data);
        std::string name =
            fillIn(row.name, vector ? vector->getNumElements() : 1, instruction.operand(2 + count));
        return callBuiltin(name, row.isLoad ? data : builder.getVoidTy(), operands,
                           row.isLoad ? Effect::Reads : Effect::Any);
    }
    return nullptr;
}

/** As C has it for variable arguments; float is promoted to double like Clang does. */
Value *Reader::print(const Instruction &instruction) {
    Value *format = operand(instruction, 2);
    auto *pointer = dyn_cast<PointerType>(format->getType());
    if (!pointer || pointer->getAddressSpace() != 2) {
        fail(instruction, "the format of printf must be in UniformConstant memory");
        return nullptr;
    }
    SmallVector<Value *, 8> arguments = {format};
    for (uint32_t i = 3; i < instruction.operands(); i++) {
        Value *argument = operand(instruction, i);
        Type *type = argument->getType();
        if (type->isHalfTy() || type->isFloatTy())
            argument = builder.CreateFPExt(argument, builder.getDoubleTy());
        else if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
            argument = builder.CreateSExt(argument, builder.getInt32Ty());
        arguments.push_back(argument);
    }
    FunctionCallee callee = module->getOrInsertFunction(
        "printf", FunctionType::get(builder.getInt32Ty(), {format->getType()}, true));
    if (auto *made = dyn_cast<Function>(callee.getCallee()))
        made->setCallingConv(CallingConv::SPIR_FUNC);
    CallInst *call = builder.CreateCall(callee, arguments);
    call->setCallingConv(CallingConv::SPIR_FUNC);
    return call;
}

Value *Reader::standard(const Instruction &instruction, uint32_t number) {
    for (const StandardRow &row : rows) {
        if (row.number != number)
            continue;
        SmallVector<Operand, 4> operands;
        bool pure = true;
        StringRef signs = row.signs;
        for (uint32_t i = 0; i + 2 < instruction.operands(); i++) {
            operands.push_back(
                standardOperand(instruction, i, signs[std::min<size_t>(i, signs.size() - 1)]));
            pure = pure && !operands.back().value->getType()->isPointerTy();
        }
        return callBuiltin(row.name, resultType(instruction), operands,
                           pure ? Effect::Pure : Effect::Any);
    }
    return nullptr;
}

void Reader::readExtended(const Instruction &instruction) {
    StringRef set = source.extendedSets.lookup(instruction.operand(0));
    uint32_t number = instruction.operand(1);
    if (set != "OpenCL.std") {
        /* Debug information and what says of itself that it has no meaning. */
        if (!set.contains("DebugInfo") && !set.starts_with("NonSemantic."))
            fail(instruction, "the extended instruction set '" + set + "' is not known");
        return;
    }
    Value *made = nullptr;
    if (number >= VectorFirst && number <= VectorLast)
        made = vectorMemory(instruction, number);
    else if (number == Printf)
        made = print(instruction);
    else if (number == Prefetch) {
        Operand address = standardOperand(instruction, 0, 's');
        address.qualifiers = "K";
        made = callBuiltin("prefetch", builder.getVoidTy(),
                           {address, standardOperand(instruction, 1, 'u')}, Effect::Any);
    } else
        made = standard(instruction, number);
    if (!made)
        return fail(instruction,
                    "OpenCL.std has no instruction " + Twine(number) + " for these operands");
    if (!made->getType()->isVoidTy()) {
        decorateArithmetic(instruction, made);
        this->set(instruction, made);
    }
}

} // namespace weft::spirv
