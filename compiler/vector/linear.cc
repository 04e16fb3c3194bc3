// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/linear.h"

#include "norm/internals.h"
#include "stages/pipeline.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

static unsigned dimensionOf(const Instruction &call) {
    return static_cast<unsigned>(
        cast<ConstantInt>(cast<CallBase>(call).getArgOperand(0))->getZExtValue());
}

static bool asksForIds(Function &kernel) {
    return any_of(instructions(kernel), [](const Instruction &instruction) {
        return internalOf(instruction) == Internal::LocalId;
    });
}

/**
 * dividend / divisor of ids and sizes, below 2^31. Vectors of integers have no division, but that
 * of doubles is exact here: a quotient that is no integer is at least 1 / divisor away from one,
 * far more than rounding moves it.
 */
static Value *divide(IRBuilder<> &builder, Value *dividend, Value *divisor) {
    Type *real = builder.getDoubleTy();
    Value *quotient = builder.CreateFDiv(builder.CreateSIToFP(dividend, real),
                                         builder.CreateSIToFP(divisor, real));
    return builder.CreateFPToSI(quotient, builder.getInt32Ty());
}

static Value *rest(IRBuilder<> &builder, Value *dividend, Value *divisor, Value *quotient) {
    return builder.CreateNSWSub(dividend, builder.CreateNSWMul(divisor, quotient));
}

void makeLinear(Function &body) {
    body.addFnAttr(linearAttribute);
    if (!asksForIds(body))
        return;
    BasicBlock &entry = body.getEntryBlock();
    IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
    auto size = [&](unsigned dimension) {
        return builder.CreateTrunc(callInternal(builder, Internal::LocalSize, dimension), i32);
    };
    Value *linear = builder.CreateTrunc(callInternal(builder, Internal::LocalLinearId), i32);
    Value *width = size(0), *height = size(1);
    Value *row = divide(builder, linear, width);
    Value *layer = divide(builder, row, height);
    Value *ids[3] = {rest(builder, linear, width, row), rest(builder, row, height, layer), layer};
    for (Value *&id : ids)
        id = builder.CreateZExt(id, i64, "", /*IsNonNeg=*/true);
    for (Instruction &instruction : make_early_inc_range(instructions(body)))
        if (internalOf(instruction) == Internal::LocalId) {
            instruction.replaceAllUsesWith(ids[dimensionOf(instruction)]);
            instruction.eraseFromParent();
        }
}

void addLinearShape(Function &kernel, const KernelRecord &record) {
    const uint64_t *size = record.info.reqd_local_size;
    if (size[0] && size[1] == 1 && size[2] == 1)
        return;
    if (!asksForIds(kernel))
        return makeLinear(kernel);
    makeLinear(*copyBody(kernel, "linear"));
}

} // namespace weft
