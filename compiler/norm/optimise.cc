// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The last stage before code generation: library functions into their callers, then a function
// pipeline like O2's, tuned for build time.

#include "group/item_loop.h"
#include "norm/group_arith.h"
#include "norm/llvm_options.h"
#include "norm/simplify.h"
#include "stages/stages.h"
#include "vector/bodies.h"
#include "vector/lanes.h"
#include "vector/prepare.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

using namespace llvm;

namespace weft {

namespace {

/**
 * LLVM 22's vectoriser gives the masked access of many items the alignment that only those have
 * which make it (one of sixteen integers is aligned to 64 bytes), and such an access faults
 * whatever its mask is. So accesses behind a condition keep what their type has.
 */
struct ForgetAlignment : PassInfoMixin<ForgetAlignment> {
    static PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        const DominatorTree &tree = analyses.getResult<DominatorTreeAnalysis>(function);
        for (const Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
            const BasicBlock *latch = loop->getLoopLatch();
            for (BasicBlock *block : loop->blocks())
                if (!latch || !tree.dominates(block, latch))
                    for (Instruction &instruction : *block)
                        forget(instruction);
        }
        return PreservedAnalyses::all();
    }

  private:
    static void forget(Instruction &instruction) {
        if (!isa<LoadInst, StoreInst>(instruction) || instruction.isAtomic())
            return;
        Align natural = instruction.getDataLayout().getABITypeAlign(getLoadStoreType(&instruction));
        setLoadStoreAlignment(&instruction, std::min(getLoadStoreAlignment(&instruction), natural));
    }
};

/**
 * LLVM 22's vectoriser asks in front of a loop whether what counts in it wraps, and forgets to ask
 * for a narrow counter where it does for a wider one: "does not wrap" of 32 bits is taken to imply
 * the same of 8, as in `a[(uchar)k] + b[first + (uint)k]`. So loops that would need both stay.
 *
 * So do those of many branches: what the vectoriser notes of their accesses and values takes the
 * square of their number, to find that masks cost more than they give. (Measured for 1000 times
 * `else if`: 5.9 s of processor time for the build with them, 2.0 s without.)
 */
struct SpareLoops : PassInfoMixin<SpareLoops> {
    static PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
            if (loop->isInnermost() &&
                (loop->getNumBlocks() > mostBlocks ||
                 (mayNeedSeveral(*loop) &&
                  needsSeveral(*loop, analyses.getResult<ScalarEvolutionAnalysis>(function)))))
                addStringMetadataToLoop(loop, "llvm.loop.isvectorized", 1);
        return PreservedAnalyses::all();
    }

  private:
    static constexpr unsigned mostBlocks = 128;

    /** Quickly seen: there are several of what makes a counter narrower or wider. */
    static bool mayNeedSeveral(const Loop &loop) {
        unsigned count = 0;
        for (const BasicBlock *block : loop.blocks())
            for (const Instruction &instruction : *block)
                count += isa<ZExtInst, SExtInst, TruncInst>(instruction) ||
                         ((instruction.getOpcode() == Instruction::And || instruction.isShift()) &&
                          isa<ConstantInt>(instruction.getOperand(1)));
        return count > 1;
    }

    static bool needsSeveral(const Loop &loop, ScalarEvolution &evolution) {
        SmallVector<const SCEVPredicate *, 4> needed;
        evolution.getPredicatedSymbolicMaxBackedgeTakenCount(&loop, needed);
        for (const BasicBlock *block : loop.blocks())
            for (const Instruction &instruction : *block) {
                const Value *place = getLoadStorePointerOperand(&instruction);
                if (!place && isa<PHINode>(instruction) && instruction.getType()->isIntegerTy())
                    place = &instruction;
                if (place)
                    evolution.convertSCEVToAddRecWithPredicates(
                        evolution.getSCEV(const_cast<Value *>(place)), &loop, needed);
            }
        SmallSet<uint64_t, 2> bits;
        for (const SCEVPredicate *each : needed)
            if (auto *wrap = dyn_cast<SCEVWrapPredicate>(each))
                bits.insert(evolution.getTypeSizeInBits(wrap->getExpr()->getType()));
        return bits.size() > 1;
    }
};

