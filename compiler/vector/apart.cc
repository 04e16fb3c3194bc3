// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that keep something in memory only because two buffers might be one, as in
// `c[i] += a[i * n + k] * b[k]`: without `restrict`, each turn's store might change what the next
// turn loads. The launch knows whether the buffers overlap, so such a loop is there twice.

#include "vector/apart.h"
#include "norm/internals.h"
#include "norm/simplify.h"
#include "vector/copy_loop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace weft {

namespace {

/** Instructions of a loop, and such loops of a kernel: what they cost to build. */
constexpr size_t maxLoop = 150;
constexpr unsigned maxLoops = 4;

/** An access of a loop's, with the kernel's argument that it goes through. */
struct Access {
    Instruction *instruction;
    const Argument *base; /* null: other memory than buffers */
};

using Accesses = SmallVector<Access, 16>;

class ApartLoops {
  public:
    ApartLoops(Function &kernel, FunctionAnalysisManager &analyses)
        : loops(analyses.getResult<LoopAnalysis>(kernel)),
          tree(analyses.getResult<DominatorTreeAnalysis>(kernel)),
          aliases(analyses.getResult<AAManager>(kernel)) {}

    /** The first loop, outermost ones first, that would keep less in memory; null: none. */
    Loop *find(const SmallPtrSetImpl<const BasicBlock *> &tried, Accesses &accesses);
    /** Has the loop run only where buffers are apart, a copy elsewhere, whose blocks are added to
     *  `copies`. */
    CallInst *copy(Loop &loop, SmallPtrSetImpl<const BasicBlock *> &copies);

  private:
    static bool collect(const Loop &loop, Accesses &accesses);
    bool isKept(const Loop &loop, const Access &access, const Accesses &accesses);

    LoopInfo &loops;
    DominatorTree &tree;
    AAResults &aliases;
};

/** False: something is in the loop that cannot be copied, or about which nothing is known. */
bool ApartLoops::collect(const Loop &loop, Accesses &accesses) {
    size_t size = 0;
    for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block) {
            if (++size > maxLoop)
                return false;
            auto *call = dyn_cast<CallBase>(&instruction);
            if (call && (call->isConvergent() || call->cannotDuplicate()))
                return false;
            if (!instruction.mayReadOrWriteMemory())
                continue;
            if (isa<LifetimeIntrinsic, AssumeInst>(instruction))
                continue;
            auto *load = dyn_cast<LoadInst>(&instruction);
            auto *store = dyn_cast<StoreInst>(&instruction);
            if ((!load || !load->isSimple()) && (!store || !store->isSimple()))
                return false;
            const Value *object = getUnderlyingObject(getLoadStorePointerOperand(&instruction), 0);
            auto *base = dyn_cast<Argument>(object);
            const unsigned space = object->getType()->getPointerAddressSpace();
            if (!base && !isa<AllocaInst, GlobalVariable>(object) && space != 3)
                return false;
            accesses.push_back({&instruction, base && space == 1 ? base : nullptr});
        }
    return true;
}

/** At one place in all turns, and back in memory in each since another buffer might be there. */
bool ApartLoops::isKept(const Loop &loop, const Access &access, const Accesses &accesses) {
    Value *place = getLoadStorePointerOperand(access.instruction);
    const bool isLoad = isa<LoadInst>(access.instruction);
    if (!access.base || !loop.isLoopInvariant(place))
        return false;
    bool isInDoubt = false;
    for (const Access &other : accesses) {
        if (other.base == access.base) {
            if (getLoadStorePointerOperand(other.instruction) != place &&
                (!isLoad || isa<StoreInst>(other.instruction)))
                return false;
        } else if (other.base && (!isLoad || isa<StoreInst>(other.instruction))) {
            isInDoubt |= !aliases.isNoAlias(MemoryLocation::get(access.instruction),
                                            MemoryLocation::get(other.instruction));
        }
    }
    return isInDoubt;
}

Loop *ApartLoops::find(const SmallPtrSetImpl<const BasicBlock *> &tried, Accesses &accesses) {
    for (Loop *loop : loops.getLoopsInPreorder()) {
        accesses.clear();
        if (!tried.contains(loop->getHeader()) && loop->isLoopSimplifyForm() &&
            collect(*loop, accesses) &&
            any_of(accesses, [&](const Access &access) { return isKept(*loop, access, accesses); }))
            return loop;
    }
    return nullptr;
}

