// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many registers a value of all lanes takes: more than one hide what operations wait for each
// other, as long as there are registers.

#include "norm/called.h"
#include "norm/latency.h"
#include "vector/divergence.h"
#include "vector/lanes.h"
#include "vector/live.h"
#include "vector/prepare.h"
#include "vector/shape.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Support/BranchProbability.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

/** Larger kernels hide enough by themselves, and their build would take longer. */
constexpr unsigned maxBlockedInstructions = 600;
/**
 * So much of the registers may be alive at once, in sixteenths, before a value takes several of
 * them. AVX2 has 16, and what does not fit is an operand in the nearest cache, which costs less
 * than to wait for the operation before: there values may want more than there are, but for what
 * goes round in loops. Where lanes leave loops at different times, masks and what they blend take
 * registers as well, and those of doubles have to be made of what counters of 32 bits compare.
 */
struct Limits {
    unsigned two, twoInDivergentLoops, four;
};
constexpr Limits limitsOf(unsigned width, unsigned bits) {
    return bits != 256          ? Limits{7, 7, 2}
           : width * 32 == bits ? Limits{18, 10, 4}
                                : Limits{18, 7, 4};
}

/** Without a loop where much is asked (`askWork`): a value that does not fit is stored once and
 *  loaded once, which is less than what it saves to ask for more lanes at once. But AVX-512 has
 *  eight mask registers, of which who is on and what is asked take half each with four registers
 *  for a value: two are better unless what is computed waits, in a chain, or for divisions. */
constexpr Limits limitsOfAsking = {18, 18, 8};

/** Without a loop: so many operations, one after the other, before more than one at a time pays. */
constexpr unsigned longWork = 32;
/** Operations that a division of integers by no constant takes, which no level has for lanes. */
constexpr unsigned divisionWork = 16;
/** Operations that asking takes whether lanes are side by side where nothing proves it: once for
 *  all of them, so the more lanes the better. */
constexpr unsigned askWork = 12;

/** In a kernel that has so many operations for each access to memory, what does not fit waits there
 *  beside what computes, and so much may be alive with four registers for each value. */
constexpr unsigned workOfAccess = 8, fourOfComputing = 11;

/**
 * In tenths: where operations that wait for each other take so many times as long as all of them
 * would if none waited, two registers for each value do not keep a processor busy, which does not
 * look ahead from one turn of such a kernel into the next. With four it has time left to bring back
 * what does not fit, of which so much may be alive. (docs/vectoriser.md has what was measured.)
 */
constexpr unsigned chainOfFour(unsigned bits) {
    return bits == 512 ? 52 : 32; /* half as many operations of 512 bits begin at once */
}
constexpr unsigned fourOfChain = 15;

/** Bits that a value has in one lane. Of an OpenCL vector only elements that are taken out. */
uint64_t bitsOfLane(const Value &value) {
    const uint64_t whole = value.getType()->getPrimitiveSizeInBits().getFixedValue();
    auto *vector = dyn_cast<FixedVectorType>(value.getType());
    if (!vector || value.use_empty())
        return whole;
    SmallBitVector taken(vector->getNumElements());
    for (const User *user : value.users()) {
        auto *extract = dyn_cast<ExtractElementInst>(user);
        auto *index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
        if (!index || index->getValue().uge(taken.size()))
            return whole;
        taken.set(index->getZExtValue());
    }
    return whole / taken.size() * taken.count();
}

/** What a block's end goes on by; null where there is one way. */
const Value *conditionOf(const Instruction &end) {
    if (auto *choice = dyn_cast<SwitchInst>(&end))
        return choice->getCondition();
    auto *branch = dyn_cast<BranchInst>(&end);
    return branch && branch->isConditional() ? branch->getCondition() : nullptr;
}

/** How often a block's end goes on to a successor; always, as far as nothing says so. */
BranchProbability probability(const Instruction &end, const BasicBlock &to) {
    SmallVector<uint32_t, 4> weights;
    uint64_t all = 0, there = 0;
    if (extractBranchWeights(end, weights))
        for (unsigned i = 0; i < weights.size(); i++) {
            all += weights[i];
            there += end.getSuccessor(i) == &to ? weights[i] : 0;
        }
    return all ? BranchProbability::getBranchProbability(there, all) : BranchProbability::getOne();
}

/** Lanes and live values of a kernel that is not linearised yet: near enough to choose by. */
class Pressure {
  public:
    Pressure(Function &kernel, unsigned width, unsigned bits)
        : tree(kernel), loops(tree), kernel(kernel), shapes(kernel), width(width), bits(bits),
          rare(findRare()) {}