/**
 * LLVM's unswitching, but for loops over rows: whether these have whole vectors, and whether there
 * is a rest, is asked once for a row, and would have a copy of the rest for each answer. (Measured
 * for a kernel of one sum, and for one of a function of mathematics: a fifth of its machine code.)
 * Between barriers rows are few and what is asked shows: there they are not marked.
 */
struct UnswitchItems : PassInfoMixin<UnswitchItems> {
    static PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses,
                                 LoopStandardAnalysisResults &results, LPMUpdater &updater) {
        if (findStringMetadataForLoop(&loop, rowsMetadata))
            return PreservedAnalyses::all();
        return SimpleLoopUnswitchPass(/*NonTrivial=*/true).run(loop, analyses, results, updater);
    }
};

/** What is to be optimised: one item at a time, the same beside a wide body, several items, several
 *  without loops of their own. */
enum class Code { Narrow, Second, Wide, Straight };

Code codeOf(const Function &function) {
    if (function.hasFnAttribute(straightAttribute))
        return Code::Straight;
    if (widthOf(function) > 1)
        return Code::Wide;
    return isSingle(function) || isLone(function) ? Code::Second : Code::Narrow;
}

/**
 * One pass of each kind. Code generation costs ten times what is done here, so nothing runs that
 * makes code larger without need: no peeling, no second vectoriser, and partial unrolling only
 * where there is nothing but one item at a time, which is what vectors are not made of: large
 * programs of integers, such as those of long numbers. Induction variables stay as they are: code
 * generation's strength reduction sees through them. The loops of wide kernels were unrolled before
 * they became wide (stage inline-library), and asking what wide code costs takes a sixth of all
 * time; a second InstCombine finds nothing in them but takes three hundredths; in straight ones the
 * first does not either.
 */
FunctionPassManager functionPasses(Code code) {
    FunctionPassManager passes;
    if (code == Code::Straight) {
        passes.addPass(SROAPass(SROAOptions::ModifyCFG));
        passes.addPass(EarlyCSEPass());
        passes.addPass(SimplifyCFGPass());
    } else {
        addSimplification(passes);
    }
    LoopPassManager invariants;
    invariants.addPass(LoopRotatePass());
    invariants.addPass(LICMPass(LICMOptions()));
    // A region's uniform branches would become masks: rather one loop over items for each way.
    invariants.addPass(UnswitchItems());
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(invariants), /*UseMemorySSA=*/true));
    LoopPassManager counted;
    counted.addPass(LoopDeletionPass());
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(counted)));
    if (code == Code::Narrow || code == Code::Second)
        addFullUnrolling(passes);
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(GVNPass());
    passes.addPass(DSEPass());
    passes.addPass(ForgetAlignment());
    passes.addPass(SpareLoops());
    passes.addPass(LoopVectorizePass(LoopVectorizeOptions(false, false)));
    if (code == Code::Narrow)
        passes.addPass(LoopUnrollPass(
            LoopUnrollOptions(2).setPartial(true).setRuntime(false).setPeeling(false)));
    if (code == Code::Narrow || code == Code::Second)
        passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                       .convertSwitchToLookupTable(true)
                                       .hoistCommonInsts(true)
                                       .sinkCommonInsts(true)));
    passes.addPass(ADCEPass());
    return passes;
}

/**
 * For giants, whose build would otherwise take minutes: vectorising and versioning their loops, and
 * asking for each load which of ten thousand stores it may see, is what takes more than linear
 * time. (Measured for 20 000 statements in one block: 11 s instead of 1 s.)
 */
FunctionPassManager giantPasses() {
    FunctionPassManager passes;
    addSimplification(passes);
    passes.addPass(SimplifyCFGPass());
    passes.addPass(ADCEPass());
    return passes;
}

