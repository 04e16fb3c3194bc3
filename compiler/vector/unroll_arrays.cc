// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that go over a private array are unrolled where that makes values of the array's elements:
// an array in memory is stored and loaded for all lanes each time, a value stays in a register.

#include "norm/simplify.h"
#include "vector/live.h"
#include "vector/prepare.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace weft {

namespace {

/** Elements of all arrays together that registers, or some places where these are spilled to, hold:
 *  code that takes more of them out of memory anyway is better with loops. Most arrays are of a
 *  function that was called, for a while. */
constexpr uint64_t maxElements = 128;
/** For each register, elements that a loop carries from turn to turn. (Twice as many: a row of 33
 *  scores takes 0.6 of the time with 32 registers and 1.4 with 16.) */
constexpr uint64_t maxCarried = 2;
/** Operations that all loops together may become: their build takes time in all registers, and
 *  kernels of 5000 do not become wide. */
constexpr uint64_t maxUnrolled = 4000;
constexpr unsigned maxTrips = 64;
/** Nests of loops that deep: a round unrolls their outermost ones. */
constexpr unsigned maxRounds = 4;

class ArrayLoops {
  public:
    ArrayLoops(Function &kernel, unsigned registers, FunctionAnalysisManager &analyses)
        : kernel(kernel), registers(registers), analyses(analyses),
          loops(analyses.getResult<LoopAnalysis>(kernel)),
          evolution(analyses.getResult<ScalarEvolutionAnalysis>(kernel)) {}

    /** Outermost loops whose unrolling makes values of arrays; empty: no array is worth it. */
    SmallVector<Loop *, 4> find();
    bool unroll(Loop &loop);

  private:
    using Needed = SmallSetVector<Loop *, 4>;

    unsigned mostTrips(Loop &loop) { return evolution.getSmallConstantMaxTripCount(&loop); }
    bool becomesConstant(Value &value, Needed &needed, SmallPtrSetImpl<Value *> &seen);
    uint64_t becomesValues(AllocaInst &array, Needed &needed);
    uint64_t sizeUnrolled(const Needed &needed);
    bool isCarried(const AllocaInst &array, const Needed &needed);

    Function &kernel;
    const unsigned registers;
    FunctionAnalysisManager &analyses;
    LoopInfo &loops;
    ScalarEvolution &evolution;
};

/** Barriers are where the program has them: a copy would be another place. */
bool mayBeCopied(const Loop &loop) {
    return all_of(loop.blocks(), [](const BasicBlock *block) {
        return all_of(*block, [](const Instruction &instruction) {
            auto *call = dyn_cast<CallBase>(&instruction);
            return !call || (!call->isConvergent() && !call->cannotDuplicate());
        });
    });
}

/** A constant once each of the loops that are added to `needed` is unrolled. */
bool ArrayLoops::becomesConstant(Value &value, Needed &needed, SmallPtrSetImpl<Value *> &seen) {
    if (isa<Constant>(value))
        return true;
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
        return false;
    if (!seen.insert(&value).second)
        return true;
    if (auto *phi = dyn_cast<PHINode>(instruction); phi && phi->getNumIncomingValues() > 1) {
        Loop *loop = loops.getLoopFor(instruction->getParent());
        if (!loop || loop->getHeader() != instruction->getParent())
            return false;
        unsigned trips = mostTrips(*loop);
        if (!trips || trips > maxTrips || !mayBeCopied(*loop))
            return false;
        needed.insert(loop);
    } else if (auto *load = dyn_cast<LoadInst>(instruction)) {
        auto *table = dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
        if (!table || !table->isConstant() || !table->hasDefinitiveInitializer())
            return false;
    } else if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst, PHINode>(
                   instruction))
        return false;
    return all_of(instruction->operands(),
                  [&](Use &operand) { return becomesConstant(*operand, needed, seen); });
}

/** A whole structure is copied: by its elements, once all else knows where it accesses them. */
bool isCopy(const Instruction &instruction) {
    auto *copy = dyn_cast<MemIntrinsic>(&instruction);
    return copy && !copy->isVolatile() && isa<ConstantInt>(copy->getLength());
}

/** How many elements become values, since unrolling makes constants of all places; 0: not so. */
uint64_t ArrayLoops::becomesValues(AllocaInst &array, Needed &needed) {
    std::optional<TypeSize> size = array.getAllocationSize(kernel.getDataLayout());
    if (!size || !isa<ArrayType, StructType>(array.getAllocatedType()))
        return 0;
    uint64_t elements = 0;
    SmallPtrSet<Value *, 32> seen;
    SmallVector<Instruction *, 8> pointers = {&array};
    while (!pointers.empty()) {
        Instruction *pointer = pointers.pop_back_val();
        for (Use &use : pointer->uses()) {
            auto *user = cast<Instruction>(use.getUser());
            auto *load = dyn_cast<LoadInst>(user);
            auto *store = dyn_cast<StoreInst>(user);
            if (isa<LifetimeIntrinsic>(user) || isCopy(*user))
                continue;
            if ((load && load->isSimple()) ||
                (store && store->isSimple() && use.getOperandNo() == 1)) {
                uint64_t bytes = kernel.getDataLayout().getTypeStoreSize(getLoadStoreType(user));
                elements = std::max(elements, divideCeil(size->getFixedValue(), bytes));
                continue;
            }
            auto *gep = dyn_cast<GetElementPtrInst>(user);
            if (!gep || use.getOperandNo() != 0)
                return 0;
            for (Use &index : gep->indices())
                if (!becomesConstant(*index, needed, seen))
                    return 0;
            pointers.push_back(gep);
        }
    }
    return needed.empty() ? 0 : elements;
}

