// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// fmax(x, y) is `y != y ? x : x > y ? x : y`: MAXPS, which gives y where one is a NaN, a comparison
// and a blend. InstCombine makes `x > y || y != y ? x : y` of it, which is two comparisons, an "or"
// and a blend.
//
// `a < b && c < d ? x : y` of single floats becomes a branch: LLVM's back end for X86 has a blend
// for choices by one comparison alone. What is chosen can seldom be foretold.

#include "norm/choices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

/** A comparison for a NaN of this value: with itself, or with what is none. */
bool asksForNaN(const FCmpInst &comparison, const Value *value) {
    if (comparison.getPredicate() != CmpInst::FCMP_UNO)
        return false;
    const Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
    return (left == value && (right == value || match(right, m_NonNaN()))) ||
           (right == value && match(left, m_NonNaN()));
}

/** A comparison by which MINPS or MAXPS chooses between these two. */
bool isStrict(const FCmpInst &comparison, const Value *one, const Value *other) {
    const Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
    return (comparison.getPredicate() == CmpInst::FCMP_OGT ||
            comparison.getPredicate() == CmpInst::FCMP_OLT) &&
           ((left == one && right == other) || (left == other && right == one));
}

/** A part of a condition that is a comparison of what is chosen from, or made of such by "and" and
 *  "or", with nobody else to use it. */
bool isOfComparisons(Value *condition, const Type *type, unsigned depth = 0) {
    constexpr unsigned most = 2;
    Value *first, *second;
    if (auto *comparison = dyn_cast<FCmpInst>(condition))
        return comparison->getOperand(0)->getType() == type;
    return depth < most && condition->hasOneUse() &&
           (match(condition, m_LogicalOr(m_Value(first), m_Value(second))) ||
            match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))) &&
           isOfComparisons(first, type, depth + 1) && isOfComparisons(second, type, depth + 1);
}

class Parting {
  public:
    explicit Parting(SelectInst &choice) : choice(choice), builder(&choice) {
        builder.setFastMathFlags(choice.getFastMathFlags());
    }

    void run() {
        if (!extreme())
            single();
    }

  private:
    bool extreme();
    void single();
    Value *chosenBy(Value *condition, Value *yes, Value *no);

    SelectInst &choice;
    IRBuilder<> builder;
};

/** `isNaN || order ? chosen : other`. */
bool Parting::extreme() {
    Value *chosen = choice.getTrueValue(), *other = choice.getFalseValue(), *first, *second;
    if (!match(choice.getCondition(), m_OneUse(m_LogicalOr(m_Value(first), m_Value(second)))))
        return false;
    auto *isNaN = dyn_cast<FCmpInst>(first), *order = dyn_cast<FCmpInst>(second);
    if (!isNaN || !order)
        return false;
    if (!asksForNaN(*isNaN, other))
        std::swap(isNaN, order);
    if (!asksForNaN(*isNaN, other) || !isStrict(*order, chosen, other))
        return false;
    choice.setFalseValue(builder.CreateSelect(order, chosen, other));
    choice.setCondition(isNaN);
    return true;
}

/** `condition ? yes : no` by choices each of which is by one comparison. */
Value *Parting::chosenBy(Value *condition, Value *yes, Value *no) {
    Value *first, *second;
    if (match(condition, m_LogicalOr(m_Value(first), m_Value(second))))
        return chosenBy(first, yes, chosenBy(second, yes, no));
    if (match(condition, m_LogicalAnd(m_Value(first), m_Value(second))))
        return chosenBy(first, chosenBy(second, yes, no), no);
    return builder.CreateSelect(condition, yes, no);
}

void Parting::single() {
    if (isa<FCmpInst>(choice.getCondition()) || choice.getType()->isVectorTy() ||
        !isOfComparisons(choice.getCondition(), choice.getType()))
        return;
    Value *result = chosenBy(choice.getCondition(), choice.getTrueValue(), choice.getFalseValue());
    result->takeName(&choice);
    choice.replaceAllUsesWith(result);
    choice.eraseFromParent();
}

} // namespace

void partChoices(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (auto *choice = dyn_cast<SelectInst>(&instruction))
            if (choice->getType()->isFPOrFPVectorTy())
                Parting(*choice).run();
}

} // namespace weft
