// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which loops only repeat a compare-and-exchange until nobody else has come between. Their exit
// depends on an atomic, as a spin lock's does, but items that run them in step all leave:
//
// Linearised, the lanes that are still in the loop make a turn together: all of them read, then all
// of them do their exchange, one lane after the other, and those whose exchange failed make another
// turn. What is asked of a loop:
//
//  1. Who goes round has failed. Each way into the next turn leads over a branch that is only taken
//     if this turn's exchange failed. So a success leaves, and so may anybody for whatever other
//     reason.
//  2. What is compared is what was read from the same place, bit by bit: by a load in this turn or
//     a fixed number of turns ago (one, as a rule), or by an exchange that failed so many turns
//     ago. Never a constant, and what was read in front of the loop only in its first turns.
//  3. Nothing else in the loop changes memory that others see, nor waits: no other atomic update,
//     no store but to private variables, no barrier, no sub-group function; and a loop in the loop
//     has no access to memory at all.
//
// Let no lane leave in one more turn than that number. By 1 all have failed, so by 3 no lane of
// this vector has changed memory. Then in the turn behind them the first lane compares what its
// place still holds, by 2, and succeeds, unless another thread has changed the place meanwhile;
// that thread's items go on then. So the lanes get fewer, at least in every second turn, or
// somebody else makes progress: no more is promised to one item alone. No exchange waits for what a
// lane does behind the loop, which is where lanes in step differ from one item after the other.
//
// A lock misses one of the three: it compares with a constant, or with what it read but for a bit
// (2); or it goes round without an attempt while the word says "taken" (1); or although its
// exchange has succeeded, since the word was not yet what it waits for (1).

#include "norm/sub_groups.h"
#include "vector/waits.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

/** Expressions deeper than this are taken for anything. */
constexpr unsigned maxRetryDepth = 12;

class RetryLoop {
  public:
    RetryLoop(const Loop &loop, const LoopInfo &loops) : loop(loop), loops(loops) {}

    bool isProven() {
        SmallPtrSet<const PHINode *, 8> seen;
        return findExchange() && onlyFailuresGoRound() &&
               isRead(exchange->getCompareOperand(), seen);
    }

  private:
    using Seen = SmallPtrSet<const PHINode *, 8>;

    bool isDirectlyIn(const Instruction &instruction) const {
        return loops.getLoopFor(instruction.getParent()) == &loop;
    }
    bool isHarmless(const Instruction &instruction) const;
    bool findExchange();
    bool isOutcome(const Value *condition, bool value, bool success) const;
    bool tells(const Value *condition, bool value, bool success, unsigned depth = 0) const;
    bool valueTells(const Value &value, bool success, unsigned depth,
                    function_ref<bool(const ConstantInt &)> isPossible) const;
    bool phiTells(const PHINode &phi, bool success, unsigned depth,
                  function_ref<bool(const Value &)> incomingTells) const;
    bool edgeTells(const BasicBlock &from, const BasicBlock &to, bool success,
                   unsigned depth = 0) const;
    bool onlyFailuresGoRound() const;
    bool isSame(const Value *one, const Value *other, unsigned depth = 0) const;
    bool isRead(const Value *value, Seen &seen) const;
    bool isReadByPhi(const PHINode &phi, Seen &seen) const;

    const Loop &loop;
    const LoopInfo &loops;
    const AtomicCmpXchgInst *exchange = nullptr; /* the only one */
    bool changesVariables = false;               /* private ones */
};

const Value *withoutCasts(const Value *value) {
    while (isa<BitCastInst, FreezeInst>(value))
        value = cast<Instruction>(value)->getOperand(0);
    return value;
}

/* ---- 3: nothing else changes memory ---------------------------------------------------------- */

/** It changes nothing that other items see, and waits for nobody. */
bool RetryLoop::isHarmless(const Instruction &instruction) const {
    if (isa<LifetimeIntrinsic, DbgInfoIntrinsic, NoAliasScopeDeclInst, AssumeInst>(instruction))
        return true;
    if (auto *call = dyn_cast<CallBase>(&instruction))
        return call->doesNotAccessMemory() && !call->isConvergent() && !needsLanes(instruction);
    if (!isDirectlyIn(instruction))
        return !instruction.mayReadOrWriteMemory();
    if (auto *store = dyn_cast<StoreInst>(&instruction))
        return store->isSimple() &&
               isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
    return isa<LoadInst, FenceInst>(instruction) || !instruction.mayWriteToMemory();
}

