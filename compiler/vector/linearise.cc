// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Partial control-flow linearisation: afterwards all lanes take every branch together, and masks
// say which of them take part. Branches that were uniform stay branches.

#include "norm/called.h"
#include "norm/internals.h"
#include "norm/instructions.h"
#include "norm/packed_dot.h"
#include "norm/simplify.h"
#include "norm/sub_groups.h"
#include "stages/stages.h"
#include "vector/claims.h"
#include "vector/flow.h"
#include "vector/lanes.h"
#include "vector/prepare.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <set>

using namespace llvm;

namespace weft {

namespace {

/** Code cheaper than this runs with masks off rather than being jumped over. */
constexpr unsigned cheap = 16;
constexpr unsigned unsafe = 1u << 20;

/** The code says that hardly ever a lane goes there: by __builtin_expect, as the kernel library's
 * functions do for what usual arguments do not need. */
bool isUnlikely(const BasicBlock &block) {
    return isSeldom(block, 64);
}

/**
 * Masks and PHIs are kept in variables while blocks are rewired, and become values again at the
 * end. Whoever leaves a block adds its lanes to the masks of the blocks that they go to.
 */
class Lineariser {
  public:
    Lineariser(Function &kernel, const Switches &switches)
        : flow(kernel), kernel(kernel), switches(switches), builder(kernel.getContext()) {}

    void run();

  private:
    bool ownsMask(BasicBlock *block) const { return flow.leader(block) == block; }
    bool isHeader(BasicBlock *block) const {
        Loop *loop = flow.loops.getLoopFor(block);
        return loop && loop->getHeader() == block;
    }
    Value *mask(BasicBlock *block) {
        return builder.CreateLoad(builder.getInt1Ty(), masks.lookup(flow.leader(block)));
    }
    bool someLane(BasicBlock *block) const;
    unsigned costOf(const Instruction &instruction) const;
    unsigned weigh(BasicBlock *block);
    AllocaInst *variable(Type *type, const Twine &name);
    void makeMasks();
    void reset(BasicBlock *block, Constant *value, AllocaInst *slot);
    void leaveTo(BasicBlock &block);
    void followLanes();
    void addLanes(BasicBlock &block, BasicBlock *next, Value *edge);
    void maskAccesses(BasicBlock &block);
    void guardDivision(Instruction &division);
    void guardCalled(CallInst &call);
    void makeGuards();
    void demotePhis();
    void rewireTogether(unsigned number, BranchInst &branch);
    void rewireParting(unsigned number, BranchInst &branch);
    void rewireBlock(unsigned number);
    void rewire();
    void rewireLatch(unsigned number, Loop &loop);
    void rewireGuard(unsigned number);
    void awaitExits(unsigned number, const Loop &loop);
    BasicBlock *target(const std::set<unsigned> &pending);
    Value *lanesThatChange(Instruction &work, Value *lanes);

