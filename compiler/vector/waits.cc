// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/waits.h"
#include "vector/lanes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

/** What a branch decides about within one trip of a loop. */
struct Decided {
    SmallSetVector<const BasicBlock *, 16> blocks; /* up to and with the one where its ways meet */
    const BasicBlock *meeting = nullptr;
    bool leaves = false; /* ways out of the loop, or into its next trip, before they meet */
};

Decided decidedBy(const BasicBlock &branch, const Loop &loop, const PostDominatorTree &after) {
    auto *node = after.getNode(&branch);
    Decided decided;
    decided.meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    auto add = [&](const BasicBlock &block) {
        for (const BasicBlock *next : successors(&block)) {
            bool ends = !loop.contains(next) || next == loop.getHeader();
            decided.leaves |= ends && next != decided.meeting;
            if (loop.contains(next))
                decided.blocks.insert(next);
        }
    };
    add(branch);
    for (unsigned index = 0; index < decided.blocks.size() && !decided.leaves; index++)
        if (decided.blocks[index] != decided.meeting)
            add(*decided.blocks[index]);
    return decided;
}

/** It, or what it calls, has an atomic or volatile access. */
bool holdsOrdered(const Function &function, SmallPtrSetImpl<const Function *> &seen) {
    if (!seen.insert(&function).second)
        return false;
    for (const Instruction &instruction : instructions(function)) {
        auto *call = dyn_cast<CallBase>(&instruction);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        if (isOrdered(instruction) || (callee && holdsOrdered(*callee, seen)))
            return true;
    }
    return false;
}

/** A call of a function that was not inlined, and does what isOrdered says. */
bool isOrderedCall(const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    SmallPtrSet<const Function *, 8> seen;
    return call && call->getCalledFunction() && holdsOrdered(*call->getCalledFunction(), seen);
}

/** Values that depend on what atomic or volatile accesses in a loop gave. */
class Tainted {
  public:
    Tainted(const Loop &loop, const PostDominatorTree &after) : loop(loop), after(after) {}

    /** True if one decides whether the loop is left. */
    bool leaves();

  private:
    void addAccesses();
    void addCompared(const Value *compared);
    void addReads(const Value *pointer);
    bool decides(const BasicBlock &branch);

    const Loop &loop;
    const PostDominatorTree &after;
    SmallSetVector<const Instruction *, 16> values;
};

/** All loads of the object that `pointer` is in. */
void Tainted::addReads(const Value *pointer) {
    const Value *object = getUnderlyingObject(pointer);
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &instruction : *block)
            if (auto *load = dyn_cast<LoadInst>(&instruction))
                if (getUnderlyingObject(load->getPointerOperand()) == object)
                    values.insert(load);
}

/** What an exchange has found equal to memory is as good as what it has read there, if it was
 * loaded (a counter, say, is not). */
void Tainted::addCompared(const Value *compared) {
    SmallSetVector<const Value *, 8> sources;
    sources.insert(compared);
    for (unsigned index = 0; index < sources.size(); index++) {
        auto *instruction = dyn_cast<Instruction>(sources[index]);
        if (!instruction || !loop.contains(instruction))
            continue;
        if (isa<LoadInst>(instruction))
            values.insert(instruction);
        else if (isa<CastInst, FreezeInst, PHINode, SelectInst>(instruction))
            sources.insert(instruction->op_begin(), instruction->op_end());
    }
}

void Tainted::addAccesses() {
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &instruction : *block) {
            if (isOrdered(instruction) && !instruction.use_empty())
                values.insert(&instruction);
            if (isOrderedCall(instruction)) {
                values.insert(&instruction);
                for (const Value *operand : instruction.operands())
                    if (operand->getType()->isPointerTy() && !isa<Function>(operand))
                        addReads(operand);
            }
            if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
                addCompared(exchange->getCompareOperand());
                addReads(exchange->getPointerOperand());
            }
        }
}

/** A branch on such a value: true if it decides whether the loop is left. */
bool Tainted::decides(const BasicBlock &branch) {
    Decided decided = decidedBy(branch, loop, after);
    for (const BasicBlock *block : decided.blocks)
        for (const Instruction &instruction : *block)
            if (isa<PHINode>(instruction))
                values.insert(&instruction);
            else if (isa<StoreInst>(instruction) && block != decided.meeting)
                addReads(getLoadStorePointerOperand(&instruction));
    return decided.leaves;
}

bool Tainted::leaves() {
    addAccesses();
    for (unsigned index = 0; index < values.size(); index++) {
        const Instruction *value = values[index];
        for (const User *user : value->users()) {
            auto *instruction = dyn_cast<Instruction>(user);
            if (!instruction || !loop.contains(instruction))
                continue;
            auto *store = dyn_cast<StoreInst>(instruction);
            if (store && store->getValueOperand() == value)
                addReads(store->getPointerOperand());
            else if (!instruction->isTerminator())
                values.insert(instruction);
            else if (decides(*instruction->getParent()))
                return true;
        }
    }
    return false;
}

} // namespace

bool mayWait(const Loop &loop, const PostDominatorTree &after) {
    return Tainted(loop, after).leaves();
}

bool callsMayWait(Function &kernel) {
    SmallSetVector<Function *, 8> functions;
    functions.insert(&kernel);
    for (unsigned index = 0; index < functions.size(); index++) {
        for (Instruction &instruction : instructions(*functions[index]))
            if (auto *call = dyn_cast<CallBase>(&instruction))
                if (Function *callee = call->getCalledFunction())
                    if (!callee->isDeclaration())
                        functions.insert(callee);
        if (index == 0)
            continue;
        DominatorTree tree(*functions[index]);
        PostDominatorTree after(*functions[index]);
        LoopInfo loops(tree);
        for (const Loop *loop : loops.getLoopsInPreorder())
            if (!isRetryLoop(*loop, loops) && mayWait(*loop, after))
                return true;
    }
    return false;
}

} // namespace weft
