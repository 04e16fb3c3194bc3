// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "group/item_loop.h"

#include "group/plan.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace weft {

ItemLoop openLoop(IRBuilder<> &builder, const Twine &name, Value *end, Value *linear,
                  bool innermost) {
    BasicBlock *before = builder.GetInsertBlock();
    auto *header = BasicBlock::Create(builder.getContext(), name, before->getParent());
    builder.CreateBr(header);
    builder.SetInsertPoint(header);
    ItemLoop loop = {header, builder.CreatePHI(builder.getInt64Ty(), 2, name), nullptr, end};
    loop.index->addIncoming(builder.getInt64(0), before);
    if (innermost) {
        loop.linear = builder.CreateNUWAdd(linear, loop.index, name + ".linear");
        return loop;
    }
    PHINode *count = builder.CreatePHI(builder.getInt64Ty(), 2, name + ".linear");
    count->addIncoming(linear, before);
    loop.linear = count;
    return loop;
}

BranchInst *closeLoop(IRBuilder<> &builder, const ItemLoop &loop, Value *linear) {
    BasicBlock *latch = builder.GetInsertBlock();
    auto *exit = BasicBlock::Create(builder.getContext(), loop.header->getName() + ".done",
                                    latch->getParent());
    Value *next = builder.CreateNUWAdd(loop.index, builder.getInt64(1));
    loop.index->addIncoming(next, latch);
    if (auto *count = dyn_cast<PHINode>(loop.linear))
        count->addIncoming(linear, latch);
    BranchInst *back =
        builder.CreateCondBr(builder.CreateICmpEQ(next, loop.end), exit, loop.header);
    builder.SetInsertPoint(exit);
    return back;
}

/** The loop's metadata: a node that is its own first operand, and what is said of it. */
static void mark(BranchInst &latch, ArrayRef<Metadata *> what) {
    SmallVector<Metadata *, 3> operands = {nullptr};
    operands.append(what.begin(), what.end());
    MDNode *loop = MDNode::getDistinct(latch.getContext(), operands);
    loop->replaceOperandWith(0, loop);
    latch.setMetadata(LLVMContext::MD_loop, loop);
}

void markIndependent(Function &region, BranchInst &latch) {
    LLVMContext &context = region.getContext();
    MDNode *group = MDNode::getDistinct(context, {});
    Value *arena = region.getArg(region.arg_size() - RegionParameterCount + ItemContext);
    for (Instruction &instruction : instructions(region)) {
        auto *load = dyn_cast<LoadInst>(&instruction);
        auto *store = dyn_cast<StoreInst>(&instruction);
        if (!(load && load->isSimple()) && !(store && store->isSimple()))
            continue;
        const Value *pointer = getLoadStorePointerOperand(&instruction);
        unsigned space = pointer->getType()->getPointerAddressSpace();
        if ((space >= 1 && space <= 3) || getUnderlyingObject(pointer) == arena)
            instruction.setMetadata(LLVMContext::MD_access_group, group);
    }
    MDNode *parallel =
        MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), group});
    // One vector per trip: groups are short, and remainders cost more than interleaving gains.
    MDNode *single = MDNode::get(
        context, {MDString::get(context, "llvm.loop.interleave.count"),
                  ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), 1))});
    mark(latch, {parallel, single});
}

void markRows(BranchInst &latch) {
    LLVMContext &context = latch.getContext();
    mark(latch, MDNode::get(context, {MDString::get(context, rowsMetadata)}));
}

void markShort(BranchInst &latch) {
    LLVMContext &context = latch.getContext();
    mark(latch, MDNode::get(context, {MDString::get(context, "llvm.loop.vectorize.enable"),
                                      ConstantAsMetadata::get(ConstantInt::getFalse(context))}));
}

} // namespace weft