bool RetryLoop::findExchange() {
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &instruction : *block) {
            auto *found = dyn_cast<AtomicCmpXchgInst>(&instruction);
            changesVariables |= isa<StoreInst>(instruction);
            if (found && !exchange && !found->isWeak() && isDirectlyIn(*found))
                exchange = found;
            else if (!isHarmless(instruction))
                return false;
        }
    return exchange;
}

/* ---- 1: who goes round has failed ------------------------------------------------------------ */

/** `condition` is `value` if and only if this turn's exchange has this outcome. */
bool RetryLoop::isOutcome(const Value *condition, bool value, bool success) const {
    auto partOf = [&](const Value *part, unsigned index) {
        auto *extract = dyn_cast<ExtractValueInst>(withoutCasts(part));
        return extract && extract->getAggregateOperand() == exchange &&
               extract->getIndices()[0] == index;
    };
    if (partOf(condition, 1))
        return value == success;
    // Of integers: NaN != NaN says nothing.
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || !compare->isEquality())
        return false;
    const Value *expected = exchange->getCompareOperand();
    const Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    bool isAsked = (partOf(left, 0) && right == expected) || (partOf(right, 0) && left == expected);
    return isAsked && (compare->getPredicate() == ICmpInst::ICMP_EQ) == (value == success);
}

/** Wherever `condition` is `value` behind this turn's exchange, that has this outcome. */
bool RetryLoop::tells(const Value *condition, bool value, bool success, unsigned depth) const {
    const Value *a = nullptr, *b = nullptr;
    if (depth++ > maxRetryDepth)
        return false;
    if (auto *constant = dyn_cast<ConstantInt>(condition))
        return constant->isOne() != value; /* never so */
    if (auto *frozen = dyn_cast<FreezeInst>(condition))
        return tells(frozen->getOperand(0), value, success, depth);
    if (isOutcome(condition, value, success))
        return true;
    if (match(condition, m_Not(m_Value(a))))
        return tells(a, !value, success, depth);
    bool isAnd = match(condition, m_LogicalAnd(m_Value(a), m_Value(b)));
    if (isAnd || match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
        bool first = tells(a, value, success, depth), second = tells(b, value, success, depth);
        return isAnd == value ? first || second : first && second;
    }
    if (auto *compare = dyn_cast<ICmpInst>(condition)) {
        auto *with = dyn_cast<ConstantInt>(compare->getOperand(1));
        return with && valueTells(*compare->getOperand(0), success, depth, [&](auto &constant) {
                   return ICmpInst::compare(constant.getValue(), with->getValue(),
                                            compare->getPredicate()) == value;
               });
    }
    auto *phi = dyn_cast<PHINode>(condition);
    return phi && phiTells(*phi, success, depth, [&](const Value &incoming) {
               return tells(&incoming, value, success, depth);
           });
}

/** Wherever `value`, made of constants by choices (as `done` in `if (exchanged) done = 1;`), is one
 *  of the possible ones. */
bool RetryLoop::valueTells(const Value &value, bool success, unsigned depth,
                           function_ref<bool(const ConstantInt &)> isPossible) const {
    if (auto *constant = dyn_cast<ConstantInt>(&value))
        return !isPossible(*constant);
    if (depth++ > maxRetryDepth)
        return false;
    if (auto *choice = dyn_cast<SelectInst>(&value)) {
        const Value *condition = choice->getCondition();
        return (tells(condition, true, success, depth) ||
                valueTells(*choice->getTrueValue(), success, depth, isPossible)) &&
               (tells(condition, false, success, depth) ||
                valueTells(*choice->getFalseValue(), success, depth, isPossible));
    }
    auto *phi = dyn_cast<PHINode>(&value);
    return phi && phiTells(*phi, success, depth, [&](const Value &incoming) {
               return valueTells(incoming, success, depth, isPossible);
           });
}

/** A header's PHI tells of the turn before. */
bool RetryLoop::phiTells(const PHINode &phi, bool success, unsigned depth,
                         function_ref<bool(const Value &)> incomingTells) const {
    if (!isDirectlyIn(phi) || phi.getParent() == loop.getHeader())
        return false;
    for (unsigned index = 0; index < phi.getNumIncomingValues(); index++)
        if (!incomingTells(*phi.getIncomingValue(index)) &&
            !edgeTells(*phi.getIncomingBlock(index), *phi.getParent(), success, depth))
            return false;
    return true;
}

