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
            if (!isa<Argument, AllocaInst, GlobalVariable>(object) &&
                object->getType()->getPointerAddressSpace() != 3)
                return false;
            accesses.push_back({&instruction, bufferOf(*object)});
        }
    return true;
}

/** At one place in all turns, and back in memory in each since another buffer might be there. */
bool ApartLoops::isKept(const Loop &loop, const Access &access, const Accesses &accesses) {
    Value *place = getLoadStorePointerOperand(access.instruction);
    const bool isLoad = isa<LoadInst>(access.instruction);
    if (!access.buffer || !loop.isLoopInvariant(place))
        return false;
    bool isInDoubt = false;
    for (const Access &other : accesses) {
        if (other.buffer == access.buffer) {
            if (getLoadStorePointerOperand(other.instruction) != place &&
                (!isLoad || isa<StoreInst>(other.instruction)))
                return false;
        } else if (other.buffer && (!isLoad || isa<StoreInst>(other.instruction))) {
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

/** Buffers that were told apart in the next loop; none: it gained nothing, or there is no loop. */
Apart copyNext(Function &kernel, SmallPtrSetImpl<const BasicBlock *> &tried, bool &found,
               FunctionAnalysisManager &analyses) {
    bringLoopsIntoForm(kernel, analyses);
    ApartLoops apart(kernel, analyses);
    Accesses accesses;
    Loop *loop = apart.find(tried, accesses);
    found = loop != nullptr;
    if (!found)
        return {};
    const SmallPtrSet<BasicBlock *, 8> blocks(loop->block_begin(), loop->block_end());
    tried.insert(blocks.begin(), blocks.end());
    CallInst *condition = apart.copy(*loop, tried);
    const Apart buffers = tellApart(kernel.getContext(), accesses);
    SmallVector<WeakTrackingVH, 16> handles;
    for (const Access &access : accesses)
        handles.push_back(access.instruction);
    hoist(kernel, analyses);
    if (hasLeft(handles, blocks))
        return buffers;
    condition->replaceAllUsesWith(ConstantInt::getFalse(kernel.getContext()));
    condition->eraseFromParent();
    return {};
}

/** A store in a loop, or nothing in it would change if buffers were apart. */
bool storesInLoop(const Function &kernel, const LoopInfo &loops) {
    return any_of(kernel, [&](const BasicBlock &block) {
        return loops.getLoopFor(&block) &&
               any_of(block, [](const Instruction &each) { return isa<StoreInst>(each); });
    });
}

} // namespace

const Argument *bufferOf(const Value &pointer) {
    auto *argument = dyn_cast<Argument>(getUnderlyingObject(&pointer, 0));
    return argument && argument->getType()->getPointerAddressSpace() == 1 ? argument : nullptr;
}

bool hasBuffersToTellApart(const Function &kernel) {
    const auto buffers = count_if(kernel.args(), [](const Argument &argument) {
        return argument.getType()->isPointerTy() && bufferOf(argument);
    });
    return buffers > 1 && kernel.arg_size() <= 64;
}

Apart tellApart(LLVMContext &context, ArrayRef<Access> accesses) {
    MDBuilder builder(context);
    MDNode *domain = builder.createAnonymousAliasScopeDomain("weft.buffers");
    MapVector<const Argument *, Metadata *> scopes;
    SmallPtrSet<const Argument *, 8> written;
    for (const Access &access : accesses) {
        if (access.buffer && !scopes.contains(access.buffer))
            scopes[access.buffer] = builder.createAnonymousAliasScope(domain);
        if (access.buffer && isa<StoreInst>(access.instruction))
            written.insert(access.buffer);
    }
    for (const Access &access : accesses) {
        if (!access.buffer)
            continue;
        SmallVector<Metadata *, 8> others;
        for (auto [buffer, scope] : scopes)
            if (buffer != access.buffer &&
                (written.contains(buffer) || written.contains(access.buffer)))
                others.push_back(scope);
        auto add = [&](unsigned kind, ArrayRef<Metadata *> list) {
            access.instruction->setMetadata(
                kind, MDNode::concatenate(access.instruction->getMetadata(kind),
                                          MDNode::get(context, list)));
        };
        add(LLVMContext::MD_alias_scope, scopes[access.buffer]);
        add(LLVMContext::MD_noalias, others);
    }
    Apart apart;
    for (auto [buffer, scope] : scopes) {
        apart.buffers |= uint64_t{1} << buffer->getArgNo();
        apart.written |= uint64_t{written.contains(buffer)} << buffer->getArgNo();
    }
    return apart;
}

Apart copyLoopsForApart(Function &kernel, FunctionAnalysisManager &analyses) {
    if (!hasBuffersToTellApart(kernel) ||
        !storesInLoop(kernel, analyses.getResult<LoopAnalysis>(kernel)))
        return {};
    Apart buffers;
    SmallPtrSet<const BasicBlock *, 16> tried;
    bool found = true, changed = false;
    for (unsigned count = 0; found && count < maxLoops; count++) {
        buffers |= copyNext(kernel, tried, found, analyses);
        changed |= found;
    }
    if (changed) {
        FunctionPassManager passes;
        passes.addPass(SimplifyCFGPass());
        runAnew(passes, kernel, analyses);
    }
    return buffers;
}

} // namespace weft
