// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Built-in and user functions become part of the kernels that will be made wide: their code is made
// wide like the kernel's own, so lanes compute what one item alone would.

#include "norm/simplify.h"
#include "norm/size_limit.h"
#include "stages/stages.h"
#include "vector/apart.h"
#include "vector/choices.h"
#include "vector/prepare.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace weft {

namespace {

/** Calls that would make a kernel larger than this stay calls, done lane by lane. */
constexpr unsigned maxInlined = 60000;
/** Calls inside of calls: a function that calls itself is refused later. */
constexpr unsigned maxInlineDepth = 32;

/** The library's functions for the rare case (build/pack.cc), e.g. a pixel of any format: too large
 * to be made wide wherever they are called. */
constexpr StringLiteral apartAttribute = "weft-apart";

/** Calls of what may become part of the kernel. */
SmallVector<CallBase *, 16> callsIn(Function &kernel) {
    SmallVector<CallBase *, 16> calls;
    for (Instruction &instruction : instructions(kernel))
        if (auto *call = dyn_cast<CallBase>(&instruction))
            if (Function *callee = call->getCalledFunction())
                if (!callee->isDeclaration() && callee != &kernel &&
                    !callee->hasFnAttribute(apartAttribute) &&
                    !callee->hasFnAttribute(Attribute::NoInline)) /* printf's, by lane */
                    calls.push_back(call);
    return calls;
}

/** False: the kernel became too large, and some calls were left. */
bool inlineAll(Function &kernel) {
    SizeLimit size(kernel, maxInlined);
    for (unsigned depth = 0; depth < maxInlineDepth; depth++) {
        bool changed = false;
        for (CallBase *call : callsIn(kernel)) {
            if (size.isOver())
                return false;
            const Function &callee = *call->getCalledFunction();
            InlineFunctionInfo info;
            if (!InlineFunction(*call, info, false).isSuccess())
                continue;
            size.add(callee);
            changed = true;
        }
        if (!changed)
            return true;
    }
    return true;
}

/**
 * What a kernel was before functions were inlined into it. A kernel that is too large to be made
 * wide with all of them in it gains nothing from having them: code generation of 85 000
 * instructions instead of 15 000 and some functions took four times as long as everything else
 * together.
 */
class Spare {
  public:
    explicit Spare(Function &kernel) : kernel(kernel) {
        ValueToValueMapTy map;
        copy = CloneFunction(&kernel, map);
        copy->setLinkage(GlobalValue::InternalLinkage);
    }
    Spare(const Spare &) = delete;
    ~Spare() { copy->eraseFromParent(); }

    /** Gives the kernel its code back. Once. */
    void restore() {
        for (BasicBlock &block : kernel)
            block.dropAllReferences();
        while (!kernel.empty())
            kernel.begin()->eraseFromParent();
        kernel.splice(kernel.begin(), copy);
        for (auto [own, others] : zip(kernel.args(), copy->args()))
            others.replaceAllUsesWith(&own);
        kernel.setSubprogram(copy->getSubprogram());
    }

  private:
    Function &kernel;
    Function *copy;
};

/** A kernel of less code is not worth a copy: it becomes no giant. */
constexpr uint64_t worthSparing = 500;

/** Instructions of a kernel and of what it calls, where some of it may count several times. */
uint64_t sizeWithCalls(const Function &kernel) {
    uint64_t size = kernel.getInstructionCount();
    SmallPtrSet<const Function *, 16> seen = {&kernel};
    SmallVector<const Function *, 16> work = {&kernel};
    while (!work.empty())
        for (const Instruction &instruction : instructions(*work.pop_back_val()))
            if (auto *call = dyn_cast<CallBase>(&instruction))
                if (const Function *callee = call->getCalledFunction();
                    callee && seen.insert(callee).second) {
                    size += callee->getInstructionCount();
                    work.push_back(callee);
                }
    return size;
}

/** Simple expressions and loops of one block where they may be. */
void addSimpleLoops(FunctionPassManager &passes) {
    addSimplification(passes);
    LoopPassManager loops;
    loops.addPass(LoopRotatePass());
    loops.addPass(LICMPass(LICMOptions()));
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
}

class UnrollForArraysPass : public PassInfoMixin<UnrollForArraysPass> {
  public:
    explicit UnrollForArraysPass(unsigned vectorBits) : vectorBits(vectorBits) {}
    PreservedAnalyses run(Function &kernel, FunctionAnalysisManager &analyses) {
        unrollForArrays(kernel, vectorBits, analyses);
        return PreservedAnalyses::none();
    }

