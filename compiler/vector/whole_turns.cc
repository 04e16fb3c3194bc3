// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `for (i = id; i < n; i += size)`, as groups go over a row: lanes leave such loops within a turn
// of each other, yet each turn has a mask, blends what lanes have that left, and loads under the
// mask. So it is there twice: while all lanes are in it nothing asks for masks; the first turn that
// some lane does not take goes on in the loop as it was.

#include "stages/stages.h"
#include "vector/copy_loop.h"
#include "vector/lanes.h"
#include "vector/walk.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft {

namespace {

/** Longer loops have enough to do beside their masks, and take long to build. */
constexpr unsigned maxInstructions = 200;
/** Of all loops of a kernel that are there twice: what they cost to build. */
constexpr unsigned maxOfAll = 800;

/** A loop that goes on, behind its last block, while `goesOn` holds for some lane of `mask`. */
struct MaskedLoop {
    Loop *loop;
    PHINode *mask;
    Value *goesOn; /* also asked of lanes that have left */
};

/** Instructions of a loop; none: it may not be copied, or is long. */
unsigned sizeOf(const Loop &loop) {
    unsigned size = 0;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &instruction : *block) {
            auto *call = dyn_cast<CallBase>(&instruction);
            if (++size > maxInstructions || isa<AllocaInst>(instruction) ||
                (call && (call->isConvergent() || call->cannotDuplicate())))
                return 0;
        }
    return size;
}

std::optional<MaskedLoop> maskedLoop(Loop &loop, ScalarEvolution &evolution) {
    BasicBlock *latch = loop.getLoopLatch();
    if (!loop.getLoopPreheader() || !latch || !loop.getExitBlock() ||
        loop.getExitingBlock() != latch)
        return std::nullopt;
    Value *mask = nullptr, *goesOn = nullptr;
    auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
    if (!branch || branch->getSuccessor(0) != loop.getHeader() ||
        !match(branch->getCondition(),
               m_SpecificICmp(ICmpInst::ICMP_NE,
                              m_BitCast(m_Select(m_Value(mask), m_Value(goesOn), m_Zero())),
                              m_Zero())))
        return std::nullopt;
    auto *phi = dyn_cast<PHINode>(mask);
    if (!phi || phi->getParent() != loop.getHeader() || !leaveInStep(loop, evolution))
        return std::nullopt;
    return MaskedLoop{&loop, phi, goesOn};
}

/** Whether all lanes are on in a mask. */
Value *areAll(IRBuilderBase &builder, Value *mask) {
    const unsigned lanes = cast<FixedVectorType>(mask->getType())->getNumElements();
    return builder.CreateICmpEQ(builder.CreateBitCast(mask, builder.getIntNTy(lanes)),
                                builder.getInt(APInt::getAllOnes(lanes)));
}

/** What `value` is where `holds` does for all lanes, as far as masks and blends lead there. */
Value *where(Value *value, const Value &holds, const SimplifyQuery &query, unsigned depth = 0) {
    constexpr unsigned deepest = 4;
    if (value == &holds)
        return Constant::getAllOnesValue(value->getType());
    auto *instruction = dyn_cast<Instruction>(value);
    if (depth == deepest || !instruction ||
        !(isa<SelectInst>(instruction) ||
          (isa<BinaryOperator>(instruction) && value->getType()->isIntOrIntVectorTy(1))))
        return value;
    SmallVector<Value *, 3> operands;
    for (Value *operand : instruction->operand_values())
        operands.push_back(where(operand, holds, query, depth + 1));
    Value *simple = simplifyInstructionWithOperands(instruction, operands, query);
    return simple ? simple : value;
}

/** The loop runs while all lanes are in it, and goes on in `rest`, which begins with other values.
 */
void takeWholeTurns(const MaskedLoop &masked, Loop &rest, LoopInfo &loops) {
    Loop &loop = *masked.loop;
    BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
    BasicBlock *exit = loop.getExitBlock();
    auto *parting = BasicBlock::Create(header->getContext(), "parting", header->getParent(), exit);
    if (Loop *around = loop.getParentLoop())
        around->addBasicBlockToLoop(parting, loops);
    auto *any = cast<BranchInst>(latch->getTerminator());
    IRBuilder<> builder(any);
    builder.CreateCondBr(areAll(builder, masked.goesOn), header, parting,
                         MDBuilder(header->getContext()).createLikelyBranchWeights());
    any->moveBefore(*parting, parting->end());
    any->setSuccessor(0, rest.getHeader());
    exit->replacePhiUsesWith(latch, parting);
    for (auto [begun, phi] : zip_equal(rest.getHeader()->phis(), header->phis()))
        begun.addIncoming(phi.getIncomingValueForBlock(latch), parting);
    masked.mask->setIncomingValueForBlock(latch, masked.mask);
    masked.mask->replaceAllUsesWith(Constant::getAllOnesValue(masked.mask->getType()));
    const SimplifyQuery query(header->getDataLayout());
    for (PHINode &phi : header->phis())
        phi.setIncomingValueForBlock(
            latch, where(phi.getIncomingValueForBlock(latch), *masked.goesOn, query));
    masked.mask->eraseFromParent();
}

void copyLoops(Function &kernel, FunctionAnalysisManager &analyses) {
    LoopSimplifyPass().run(kernel, analyses);
    auto &loops = analyses.getResult<LoopAnalysis>(kernel);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(kernel);
    auto &tree = analyses.getResult<DominatorTreeAnalysis>(kernel);
    SmallVector<MaskedLoop, 4> found;
    unsigned left = maxOfAll;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        const unsigned size = loop->isInnermost() ? sizeOf(*loop) : 0;
        if (!size || size > left)
            continue;
        if (std::optional<MaskedLoop> masked = maskedLoop(*loop, evolution)) {
            found.push_back(*masked);
            left -= size;
        }
    }
    for (const MaskedLoop &masked : found) {
        formLCSSA(*masked.loop, tree, &loops, &evolution);
        BasicBlock *before = masked.loop->getLoopPreheader();
        IRBuilder<> builder(before->getTerminator());
        SmallVector<BasicBlock *, 8> copied;
        copyLoop(*masked.loop, *areAll(builder, masked.mask->getIncomingValueForBlock(before)),
                 ".parting", loops, tree, copied);
        takeWholeTurns(masked, *loops.getLoopFor(copied.back()), loops);
        tree.recalculate(kernel);
    }
    analyses.clear(kernel, kernel.getName());
}

} // namespace

Error WholeTurns::run(Module &module) {
    for (Function *kernel : kernelsOf(module))
        if (widthOf(*kernel) > 1 && !isGiant(*kernel))
            copyLoops(*kernel, context.analyses().function);
    return Error::success();
}

} // namespace weft
