// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector/prepare.h"
#include "norm/called.h"
#include "norm/instructions.h"
#include "norm/packed_dot.h"
#include "stages/pipeline.h"
#include "vector/lanes.h"
#include "vector/waits.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Transforms/Utils/BreakCriticalEdges.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace weft {

/** Larger kernels run one item at a time: building them must end. */
static constexpr unsigned maxBlocks = 1000, maxInstructions = 15000;

bool isVectorised(const CallBase &call) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
    if (Called::of(call) || isNamedInstruction(call) || isPackedDot(call))
        return true;
    return intrinsic && !call.getType()->isStructTy() &&
           isTriviallyVectorizable(intrinsic->getIntrinsicID());
}

/** All ways out lead to one return; code that ends an item otherwise ends it there. */
static void mergeReturns(Function &kernel) {
    SmallVector<Instruction *, 8> ends;
    for (BasicBlock &block : kernel)
        if (isa<ReturnInst, UnreachableInst>(block.getTerminator()))
            ends.push_back(block.getTerminator());
    if (ends.size() == 1 && isa<ReturnInst>(ends[0]) && ends[0]->getParent()->size() == 1)
        return;
    auto *end = BasicBlock::Create(kernel.getContext(), "end", &kernel);
    ReturnInst::Create(kernel.getContext(), end);
    for (Instruction *terminator : ends) {
        BranchInst::Create(end, terminator->getIterator());
        terminator->eraseFromParent();
    }
}

/** LowerSwitch makes a tree of comparisons and forgets how often each way is taken. */
static constexpr uint64_t likelyShare = 8;

/** Puts the likeliest case of a switch in front of it; false: none is taken once in eight times. */
static bool peelLikeliest(SwitchInst &choice) {
    uint64_t all = 0, most = 0;
    SwitchInst::CaseIt likeliest = choice.case_end();
    {
        SwitchInstProfUpdateWrapper weights(choice);
        for (unsigned way = 0; way < choice.getNumSuccessors(); way++)
            all += weights.getSuccessorWeight(way).value_or(0);
        for (auto at = choice.case_begin(); at != choice.case_end(); at++) {
            uint64_t weight = weights.getSuccessorWeight(at->getSuccessorIndex()).value_or(0);
            if (weight > most) {
                most = weight;
                likeliest = at;
            }
        }
    }
    if (!most || most < all / likelyShare)
        return false;
    BasicBlock *block = choice.getParent(), *next = likeliest->getCaseSuccessor();
    BasicBlock *rest = block->splitBasicBlock(choice.getIterator(), block->getName() + ".rest");
    IRBuilder<> builder(block->getTerminator());
    Value *isIt = builder.CreateICmpEQ(choice.getCondition(), likeliest->getCaseValue());
    Instruction *branch = builder.CreateCondBr(isIt, next, rest);
    setFittedBranchWeights(*branch, {most, all - most}, /*IsExpected=*/false);
    block->getTerminator()->eraseFromParent();
    for (PHINode &phi : next->phis())
        phi.setIncomingBlock(static_cast<unsigned>(phi.getBasicBlockIndex(rest)), block);
    SwitchInstProfUpdateWrapper(choice).removeCase(likeliest);
    return true;
}

static void peelLikelyCases(Function &kernel) {
    for (BasicBlock &block : make_early_inc_range(kernel))
        if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator()))
            while (choice->getNumCases() && peelLikeliest(*choice)) {
            }
}

void gatherVariables(Function &kernel) {
    BasicBlock &entry = kernel.getEntryBlock();
    for (Instruction &instruction : make_early_inc_range(entry)) {
        auto *variable = dyn_cast<AllocaInst>(&instruction);
        if (variable && variable->isStaticAlloca())
            variable->moveBefore(entry, entry.begin());
    }
}

