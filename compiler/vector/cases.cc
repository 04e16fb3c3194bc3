// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Switches that only choose a value become comparisons and selects. Which way data goes through a
// switch cannot be foretold, and lanes would take all its ways, each with a mask of its own.

#include "vector/prepare.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

namespace {

/** More comparisons, or selects, cost more than a branch that is foretold wrongly. */
constexpr unsigned maxCases = 16, maxSelects = 32;

/** A switch and where all its ways meet, with nothing on them. */
class SwitchChoice {
  public:
    explicit SwitchChoice(SwitchInst &choice) : choice(choice) {}

    bool isOfValues();
    void makeSelects();

  private:
    bool isEmpty(const BasicBlock &way) const;
    Value *valueBy(const PHINode &phi, BasicBlock *way) const {
        return phi.getIncomingValueForBlock(way == meeting ? choice.getParent() : way);
    }

    SwitchInst &choice;
    BasicBlock *meeting = nullptr;
    MapVector<BasicBlock *, SmallVector<ConstantInt *, 4>> ways; /* but for the default */
};

/** A way that does nothing, and that nobody else goes. */
bool SwitchChoice::isEmpty(const BasicBlock &way) const {
    return way.getUniquePredecessor() == choice.getParent() && way.getSingleSuccessor() &&
           isa<BranchInst>(way.front());
}

bool SwitchChoice::isOfValues() {
    if (choice.getNumCases() > maxCases)
        return false;
    for (auto &each : choice.cases())
        ways[each.getCaseSuccessor()].push_back(each.getCaseValue());
    BasicBlock *other = choice.getDefaultDest();
    ways.erase(other); /* the same as what no case is about */
    meeting = isEmpty(*other) ? other->getSingleSuccessor() : other;
    if (meeting == choice.getParent() || meeting->phis().empty() || ways.empty())
        return false;
    for (const auto &[way, values] : ways)
        if (way != meeting && !(isEmpty(*way) && way->getSingleSuccessor() == meeting))
            return false;
    unsigned count = 0;
    for (const PHINode &phi : meeting->phis()) {
        if (!phi.getType()->isSingleValueType())
            return false;
        count += static_cast<unsigned>(ways.size());
    }
    return count <= maxSelects;
}

void SwitchChoice::makeSelects() {
    BasicBlock *block = choice.getParent(), *other = choice.getDefaultDest();
    IRBuilder<> builder(&choice);
    SmallVector<Value *, 8> chosen;
    for (const PHINode &phi : meeting->phis())
        chosen.push_back(valueBy(phi, other));
    for (const auto &[way, values] : ways) {
        Value *here = nullptr;
        for (ConstantInt *value : values) {
            Value *is = builder.CreateICmpEQ(choice.getCondition(), value);
            here = here ? builder.CreateOr(here, is) : is;
        }
        for (auto [phi, value] : zip(meeting->phis(), chosen))
            value = builder.CreateSelect(here, valueBy(phi, way), value);
    }
    for (auto [phi, value] : zip(meeting->phis(), chosen)) {
        phi.removeIncomingValueIf(
            [&](unsigned index) { return phi.getIncomingBlock(index) == block; },
            /*DeletePHIIfEmpty=*/false);
        phi.addIncoming(value, block);
    }
    builder.CreateBr(meeting);
    choice.eraseFromParent();
    if (other != meeting)
        DeleteDeadBlock(other);
    for (const auto &[way, values] : ways)
        if (way != meeting)
            DeleteDeadBlock(way);
}

/** What a select compares with a constant, null: it does not. */
const Value *compared(const SelectInst &select) {
    auto *compare = dyn_cast<ICmpInst>(select.getCondition());
    return compare && compare->isEquality() && isa<ConstantInt>(compare->getOperand(1))
               ? compare->getOperand(0)
               : nullptr;
}

} // namespace

void keepSelects(Function &function) {
    MDNode *unpredictable = MDNode::get(function.getContext(), {});
    for (Instruction &instruction : instructions(function)) {
        auto *select = dyn_cast<SelectInst>(&instruction);
        const Value *value =
            select && !select->getType()->isVectorTy() ? compared(*select) : nullptr;
        for (Value *arm :
             {value ? select->getTrueValue() : nullptr, value ? select->getFalseValue() : nullptr})
            if (auto *next = dyn_cast_or_null<SelectInst>(arm); next && compared(*next) == value) {
                select->setMetadata(LLVMContext::MD_unpredictable, unpredictable);
                next->setMetadata(LLVMContext::MD_unpredictable, unpredictable);
            }
    }
}

void selectCases(Function &kernel) {
    SmallVector<SwitchInst *, 8> switches;
    for (BasicBlock &block : kernel)
        if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator()))
            switches.push_back(choice);
    for (SwitchInst *each : switches)
        if (SwitchChoice choice(*each); choice.isOfValues())
            choice.makeSelects();
}

} // namespace weft
