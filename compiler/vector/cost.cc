// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/cost.h"

#include "norm/called.h"
#include "norm/half.h"
#include "norm/internals.h"
#include "norm/instructions.h"
#include "norm/packed_dot.h"
#include "vector/divergence.h"
#include "vector/lanes.h"
#include "vector/live.h"
#include "vector/tables.h"
#include "vector/walk.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <cmath>

using namespace llvm;

namespace weft {

namespace {

double cyclesOf(InstructionCost cost) {
    return cost.isValid() ? static_cast<double>(cost.getValue()) : 1;
}

/** A branch that the processor took the wrong way. */
constexpr double mispredictedCycles = 16;
/** A branch that items take as they like, which goes wrong now and then: for each doubling of its
 *  ways. */
constexpr double partingCycles = 6;
/** An atomic operation waits for those before it; in local memory it becomes a plain access. */
constexpr double atomicCycles = 20;
/** The same on a word that all items update, each with the cache line from another thread. */
constexpr double contendedCycles = 100;

/** A load that waits for what the one before it gave, from a cache that is not the nearest. */
constexpr double chaseCycles = 20;

/** For each register too few in a block: what is stored and loaded again. LLVM's allocation splits
 *  most of the values that are alive then (37 of 32 registers wanted: 26 of 32 sums, twice in a
 * turn each), but no value more often than it is used, and hardly any more than twice: where 52 of
 * 16 are wanted, because what was loaded waits in memory anyway, a turn takes 200 cycles more, not
 * 700. Registers below AVX-512 are at most half as long, of which a processor stores twice as many
 * in a cycle, and what is loaded again is an operand (22 and 44 of 16: 10 and 35 stores and as many
 * loads). */
constexpr double spillCycles = 20, shortSpillCycles = 4;
constexpr double mostSpillCycles = 2, mostValueCycles = 4;

/** For each lane of a gather or scatter that the processor takes apart, beyond LLVM's 1: a load of
 *  an item's own code is one of two or three in a cycle. */
constexpr double slowLaneCycles = 1.5;

/** To ask whether all that a mask leaves can be loaded at once (stage ease-masks). */
constexpr int easedCycles = 4;

/** Operations of float of a fused product of halves, or of a double that becomes one
 * (norm/half.cc); conversions between half and float: instructions of F16C, or many of integers, or
 * a call. */
constexpr double toOddCycles = 10, convertCycles = 1, byBitsCycles = 14, byCallCycles = 8;

/** What an operation on half takes where it will be one of float. LLVM's table knows of one
 *  instruction. Nothing: it stays as it is. */
std::optional<double> halfCycles(const Instruction &instruction,
                                 const TargetTransformInfo &target) {
    auto isHalf = [](const Type *type) { return type->getScalarType()->isHalfTy(); };
    const bool fuses = match(&instruction, PatternMatch::m_Intrinsic<Intrinsic::fma>());
    if (!isa<BinaryOperator, FCmpInst, FPTruncInst, SIToFPInst, UIToFPInst, FPToSIInst, FPToUIInst>(
            instruction) &&
        !fuses)
        return std::nullopt;
    unsigned halves = isHalf(instruction.getType());
    for (const Value *operand : instruction.operand_values())
        halves += isHalf(operand->getType()) && !isa<Constant>(operand);
    if (!halves || computesInHalf(*instruction.getFunction()))
        return std::nullopt;
    auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
    const double bits = static_cast<double>(
        target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
    const double registers = std::max(1.0, (vector ? vector->getNumElements() : 1) * 32 / bits);
    const double convert = bits >= 256 ? convertCycles : vector ? byBitsCycles : byCallCycles;
    const bool narrows = isa<FPTruncInst>(instruction) &&
                         instruction.getOperand(0)->getType()->getScalarType()->isDoubleTy();
    double cycles = fuses || narrows ? toOddCycles : 1;
    if (isa<BinaryOperator>(instruction))
        cycles = cyclesOf(target.getArithmeticInstrCost(
                     instruction.getOpcode(), instruction.getType()->getWithNewType(
                                                  Type::getFloatTy(instruction.getContext())))) /
                 registers;
    return registers * (cycles + halves * convert);
}

class Estimate {
  public:
    Estimate(Function &body, bool slowGathers, FunctionAnalysisManager &analyses)
        : body(body), slowGathers(slowGathers), analyses(analyses) {
        if (widthOf(body) == 1)
            items.emplace(body);
    }
    Cost of(Function &function);

  private:
    bool isOneByOne(const Function &function) const { return items && &function == &body; }
    double ofAtomic(const Instruction &instruction, const Value *pointer) const;
    double ofBranch(const Instruction &terminator, const Loop *loop, double turns) const;
    double ownVectors(const Loop &loop, ScalarEvolution &evolution,
                      const TargetTransformInfo &target) const;
    Cost ofInstruction(const Instruction &instruction, const TargetTransformInfo &target);
    Cost ofCall(const CallBase &call, const TargetTransformInfo &target);
    static InstructionCost ofAccess(unsigned opcode, const CallBase &call, Type *type,
                                    unsigned pointer, const TargetTransformInfo &target);
    double turns(const Loop &loop, bool isApart, ScalarEvolution &evolution, Cost &cost) const;
    double shareOfLanes(const BasicBlock &block, const Loop &loop) const;
    DenseMap<const BasicBlock *, double> spills(Function &function) const;

    Function &body;
    const bool slowGathers;
    FunctionAnalysisManager &analyses;
    std::optional<Divergence> items;  /* of a body that runs one at a time */
    DenseMap<Function *, Cost> known; /* of functions that are called */
};

/** Bytes of an access to global or constant memory that is no private variable's. */
double outerBytes(const Value *pointer, const Type *type, const DataLayout &layout) {
    bool isPrivate = isa<AllocaInst>(getUnderlyingObject(pointer));
    unsigned space = pointer->getType()->getScalarType()->getPointerAddressSpace();
    return isPrivate || space == 3 ? 0 : layout.getTypeStoreSize(const_cast<Type *>(type));
}

/** Which lanes have an item: all but in a row's last vector, for which code is made apart. Elements
 *  that lie between those of other lanes have a bit for each, by way of words that have a sign. */
bool isTailMask(const Value *mask) {
    while (true) {
        auto *compare = dyn_cast<ICmpInst>(mask);
        if (isa<ShuffleVectorInst, SExtInst>(mask))
            mask = cast<Instruction>(mask)->getOperand(0);
        else if (compare && compare->getPredicate() == ICmpInst::ICMP_SLT &&
                 match(compare->getOperand(1), PatternMatch::m_Zero()))
            mask = compare->getOperand(0);
        else
            return compare && isa<Constant>(compare->getOperand(0)) &&
                   compare->getPredicate() == ICmpInst::ICMP_ULT;
    }
}

} // namespace

/** Bits of two values, or of one twice, taken from a constant place: LLVM's table makes two shifts
 * and an `or` of it where there is no instruction, but also computes the places, once for each. */
static InstructionCost ofShift(const CallBase &call, const TargetTransformInfo &target) {
    constexpr auto kind = TargetTransformInfo::TCK_RecipThroughput;
    Type *type = call.getType();
    const InstructionCost parts = 3 * target.getArithmeticInstrCost(Instruction::Or, type, kind);
    return std::min(parts, target.getInstructionCost(&call, kind));
}

/**
 * What LLVM's table says of an intrinsic. For arithmetic it is asked about types alone: asked about
 * a call, it first adds up what taking all lanes apart would cost, a tenth of a millisecond for a
 * polynomial's worth of products, and then finds that there is an instruction.
 */
static InstructionCost ofIntrinsic(const CallBase &call, const TargetTransformInfo &target) {
    constexpr auto kind = TargetTransformInfo::TCK_RecipThroughput;
    switch (call.getIntrinsicID()) {
    case Intrinsic::fma:
    case Intrinsic::fabs:
    case Intrinsic::sqrt:
    case Intrinsic::copysign: {
        const SmallVector<Type *, 3> types(call.getFunctionType()->params());
        return target.getIntrinsicInstrCost(
            IntrinsicCostAttributes(call.getIntrinsicID(), call.getType(), types,
                                    cast<FPMathOperator>(call).getFastMathFlags()),
            kind);
    }
    case Intrinsic::fshl:
    case Intrinsic::fshr:
        if (isa<Constant>(call.getArgOperand(2)))
            return ofShift(call, target);
        [[fallthrough]];
    default:
        return target.getInstructionCost(&call, kind);
    }
}

InstructionCost Estimate::ofAccess(unsigned opcode, const CallBase &call, Type *type,
                                   unsigned pointer, const TargetTransformInfo &target) {
    constexpr auto kind = TargetTransformInfo::TCK_RecipThroughput;
    const Align align = call.getParamAlign(pointer).valueOrOne();
    const unsigned space = call.getArgOperand(pointer)->getType()->getPointerAddressSpace();
    const bool isWhole = isTailMask(call.getArgOperand(pointer + 1));
    const bool isEased =
        opcode == Instruction::Load && !target.isLegalMaskedLoad(type, align, space);
    if (!isWhole && !isEased)
        return target.getInstructionCost(&call, kind);
    InstructionCost cost = target.getMemoryOpCost(opcode, type, align, space, kind);
    return isWhole ? cost : cost + easedCycles;
}

static unsigned vectorBits(const TargetTransformInfo &target) {
    return static_cast<unsigned>(
        target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
}

Cost Estimate::ofCall(const CallBase &call, const TargetTransformInfo &target) {
    Cost cost;
    Function *callee = call.getCalledFunction();
    if (const Internal internal = internalOf(call); internal != Internal::None) {
        cost.meetings = internal == Internal::Barrier;
        return cost;
    }
    if (std::optional<Called> called = Called::of(call)) {
        cost.cycles = called->cycles(vectorBits(target));
        return cost;
    }
    if (isPermutation(call)) {
        cost.cycles = 1;
        return cost;
    }
    if (isNamedInstruction(call)) {
        cost.cycles = namedInstructionCycles(call, vectorBits(target));
        return cost;
    }
    if (isPackedDot(call)) {
        cost.cycles = packedDotCycles(call, vectorBits(target));
        return cost;
    }
    if (!callee || (callee->isDeclaration() && !callee->isIntrinsic())) {
        cost.calls = 1;
        return cost;
    }
    if (!callee->isIntrinsic()) {
        // Once each: there may be more ways to a function than anybody can count.
        if (auto found = known.find(callee); found != known.end())
            return found->second;
        known[callee] = cost; /* of a function that calls itself, meanwhile */
        cost = of(*callee);
        return known[callee] = cost;
    }
    const DataLayout &layout = call.getDataLayout();
    Intrinsic::ID intrinsic = call.getIntrinsicID();
    Type *type = call.getType();
    if (intrinsic == Intrinsic::masked_load || intrinsic == Intrinsic::masked_gather)
        cost.loaded = outerBytes(call.getArgOperand(0), type, layout);
    if (intrinsic == Intrinsic::masked_store || intrinsic == Intrinsic::masked_scatter) {
        type = call.getArgOperand(0)->getType();
        cost.stored = outerBytes(call.getArgOperand(1), type, layout);
    }
    cost.cycles = cyclesOf(
        intrinsic == Intrinsic::masked_load    ? ofAccess(Instruction::Load, call, type, 0, target)
        : intrinsic == Intrinsic::masked_store ? ofAccess(Instruction::Store, call, type, 1, target)
                                               : ofIntrinsic(call, target));
    const bool isApart =
        intrinsic == Intrinsic::masked_gather || intrinsic == Intrinsic::masked_scatter;
    if (isApart && slowGathers)
        cost.cycles += slowLaneCycles * cast<FixedVectorType>(type)->getNumElements();
    return cost;
}

/** What is updated atomically, outside of local memory; null: nothing. */
static const Value *updatedPlace(const Instruction &instruction) {
    const Value *place = nullptr;
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        place = update->getPointerOperand();
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        place = exchange->getPointerOperand();
    return place && place->getType()->getPointerAddressSpace() != 3 ? place : nullptr;
}

/** All lanes together update a word once, and maxima only where they change something. */
double Estimate::ofAtomic(const Instruction &instruction, const Value *place) const {
    auto *update = dyn_cast<AtomicRMWInst>(&instruction);
    bool isExtreme = update && update->use_empty() &&
                     (update->getOperation() == AtomicRMWInst::Max ||
                      update->getOperation() == AtomicRMWInst::Min ||
                      update->getOperation() == AtomicRMWInst::UMax ||
                      update->getOperation() == AtomicRMWInst::UMin);
    bool isShared =
        isOneByOne(*instruction.getFunction()) && (isExtreme || items->isUniform(*place));
    return isShared ? contendedCycles : atomicCycles;
}

/** A way out of the loop that is taken: switches have a default that cannot be reached. */
static bool mayLeave(const Loop &loop, const Instruction &terminator) {
    return any_of(successors(&terminator), [&](const BasicBlock *next) {
        return !loop.contains(next) && !isa<UnreachableInst>(next->getTerminator());
    });
}

/** What the end of a block of an item's own code costs when the processor foretells it wrongly:
 *  a loop's exit once, other branches now and then. */
double Estimate::ofBranch(const Instruction &terminator, const Loop *loop, double turns) const {
    if (terminator.getNumSuccessors() < 2 || !isOneByOne(*terminator.getFunction()) ||
        !items->isDivergentBranch(terminator))
        return 0;
    if (loop && mayLeave(*loop, terminator))
        return mispredictedCycles / turns;
    /* A switch that data goes through as it likes is wrong for all ways but one. */
    const double ways = terminator.getNumSuccessors();
    return std::min(partingCycles * std::log2(ways), mispredictedCycles * (1 - 1 / ways));
}

/**
 * How many times as fast the item's own loop becomes by LLVM's vectoriser, in stage optimise: one
 * block that goes along memory and adds up what may be added in any order. 1: not.
 */
double Estimate::ownVectors(const Loop &loop, ScalarEvolution &evolution,
                            const TargetTransformInfo &target) const {
    const BasicBlock *block = loop.getHeader();
    auto *changing = const_cast<Loop *>(&loop);
    if (!loop.isInnermost() || loop.getNumBlocks() != 1 || !loop.isLoopSimplifyForm() ||
        !isOneByOne(*block->getParent()))
        return 1;
    for (const PHINode &phi : block->phis()) {
        InductionDescriptor induction;
        RecurrenceDescriptor sum;
        auto *value = const_cast<PHINode *>(&phi);
        if (!InductionDescriptor::isInductionPHI(value, changing, &evolution, induction) &&
            !RecurrenceDescriptor::isReductionPHI(value, changing, sum, nullptr, nullptr, nullptr,
                                                  &evolution))
            return 1;
    }
    PredicatedScalarEvolution predicated(evolution, *changing);
    unsigned bits = 8;
    for (const Instruction &instruction : *block) {
        if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
            return 1;
        const Value *pointer = getLoadStorePointerOperand(&instruction);
        if (pointer && !loop.isLoopInvariant(pointer) &&
            getPtrStride(predicated, getLoadStoreType(&instruction), const_cast<Value *>(pointer),
                         changing, analyses.getResult<DominatorTreeAnalysis>(body),
                         DenseMap<Value *, const SCEV *>(),
                         /*Assume=*/false, /*ShouldCheckWrap=*/false)
                    .value_or(0) != 1)
            return 1;
        if (!instruction.getType()->isPointerTy() && !instruction.getType()->isVoidTy())
            bits = std::max(bits, instruction.getType()->getScalarSizeInBits());
    }
    if (!analyses.getResult<LoopAccessAnalysis>(body).getInfo(*changing).canVectorizeMemory())
        return 1;
    auto registerBits = target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
    return std::max<double>(1, registerBits.getFixedValue() / bits / 2);
}

Cost Estimate::ofInstruction(const Instruction &instruction, const TargetTransformInfo &target) {
    if (std::optional<double> cycles = halfCycles(instruction, target)) {
        Cost half;
        half.cycles = *cycles;
        return half;
    }
    if (auto *call = dyn_cast<CallBase>(&instruction))
        return ofCall(*call, target);
    Cost cost;
    if (isTailMask(&instruction))
        return cost;
    if (const Value *place = updatedPlace(instruction)) {
        cost.cycles = ofAtomic(instruction, place);
        return cost;
    }
    cost.cycles =
        cyclesOf(target.getInstructionCost(&instruction, TargetTransformInfo::TCK_RecipThroughput));
    if (const Value *pointer = getLoadStorePointerOperand(&instruction)) {
        double bytes =
            outerBytes(pointer, getLoadStoreType(&instruction), instruction.getDataLayout());
        (isa<LoadInst>(instruction) ? cost.loaded : cost.stored) = bytes;
    }
    return cost;
}

/**
 * Lanes that stay in an outer loop for longer are no others than those that do in an inner one, so
 * waiting for the last of them counts once in a nest. Where each may leave after any turn, the
 * last of n does so after 1 + 1/2 + ... + 1/n times as many as one alone.
 */
double Estimate::turns(const Loop &loop, bool isApart, ScalarEvolution &evolution,
                       Cost &cost) const {
    if (unsigned known = evolution.getSmallConstantTripCount(&loop))
        return known;
    cost.guessed = true;
    if (auto count = getOptionalIntLoopAttribute(&loop, turnsAtOnceMetadata))
        return std::max(unknownTurns / *count, 1.0);
    if (getOptionalIntLoopAttribute(&loop, turnsLeftMetadata))
        return 0.5; /* sometimes some, often none */
    auto waitsIn = [&](const Loop &each) {
        return isForAll(each) && !leaveInStep(each, evolution);
    };
    bool waits = waitsIn(loop);
    for (const Loop *outer = loop.getParentLoop(); outer; outer = outer->getParentLoop())
        waits &= !waitsIn(*outer);
    if (!waits || !isApart)
        return waits ? unknownTurnsOfAll : unknownTurns;
    double last = 0;
    for (unsigned lane = 1; lane <= widthOf(body); lane++)
        last += 1.0 / lane;
    return unknownTurns * last;
}

/** What vectors that do not fit into registers cost in each block, once. */
DenseMap<const BasicBlock *, double> Estimate::spills(Function &function) const {
    DenseMap<const BasicBlock *, double> cost;
    if (widthOf(function) == 1)
        return cost;
    auto &target = analyses.getResult<TargetIRAnalysis>(function);
    const auto bits = static_cast<unsigned>(
        target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
    const unsigned registers = registersFor(bits);
    const double each = bits > 256 ? spillCycles : shortSpillCycles;
    for (auto [block, most] :
         registersOfBlocks(function, bits, analyses.getResult<LoopAnalysis>(function)))
        if (most > registers)
            cost[block] = std::min({each * (most - registers), mostValueCycles * most,
                                    mostSpillCycles * static_cast<double>(block->size())});
    return cost;
}

/** In a loop whose lanes go ways of their own some lane takes each of them: how many times as often
 *  as LLVM takes it to run `block` does. */
double Estimate::shareOfLanes(const BasicBlock &block, const Loop &loop) const {
    auto &tree = analyses.getResult<DominatorTreeAnalysis>(body);
    auto &probabilities = analyses.getResult<BranchProbabilityAnalysis>(body);
    double share = 1;
    for (const BasicBlock *at = &block; at != loop.getHeader();) {
        const BasicBlock *before = tree.getNode(at)->getIDom()->getBlock();
        if (at->getSinglePredecessor() == before && asksLanes(*before)) {
            auto *branch = cast<BranchInst>(before->getTerminator());
            bool isNone =
                cast<ICmpInst>(branch->getCondition())->getPredicate() == ICmpInst::ICMP_EQ;
            auto taken = probabilities.getEdgeProbability(before, at);
            if (branch->getSuccessor(isNone) == at && !taken.isZero())
                share *=
                    static_cast<double>(BranchProbability::getDenominator()) / taken.getNumerator();
        }
        at = before;
    }
    return share;
}

/** Turns end by asking for another; behind that, a block may lead back that does nothing. */
static bool asksBehindTurns(const Loop &loop) {
    const BasicBlock *latch = loop.getLoopLatch();
    if (latch && !loop.isLoopExiting(latch) && &latch->front() == latch->getTerminator())
        latch = latch->getSinglePredecessor();
    return latch && loop.isLoopExiting(latch);
}

/** The block that asks whether a loop has a turn at all; null: none does. */
static const BasicBlock *guardOf(const Loop &loop) {
    const BasicBlock *block = asksBehindTurns(loop) ? loop.getLoopPreheader() : nullptr;
    while (block && block->getSingleSuccessor())
        block = block->getSinglePredecessor();
    return block && isa<BranchInst>(block->getTerminator()) ? block : nullptr;
}

/** How often a loop is entered. One of unknown length is taken by LLVM to have no turn half the
 *  time; the lengths that are taken for such loops here are those of loops that have. */
template <typename Frequency>
static double entriesOf(const Loop &loop, bool isKnown, const Frequency &frequency) {
    constexpr double leastShare = 0.3; /* what is rarer is known to be */
    double entries = 0;
    for (const BasicBlock *before : predecessors(loop.getHeader()))
        if (!loop.contains(before))
            entries += frequency(before) / succ_size(before);
    const BasicBlock *guard = isKnown ? nullptr : guardOf(loop);
    const double asked = guard ? frequency(guard) : 0;
    return asked * leastShare < entries ? std::max(asked, entries) : entries;
}

/** Block frequencies with LLVM's guess of each loop's length replaced by what is known of it. */
Cost Estimate::of(Function &function) {
    auto &frequencies = analyses.getResult<BlockFrequencyAnalysis>(function);
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto &target = analyses.getResult<TargetIRAnalysis>(function);
    Cost cost;
    DenseMap<const Loop *, double> scales, lengths, shares;
    const DenseMap<const BasicBlock *, double> spilled = spills(function);
    SmallPtrSet<const Loop *, 4> apart;
    auto frequency = [&](const BasicBlock *block) {
        return static_cast<double>(frequencies.getBlockFreq(block).getFrequency()) /
               static_cast<double>(frequencies.getEntryFreq().getFrequency());
    };
    for (const Loop *loop : loops.getLoopsInPreorder()) {
        const double outer = loop->getParentLoop() ? scales[loop->getParentLoop()] : 1;
        const double entries =
            entriesOf(*loop, evolution.getSmallConstantTripCount(loop), frequency);
        double header = std::max(frequency(loop->getHeader()), 1e-9);
        if (lanesWalkApart(*loop))
            apart.insert(loop);
        lengths[loop] = turns(*loop, apart.count(loop), evolution, cost);
        scales[loop] = outer * std::max(entries, 1e-9) * lengths[loop] / header;
        shares[loop] = 1 / ownVectors(*loop, evolution, target);
    }
    for (BasicBlock &block : function) {
        const Loop *loop = loops.getLoopFor(&block);
        double times = frequency(&block) * (loop ? scales[loop] * shares[loop] : 1);
        if (apart.count(loop))
            times *= shareOfLanes(block, *loop);
        if (loop && loop->getHeader() == &block && chases(*loop))
            cost.cycles += times * chaseCycles;
        cost.cycles += times * ofBranch(*block.getTerminator(), loop, loop ? lengths[loop] : 1);
        cost.cycles += times * spilled.lookup(&block);
        for (const Instruction &instruction : block)
            cost.add(ofInstruction(instruction, target), times);
    }
    return cost;
}

Cost costOf(Function &body, bool slowGathers, FunctionAnalysisManager &analyses) {
    return Estimate(body, slowGathers, analyses).of(body);
}

} // namespace weft