  private:
    unsigned vectorBits;
};

class CountTurnsPass : public PassInfoMixin<CountTurnsPass> {
  public:
    PreservedAnalyses run(Function &kernel, FunctionAnalysisManager &analyses) {
        countTurns(kernel, analyses);
        return PreservedAnalyses::none();
    }
};

class SelectCasesPass : public PassInfoMixin<SelectCasesPass> {
  public:
    PreservedAnalyses run(Function &kernel, FunctionAnalysisManager &) {
        selectCases(kernel);
        return PreservedAnalyses::none();
    }
};

class ChooseElementsPass : public PassInfoMixin<ChooseElementsPass> {
  public:
    PreservedAnalyses run(Function &kernel, FunctionAnalysisManager &) {
        return chooseElements(kernel) ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
};

/** Whether there may be anything that simplification() finds and stage canonical does not: loops,
 *  cases, private arrays. */
bool hasMoreToSimplify(Function &kernel, FunctionAnalysisManager &analyses) {
    return !analyses.getResult<LoopAnalysis>(kernel).empty() ||
           any_of(instructions(kernel), [](const Instruction &instruction) {
               return isa<AllocaInst, SwitchInst>(instruction);
           });
}

/** Functions of OpenCL C 2.0 take generic pointers. What they are given is known where they are
 *  inlined: above all private arrays, which become values only if nothing generic points to them.
 */
void resolveGenericPointers(Function &kernel, FunctionAnalysisManager &analyses) {
    const bool hasGeneric = any_of(instructions(kernel), [](const Instruction &instruction) {
        return any_of(instruction.operand_values(), [](const Value *operand) {
            auto *type = dyn_cast<PointerType>(operand->getType());
            return type && type->getAddressSpace() == genericAddressSpace;
        });
    });
    if (!hasGeneric)
        return;
    FunctionPassManager passes;
    addInferAddressSpaces(passes);
    runAnew(passes, kernel, analyses);
}

/** Code that gains from buffers that are apart is there twice. */
void copyForApart(Function &kernel, KernelRecord &record, FunctionAnalysisManager &analyses) {
    if (record.args.size() != kernel.arg_size())
        return;
    Apart apart = copyLoopsForApart(kernel, analyses);
    apart |= copyStraightForApart(kernel, analyses);
    record.info.apart = apart.buffers;
    record.info.apart_written = apart.written;
    if (apart.buffers)
        record.remarks.push_back("has code that gains from buffers that do not overlap, besides "
                                 "that for buffers that do");
}

/** Loops of few trips unrolled, so that small private arrays become values; simple expressions. */
FunctionPassManager simplification(unsigned vectorBits) {
    FunctionPassManager passes;
    addSimpleLoops(passes);
    passes.addPass(CountTurnsPass());
    passes.addPass(SelectCasesPass());
    passes.addPass(UnrollForArraysPass(vectorBits));
    addFullUnrolling(passes);
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(ChooseElementsPass());
    passes.addPass(EarlyCSEPass(true));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    return passes;
}

} // namespace

Error InlineLibrary::run(Module &module) {
    FunctionAnalysisManager &analyses = context.analyses().function;
    FunctionPassManager passes = simplification(context.options.vectorBits);
    for (Function *kernel : kernelsOf(module)) {
        bool staysScalar = !context.options.optimise || context.options.switches.width == 1 ||
                           context.options.isBelow(Effort::OneItem);
        if (staysScalar && context.kernel(kernel->getName()).info.reqd_sub_group_size < 2)
            continue;
        if (kernel->hasFnAttribute(largeAttribute)) { /* stage inline-barriers said so */
            runAnew(passes, *kernel, analyses);
            takeExchangesApart(*kernel);
            continue;
        }
        auto spare =
            sizeWithCalls(*kernel) > worthSparing ? std::make_unique<Spare>(*kernel) : nullptr;
        analyses.clear(*kernel, kernel->getName());
        bool isSimple = callsIn(*kernel).empty() && !hasMoreToSimplify(*kernel, analyses);
        bool whole = inlineAll(*kernel);
        resolveGenericPointers(*kernel, analyses);
        if (!isSimple && (whole || !spare)) /* else stage canonical has done all of it */
            runAnew(passes, *kernel, analyses);
        if (!spare || (whole && !isLongerThanWide(*kernel))) {
            KernelRecord &record = context.kernel(kernel->getName());
            if (copyForChoices(*kernel, analyses))
                record.remarks.push_back("is there once for each way of what its arguments choose "
                                         "where it accesses memory");
            copyForApart(*kernel, record, analyses);
            takeExchangesApart(*kernel);
            continue;
        }
        context.kernel(kernel->getName())
            .remarks.push_back(
                "would have " + std::to_string(kernel->getInstructionCount()) +
                (whole ? "" : " or more") +
                " instructions with the functions that it calls in it: they stay functions");
        context.keptFunctions = true;
        spare->restore();
        kernel->addFnAttr(largeAttribute);
        runAnew(passes, *kernel, analyses);
        takeExchangesApart(*kernel);
    }
    return Error::success();
}

} // namespace weft
