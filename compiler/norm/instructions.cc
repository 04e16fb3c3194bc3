// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/instructions.h"

#include "norm/called.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <algorithm>
#include <iterator>
#include <string>

using namespace llvm;

namespace weft {

namespace {

/** AVX-512's instruction for registers of 128, 256 and 512 bits, of floats and of doubles, and
 *  SSE's and AVX's for floats. */
struct Instructions {
    StringLiteral prefix;
    unsigned operands;
    Intrinsic::ID masked[2][3], before[2];
};

constexpr Instructions table[] = {
    {"__weft_reciprocal_",
     1,
     {{Intrinsic::x86_avx512_rcp14_ps_128, Intrinsic::x86_avx512_rcp14_ps_256,
       Intrinsic::x86_avx512_rcp14_ps_512},
      {Intrinsic::x86_avx512_rcp14_pd_128, Intrinsic::x86_avx512_rcp14_pd_256,
       Intrinsic::x86_avx512_rcp14_pd_512}},
     {Intrinsic::x86_sse_rcp_ps, Intrinsic::x86_avx_rcp_ps_256}},
    {"__weft_rsqrt_",
     1,
     {{Intrinsic::x86_avx512_rsqrt14_ps_128, Intrinsic::x86_avx512_rsqrt14_ps_256,
       Intrinsic::x86_avx512_rsqrt14_ps_512},
      {Intrinsic::x86_avx512_rsqrt14_pd_128, Intrinsic::x86_avx512_rsqrt14_pd_256,
       Intrinsic::x86_avx512_rsqrt14_pd_512}},
     {Intrinsic::x86_sse_rsqrt_ps, Intrinsic::x86_avx_rsqrt_ps_256}},
    {"__weft_exponent_",
     1,
     {{Intrinsic::x86_avx512_mask_getexp_ps_128, Intrinsic::x86_avx512_mask_getexp_ps_256,
       Intrinsic::x86_avx512_mask_getexp_ps_512},
      {Intrinsic::x86_avx512_mask_getexp_pd_128, Intrinsic::x86_avx512_mask_getexp_pd_256,
       Intrinsic::x86_avx512_mask_getexp_pd_512}},
     {}},
    {"__weft_scale_",
     2,
     {{Intrinsic::x86_avx512_mask_scalef_ps_128, Intrinsic::x86_avx512_mask_scalef_ps_256,
       Intrinsic::x86_avx512_mask_scalef_ps_512},
      {Intrinsic::x86_avx512_mask_scalef_pd_128, Intrinsic::x86_avx512_mask_scalef_pd_256,
       Intrinsic::x86_avx512_mask_scalef_pd_512}},
     {}},
};

/** What a function without a body stands for; null: nothing, or it is a program's own. */
const Instructions *rowOf(const Function &function) {
    const auto *row = find_if(
        table, [&](const auto &each) { return function.getName().starts_with(each.prefix); });
    if (row == std::end(table) || !function.isDeclaration() || !function.doesNotAccessMemory())
        return nullptr;
    Type *type = function.getReturnType(), *element = type->getScalarType();
    bool isOfIt = function.arg_size() == row->operands &&
                  all_of(function.args(), [&](auto &each) { return each.getType() == type; });
    return isOfIt && (element->isFloatTy() || element->isDoubleTy()) ? row : nullptr;
}

const Instructions *rowOf(const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee ? rowOf(*callee) : nullptr;
}

unsigned bitsOf(const Type &type) {
    return static_cast<unsigned>(type.getPrimitiveSizeInBits().getFixedValue());
}

/** Of one register. */
Value *instruction(IRBuilderBase &builder, const Instructions &row, ArrayRef<Value *> operands,
                   unsigned vectorBits) {
    auto *type = cast<FixedVectorType>(operands[0]->getType());
    unsigned size = Log2_32(bitsOf(*type) / 128);
    if (vectorBits < 512)
        return builder.CreateIntrinsic(row.before[size], operands);
    Intrinsic::ID id = row.masked[type->getElementType()->isDoubleTy()][size];
    Type *mask = builder.getIntNTy(std::max(8U, type->getNumElements()));
    SmallVector<Value *, 5> arguments(operands);
    append_values(arguments, PoisonValue::get(type), Constant::getAllOnesValue(mask));
    if (Intrinsic::getType(builder.getContext(), id)->getNumParams() > arguments.size())
        arguments.push_back(builder.getInt32(4)); /* rounding as it is set */
    return builder.CreateIntrinsic(id, arguments);
}

/** Of as many registers as it takes. */
Value *lowered(IRBuilderBase &builder, ArrayRef<Value *> values, const Instructions &row,
               unsigned vectorBits) {
    Type *type = values[0]->getType();
    auto *vector = dyn_cast<FixedVectorType>(type);
    const unsigned bits = type->getScalarSizeInBits();
    const unsigned lanes = vector ? vector->getNumElements() : 1;
    const unsigned size =
        std::clamp(static_cast<unsigned>(PowerOf2Ceil(lanes)), 128 / bits, vectorBits / bits);
    Value *all = inParts(builder, lanes, size, [&](unsigned first) {
        SmallVector<Value *, 2> operands;
        for (Value *value : values)
            operands.push_back(vector ? lanesOf(builder, value, first, size)
                                      : builder.CreateVectorSplat(size, value));
        return instruction(builder, row, operands, vectorBits);
    });
    return vector ? all : builder.CreateExtractElement(all, uint64_t{0});
}

Value *lowered(CallInst &call, const Instructions &row, unsigned vectorBits) {
    IRBuilder<> builder(&call);
    return lowered(builder, SmallVector<Value *, 2>(call.args()), row, vectorBits);
}

/** Whether the target has it. */
bool exists(const Instructions &row, const Type &type, unsigned vectorBits) {
    return vectorBits == 512 || (type.getScalarType()->isFloatTy() && row.before[0]);
}

} // namespace

bool isNamedInstruction(const Instruction &instruction) {
    return rowOf(instruction) != nullptr;
}

double namedInstructionCycles(const CallBase &call, unsigned vectorBits) {
    return 2.0 * static_cast<double>(divideCeil(bitsOf(*call.getType()), vectorBits));
}

CallInst *createNamedInstruction(IRBuilderBase &builder, const CallBase &known,
                                 ArrayRef<Value *> arguments) {
    const Function &callee = *known.getCalledFunction();
    Type *type = arguments[0]->getType();
    auto *vector = dyn_cast<FixedVectorType>(type);
    unsigned lanes = vector ? vector->getNumElements() : 1;
    std::string name = (callee.getName().rtrim("0123456789") + Twine(lanes)).str();
    SmallVector<Type *, 2> types(arguments.size(), type);
    auto *made =
        cast<Function>(builder.GetInsertBlock()
                           ->getModule()
                           ->getOrInsertFunction(name, FunctionType::get(type, types, false),
                                                 callee.getAttributes())
                           .getCallee());
    return builder.CreateCall(made, arguments);
}

Value *estimateReciprocal(IRBuilderBase &builder, Value *x, unsigned vectorBits) {
    return lowered(builder, x, table[0], vectorBits);
}

void lowerNamedInstructions(Module &module, unsigned vectorBits) {
    for (Function &function : make_early_inc_range(module)) {
        const Instructions *row = rowOf(function);
        if (!row)
            continue;
        Type *type = function.getReturnType();
        bool isThere = exists(*row, *type, vectorBits); /* else it stands where nothing comes to */
        for (User *user : make_early_inc_range(function.users())) {
            auto *call = dyn_cast<CallInst>(user);
            if (!call || call->getCalledFunction() != &function)
                continue;
            call->replaceAllUsesWith(isThere ? lowered(*call, *row, vectorBits)
                                             : PoisonValue::get(type));
            call->eraseFromParent();
        }
        if (function.use_empty())
            function.eraseFromParent();
    }
}

} // namespace weft