bool RetryLoop::edgeTells(const BasicBlock &from, const BasicBlock &to, bool success,
                          unsigned depth) const {
    if (auto *choice = dyn_cast<SwitchInst>(from.getTerminator()))
        return valueTells(*choice->getCondition(), success, depth, [&](auto &constant) {
            return choice->findCaseValue(&constant)->getCaseSuccessor() == &to;
        });
    auto *branch = dyn_cast<BranchInst>(from.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
        return false;
    return tells(branch->getCondition(), branch->getSuccessor(0) == &to, success, depth);
}

/** Ways without such an edge, whether they have come to the exchange or not, leave. */
bool RetryLoop::onlyFailuresGoRound() const {
    SmallVector<const BasicBlock *, 8> blocks = {loop.getHeader()};
    SmallPtrSet<const BasicBlock *, 8> seen;
    while (!blocks.empty()) {
        const BasicBlock *block = blocks.pop_back_val();
        for (const BasicBlock *next : successors(block)) {
            if (!loop.contains(next) || edgeTells(*block, *next, false))
                continue;
            if (next == loop.getHeader())
                return false;
            if (seen.insert(next).second)
                blocks.push_back(next);
        }
    }
    return true;
}

/* ---- 2: what is compared has been read ------------------------------------------------------- */

/**
 * The two are the same, in one turn or in two that follow each other, as long as nobody changes
 * memory: made in the same way of values from outside of the loop and of what memory holds.
 */
bool RetryLoop::isSame(const Value *one, const Value *other, unsigned depth) const {
    auto *a = dyn_cast<Instruction>(one), *b = dyn_cast<Instruction>(other);
    if (one == other && (!a || !loop.contains(a)))
        return true;
    if (depth == maxRetryDepth || !a || !b || !loop.contains(a) || !loop.contains(b) ||
        !isDirectlyIn(*a) || !isDirectlyIn(*b))
        return false;
    if (isa<PHINode, CallBase, AtomicRMWInst, AtomicCmpXchgInst, AllocaInst, FreezeInst>(a) ||
        !a->isSameOperationAs(b))
        return false;
    if (isa<LoadInst>(a) && changesVariables)
        return false; /* perhaps of what this lane changes */
    for (unsigned index = 0; index < a->getNumOperands(); index++)
        if (!isSame(a->getOperand(index), b->getOperand(index), depth + 1))
            return false;
    return true;
}

/** A header's PHI has what the turn before left, and anything in the first. */
bool RetryLoop::isReadByPhi(const PHINode &phi, Seen &seen) const {
    if (!isDirectlyIn(phi) || !seen.insert(&phi).second || seen.size() > maxRetryDepth)
        return false;
    bool isHeaders = phi.getParent() == loop.getHeader();
    for (unsigned index = 0; index < phi.getNumIncomingValues(); index++) {
        const BasicBlock *from = phi.getIncomingBlock(index);
        if (isHeaders ? !loop.contains(from) : edgeTells(*from, *phi.getParent(), true))
            continue; /* before the first turn; of lanes that leave */
        Seen before = seen;
        if (!isRead(phi.getIncomingValue(index), before))
            return false;
    }
    return true;
}

bool RetryLoop::isRead(const Value *value, Seen &seen) const {
    value = withoutCasts(value);
    const Value *place = exchange->getPointerOperand();
    if (auto *load = dyn_cast<LoadInst>(value)) {
        bool thisTurn = load->getPointerOperand() == place && seen.empty();
        return isDirectlyIn(*load) && (thisTurn || isSame(load->getPointerOperand(), place));
    }
    if (auto *found = dyn_cast<ExtractValueInst>(value))
        return found->getAggregateOperand() == exchange && found->getIndices()[0] == 0 &&
               isSame(place, place);
    if (auto *choice = dyn_cast<SelectInst>(value)) {
        const Value *condition = choice->getCondition();
        Seen before = seen;
        return (tells(condition, true, true) || isRead(choice->getTrueValue(), before)) &&
               (tells(condition, false, true) || isRead(choice->getFalseValue(), seen));
    }
    auto *phi = dyn_cast<PHINode>(value);
    return phi && isReadByPhi(*phi, seen);
}

} // namespace

bool isRetryLoop(const Loop &loop, const LoopInfo &loops) {
    return RetryLoop(loop, loops).isProven();
}

} // namespace weft