    /** Registers that values take at most at one time, with so many times as many lanes, but for
     *  what is done rarely. */
    unsigned most(unsigned times) const;
    /** Registers that what goes round in one of the loops takes at most. */
    unsigned carried() const;
    /** Operations on lanes, but for what makes addresses. */
    unsigned work() const;
    /** What divisions of integers take beyond the one operation that each is. */
    unsigned workOfDivisions() const;
    /** What asking whether lanes are side by side takes. */
    unsigned workOfAsking() const;
    /** Calls functions whose compiled code serves more than one register for each value. */
    bool callsInTwo() const;
    /** Loads and stores of lanes. */
    unsigned accesses() const;
    /** Without a loop: what waits for each other takes longer than two registers for each value
     *  would keep the processor busy. */
    bool isChain() const;
    bool isUniform(const Value &value) const { return shapes.of(value).isUniform(); }
    bool isRare(const BasicBlock &block) const { return rare.contains(&block); }

    const DominatorTree tree;
    const LoopInfo loops;

  private:
    /** Blocks that all lanes go to together, and less often than not as the code itself says: for
     *  one of many formats that images may have. */
    SmallPtrSet<const BasicBlock *, 8> findRare() const;
    bool counts(const Value *value) const {
        return isa<Instruction>(value) && shapes.of(*value).varies &&
               !value->getType()->isIntegerTy(1) && !value->getType()->isPointerTy() &&
               !value->getType()->isVoidTy();
    }
    unsigned registers(const Value &value, unsigned times) const {
        return std::max<unsigned>(1,
                                  static_cast<unsigned>(bitsOfLane(value) * width * times / bits));
    }

    Function &kernel;
    Shapes shapes;
    const unsigned width, bits;
    const SmallPtrSet<const BasicBlock *, 8> rare;
};

unsigned Pressure::most(unsigned times) const {
    const LiveRegisters live(
        kernel, [&](const Value &value) { return counts(&value) ? registers(value, times) : 0; });
    unsigned most = 0;
    for (const BasicBlock &block : kernel)
        if (!isRare(block))
            most = std::max(most, live.mostIn(block));
    return most;
}

unsigned Pressure::work() const {
    unsigned count = 0;
    for (const Instruction &instruction : instructions(kernel))
        count += counts(&instruction) && !isa<PHINode, LoadInst, CastInst>(instruction);
    return count;
}

unsigned Pressure::workOfDivisions() const {
    return (divisionWork - 1) * count_if(instructions(kernel), [&](const Instruction &instruction) {
               return counts(&instruction) && instruction.isIntDivRem() &&
                      !isa<Constant>(instruction.getOperand(1));
           });
}

bool Pressure::callsInTwo() const {
    return any_of(instructions(kernel), [&](const Instruction &instruction) {
        const std::optional<Called> called = Called::of(instruction);
        return called && counts(&instruction) && called->served(2 * width, bits) > width;
    });
}

unsigned Pressure::accesses() const {
    return count_if(instructions(kernel), [&](const Instruction &instruction) {
        const Value *place = getLoadStorePointerOperand(&instruction);
        return place && !isUniform(*place);
    });
}

unsigned Pressure::workOfAsking() const {
    unsigned count = 0;
    for (const Instruction &instruction : instructions(kernel)) {
        const Value *place = getLoadStorePointerOperand(&instruction);
        const Shape shape = place ? shapes.of(*place) : Shape::uniform();
        count += shape.varies && shape.guess;
    }
    return count * askWork;
}

bool Pressure::isChain() const {
    DenseMap<const Value *, unsigned> known; /* in cycles from the kernel's beginning */
    unsigned chain = 0, begins = 0, adder = 0, divider = 0;
    for (const BasicBlock *block : ReversePostOrderTraversal<const Function *>(&kernel))
        for (const Instruction &instruction : *block) {
            if (isUniform(instruction) || instruction.getType()->isPointerTy())
                continue;
            const OperationTime time = timeOf(instruction);
            unsigned end = time.latency;
            for (const Value *operand : instruction.operand_values())
                end = std::max(end, known.lookup(operand) + time.latency);
            known[&instruction] = end;
            chain = std::max(chain, end);
            begins += time.begins;
            adder += time.adder * 2;
            divider += time.divider * beginsPerCycle;
        }
    return chain * beginsPerCycle * 10 > std::max({begins, adder, divider}) * chainOfFour(bits);
}

unsigned Pressure::carried() const {
    unsigned most = 0;
    for (const Loop *loop : loops.getLoopsInPreorder()) {
        unsigned count = 0;
        for (const PHINode &phi : loop->getHeader()->phis())
            count += counts(&phi) ? registers(phi, 1) : 0;
        most = std::max(most, count);
    }
    return most;
}