    Flow flow;
    Function &kernel;
    const Switches &switches;
    IRBuilder<> builder;
    SetVector<AllocaInst *> variables;
    MapVector<BasicBlock *, AllocaInst *> masks; /* by leader */
    MapVector<PHINode *, AllocaInst *> phis;     /* that become blends */
    DenseMap<BasicBlock *, BasicBlock *> guards; /* block -> its guard */
    SmallPtrSet<const BasicBlock *, 8> unlikely; /* of these */
    DenseMap<BasicBlock *, SmallVector<PHINode *, 4>> phisOf;
    DenseMap<BasicBlock *, unsigned> weights; /* of all that a block dominates */
    DenseMap<std::pair<BasicBlock *, BasicBlock *>, Value *> edges;
    std::vector<std::set<unsigned>> pending; /* blocks that lanes wait for, by number */
};

AllocaInst *Lineariser::variable(Type *type, const Twine &name) {
    IRBuilder<> entry(&kernel.getEntryBlock(), kernel.getEntryBlock().begin());
    variables.insert(entry.CreateAlloca(type, nullptr, name));
    return variables.back();
}

/** A variable of `block` starts anew in each trip of the loop around it. */
void Lineariser::reset(BasicBlock *block, Constant *value, AllocaInst *slot) {
    Loop *loop = flow.loops.getLoopFor(block);
    if (isHeader(block))
        loop = loop->getParentLoop();
    BasicBlock *start = loop ? loop->getHeader() : &kernel.getEntryBlock();
    BasicBlock::iterator at = start->getFirstInsertionPt();
    while (isa<AllocaInst>(*at))
        at++;
    builder.SetInsertPoint(start, at);
    builder.CreateStore(value, slot);
}

/* ---- what a block costs ---------------------------------------------------------------------- */

unsigned Lineariser::costOf(const Instruction &instruction) const {
    if (isa<PHINode, AllocaInst, GetElementPtrInst, DbgInfoIntrinsic>(instruction) ||
        instruction.isTerminator() || instruction.isCast())
        return 0;
    if (isOrdered(instruction) || isa<FenceInst>(instruction))
        return unsafe;
    if (const Value *pointer = getLoadStorePointerOperand(&instruction))
        return flow.divergence.isUniform(*pointer) ? unsafe : 3;
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
        if (call->mayReadOrWriteMemory() && !isa<LifetimeIntrinsic, NoAliasScopeDeclInst>(call))
            return unsafe;
        return needsLanes(instruction)                     ? unsafe
               : Called::of(instruction)                   ? cheap
               : isa<IntrinsicInst>(call)                  ? 2
               : isPackedDot(instruction)                  ? 4
               : isNamedInstruction(instruction)           ? 2
               : internalOf(instruction) == Internal::None ? unsafe
                                                           : 0;
    }
    if (instruction.isIntDivRem())
        return cheap;
    return instruction.getOpcode() == Instruction::FDiv ? 4 : 1;
}

unsigned Lineariser::weigh(BasicBlock *block) {
    uint64_t weight = isHeader(block) ? unsafe : 0;
    for (const Instruction &instruction : *block)
        weight += costOf(instruction);
    for (DomTreeNode *child : flow.tree.getNode(block)->children())
        weight += weights.lookup(child->getBlock());
    return weights[block] = static_cast<unsigned>(std::min<uint64_t>(weight, unsafe));
}

void Lineariser::makeGuards() {
    for (BasicBlock *block : reverse(flow.order))
        weigh(block);
    for (BasicBlock *block : flow.order)
        if (ownsMask(block) && !isHeader(block) && block != &kernel.getEntryBlock() &&
            (weights[block] >= cheap || isUnlikely(*block))) {
            auto *guard = BasicBlock::Create(kernel.getContext(), block->getName() + ".guard",
                                             &kernel, block);
            guards[block] = guard;
            if (isUnlikely(*block))
                unlikely.insert(block);
        }
}

/** At least one lane is there whenever the block runs. */
bool Lineariser::someLane(BasicBlock *block) const {
    BasicBlock *leader = flow.leader(block);
    return leader == &kernel.getEntryBlock() || guards.count(leader) || isHeader(leader);
}

/* ---- masks ----------------------------------------------------------------------------------- */

void Lineariser::makeMasks() {
    for (BasicBlock *block : flow.order)
        if (ownsMask(block))
            masks[block] = variable(builder.getInt1Ty(), block->getName() + ".mask");
    for (auto &[block, slot] : masks)
        if (block != &kernel.getEntryBlock())
            reset(block, builder.getFalse(), slot);
    builder.SetInsertPoint(&kernel.getEntryBlock(),
                           variables.back()->getParent()->getFirstNonPHIOrDbgOrAlloca());
    builder.CreateStore(callInternal(builder, Internal::Active), masks[&kernel.getEntryBlock()]);
}

/** PHIs of blocks behind branches that lanes do not take together; headers keep theirs. */
void Lineariser::demotePhis() {
    for (BasicBlock *block : flow.order) {
        if (isHeader(block))
            continue;
        for (PHINode &phi : block->phis()) {
            AllocaInst *slot = variable(phi.getType(), phi.getName() + ".blend");
            phis[&phi] = slot;
            phisOf[block].push_back(&phi);
            reset(block, PoisonValue::get(phi.getType()), slot);
        }
    }
}

/** Lanes go from `block` to `next`, those of `edge` only (null: all of the block's). */
void Lineariser::addLanes(BasicBlock &block, BasicBlock *next, Value *edge) {
    Value *here = nullptr;
    auto lanes = [&] {
        if (!here) {
            here = mask(&block);
            if (edge) /* poison of lanes that are off must not spread */
                here = builder.CreateSelect(here, edge, builder.getFalse());
        }
        return here;
    };
    if (ownsMask(next)) {
        AllocaInst *slot = masks[next];
        if (isHeader(next))
            builder.CreateStore(lanes(), slot);
        else
            builder.CreateStore(
                builder.CreateOr(builder.CreateLoad(builder.getInt1Ty(), slot), lanes()), slot);
    }
    bool together = !edge && flow.leader(&block) == flow.leader(next);
    for (PHINode *phi : phisOf[next]) {
        Value *value = phi->getIncomingValueForBlock(&block);
        AllocaInst *slot = phis[phi];
        if (!together)
            value = builder.CreateSelect(lanes(), value, builder.CreateLoad(phi->getType(), slot));
        builder.CreateStore(value, slot);
    }
}

void Lineariser::leaveTo(BasicBlock &block) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch)
        return;
    builder.SetInsertPoint(branch);
    if (branch->isUnconditional() || !flow.parts(block)) {
        for (BasicBlock *next : successors(&block))
            addLanes(block, next, nullptr);
        return;
    }
    Value *condition = branch->getCondition();
    addLanes(block, branch->getSuccessor(0), condition);
    addLanes(block, branch->getSuccessor(1), builder.CreateNot(condition));
}

