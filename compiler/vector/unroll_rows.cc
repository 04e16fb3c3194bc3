// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops in which each lane goes along a row of its own, as in `sum += a[row * n + k] * x[k]`: some
// turns become one, so that a lane's elements side by side are loaded at once and transposed
// (vector/bundle.cc, vector/transpose.cc). A gather in each turn would ask for a cache line per
// lane and use one element of each; where rows are a power of two apart, the lines push each other
// out of the cache before the next element is asked for.

#include "norm/simplify.h"
#include "vector/copy_loop.h"
#include "vector/cost.h"
#include "vector/divergence.h"
#include "vector/prepare.h"
#include "vector/shape.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace weft {

namespace {

/** Bytes of a row that are loaded at once; of a cache line. */
constexpr uint64_t rowBytes = 32, lineBytes = 64;
/** Of a loop, before; of all such loops, behind. */
constexpr unsigned maxBody = 60, maxUnrolledRows = 1000;
/** Of a loop that does little but make rows of rows. */
constexpr unsigned maxTurned = 32;
/** Of what is asked before a loop, of each row. */
constexpr unsigned maxConditions = 4;

/**
 * What must hold for rows to be rows, all of it. (LLVM 22's PredicatedScalarEvolution drops what it
 * takes for implied: that three bits of a counter do not wrap since its 32 bits do not.)
 */
using Conditions = SmallSetVector<const SCEVPredicate *, maxConditions>;

class RowLoops {
  public:
    RowLoops(Function &kernel, FunctionAnalysisManager &analyses)
        : kernel(kernel), analyses(analyses), loops(analyses.getResult<LoopAnalysis>(kernel)),
          evolution(analyses.getResult<ScalarEvolutionAnalysis>(kernel)), shapes(kernel),
          divergence(kernel) {}

    /** Innermost loops. */
    SmallVector<Loop *, 4> find();
    bool turnsRows(const Loop &loop) const;
    bool anyTurnsRows() const {
        return any_of(loops.getLoopsInPreorder(),
                      [this](const Loop *loop) { return turnsRows(*loop); });
    }
    bool onlyTurnsRows() const {
        auto inner = [](const Loop *loop) { return loop->isInnermost(); };
        return all_of(make_filter_range(loops.getLoopsInPreorder(), inner), [this](Loop *loop) {
            return turnsRows(*loop) && loop->getHeader()->size() <= maxTurned;
        });
    }
    void unroll(Loop &loop);

  private:
    using Rows = SmallVector<std::pair<LoadInst *, const SCEV *>, 4>;

    bool isShort(const Loop &loop) const;
    bool isApart(const Value &place) const;
    bool keepsLine(const Value &place, const Loop &loop) const;
    const SCEVAddRecExpr *alongRow(const Instruction &instruction, const Loop &loop,
                                   Conditions *conditions) const;
    uint64_t bytesOf(Type &type) const {
        return kernel.getDataLayout().getTypeStoreSize(&type).getFixedValue();
    }
    bool isForOneItem(Loop &loop);
    unsigned countFor(Loop &loop);
    Rows rowsOf(const Loop &loop, Conditions &conditions) const;
    void askForWraps(Loop &loop, const Conditions &conditions);
    void countElements(Loop &loop, const Rows &rows);

    Function &kernel;
    FunctionAnalysisManager &analyses;
    LoopInfo &loops;
    ScalarEvolution &evolution;
    Shapes shapes;
    Divergence divergence;
};

/** An innermost loop of one block, which all lanes leave together. */
bool RowLoops::isShort(const Loop &loop) const {
    const BasicBlock &block = *loop.getHeader();
    return loop.isInnermost() && loop.getNumBlocks() == 1 && block.size() <= maxBody &&
           !divergence.isDivergentBranch(*block.getTerminator());
}

bool RowLoops::isApart(const Value &place) const {
    const Shape shape = shapes.of(place);
    return shape.varies ? !shape.guess : shape.stride > static_cast<int64_t>(rowBytes);
}

/** Is it a place of the lane's own row, in a buffer, in whose cache line the next turn is too? */
bool RowLoops::keepsLine(const Value &place, const Loop &loop) const {
    if (!isApart(place) || isa<AllocaInst>(getUnderlyingObject(&place)))
        return false;
    auto *along = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value *>(&place)));
    auto *step = along && along->getLoop() == &loop && along->isAffine()
                     ? dyn_cast<SCEVConstant>(along->getStepRecurrence(evolution))
                     : nullptr;
    return step && !step->isZero() && step->getAPInt().abs().ult(lineBytes);
}

/** Does each lane make a row of another one? With as many lanes as fill several registers, and rows
 * a power of two apart, their lines push each other out of the cache before they are full. (Lines
 * that are only read come back sooner than more lanes are worth: a CRC of rows loses a third.) */