/** Says so in the build log. */
void remarkGiant(const Function &function, ModuleRecord &record) {
    for (KernelRecord &kernel : record.kernels)
        if (is_contained(kernel.entrySymbol, function.getName()))
            kernel.remarks.push_back("has " + std::to_string(function.getInstructionCount()) +
                                     " instructions: built with less effort");
}

/** The one lane that a constant mask leaves on; none, or several: -1. */
int onlyLane(Value *mask) {
    auto *constant = dyn_cast<Constant>(mask);
    auto *type = cast<VectorType>(mask->getType());
    int found = -1;
    for (unsigned lane = 0; constant && lane < type->getElementCount().getKnownMinValue(); lane++) {
        Constant *element = constant->getAggregateElement(lane);
        if (!element)
            return -1;
        if (element->isNullValue() || isa<UndefValue>(element))
            continue;
        if (found >= 0)
            return -1;
        found = static_cast<int>(lane);
    }
    return found;
}

/**
 * Masked stores of one known lane become plain ones. LLVM 22's code generation does the same, but
 * stores too many bytes where it has made the masked store one that truncates (all that is known
 * about the mask of a vector of two items behind the end of a row: `(int)some_long`).
 */
void storeSingleLanes(Function &function) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
        auto *store = dyn_cast<IntrinsicInst>(&instruction);
        if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
            continue;
        int lane = onlyLane(store->getArgOperand(2));
        if (lane < 0)
            continue;
        IRBuilder<> builder(store);
        Value *value =
            builder.CreateExtractElement(store->getArgOperand(0), static_cast<uint64_t>(lane));
        Value *place = builder.CreateConstGEP1_64(value->getType(), store->getArgOperand(1),
                                                  static_cast<uint64_t>(lane));
        uint64_t bytes = function.getDataLayout().getTypeStoreSize(value->getType());
        Align align = store->getParamAlign(1).valueOrOne();
        builder.CreateAlignedStore(value, place,
                                   commonAlignment(align, bytes * static_cast<uint64_t>(lane)));
        store->eraseFromParent();
    }
}

/**
 * The place of an element that is chosen at run time lies in its vector, whatever it is computed
 * from. Nobody asks for an element at a place that is poison, but passes may have moved the
 * question to where it is: "the last lane that is on" to where none is. LLVM 22's code generation
 * reads the vector from memory then, at a place that it holds for bounded because of what poison
 * promises (bits of `ctlz` of zero), and faults.
 */
void boundPlaces(Function &function) {
    for (Instruction &instruction : instructions(function)) {
        bool extracts = isa<ExtractElementInst>(instruction);
        if (!extracts && !isa<InsertElementInst>(instruction))
            continue;
        Use &place = instruction.getOperandUse(extracts ? 1 : 2);
        if (isa<Constant>(place.get()))
            continue;
        IRBuilder<> builder(&instruction);
        auto *vector = cast<FixedVectorType>(instruction.getOperand(0)->getType());
        unsigned count = vector->getNumElements();
        Value *any = builder.CreateFreeze(place.get());
        Constant *last = ConstantInt::get(any->getType(), count - 1);
        place.set(isPowerOf2_32(count) ? builder.CreateAnd(any, last)
                                       : builder.CreateBinaryIntrinsic(Intrinsic::umin, any, last));
    }
}

void optimiseFunctions(Module &module, StageContext &context) {
    FunctionPassManager own[] = {functionPasses(Code::Narrow), functionPasses(Code::Second),
                                 functionPasses(Code::Wide), functionPasses(Code::Straight)},
                        lean = giantPasses();
    FunctionAnalysisManager &analyses = context.analyses().function;
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        bool giant = isGiant(function);
        if (giant)
            remarkGiant(function, context.record);
        bool least = giant || context.options.isBelow(Effort::Least);
        FunctionPassManager &passes = least ? lean : own[static_cast<int>(codeOf(function))];
        analyses.invalidate(function, passes.run(function, analyses));
        storeSingleLanes(function);
    }
}