/** With checks on: each lane goes its own way beside its masks. */
void Lineariser::followLanes() {
    BasicBlock &entry = kernel.getEntryBlock();
    LaneWalk walk(flow, variable(builder.getInt32Ty(), "lane.at"));
    for (BasicBlock *block : flow.order) {
        builder.SetInsertPoint(block, block->getFirstInsertionPt());
        if (block == &entry) {
            auto *active =
                *find_if(masks[block]->users(), [](User *u) { return isa<StoreInst>(u); });
            builder.SetInsertPoint(cast<Instruction>(active)->getNextNode());
            walk.begin(builder, mask(block), entry);
        }
        walk.arrive(builder, *block, mask(block));
        builder.SetInsertPoint(block->getTerminator());
        walk.leave(builder, *block);
    }
}

/* ---- rewiring -------------------------------------------------------------------------------- */

/** The nearest of the blocks that lanes wait for; it takes over the others. */
BasicBlock *Lineariser::target(const std::set<unsigned> &waiting) {
    unsigned nearest = *waiting.begin();
    pending[nearest].insert(std::next(waiting.begin()), waiting.end());
    BasicBlock *block = flow.order[nearest];
    BasicBlock *guard = guards.lookup(block);
    return guard ? guard : block;
}

void Lineariser::rewireLatch(unsigned number, Loop &loop) {
    Instruction *terminator = flow.order[number]->getTerminator();
    builder.SetInsertPoint(terminator);
    Value *lanes = mask(flow.order[number]);
    Value *some = builder.CreateCall(declareInternal(*kernel.getParent(), Internal::Any), {lanes});
    builder.CreateCondBr(some, loop.getHeader(), target(pending[number]));
    terminator->eraseFromParent();
}

void Lineariser::rewireGuard(unsigned number) {
    BasicBlock *block = flow.order[number];
    BasicBlock *guard = guards.lookup(block);
    if (!guard)
        return;
    builder.SetInsertPoint(guard);
    if (pending[number].empty()) {
        builder.CreateBr(block);
        return;
    }
    Value *some =
        builder.CreateCall(declareInternal(*kernel.getParent(), Internal::Any), {mask(block)});
    MDNode *weights = nullptr;
    if (unlikely.contains(block))
        weights = MDBuilder(kernel.getContext()).createUnlikelyBranchWeights();
    builder.CreateCondBr(some, block, target(pending[number]), weights);
}

/** Lanes that left in an earlier turn wait at any of the exits, whatever way the loop then ends. */
void Lineariser::awaitExits(unsigned number, const Loop &loop) {
    SmallVector<BasicBlock *, 8> exits;
    loop.getExitBlocks(exits);
    for (BasicBlock *exit : exits)
        pending[number].insert(flow.numberOf(exit));
}