bool RowLoops::turnsRows(const Loop &loop) const {
    if (!isShort(loop))
        return false;
    bool reads = false, writes = false;
    for (const Instruction &instruction : *loop.getHeader())
        if (const Value *place = getLoadStorePointerOperand(&instruction))
            (isa<LoadInst>(instruction) ? reads : writes) |= keepsLine(*place, loop);
    return reads && writes;
}

/** The place of a load that goes to the next element in each turn, while lanes are apart, with what
 *  must hold for that; null: it does not. No list of `conditions`: wherever lanes are. */
const SCEVAddRecExpr *RowLoops::alongRow(const Instruction &instruction, const Loop &loop,
                                         Conditions *conditions) const {
    auto *load = dyn_cast<LoadInst>(&instruction);
    Type *type = load ? load->getType() : nullptr;
    if (!load || !load->isSimple() || (!type->isIntegerTy() && !type->isFloatingPointTy()))
        return nullptr;
    const uint64_t size = bytesOf(*type);
    if ((conditions && !isApart(*load->getPointerOperand())) ||
        type->getScalarSizeInBits() != size * 8)
        return nullptr;
    const SCEV *pointer = evolution.getSCEV(const_cast<Value *>(load->getPointerOperand()));
    SmallVector<const SCEVPredicate *, maxConditions> needed;
    const SCEVAddRecExpr *place =
        evolution.convertSCEVToAddRecWithPredicates(pointer, &loop, needed);
    if (!place || place->getLoop() != &loop || !place->isAffine())
        return nullptr;
    auto *step = dyn_cast<SCEVConstant>(place->getStepRecurrence(evolution));
    if (!step || step->getAPInt() != size)
        return nullptr;
    if (conditions)
        conditions->insert_range(needed);
    return place;
}

/**
 * Sums in any order of what lies side by side: LLVM makes vectors of an item's own loop, which
 * needs no transposition, and what stage estimate compares this with is that.
 */
bool RowLoops::isForOneItem(Loop &loop) {
    for (PHINode &phi : loop.getHeader()->phis()) {
        InductionDescriptor induction;
        RecurrenceDescriptor sum;
        if (!InductionDescriptor::isInductionPHI(&phi, &loop, &evolution, induction) &&
            (!RecurrenceDescriptor::isReductionPHI(&phi, &loop, sum, nullptr, nullptr, nullptr,
                                                   &evolution) ||
             sum.hasExactFPMath()))
            return false;
    }
    return all_of(*loop.getHeader(), [&](const Instruction &instruction) {
        return !isa<LoadInst>(instruction) || alongRow(instruction, loop, nullptr) ||
               loop.isLoopInvariant(getLoadStorePointerOperand(&instruction));
    });
}

/** 0: nothing is gained. */
unsigned RowLoops::countFor(Loop &loop) {
    const BasicBlock *block = loop.getHeader();
    if (!isShort(loop) || !loop.isLoopSimplifyForm() ||
        evolution.getSmallConstantTripCount(&loop) ||
        isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
        return 0;
    Conditions conditions;
    uint64_t smallest = 0;
    for (const Instruction &instruction : *block) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (instruction.mayWriteToMemory() || instruction.mayThrow() ||
            (call && (call->isConvergent() || call->cannotDuplicate())))
            return 0;
        if (alongRow(instruction, loop, &conditions)) {
            const uint64_t size = bytesOf(*instruction.getType());
            smallest = smallest ? std::min(smallest, size) : size;
        }
    }
    if (!smallest || conditions.size() > maxConditions || isForOneItem(loop))
        return 0;
    const auto count = static_cast<unsigned>(rowBytes / std::max<uint64_t>(smallest, 2));
    const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
    return most && most <= count ? 0 : count;
}

SmallVector<Loop *, 4> RowLoops::find() {
    SmallVector<Loop *, 4> found;
    size_t size = 0;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        const unsigned count = countFor(*loop);
        size += count * loop->getHeader()->size();
        if (count && size <= maxUnrolledRows)
            found.push_back(loop);
    }
    return found;
}

/**
 * Indices that may wrap, as those of uint: whether they do is asked in front of the loop, and lanes
 * whose do take a copy of it as it was.
 */
void RowLoops::askForWraps(Loop &loop, const Conditions &conditions) {
    if (conditions.empty())
        return;
    Instruction *end = loop.getLoopPreheader()->getTerminator();
    SCEVExpander expander(evolution, "wraps");
    IRBuilder<> builder(end);
    Value *wraps = builder.getFalse();
    for (const SCEVPredicate *condition : conditions)
        wraps = builder.CreateOr(wraps, expander.expandCodeForPredicate(condition, end));
    SmallVector<BasicBlock *, 2> blocks;
    copyLoop(loop, *builder.CreateNot(wraps), ".wraps", loops,
             analyses.getResult<DominatorTreeAnalysis>(kernel), blocks);
    evolution.forgetAllLoops(); /* what leaves the loop comes from one of two now */
}

