// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code of one work-item: each item is a strand. Once choose-width has run, sub-group functions are
// about the lanes of the vector that the items will be; else each item is its own sub-group.

#include "norm/sub_groups.h"
#include "oracle/oracle.h"
#include "oracle/strands.h"
#include "vector/lanes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace weft {

namespace {

/**
 * Where lanes exchange values: those that come to one place in the same turns of all loops around
 * it do so together. A place is a sequence of numbers: for each loop around the call its own and
 * that of the turn, then the call's. What comes earlier has lower numbers, so that lanes wait for
 * each other at the first place at which one of them is.
 */
class ExchangePlaces {
  public:
    ExchangePlaces(Function &kernel, function_ref<bool(const Instruction &)> meetsAt);

    MeetingPlace place(IRBuilder<> &builder, Instruction &where);

  private:
    void countTurns(Loop &loop);
    uint64_t number(const BasicBlock &block, uint64_t index) const {
        return static_cast<uint64_t>(order.lookup(&block)) << 32 | index;
    }

    Function &kernel;
    DominatorTree tree;
    LoopInfo loops;
    DenseMap<const BasicBlock *, unsigned> order;
    DenseMap<const Instruction *, uint64_t> numbers;
    MapVector<Loop *, AllocaInst *> turns;
};

ExchangePlaces::ExchangePlaces(Function &kernel, function_ref<bool(const Instruction &)> meetsAt)
    : kernel(kernel), tree(kernel), loops(tree) {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&kernel)) {
        order[block] = static_cast<unsigned>(order.size()) + 1;
        uint64_t index = 0;
        for (Instruction &instruction : *block)
            if (meetsAt(instruction)) {
                numbers[&instruction] = number(*block, ++index);
                for (Loop *loop = loops.getLoopFor(block); loop; loop = loop->getParentLoop())
                    turns[loop] = nullptr;
            }
    }
    for (auto &[loop, counter] : turns)
        countTurns(*loop);
}

void ExchangePlaces::countTurns(Loop &loop) {
    IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().begin());
    AllocaInst *counter = turns[&loop] = builder.CreateAlloca(builder.getInt64Ty());
    BasicBlock *header = loop.getHeader();
    builder.SetInsertPoint(header, header->getFirstInsertionPt());
    builder.CreateStore(
        builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), counter), builder.getInt64(1)),
        counter);
    for (BasicBlock *before : predecessors(header))
        if (!loop.contains(before)) {
            builder.SetInsertPoint(before->getTerminator());
            builder.CreateStore(builder.getInt64(0), counter);
        }
}

MeetingPlace ExchangePlaces::place(IRBuilder<> &builder, Instruction &where) {
    Type *i64 = builder.getInt64Ty();
    SmallVector<Loop *, 4> around;
    for (Loop *loop = loops.getLoopFor(where.getParent()); loop; loop = loop->getParentLoop())
        around.push_back(loop);
    unsigned count = static_cast<unsigned>(around.size()) * 2 + 1, at = 0;
    BasicBlock &entry = where.getFunction()->getEntryBlock();
    AllocaInst *place = IRBuilder<>(&entry, entry.begin()).CreateAlloca(ArrayType::get(i64, count));
    auto add = [&](Value *value) {
        builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(i64, place, at++));
    };
    for (Loop *loop : reverse(around)) {
        add(builder.getInt64(number(*loop->getHeader(), 0)));
        add(builder.CreateLoad(i64, turns[loop]));
    }
    add(builder.getInt64(numbers.lookup(&where)));
    return {place, builder.getInt64(count)};
}

class FreeLane : public StrandFunction {
  public:
    FreeLane(Function &kernel, KernelRecord &record)
        : StrandFunction(kernel, record, widthOf(kernel)),
          places(kernel, [this](const Instruction &where) { return meetsAt(where); }) {}

    Function *buildLane() {
        build("weft_item_" + source.getName());
        meetAtFences();
        return function;
    }

  private:
    MeetingPlace placeOf(IRBuilder<> &builder, Instruction &where) override {
        return places.place(builder, where);
    }

    ExchangePlaces places;
};

/** Code of a vector: nobody meets anybody but at barriers. */
class WholeVector : public StrandFunction {
  public:
    using StrandFunction::StrandFunction;

  private:
    MeetingPlace placeOf(IRBuilder<> &, Instruction &) override {
        llvm_unreachable("vectors exchange nothing");
    }
};

} // namespace

void runItems(Function &kernel, KernelRecord &record) {
    unsigned width = widthOf(kernel);
    if (usesSubGroups(kernel))
        record.info.flags |= WEFT_KERNEL_SUB_GROUPS;
    Function *code = FreeLane(kernel, record).buildLane();
    runStrands(kernel, *code, record, WEFT_RT_FREE_LANES, width);
}

void runVectors(Function &kernel, KernelRecord &record) {
    unsigned width = widthOf(kernel);
    Function *code = WholeVector(kernel, record, width).build("weft_item_" + kernel.getName());
    runStrands(kernel, *code, record, WEFT_RT_VECTORS, width);
}

} // namespace weft