/** Lanes stay together: each way leads on by itself, past those that wait for another block. */
void Lineariser::rewireTogether(unsigned number, BranchInst &branch) {
    if (branch.isConditional()) {
        builder.SetInsertPoint(&branch);
        branch.setCondition(builder.CreateCall(declareInternal(*kernel.getParent(), Internal::Same),
                                               {branch.getCondition(), mask(flow.order[number])}));
    }
    for (unsigned index = 0; index < branch.getNumSuccessors(); index++) {
        std::set<unsigned> waiting = pending[number];
        waiting.insert(flow.numberOf(branch.getSuccessor(index)));
        branch.setSuccessor(index, target(waiting));
    }
}

/** Lanes part: all go to the nearest block that some of them want. */
void Lineariser::rewireParting(unsigned number, BranchInst &branch) {
    std::set<unsigned> waiting = pending[number];
    for (BasicBlock *next : branch.successors())
        waiting.insert(flow.numberOf(next));
    builder.SetInsertPoint(&branch);
    builder.CreateBr(target(waiting));
    branch.eraseFromParent();
}

void Lineariser::rewireBlock(unsigned number) {
    BasicBlock *block = flow.order[number];
    rewireGuard(number);
    Loop *loop = flow.loops.getLoopFor(block);
    const bool leavesApart = loop && flow.isDivergent(loop);
    if (leavesApart && loop->getHeader() == block)
        awaitExits(number, *loop);
    const bool isLatch = loop && loop->getLoopLatch() == block;
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (isLatch && leavesApart)
        rewireLatch(number, *loop);
    else if (!branch || isLatch) /* a return, or all lanes go round again */
        return;
    else if (flow.parts(*block))
        rewireParting(number, *branch);
    else
        rewireTogether(number, *branch);
}

void Lineariser::rewire() {
    pending.resize(flow.order.size());
    for (unsigned number = 0; number < flow.order.size(); number++)
        rewireBlock(number);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/** A lane that is off may hold anything: it divides by one. */
void Lineariser::guardDivision(Instruction &division) {
    if (isa<Constant>(division.getOperand(1)) || flow.divergence.isUniform(division))
        return;
    Value *one = ConstantInt::get(division.getType(), 1);
    division.setOperand(
        1, builder.CreateSelect(mask(division.getParent()), division.getOperand(1), one));
}

/** What a lane that is off holds may take the function's rare ways: it asks for something usual. */
void Lineariser::guardCalled(CallInst &call) {
    for (Use &argument : call.args()) {
        if (flow.divergence.isUniform(*argument.get()))
            continue;
        Type *type = argument->getType();
        Constant *usual =
            type->isIntOrIntVectorTy() ? ConstantInt::get(type, 1) : ConstantFP::get(type, 0.5);
        argument.set(builder.CreateSelect(mask(call.getParent()), argument, usual));
    }
}

/** True if the instruction has to be done for one item after the other. */
bool isLaneWork(const Instruction &instruction, const Divergence &divergence) {
    if (isOrdered(instruction))
        return true;
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || internalOf(instruction) != Internal::None)
        return false;
    if (isa<LifetimeIntrinsic, DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(call))
        return false;
    if (call->mayReadOrWriteMemory())
        return true;
    return !isVectorised(*call) && !divergence.isUniform(instruction);
}

void Lineariser::maskAccesses(BasicBlock &block) {
    bool some = someLane(&block);
    for (Instruction &instruction : make_early_inc_range(block)) {
        Value *pointer = getLoadStorePointerOperand(&instruction);
        if (variables.contains(dyn_cast_or_null<AllocaInst>(pointer)))
            continue;
        builder.SetInsertPoint(&instruction);
        if (isa<AssumeInst>(instruction)) {
            instruction.eraseFromParent(); /* it holds for the lanes that are on */
        } else if (needsLanes(instruction)) {
            setLanes(cast<CallBase>(instruction), mask(&block));
        } else if (isLaneWork(instruction, flow.divergence)) {
            CallInst *call =
                createLaneWork(builder, instruction, lanesThatChange(instruction, mask(&block)));
            instruction.replaceAllUsesWith(call);
            call->takeName(&instruction);
            instruction.eraseFromParent();
        } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
            CallInst *call = createLaneLoad(builder, *load, mask(&block), some);
            load->replaceAllUsesWith(call);
            call->takeName(load);
            load->eraseFromParent();
        } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
            createLaneStore(builder, *store, mask(&block), some);
            store->eraseFromParent();
        } else if (instruction.isIntDivRem()) {
            guardDivision(instruction);
        } else if (Called::of(instruction)) {
            guardCalled(cast<CallInst>(instruction));
        }
    }
}

