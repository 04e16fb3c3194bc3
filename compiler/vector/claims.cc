// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// With checks on (Switches::checks): what linearise says about masks and widen about shapes is
// compared, while the kernel runs, with what follows from the code of one item.

#include "vector/claims.h"
#include "norm/internals.h"
#include "vector/wide.h"

#include "llvm/IR/CFG.h"

#include "weft/abi.h"

using namespace llvm;

namespace weft {

void claim(IRBuilderBase &builder, Value *fails, unsigned which) {
    Module &module = *builder.GetInsertBlock()->getModule();
    builder.CreateCall(declareInternal(module, Internal::Check),
                       {builder.CreateFreeze(fails), builder.getInt32(which)});
}

/* ---- linearise: masks ------------------------------------------------------------------------ */

/** Number of a lane that is nowhere: it has no item, or its item has ended. */
static constexpr unsigned nowhere = ~0u;

void LaneWalk::begin(IRBuilderBase &builder, Value *active, const BasicBlock &entry) {
    Value *start = builder.CreateSelect(active, builder.getInt32(flow.numberOf(&entry)),
                                        builder.getInt32(nowhere));
    builder.CreateStore(start, at);
}

Value *LaneWalk::isAt(IRBuilderBase &builder, const BasicBlock &block) {
    Value *now = builder.CreateLoad(builder.getInt32Ty(), at);
    return builder.CreateICmpEQ(now, builder.getInt32(flow.numberOf(&block)));
}

void LaneWalk::arrive(IRBuilderBase &builder, const BasicBlock &block, Value *mask) {
    claim(builder, builder.CreateXor(mask, isAt(builder, block)), WEFT_FAULT_MASK);
    builder.CreateCall(declareInternal(*at->getModule(), Internal::Here), {mask});
}

void LaneWalk::leave(IRBuilderBase &builder, const BasicBlock &block) {
    Value *here = isAt(builder, block);
    auto number = [&](unsigned successor) {
        return builder.getInt32(flow.numberOf(block.getTerminator()->getSuccessor(successor)));
    };
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    Value *next = builder.getInt32(nowhere);
    if (branch && branch->isConditional())
        next = builder.CreateSelect(branch->getCondition(), number(0), number(1));
    else if (branch)
        next = number(0);
    Value *now = builder.CreateLoad(builder.getInt32Ty(), at);
    Value *then = builder.CreateSelect(here, next, now);
    builder.CreateStore(then, at);
    if (!branch) // nobody is left behind
        claim(builder, builder.CreateICmpNE(then, builder.getInt32(nowhere)), WEFT_FAULT_MASK);
}

/* ---- widen: shapes --------------------------------------------------------------------------- */

/** Computed from its operands lane by lane, a strided value must be what its first lane says. */
void Widener::checkShape(Instruction &instruction) {
    bool isPlain = isa<BinaryOperator, CastInst, GetElementPtrInst, SelectInst>(instruction) &&
                   !instruction.getType()->isVectorTy() && !isa<BitCastInst>(instruction);
    if (!here || !isPlain || isUniform(&instruction) ||
        !any_of(instruction.operands(), [&](const Use &use) { return !isUniform(use.get()); }))
        return;
    auto *gep = dyn_cast<GetElementPtrInst>(&instruction);
    builder.SetInsertPoint(instruction.getNextNode());
    Parts parts = gep ? Parts{widenPointer(*gep)} : widenPlain(instruction);
    Value *own = parts[0], *first = &instruction;
    if (instruction.getType()->isPointerTy()) {
        // Not as pointers: LLVM 22's InstCombine makes invalid code of comparisons of vectors of
        // pointers, one of them made of a scalar pointer that is used elsewhere as well.
        own = builder.CreatePtrToInt(own, wideType(builder.getInt64Ty()));
        first = builder.CreatePtrToInt(first, builder.getInt64Ty());
    }
    Value *claimed = builder.CreateAdd(builder.CreateVectorSplat(width, first),
                                       steps(first->getType(), shapes.of(instruction).stride));
    Value *differs = builder.CreateSelect(here, builder.CreateICmpNE(own, claimed),
                                          Constant::getNullValue(here->getType()));
    claim(builder, any(builder.CreateFreeze(differs)), WEFT_FAULT_SHAPE);
    builder.SetInsertPoint(&instruction);
}

} // namespace weft