void prepareFlow(Function &kernel, FunctionAnalysisManager &analyses) {
    gatherVariables(kernel);
    mergeReturns(kernel);
    peelLikelyCases(kernel);
    FunctionPassManager passes;
    passes.addPass(LowerSwitchPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(BreakCriticalEdgesPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    passes.run(kernel, analyses);
    analyses.clear(kernel, kernel.getName());
}

/* ---- what cannot be made wide ---------------------------------------------------------------- */

static bool isAggregateUse(const Instruction &instruction) {
    if (isa<ExtractValueInst, InsertValueInst>(instruction) || isa<CallBase>(instruction) ||
        isa<AtomicCmpXchgInst>(instruction))
        return false;
    if (instruction.getType()->isAggregateType())
        return true;
    auto *store = dyn_cast<StoreInst>(&instruction);
    return store && store->getValueOperand()->getType()->isAggregateType();
}

/** What a load has or a store takes, else what the instruction gives. */
static Type *typeOf(const Instruction &instruction) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    return store ? store->getValueOperand()->getType() : instruction.getType();
}

uint64_t wideOperations(const Instruction &instruction) {
    auto *vector = dyn_cast<FixedVectorType>(typeOf(instruction));
    const uint64_t elements = vector ? vector->getNumElements() : 1;
    return isa<LoadInst, StoreInst>(instruction) && elements > 4 ? elements * elements : elements;
}

/**
 * About how many instructions of one register the wide kernel has. Code generation takes some 30
 * microseconds for each, and far more for what becomes a branch for each lane where a target lacks
 * masked accesses: before AVX-512 most, with it scatters of bytes and 16-bit words.
 * (Measured for RC4, 260 of each in a kernel, at 16 lanes: 30 s of code generation; one item at a
 * time 0.3 s.)
 */
static uint64_t wideSize(const Function &kernel, unsigned perAccess, unsigned perNarrow) {
    constexpr unsigned perMove = 3; /* an element that is moved takes as long as three operations */
    uint64_t size = 0;
    for (const Instruction &instruction : instructions(kernel)) {
        const Type *type = typeOf(instruction);
        if (!isa<LoadInst, StoreInst>(instruction))
            size += wideOperations(instruction);
        else
            size += perMove * wideOperations(instruction) +
                    (type->getScalarSizeInBits() < 32 && !type->isPtrOrPtrVectorTy() ? perNarrow
                                                                                     : perAccess);
    }
    return size;
}

static constexpr const char *waits =
    "a loop waits for what an atomic or volatile access gives, so items may wait for each other";

static const char *whyNotLoops(const LoopInfo &loops, const PostDominatorTree &after) {
    for (const Loop *loop : loops.getLoopsInPreorder()) {
        if (loop->hasNoExitBlocks())
            return "it has an endless loop";
        if (!isRetryLoop(*loop, loops) && mayWait(*loop, after))
            return waits;
    }
    return nullptr;
}

/** Lanes of long OpenCL vectors would be taken apart and put together again for each access. */
bool hasLongVectors(const Function &kernel) {
    unsigned longer = 0, all = 0;
    for (const Instruction &instruction : instructions(kernel)) {
        if (!isa<LoadInst, StoreInst>(instruction))
            continue;
        auto *vector = dyn_cast<FixedVectorType>(getLoadStoreType(&instruction));
        longer += vector && vector->getNumElements() >= 8;
        all++;
    }
    return longer * 2 > all;
}

/** A loop, or a kernel without loops, that does at least so much more than updates is made wide. */
static constexpr unsigned perUpdate = 16;

/** Place of an update by one instruction. */
static const Value *placeOf(const Instruction &instruction) {
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        return update->getPointerOperand();
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        return exchange->getPointerOperand();
    return nullptr;
}

/** Nobody waits for it, and in local memory it becomes a load and a store: what lanes take for one
 *  after the other is little, and all else is done by vectors. Stage estimate compares. */
static bool becomesPlain(const Instruction &instruction) {
    auto *update = dyn_cast<AtomicRMWInst>(&instruction);
    return update && update->use_empty() && update->getPointerAddressSpace() == 3;
}

/** Retry loops, each of which is an update. */
class Retries {
  public:
    explicit Retries(Function &kernel) : tree(kernel), loops(tree) {
        for (const Loop *loop : loops.getLoopsInPreorder())
            if (isRetryLoop(*loop, loops))
                found.push_back(loop);
    }

    bool isIn(const BasicBlock &block) const {
        return any_of(found, [&](const Loop *retry) { return retry->contains(&block); });
    }
    /** It comes in each turn; a kernel without other loops takes one turn. */
    bool isAlways(const Loop &retry, const Loop *loop) const {
        auto *latch = loop ? loop->getLoopLatch() : nullptr;
        return loop ? latch && tree.dominates(retry.getHeader(), latch) : true;
    }

    const DominatorTree tree;
    const LoopInfo loops;
    SmallVector<const Loop *, 4> found;
};

/** Retry loops in a loop, or in a kernel that has no other, do most of what is done there. */
static bool retriesOnly(Function &kernel, const Retries &retries, const Loop *loop) {
    unsigned updates = 0, all = 0;
    for (const Loop *retry : retries.found)
        updates += (!loop || loop->contains(retry)) && retries.isAlways(*retry, loop);
    for (const BasicBlock &block : kernel)
        if ((!loop || loop->contains(&block)) && !retries.isIn(block))
            all += static_cast<unsigned>(block.size());
    return all < updates * perUpdate;
}

bool countsInLoop(Function &kernel) {
    Retries retries(kernel);
    const LoopInfo &loops = retries.loops;
    bool hasOthers = false;
    for (const Loop *loop : loops.getLoopsInPreorder()) {
        unsigned updates = 0, all = 0;
        if (is_contained(retries.found, loop))
            continue;
        hasOthers = true;
        for (const BasicBlock *block : loop->blocks())
            for (const Instruction &instruction : *block) {
                const Value *place = placeOf(instruction);
                updates += place && !loop->isLoopInvariant(place) && !becomesPlain(instruction);
                all++;
            }
        if (all < updates * perUpdate || retriesOnly(kernel, retries, loop))
            return true;
    }
    return !hasOthers && retriesOnly(kernel, retries, nullptr);
}

bool isLongerThanWide(const Function &kernel) {
    return kernel.size() > maxBlocks || isGiant(kernel);
}

/** What only moves elements of constant places disappears where lanes become vectors. */
static uint64_t movedElements(const Function &kernel) {
    uint64_t size = 0;
    for (const Instruction &instruction : instructions(kernel)) {
        auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
        const uint64_t elements = vector ? vector->getNumElements() : 1;
        if (isa<InsertElementInst, ExtractElementInst, ShuffleVectorInst>(instruction))
            size += elements;
    }
    return size;
}

bool isTooLarge(Function &kernel, unsigned width, unsigned vectorBits,
                FunctionAnalysisManager &analyses) {
    unsigned perNarrow = vectorBits >= 256 ? 6 * width : 12 * width;
    unsigned perAccess = vectorBits == 512 ? 0 : perNarrow;
    if (isLongerThanWide(kernel) || kernel.hasFnAttribute(largeAttribute))
        return true;
    uint64_t size = wideSize(kernel, perAccess, perNarrow);
    /* Looked at more closely only where it matters: these are one access with others of the lane,
     * and a loop over lanes where the guess is wrong. */
    if (size <= maxInstructions || vectorBits < 512)
        return size > maxInstructions;
    const uint64_t bundled = countBundledNarrow(kernel, analyses);
    return !bundled || size - movedElements(kernel) - bundled * perNarrow > maxInstructions;
}

const char *whyNotWide(Function &kernel) {
    for (Instruction &instruction : instructions(kernel)) {
        if (isa<IndirectBrInst, CallBrInst, InvokeInst>(instruction))
            return "it has a jump to an address";
        if (isAggregateUse(instruction))
            return "it handles a structure as one value";
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
            if (!variable->isStaticAlloca())
                return "it has a private array whose size is not constant";
    }
    DominatorTree tree(kernel);
    LoopInfo loops(tree);
    // LLVM's FixIrreducible, which would make loops of it, loses values of such flow.
    ReversePostOrderTraversal<const Function *> order(&kernel);
    if (containsIrreducibleCFG<const BasicBlock *>(order, loops))
        return "it has a loop that is entered in several places";
    if (const char *reason = whyNotLoops(loops, PostDominatorTree(kernel)))
        return reason;
    return callsMayWait(kernel) ? waits : nullptr;
}

} // namespace weft