/**
 * A maximum or minimum that is only updated: lanes whose value would not change it have nothing to
 * do. They read it, as the update that leaves it would, which costs a hundredth.
 */
Value *Lineariser::lanesThatChange(Instruction &work, Value *lanes) {
    auto *update = dyn_cast<AtomicRMWInst>(&work);
    if (!update || !update->use_empty() || !update->getType()->isIntegerTy())
        return lanes;
    CmpInst::Predicate changes;
    switch (update->getOperation()) {
    case AtomicRMWInst::Max:
        changes = CmpInst::ICMP_SGT;
        break;
    case AtomicRMWInst::Min:
        changes = CmpInst::ICMP_SLT;
        break;
    case AtomicRMWInst::UMax:
        changes = CmpInst::ICMP_UGT;
        break;
    case AtomicRMWInst::UMin:
        changes = CmpInst::ICMP_ULT;
        break;
    default:
        return lanes;
    }
    LoadInst *load = builder.CreateAlignedLoad(update->getType(), update->getPointerOperand(),
                                               update->getAlign());
    Value *now = createLaneLoad(builder, *load, lanes, someLane(work.getParent()));
    load->eraseFromParent();
    Value *would = builder.CreateICmp(changes, update->getValOperand(), now);
    return builder.CreateSelect(lanes, would, builder.getFalse());
}

/** What is jumped over with all masks off is not defined behind, where nobody asks for it. */
void repairUses(Function &kernel, DominatorTree &tree) {
    for (Instruction &value : instructions(kernel)) {
        SSAUpdater updater;
        bool started = false;
        for (Use &use : make_early_inc_range(value.uses())) {
            if (tree.dominates(&value, use) || !tree.isReachableFromEntry(value.getParent()))
                continue;
            if (!started) {
                updater.Initialize(value.getType(), value.getName());
                updater.AddAvailableValue(&kernel.getEntryBlock(),
                                          PoisonValue::get(value.getType()));
                updater.AddAvailableValue(value.getParent(), &value);
                started = true;
            }
            updater.RewriteUse(use);
        }
    }
}

void Lineariser::run() {
    makeGuards();
    makeMasks();
    demotePhis();
    if (switches.checks)
        followLanes();
    for (BasicBlock *block : flow.order)
        leaveTo(*block);
    // PHIs are read where their block begins; accesses know their block's mask from then on.
    for (auto &[phi, slot] : phis) {
        builder.SetInsertPoint(phi->getParent(), phi->getParent()->getFirstNonPHIIt());
        Value *value = builder.CreateLoad(phi->getType(), slot, phi->getName());
        phi->replaceAllUsesWith(value);
    }
    rewire();
    for (auto &[phi, slot] : phis)
        phi->eraseFromParent();
    for (BasicBlock *block : flow.order)
        maskAccesses(*block);
    for (BasicBlock *block : flow.order)
        if (flow.leader(block) != &kernel.getEntryBlock())
            markPartial(*block);
    DominatorTree tree(kernel);
    PromoteMemToReg(variables.getArrayRef(), tree);
    repairUses(kernel, tree);
}

} // namespace

Error Linearise::run(Module &module) {
    FunctionAnalysisManager &analyses = context.analyses().function;
    FunctionPassManager cleaning;
    cleaning.addPass(EarlyCSEPass());
    cleaning.addPass(InstCombinePass());
    for (Function *kernel : kernelsOf(module)) {
        if (widthOf(*kernel) == 1)
            continue;
        prepareFlow(*kernel, analyses);
        Lineariser(*kernel, context.options.switches).run();
        runAnew(cleaning, *kernel, analyses);
        blendEarly(*kernel);
    }
    return Error::success();
}

} // namespace weft