/** What it compares is read by ordinary loads, so that the exchange is seen to succeed. */
void forgetOrder(AtomicCmpXchgInst &exchange) {
    Value *value = exchange.getCompareOperand();
    while (isa<BitCastInst>(value))
        value = cast<Instruction>(value)->getOperand(0);
    auto *load = dyn_cast<LoadInst>(value);
    if (!load || load->getPointerOperand() != exchange.getPointerOperand())
        return;
    load->setVolatile(false);
    load->setAtomic(AtomicOrdering::NotAtomic);
}

/**
 * A group runs on one thread, so nobody interferes with its local memory. Not earlier: the stages
 * before must know that items do not run such a sequence at once.
 */
void lowerLocalAtomics(Module &module) {
    for (Function &function : module)
        for (Instruction &instruction : make_early_inc_range(instructions(function))) {
            if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
                if (update->getPointerAddressSpace() == 3)
                    lowerAtomicRMWInst(update);
            } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
                if (exchange->getPointerAddressSpace() == 3) {
                    forgetOrder(*exchange);
                    lowerAtomicCmpXchgInst(exchange);
                }
            }
        }
}

/** The updates that stand for products in what work-group functions share (group_arith.h); LLVM
 *  has none that multiplies. Nobody interferes, as above. */
void lowerProducts(Module &module) {
    for (Function &function : module)
        for (Instruction &instruction : make_early_inc_range(instructions(function))) {
            auto *update = dyn_cast<AtomicRMWInst>(&instruction);
            if (!update || !isProduct(update->getOperation()))
                continue;
            IRBuilder<> builder(update);
            Value *place = update->getPointerOperand(), *by = update->getValOperand();
            Type *type = update->getType();
            Value *before = builder.CreateAlignedLoad(type, place, update->getAlign()), *product;
            if (update->getOperation() == multiplyUpdate) {
                product = builder.CreateMul(before, by);
            } else {
                Type *real = type->isIntegerTy(64)   ? builder.getDoubleTy()
                             : type->isIntegerTy(32) ? builder.getFloatTy()
                                                     : builder.getHalfTy();
                product =
                    builder.CreateBitCast(builder.CreateFMul(builder.CreateBitCast(before, real),
                                                             builder.CreateBitCast(by, real)),
                                          type);
            }
            builder.CreateAlignedStore(product, place, update->getAlign());
            update->replaceAllUsesWith(before);
            update->eraseFromParent();
        }
}

/** True if something is left that could be inlined: most programs have nothing by now. */
bool hasCallees(const Module &module) {
    for (const Function &function : module)
        if (!function.isDeclaration() && function.hasLocalLinkage() &&
            !function.hasFnAttribute(Attribute::NoInline))
            return true;
    return false;
}

/**
 * For LLVM's inliner where kernels would be too large with all functions in them: what is called
 * once or is not long still becomes part of its caller. (Measured for a kernel of SHA-512 that
 * takes 45 s with everything in it: 2.8 s of processor time with thresholds up to 4000, 6 s with
 * this one.)
 */
constexpr int keptThreshold = 12000;

} // namespace

Error Optimise::run(Module &module) {
    Analyses &analyses = context.analyses();
    lowerProducts(module);
    ModulePassManager passes;
    passes.addPass(GlobalDCEPass());
    if (hasCallees(module)) {
        passes.addPass(AlwaysInlinerPass());
        if (context.options.optimise && !context.options.isBelow(Effort::Least))
            passes.addPass(ModuleInlinerWrapperPass(
                context.keptFunctions ? getInlineParams(keptThreshold) : getInlineParams(2, 0)));
        passes.addPass(GlobalDCEPass());
    }
    passes.run(module, analyses.module);
    /* LoopVectorize puts accesses two to eight elements apart together, and takes loops over items,
     * whose turns may run at the same time, for loops without any dependence, also within a turn: a
     * load went in front of the store of what it loads. */
    choose("enable-interleaved-mem-accesses", false);
    if (context.options.optimise) {
        lowerLocalAtomics(module);
        optimiseFunctions(module, context);
        for (Function &function : module)
            keepSelects(function);
    }
    for (Function &function : module)
        boundPlaces(function);
    return Error::success();
}

} // namespace weft