CallInst *ApartLoops::copy(Loop &loop, SmallPtrSetImpl<const BasicBlock *> &copies) {
    IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    CallInst *apart = callInternal(builder, Internal::Apart);
    SmallVector<BasicBlock *, 8> blocks;
    copyLoop(loop, *apart, ".overlapping", loops, tree, blocks);
    copies.insert_range(blocks);
    return apart;
}

/** Says of each access that it touches no other buffer than its own. */
void tellApart(LLVMContext &context, const Accesses &accesses) {
    MDBuilder builder(context);
    MDNode *domain = builder.createAnonymousAliasScopeDomain("weft.buffers");
    MapVector<const Argument *, Metadata *> scopes;
    for (const Access &access : accesses)
        if (access.base && !scopes.contains(access.base))
            scopes[access.base] = builder.createAnonymousAliasScope(domain);
    for (const Access &access : accesses) {
        if (!access.base)
            continue;
        SmallVector<Metadata *, 8> others;
        for (auto [base, scope] : scopes)
            if (base != access.base)
                others.push_back(scope);
        auto add = [&](unsigned kind, ArrayRef<Metadata *> list) {
            access.instruction->setMetadata(
                kind, MDNode::concatenate(access.instruction->getMetadata(kind),
                                          MDNode::get(context, list)));
        };
        add(LLVMContext::MD_alias_scope, scopes[access.base]);
        add(LLVMContext::MD_noalias, others);
    }
}

void hoist(Function &kernel, FunctionAnalysisManager &analyses) {
    LoopPassManager loops;
    loops.addPass(LICMPass(LICMOptions()));
    FunctionPassManager passes;
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
    runAnew(passes, kernel, analyses);
}

/** Of accesses that may be gone by now: any that has left the loop. */
bool hasLeft(ArrayRef<WeakTrackingVH> accesses, const SmallPtrSetImpl<BasicBlock *> &blocks) {
    return any_of(accesses, [&](const WeakTrackingVH &access) {
        auto *instruction = dyn_cast_or_null<Instruction>(access);
        return !instruction || !blocks.contains(instruction->getParent());
    });
}

/** Arguments that were told apart in the next loop; 0: it gained nothing, or there is no loop. */
uint64_t copyNext(Function &kernel, SmallPtrSetImpl<const BasicBlock *> &tried, bool &found,
                  FunctionAnalysisManager &analyses) {
    bringLoopsIntoForm(kernel, analyses);
    ApartLoops apart(kernel, analyses);
    Accesses accesses;
    Loop *loop = apart.find(tried, accesses);
    found = loop != nullptr;
    if (!found)
        return 0;
    const SmallPtrSet<BasicBlock *, 8> blocks(loop->block_begin(), loop->block_end());
    tried.insert(blocks.begin(), blocks.end());
    CallInst *condition = apart.copy(*loop, tried);
    tellApart(kernel.getContext(), accesses);
    uint64_t arguments = 0;
    SmallVector<WeakTrackingVH, 16> handles;
    for (const Access &access : accesses) {
        handles.push_back(access.instruction);
        if (access.base)
            arguments |= uint64_t{1} << access.base->getArgNo();
    }
    hoist(kernel, analyses);
    if (hasLeft(handles, blocks))
        return arguments;
    condition->replaceAllUsesWith(ConstantInt::getFalse(kernel.getContext()));
    condition->eraseFromParent();
    return 0;
}

/** Two buffers at least and a store in a loop, or there is nothing to tell apart. */
bool mayBeWorthIt(const Function &kernel, const LoopInfo &loops) {
    const auto buffers = count_if(kernel.args(), [](const Argument &argument) {
        return argument.getType()->isPointerTy() &&
               argument.getType()->getPointerAddressSpace() == 1;
    });
    return buffers > 1 && kernel.arg_size() <= 64 && any_of(kernel, [&](const BasicBlock &block) {
               return loops.getLoopFor(&block) &&
                      any_of(block, [](const Instruction &each) { return isa<StoreInst>(each); });
           });
}

} // namespace

uint64_t copyLoopsForApart(Function &kernel, FunctionAnalysisManager &analyses) {
    if (!mayBeWorthIt(kernel, analyses.getResult<LoopAnalysis>(kernel)))
        return 0;
    uint64_t arguments = 0;
    SmallPtrSet<const BasicBlock *, 16> tried;
    bool found = true, changed = false;
    for (unsigned count = 0; found && count < maxLoops; count++) {
        arguments |= copyNext(kernel, tried, found, analyses);
        changed |= found;
    }
    if (changed) {
        FunctionPassManager passes;
        passes.addPass(SimplifyCFGPass());
        runAnew(passes, kernel, analyses);
    }
    return arguments;
}

} // namespace weft