SmallPtrSet<const BasicBlock *, 8> Pressure::findRare() const {
    SmallPtrSet<const BasicBlock *, 8> rare;
    DenseMap<const BasicBlock *, BranchProbability> often;
    for (const BasicBlock *block : ReversePostOrderTraversal<const Function *>(&kernel)) {
        const DomTreeNode *above = tree.getNode(block)->getIDom();
        const BasicBlock *from = block->getSinglePredecessor();
        /* Where ways meet again, as often as where they parted. */
        BranchProbability here = above ? often.at(above->getBlock()) : BranchProbability::getOne();
        const Value *condition = from ? conditionOf(*from->getTerminator()) : nullptr;
        if (condition && isUniform(*condition))
            here *= probability(*from->getTerminator(), *block);
        often[block] = here;
        if (here < BranchProbability(1, 2))
            rare.insert(block);
    }
    return rare;
}

} // namespace

/** A private array of which lanes are at different places, or which is used as a whole. Where all
 * lanes are at one place, each access is that of a vector. */
static bool isApart(const AllocaInst &array, const Pressure &pressure) {
    SmallVector<const Instruction *, 8> pointers = {&array};
    while (!pointers.empty())
        for (const User *user : pointers.pop_back_val()->users()) {
            auto *gep = dyn_cast<GetElementPtrInst>(user);
            const bool isAccess = isa<LoadInst, StoreInst>(user);
            const Type *type = isAccess ? getLoadStoreType(user) : nullptr;
            if (gep && all_of(gep->indices(),
                              [&](const Use &index) { return pressure.isUniform(*index); }))
                pointers.push_back(gep);
            else if (isAccess ? type->isVectorTy() || type->isPointerTy()
                              : !isa<LifetimeIntrinsic>(user))
                return true; /* pointers: perhaps its own address */
        }
    return false;
}

/** Private arrays whose values are not known before memory for all lanes is laid out, and what is
 * done item by item. */
static bool isOutOfRegisters(const Instruction &instruction, const Pressure &pressure) {
    if (auto *array = dyn_cast<AllocaInst>(&instruction))
        return isApart(*array, pressure);
    auto *call = dyn_cast<CallBase>(&instruction);
    return isOrdered(instruction) ||
           (call && call->mayWriteToMemory() && !isa<LifetimeIntrinsic>(call));
}

/** A private array that is short enough for loops over it to be unrolled. */
static bool mayBecomeRegisters(const Instruction &instruction) {
    constexpr uint64_t longest = 32; /* elements */
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    auto *array = variable ? dyn_cast<ArrayType>(variable->getAllocatedType()) : nullptr;
    return array && array->getNumElements() <= longest;
}

/** One of several ways that all lanes take together. */
static bool isCase(const BasicBlock &block, const Pressure &pressure) {
    const BasicBlock *before = block.getSinglePredecessor();
    auto *choice = before ? dyn_cast<SwitchInst>(before->getTerminator()) : nullptr;
    return choice && pressure.isUniform(*choice->getCondition());
}

/** OpenCL vectors in memory, which several registers make a transposition of: usually, or also in
 * one of several cases. */
static bool movesVectors(const Function &kernel, const Pressure &pressure, bool inCases) {
    const LoopInfo &loops = pressure.loops;
    /* Loops are most of what a kernel does; private arrays take registers as well. */
    const bool onlyInLoops =
        !loops.empty() && none_of(instructions(kernel), [](const Instruction &instruction) {
            return isa<AllocaInst>(instruction);
        });
    return any_of(instructions(kernel), [&](const Instruction &instruction) {
        const Value *pointer = getLoadStorePointerOperand(&instruction);
        const BasicBlock *block = instruction.getParent();
        return pointer && getLoadStoreType(&instruction)->isVectorTy() &&
               !pressure.isUniform(*pointer) && (!onlyInLoops || loops.getLoopFor(block)) &&
               (inCases || !(isCase(*block, pressure) || pressure.isRare(*block)));
    });
}

/** What an integer is of, in whatever width it is counted. */
static const Value *withoutExtensions(const Value *value) {
    const Value *inner = nullptr;
    const APInt *left = nullptr, *right = nullptr;
    while (true) {
        if (isa<TruncInst, SExtInst, ZExtInst>(value))
            value = cast<CastInst>(value)->getOperand(0);
        else if (match(value, m_AShr(m_Shl(m_Value(inner), m_APInt(left)), m_APInt(right))) &&
                 *left == *right)
            value = inner;
        else if (match(value, m_And(m_Value(inner), m_LowBitMask())))
            value = inner;
        else
            return value;
    }
}

