// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels in which an argument says along what an index goes, as in `x = axis == 0 ? k : id` or
// `at = transposed ? k * n + id : id * n + k`: such an index has no shape, though it has one for
// each axis, so that all accesses at it were gathers. The whole body is there once for each way
// then, and the choice is made where the kernel begins. LLVM's SimpleLoopUnswitch copies loops for
// the sake of branches; here it is shapes that count, also where no loop is.

#include "vector/choices.h"
#include "norm/simplify.h"
#include "vector/prepare.h"
#include "vector/shape.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <optional>

using namespace llvm;

namespace weft {

namespace {

/** Choices of a kernel, and instructions of all its copies: what they cost to build. */
constexpr unsigned maxChoices = 2, maxCopies = 500;
/** Of a condition, deep; of what is made of a choice, in all. */
constexpr unsigned maxChoiceDepth = 6, maxMade = 64;

/** The same in all items, and known before any of them has done anything. */
bool isOfArguments(const Value &value, unsigned depth = 0) {
    if (isa<Argument, Constant>(value))
        return true;
    auto *instruction = dyn_cast<Instruction>(&value);
    return instruction && depth < maxChoiceDepth && !isa<PHINode>(instruction) &&
           (!isa<CallBase>(instruction) || isa<IntrinsicInst>(instruction)) &&
           !instruction->mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(instruction) &&
           all_of(
               instruction->operands(),
               [&](const Use &use) { return isOfArguments(*use.get(), depth + 1); });
}

/** A value that is one of two, and on what that depends. */
struct Choice {
    const Instruction *value;
    Value *condition;
    const Value *one, *other;
};

/** The branch where the two ways to a PHI part, which are none of a loop; null: they do not. */
const BranchInst *branchAbove(const PHINode &phi, const DominatorTree &tree) {
    const BasicBlock *block = phi.getParent();
    const DomTreeNode *above = tree.getNode(block)->getIDom();
    auto *branch = above ? dyn_cast<BranchInst>(above->getBlock()->getTerminator()) : nullptr;
    if (phi.getNumIncomingValues() != 2 || !branch || !branch->isConditional() ||
        any_of(phi.blocks(), [&](const BasicBlock *from) { return tree.dominates(block, from); }))
        return nullptr;
    return branch;
}

/** A select, or a PHI of two ways; none: it is something else, or more than arguments decide. */
std::optional<Choice> choiceAt(const Instruction &instruction, const DominatorTree &tree) {
    Choice choice = {&instruction, nullptr, nullptr, nullptr};
    if (auto *select = dyn_cast<SelectInst>(&instruction)) {
        choice.condition = const_cast<Value *>(select->getCondition());
        choice.one = select->getTrueValue();
        choice.other = select->getFalseValue();
    } else if (auto *phi = dyn_cast<PHINode>(&instruction)) {
        if (const BranchInst *branch = branchAbove(*phi, tree)) {
            choice.condition = branch->getCondition();
            choice.one = phi->getIncomingValue(0);
            choice.other = phi->getIncomingValue(1);
        }
    }
    const bool isPlace =
        instruction.getType()->isIntOrPtrTy() && !instruction.getType()->isIntegerTy(1);
    return isPlace && isa_and_nonnull<Instruction>(choice.condition) &&
                   isOfArguments(*choice.condition)
               ? std::optional(choice)
               : std::nullopt;
}

/** Of an access lane by lane, of whose place nobody has a guess. */
bool isScattered(const Instruction &user, const Value &place, const Shapes &shapes) {
    const Shape shape = shapes.of(place);
    return getLoadStorePointerOperand(&user) == &place && shape.varies && !shape.guess;
}

/** Does some access go lane by lane for what this value is? */
bool leadsToScattered(const Instruction &value, const Shapes &shapes) {
    SmallPtrSet<const Instruction *, 16> seen = {&value};
    SmallVector<const Instruction *, 16> work = {&value};
    while (!work.empty() && seen.size() < maxMade) {
        const Instruction *made = work.pop_back_val();
        for (const User *user : made->users()) {
            auto *next = cast<Instruction>(user);
            if (isScattered(*next, *made, shapes))
                return true;
            if (next->getType()->isIntOrPtrTy() && !next->mayReadOrWriteMemory() &&
                (!isa<CallBase>(next) || isa<IntrinsicInst>(next)) && seen.insert(next).second)
                work.push_back(next);
        }
    }
    return false;
}

/** The conditions of choices between a shape and another one. */
SmallSetVector<Instruction *, maxChoices> findConditions(Function &kernel,
                                                         const DominatorTree &tree) {
    SmallVector<Choice, 8> choices;
    for (const Instruction &instruction : instructions(kernel))
        if (auto choice = choiceAt(instruction, tree))
            choices.push_back(*choice);
    SmallSetVector<Instruction *, maxChoices> conditions;
    if (choices.empty())
        return conditions;
    const Shapes shapes(kernel);
    const unsigned most = 4 * kernel.getInstructionCount() <= maxCopies ? maxChoices : 1;
    for (const Choice &choice : choices) {
        const Shape one = shapes.of(*choice.one), other = shapes.of(*choice.other);
        if (conditions.size() < most && !(one == other) && (!one.varies || !other.varies) &&
            leadsToScattered(*choice.value, shapes))
            conditions.insert(cast<Instruction>(choice.condition));
    }
    return conditions;
}

/** A value made of arguments once more, in front of all else. */
Value *computeAt(Value &value, IRBuilder<> &builder) {
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
        return &value;
    Instruction *copy = instruction->clone();
    for (Use &use : copy->operands())
        use.set(computeAt(*use.get(), builder));
    copy->dropPoisonGeneratingAnnotations(); /* it is used where it was not, perhaps */
    return builder.Insert(copy, instruction->getName());
}

/** Everything behind the entry where the condition, computed there, holds, and a copy elsewhere. */
void copyBehindEntry(Function &kernel, Value &condition) {
    BasicBlock &entry = kernel.getEntryBlock();
    BasicBlock *body = entry.splitBasicBlock(entry.getTerminator(), "chosen");
    SmallVector<BasicBlock *, 16> blocks, copies;
    for (BasicBlock &block : drop_begin(kernel))
        blocks.push_back(&block);
    ValueToValueMapTy map;
    for (BasicBlock *block : blocks) {
        copies.push_back(CloneBasicBlock(block, map, ".otherwise", &kernel));
        map[block] = copies.back();
    }
    remapInstructionsInBlocks(copies, map);
    IRBuilder<> builder(&entry);
    auto replaceIn = [&](ArrayRef<BasicBlock *> where, Constant *value) {
        const SmallPtrSet<const BasicBlock *, 16> among(where.begin(), where.end());
        condition.replaceUsesWithIf(value, [&](const Use &use) {
            return among.contains(cast<Instruction>(use.getUser())->getParent());
        });
    };
    replaceIn(blocks, builder.getTrue());
    replaceIn(copies, builder.getFalse());
    auto *copy = cast<BasicBlock>(map[body]);
    entry.getTerminator()->eraseFromParent();
    builder.SetInsertPoint(&entry);
    builder.CreateCondBr(&condition, body, copy);
}

/** Conditions are computed in the entry, behind variables, and nothing else is there. */
SmallVector<Value *, maxChoices> gatherConditions(Function &kernel, ArrayRef<Instruction *> found) {
    gatherVariables(kernel);
    BasicBlock &entry = kernel.getEntryBlock();
    entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "chosen");
    IRBuilder<> builder(entry.getTerminator());
    SmallVector<Value *, maxChoices> conditions;
    for (Instruction *condition : found) {
        conditions.push_back(builder.CreateFreeze(computeAt(*condition, builder)));
        condition->replaceAllUsesWith(conditions.back());
    }
    return conditions;
}

bool mayBeCopied(const Function &kernel) {
    return 2 * kernel.getInstructionCount() <= maxCopies &&
           none_of(instructions(kernel), [](const Instruction &instruction) {
               auto *call = dyn_cast<CallBase>(&instruction);
               return call && call->cannotDuplicate();
           });
}

} // namespace

unsigned copyForChoices(Function &kernel, FunctionAnalysisManager &analyses) {
    if (!mayBeCopied(kernel))
        return 0;
    const auto found = findConditions(kernel, analyses.getResult<DominatorTreeAnalysis>(kernel));
    if (found.empty())
        return 0;
    for (Value *condition : gatherConditions(kernel, found.getArrayRef()))
        copyBehindEntry(kernel, *condition);
    FunctionPassManager passes;
    addSimplification(passes);
    runAnew(passes, kernel, analyses);
    return static_cast<unsigned>(found.size());
}

} // namespace weft