/** The loads that go along rows, with where these begin. */
RowLoops::Rows RowLoops::rowsOf(const Loop &loop, Conditions &conditions) const {
    Rows rows;
    for (Instruction &instruction : *loop.getHeader())
        if (const SCEVAddRecExpr *place = alongRow(instruction, loop, &conditions))
            rows.push_back({cast<LoadInst>(&instruction), place->getStart()});
    return rows;
}

/**
 * The rows' beginnings are found in front of the loop, and elements counted from there in 64 bits:
 * what the program counts in may be narrower, and nobody would see that elements lie side by side.
 */
void RowLoops::countElements(Loop &loop, const Rows &rows) {
    BasicBlock &block = *loop.getHeader();
    IRBuilder<> builder(&block, block.begin());
    PHINode *index = builder.CreatePHI(builder.getInt64Ty(), 2, "element");
    index->addIncoming(builder.getInt64(0), loop.getLoopPreheader());
    Instruction *end = loop.getLoopPreheader()->getTerminator();
    SCEVExpander expander(evolution, "row");
    for (auto [load, start] : rows) {
        if (!expander.isSafeToExpandAt(start, end))
            continue;
        Value *first = expander.expandCodeFor(start, load->getPointerOperandType(), end);
        builder.SetInsertPoint(load);
        load->setOperand(load->getPointerOperandIndex(),
                         builder.CreateGEP(load->getType(), first, index));
    }
    builder.SetInsertPoint(block.getTerminator());
    index->addIncoming(builder.CreateAdd(index, builder.getInt64(1), "next", true, true), &block);
    evolution.forgetLoop(&loop);
}

/** What was found of it may be old: where its rows begin may come from a loop that was unrolled. */
void RowLoops::unroll(Loop &loop) {
    const unsigned count = countFor(loop);
    if (!count)
        return;
    Conditions conditions;
    const Rows rows = rowsOf(loop, conditions);
    askForWraps(loop, conditions);
    countElements(loop, rows);
    UnrollLoopOptions options{};
    options.Count = count;
    options.Force = true;
    options.Runtime = true;
    options.AllowExpensiveTripCount = true;
    options.ForgetAllSCEV = true;
    OptimizationRemarkEmitter remarks(&kernel);
    Loop *rest = nullptr;
    if (UnrollLoop(&loop, options, &loops, &evolution,
                   &analyses.getResult<DominatorTreeAnalysis>(kernel),
                   &analyses.getResult<AssumptionAnalysis>(kernel),
                   &analyses.getResult<TargetIRAnalysis>(kernel), &remarks,
                   /*PreserveLCSSA=*/true, &rest) != LoopUnrollResult::PartiallyUnrolled)
        return;
    addStringMetadataToLoop(&loop, turnsAtOnceMetadata, count);
    if (rest)
        addStringMetadataToLoop(rest, turnsLeftMetadata, count);
}

} // namespace

/** Loops of one block that write nothing, or may make rows of rows: quickly seen. */
static bool mayHaveRows(const Function &kernel, bool orTurnThem) {
    return any_of(kernel, [&](const BasicBlock &block) {
        auto loads = [](const Instruction &each) { return isa<LoadInst>(each); };
        auto writes = [](const Instruction &each) { return each.mayWriteToMemory(); };
        return is_contained(successors(&block), &block) && block.size() <= maxBody &&
               (none_of(block, writes) || (orTurnThem && any_of(block, loads)));
    });
}

RowUse useOfRows(Function &kernel, FunctionAnalysisManager &analyses) {
    if (!mayHaveRows(kernel, /*orTurnThem=*/true))
        return RowUse::None;
    bringLoopsIntoForm(kernel, analyses);
    RowLoops rows(kernel, analyses);
    RowUse use = rows.find().empty() ? RowUse::None : RowUse::Some;
    if (rows.anyTurnsRows())
        use = rows.onlyTurnsRows() ? RowUse::OnlyTurned : RowUse::Some;
    analyses.clear(kernel, kernel.getName());
    return use;
}

void unrollRows(Function &kernel, FunctionAnalysisManager &analyses) {
    if (!mayHaveRows(kernel, /*orTurnThem=*/false))
        return;
    bringLoopsIntoForm(kernel, analyses);
    bool changed = false;
    {
        RowLoops rows(kernel, analyses);
        for (Loop *loop : rows.find()) {
            rows.unroll(*loop);
            changed = true;
        }
    }
    analyses.clear(kernel, kernel.getName());
    if (!changed)
        return;
    FunctionPassManager behind;
    behind.addPass(EarlyCSEPass());
    behind.addPass(InstCombinePass());
    behind.addPass(SimplifyCFGPass());
    runAnew(behind, kernel, analyses);
}

} // namespace weft