/** The loop's counter, or what it will be in the next turn, that grows by a size. */
static bool growsBySize(const Value *value, const Loop &loop, const Pressure &pressure) {
    auto *counter = dyn_cast<PHINode>(value);
    if (counter && counter->getParent() == loop.getHeader() && loop.getLoopLatch())
        value = withoutExtensions(counter->getIncomingValueForBlock(loop.getLoopLatch()));
    const Value *before = nullptr, *step = nullptr;
    if (!match(value, m_Add(m_Value(before), m_Value(step))))
        return false;
    if (pressure.isUniform(*before))
        std::swap(before, step);
    auto *phi = dyn_cast<PHINode>(withoutExtensions(before));
    return phi && phi->getParent() == loop.getHeader() && (!counter || phi == counter) &&
           pressure.isUniform(*step) && !isa<Constant>(step);
}

/** `for (i = id; i < n; i += size)`: lanes leave within a turn of each other, whatever `n` is. */
static bool leavesInStep(const BasicBlock &block, const Loop &loop, const Pressure &pressure) {
    Value *left = nullptr, *right = nullptr;
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() ||
        !match(branch->getCondition(), m_ICmp(m_Value(left), m_Value(right))))
        return false;
    if (pressure.isUniform(*left))
        std::swap(left, right);
    return pressure.isUniform(*right) && growsBySize(withoutExtensions(left), loop, pressure);
}

/** Lanes leave some loop at different times. */
static bool hasDivergentLoop(Function &kernel, const Pressure &pressure) {
    Divergence divergence(kernel);
    return any_of(pressure.loops.getLoopsInPreorder(), [&](const Loop *loop) {
        SmallVector<BasicBlock *, 4> exiting;
        loop->getExitingBlocks(exiting);
        return any_of(exiting, [&](const BasicBlock *block) {
            return divergence.isDivergentBranch(*block->getTerminator()) &&
                   !leavesInStep(*block, *loop, pressure);
        });
    });
}

unsigned mostRegisters(Function &kernel, unsigned width, unsigned bits) {
    return Pressure(kernel, width, bits).most(1);
}

Registers registersPerValue(Function &kernel, unsigned width, unsigned bits, unsigned registers) {
    if (kernel.getInstructionCount() > maxBlockedInstructions)
        return {1, "it is large enough for the processor to find other work"};
    Pressure pressure(kernel, width, bits);
    if (any_of(instructions(kernel), [&](const Instruction &instruction) {
            return isOutOfRegisters(instruction, pressure);
        }))
        return {1, "it has private arrays or work that is done item by item"};
    const LoopInfo &loops = pressure.loops;
    const unsigned work = pressure.work(), workOfAsking = pressure.workOfAsking();
    const unsigned workOfDivisions = pressure.workOfDivisions();
    const bool callsInTwo = loops.empty() && pressure.callsInTwo();
    if (loops.empty() && !callsInTwo && work + workOfDivisions + workOfAsking < longWork)
        return {1, "it computes too little to wait for"};
    if (movesVectors(kernel, pressure, false))
        return {1, "it moves OpenCL vectors"};
    const unsigned carried = pressure.carried();
    const bool asksMuch = loops.empty() && workOfAsking >= work;
    Limits limits = asksMuch ? limitsOfAsking : limitsOf(width, bits);
    const bool computes = pressure.accesses() * workOfAccess <= work;
    if (computes)
        limits.four = std::max(limits.four, fourOfComputing);
    const bool isChain = loops.empty() && pressure.isChain();
    if (isChain)
        limits.four = std::max(limits.four, fourOfChain);
    const bool isDivergent = hasDivergentLoop(kernel, pressure);
    /* In sixteenths, and of one register for each value. */
    auto isTooMuch = [&](unsigned count, unsigned limit) {
        return std::max(pressure.most(count), 1U) * 16 > registers * limit * count ||
               carried * count > registers;
    };
    if (isTooMuch(2, isDivergent ? limits.twoInDivergentLoops : limits.two))
        return {1, "its values need the registers"};
    if (isTooMuch(4, limits.four))
        return {2, "its values need the registers"};
    if (movesVectors(kernel, pressure, true))
        return {2, "it moves OpenCL vectors"};
    if (callsInTwo)
        return {2, "what it calls takes two"};
    if (asksMuch && bits == 512 && workOfAsking > (isChain ? 2 * work : work) + workOfDivisions)
        return {2, "what it asks of lanes needs the mask registers"};
    const bool waits = isDivergent && !(computes && work >= longWork);
    if (waits || (loops.empty() && !asksMuch && !isChain))
        return {2, "it has no loop that all items leave together"};
    if (any_of(instructions(kernel), mayBecomeRegisters))
        return {2, "its private arrays may become registers, too"};
    return {4, "more never paid"};
}

} // namespace weft