uint64_t ArrayLoops::sizeUnrolled(const Needed &needed) {
    uint64_t size = 0;
    for (BasicBlock &block : kernel) {
        uint64_t times = 0;
        for (Loop *loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
            if (needed.contains(loop))
                times = std::max<uint64_t>(times, 1) * mostTrips(*loop);
        if (!times)
            continue;
        for (const Instruction &instruction : block) {
            const Value *place = getLoadStorePointerOperand(&instruction);
            /* Accesses of arrays are what disappears. */
            const bool isOfArray = place && isa<AllocaInst>(getUnderlyingObject(place));
            size += times * (isOfArray ? 1 : wideOperations(instruction));
        }
    }
    return size;
}

/** Does a loop that stays one use it in turn after turn? Not one in which it begins. */
bool ArrayLoops::isCarried(const AllocaInst &array, const Needed &needed) {
    SmallVector<const Instruction *, 8> pointers = {&array};
    SmallPtrSet<const Loop *, 4> carrying, beginning;
    while (!pointers.empty()) {
        for (const User *user : pointers.pop_back_val()->users()) {
            auto *instruction = cast<Instruction>(user);
            const bool begins = isa<LifetimeIntrinsic>(instruction); /* or ends, in the same loop */
            for (Loop *loop = loops.getLoopFor(instruction->getParent()); loop;
                 loop = loop->getParentLoop())
                if (begins)
                    beginning.insert(loop);
                else if (!needed.contains(loop))
                    carrying.insert(loop);
            if (isa<GetElementPtrInst>(instruction))
                pointers.push_back(instruction);
        }
    }
    return any_of(carrying, [&](const Loop *loop) { return !beginning.contains(loop); });
}

SmallVector<Loop *, 4> ArrayLoops::find() {
    Needed needed;
    uint64_t elements = 0, carried = 0;
    SmallVector<std::pair<AllocaInst *, uint64_t>, 8> arrays;
    for (Instruction &instruction : instructions(kernel)) {
        auto *array = dyn_cast<AllocaInst>(&instruction);
        Needed more;
        const uint64_t here = array ? becomesValues(*array, more) : 0;
        if (!here)
            continue;
        Needed all = needed;
        all.insert_range(more);
        if (sizeUnrolled(all) > maxUnrolled) /* perhaps in the next round */
            continue;
        needed = std::move(all);
        elements += here;
        arrays.push_back({array, here});
    }
    for (auto [array, size] : arrays)
        carried += isCarried(*array, needed) ? size : 0;
    SmallVector<Loop *, 4> outermost;
    if (elements > maxElements || carried > maxCarried * registers)
        return outermost;
    for (Loop *loop : needed) {
        bool isInner = false;
        for (Loop *outer = loop->getParentLoop(); outer; outer = outer->getParentLoop())
            isInner |= needed.contains(outer);
        if (!isInner && evolution.getSmallConstantTripCount(loop))
            outermost.push_back(loop);
    }
    return outermost;
}

bool ArrayLoops::unroll(Loop &loop) {
    UnrollLoopOptions options{};
    options.Count = evolution.getSmallConstantTripCount(&loop);
    if (!options.Count) /* another loop's unrolling has made it unknown */
        return false;
    options.Force = true;
    options.ForgetAllSCEV = true;
    OptimizationRemarkEmitter remarks(&kernel);
    return UnrollLoop(&loop, options, &loops, &evolution,
                      &analyses.getResult<DominatorTreeAnalysis>(kernel),
                      &analyses.getResult<AssumptionAnalysis>(kernel),
                      &analyses.getResult<TargetIRAnalysis>(kernel), &remarks,
                      /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
}

} // namespace

void unrollForArrays(Function &kernel, unsigned vectorBits, FunctionAnalysisManager &analyses) {
    FunctionPassManager behind;
    behind.addPass(SROAPass(SROAOptions::ModifyCFG));
    behind.addPass(EarlyCSEPass());
    behind.addPass(InstCombinePass());
    behind.addPass(SimplifyCFGPass());
    for (unsigned round = 0; round < maxRounds; round++) {
        if (none_of(instructions(kernel),
                    [](const Instruction &each) { return isa<AllocaInst>(each); }))
            return;
        bringLoopsIntoForm(kernel, analyses);
        ArrayLoops arrays(kernel, registersFor(vectorBits), analyses);
        bool changed = false;
        for (Loop *loop : arrays.find())
            changed |= arrays.unroll(*loop);
        if (!changed)
            break;
        runAnew(behind, kernel, analyses);
    }
    analyses.clear(kernel, kernel.getName());
}

} // namespace weft
