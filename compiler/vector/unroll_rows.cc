// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops in which each lane goes along a row of its own, as in `sum += a[row * n + k] * x[k]`: some
// turns become one, so that a lane's elements side by side are loaded at once and transposed
// (vector/bundle.cc, vector/transpose.cc). A gather in each turn would ask for a cache line per
// lane and use one element of each; where rows are a power of two apart, the lines push each other
// out of the cache before the next element is asked for.

#include "norm/simplify.h"
#include "vector/cost.h"
#include "vector/divergence.h"
#include "vector/prepare.h"
#include "vector/shape.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace weft {

namespace {

/** Bytes of a row that are loaded at once. */
constexpr uint64_t rowBytes = 32;
/** Of a loop, before; of all such loops, behind. */
constexpr unsigned maxBody = 60, maxUnrolled = 1000;

class RowLoops {
  public:
    RowLoops(Function &kernel, FunctionAnalysisManager &analyses)
        : kernel(kernel), analyses(analyses), loops(analyses.getResult<LoopAnalysis>(kernel)),
          evolution(analyses.getResult<ScalarEvolutionAnalysis>(kernel)), shapes(kernel),
          divergence(kernel) {}

    /** Innermost loops with the turns that are to become one. */
    SmallVector<std::pair<Loop *, unsigned>, 4> find();
    void unroll(Loop &loop, unsigned count);

  private:
    const SCEVAddRecExpr *alongRow(const Instruction &instruction, const Loop &loop,
                                   bool apart = true);
    uint64_t bytesOf(Type &type) const {
        return kernel.getDataLayout().getTypeStoreSize(&type).getFixedValue();
    }
    bool isForOneItem(Loop &loop);
    unsigned countFor(Loop &loop);
    void countElements(Loop &loop);

    Function &kernel;
    FunctionAnalysisManager &analyses;
    LoopInfo &loops;
    ScalarEvolution &evolution;
    Shapes shapes;
    Divergence divergence;
};

/** The place of a load that goes to the next element in each turn, while lanes are `apart`; null:
 *  it does not. */
const SCEVAddRecExpr *RowLoops::alongRow(const Instruction &instruction, const Loop &loop,
                                         bool apart) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    Type *type = load ? load->getType() : nullptr;
    if (!load || !load->isSimple() || (!type->isIntegerTy() && !type->isFloatingPointTy()))
        return nullptr;
    const uint64_t size = bytesOf(*type);
    const Shape shape = shapes.of(*load->getPointerOperand());
    const bool isApart =
        shape.varies ? !shape.guess : shape.stride > static_cast<int64_t>(rowBytes);
    auto *place =
        dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value *>(load->getPointerOperand())));
    if ((apart && !isApart) || !place || place->getLoop() != &loop || !place->isAffine())
        return nullptr;
    auto *step = dyn_cast<SCEVConstant>(place->getStepRecurrence(evolution));
    return step && step->getAPInt() == size && type->getScalarSizeInBits() == size * 8 ? place
                                                                                       : nullptr;
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
        return !isa<LoadInst>(instruction) || alongRow(instruction, loop, /*apart=*/false) ||
               loop.isLoopInvariant(getLoadStorePointerOperand(&instruction));
    });
}

/** 0: nothing is gained. */
unsigned RowLoops::countFor(Loop &loop) {
    const BasicBlock *block = loop.getHeader();
    if (!loop.isInnermost() || loop.getNumBlocks() != 1 || !loop.isLoopSimplifyForm() ||
        block->size() > maxBody || divergence.isDivergentBranch(*block->getTerminator()) ||
        evolution.getSmallConstantTripCount(&loop) ||
        isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
        return 0;
    uint64_t smallest = 0;
    for (const Instruction &instruction : *block) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (instruction.mayWriteToMemory() || instruction.mayThrow() ||
            (call && (call->isConvergent() || call->cannotDuplicate())))
            return 0;
        if (alongRow(instruction, loop)) {
            const uint64_t size = bytesOf(*instruction.getType());
            smallest = smallest ? std::min(smallest, size) : size;
        }
    }
    if (smallest && isForOneItem(loop))
        return 0;
    return smallest ? static_cast<unsigned>(rowBytes / std::max<uint64_t>(smallest, 2)) : 0;
}

SmallVector<std::pair<Loop *, unsigned>, 4> RowLoops::find() {
    SmallVector<std::pair<Loop *, unsigned>, 4> found;
    size_t size = 0;
    for (Loop *loop : loops.getLoopsInPreorder())
        if (unsigned count = countFor(*loop)) {
            size += count * loop->getHeader()->size();
            if (size <= maxUnrolled)
                found.push_back({loop, count});
        }
    return found;
}

/**
 * The rows' beginnings are found in front of the loop, and elements counted from there in 64 bits:
 * what the program counts in may be narrower, and nobody would see that elements lie side by side.
 */
void RowLoops::countElements(Loop &loop) {
    BasicBlock &block = *loop.getHeader();
    SmallVector<std::pair<LoadInst *, const SCEV *>, 4> rows;
    for (Instruction &instruction : block)
        if (const SCEVAddRecExpr *place = alongRow(instruction, loop))
            rows.push_back({cast<LoadInst>(&instruction), place->getStart()});
    IRBuilder<> builder(&block, block.begin());
    PHINode *index = builder.CreatePHI(builder.getInt64Ty(), 2, "element");
    index->addIncoming(builder.getInt64(0), loop.getLoopPreheader());
    Instruction *end = loop.getLoopPreheader()->getTerminator();
    SCEVExpander expander(evolution, "row");
    for (auto [load, start] : rows) {
        if (!expander.isSafeToExpandAt(start, end))
            continue;
        Value *row = expander.expandCodeFor(start, load->getPointerOperandType(), end);
        builder.SetInsertPoint(load);
        load->setOperand(load->getPointerOperandIndex(),
                         builder.CreateGEP(load->getType(), row, index));
    }
    builder.SetInsertPoint(block.getTerminator());
    index->addIncoming(builder.CreateAdd(index, builder.getInt64(1), "next", true, true), &block);
    evolution.forgetLoop(&loop);
}

void RowLoops::unroll(Loop &loop, unsigned count) {
    countElements(loop);
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
                   /*PreserveLCSSA=*/true, &rest) == LoopUnrollResult::Unmodified)
        return;
    addStringMetadataToLoop(&loop, turnsAtOnceMetadata, count);
    if (rest)
        addStringMetadataToLoop(rest, turnsLeftMetadata, count);
}

} // namespace

/** Loops of one block, with or without rows. */
static bool mayHaveRows(const Function &kernel) {
    return any_of(kernel,
                  [](const BasicBlock &block) { return is_contained(successors(&block), &block); });
}

static void bringIntoForm(Function &kernel, FunctionAnalysisManager &analyses) {
    FunctionPassManager passes;
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    runAnew(passes, kernel, analyses);
}

bool hasRows(Function &kernel, FunctionAnalysisManager &analyses) {
    if (!mayHaveRows(kernel))
        return false;
    bringIntoForm(kernel, analyses);
    const bool found = !RowLoops(kernel, analyses).find().empty();
    analyses.clear(kernel, kernel.getName());
    return found;
}

void unrollRows(Function &kernel, FunctionAnalysisManager &analyses) {
    if (!mayHaveRows(kernel))
        return;
    bringIntoForm(kernel, analyses);
    bool changed = false;
    {
        RowLoops rows(kernel, analyses);
        for (auto [loop, count] : rows.find()) {
            rows.unroll(*loop, count);
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
