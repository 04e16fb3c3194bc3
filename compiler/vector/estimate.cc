// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an item of a kernel costs, roughly, for those who want to know why a kernel is slow: LLVM's
// table of the target's costs, added up over the blocks as often as they are taken to run.

#include "norm/internals.h"
#include "stages.h"
#include "vector/lanes.h"
#include "vector/linear.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace weft {

namespace {

/** Turns of a loop whose length is not known before it runs. */
constexpr double unknownTurns = 16;

/** Per run of the kernel's function, which does one vector of items. */
struct Cost {
    double cycles = 0, loaded = 0, stored = 0, calls = 0; /* bytes of global and constant memory */
    bool guessed = false;                                 /* some loop's length is not known */

    void add(const Cost &other, double times) {
        cycles += other.cycles * times;
        loaded += other.loaded * times;
        stored += other.stored * times;
        calls += other.calls * times;
        guessed |= other.guessed;
    }
};

double cyclesOf(InstructionCost cost) {
    return cost.isValid() ? static_cast<double>(cost.getValue()) : 1;
}

class Estimate {
  public:
    explicit Estimate(FunctionAnalysisManager &analyses) : analyses(analyses) {}
    Cost of(Function &function);

  private:
    Cost ofInstruction(const Instruction &instruction, const TargetTransformInfo &target);
    Cost ofCall(const CallBase &call, const TargetTransformInfo &target);
    static InstructionCost ofAccess(unsigned opcode, const CallBase &call, Type *type,
                                    unsigned pointer, const TargetTransformInfo &target);
    double turns(const Loop &loop, ScalarEvolution &evolution, Cost &cost) const;

    FunctionAnalysisManager &analyses;
    SmallPtrSet<Function *, 8> open; /* being added up: recursion counts once */
};

/** Bytes of an access to global or constant memory that is no private variable's. */
double outerBytes(const Value *pointer, const Type *type, const DataLayout &layout) {
    bool isPrivate = isa<AllocaInst>(getUnderlyingObject(pointer));
    unsigned space = pointer->getType()->getScalarType()->getPointerAddressSpace();
    return isPrivate || space == 3 ? 0 : layout.getTypeStoreSize(const_cast<Type *>(type));
}

/** Which lanes have an item: all but in a row's last vector, for which code is made apart. */
bool isTailMask(const Value *mask) {
    auto *compare = dyn_cast<ICmpInst>(mask);
    return compare && isa<Constant>(compare->getOperand(0)) &&
           compare->getPredicate() == ICmpInst::ICMP_ULT;
}

} // namespace

InstructionCost Estimate::ofAccess(unsigned opcode, const CallBase &call, Type *type,
                                   unsigned pointer, const TargetTransformInfo &target) {
    constexpr auto kind = TargetTransformInfo::TCK_RecipThroughput;
    if (!isTailMask(call.getArgOperand(pointer + 1)))
        return target.getInstructionCost(&call, kind);
    return target.getMemoryOpCost(opcode, type, call.getParamAlign(pointer).valueOrOne(),
                                  call.getArgOperand(pointer)->getType()->getPointerAddressSpace(),
                                  kind);
}

Cost Estimate::ofCall(const CallBase &call, const TargetTransformInfo &target) {
    Cost cost;
    Function *callee = call.getCalledFunction();
    if (internalOf(call) != Internal::None)
        return cost;
    if (!callee || (callee->isDeclaration() && !callee->isIntrinsic())) {
        cost.calls = 1;
        return cost;
    }
    if (!callee->isIntrinsic()) {
        if (open.insert(callee).second) {
            cost = of(*callee);
            open.erase(callee);
        }
        return cost;
    }
    const DataLayout &layout = call.getDataLayout();
    Intrinsic::ID intrinsic = call.getIntrinsicID();
    Type *type = call.getType();
    if (intrinsic == Intrinsic::masked_load || intrinsic == Intrinsic::masked_gather)
        cost.loaded = outerBytes(call.getArgOperand(0), type, layout);
    if (intrinsic == Intrinsic::masked_store || intrinsic == Intrinsic::masked_scatter) {
        type = call.getArgOperand(0)->getType();
        cost.stored = outerBytes(call.getArgOperand(1), type, layout);
    }
    cost.cycles = cyclesOf(
        intrinsic == Intrinsic::masked_load ? ofAccess(Instruction::Load, call, type, 0, target)
        : intrinsic == Intrinsic::masked_store
            ? ofAccess(Instruction::Store, call, type, 1, target)
            : target.getInstructionCost(&call, TargetTransformInfo::TCK_RecipThroughput));
    return cost;
}

Cost Estimate::ofInstruction(const Instruction &instruction, const TargetTransformInfo &target) {
    if (auto *call = dyn_cast<CallBase>(&instruction))
        return ofCall(*call, target);
    Cost cost;
    cost.cycles =
        cyclesOf(target.getInstructionCost(&instruction, TargetTransformInfo::TCK_RecipThroughput));
    if (const Value *pointer = getLoadStorePointerOperand(&instruction)) {
        double bytes =
            outerBytes(pointer, getLoadStoreType(&instruction), instruction.getDataLayout());
        (isa<LoadInst>(instruction) ? cost.loaded : cost.stored) = bytes;
    }
    return cost;
}

double Estimate::turns(const Loop &loop, ScalarEvolution &evolution, Cost &cost) const {
    if (unsigned known = evolution.getSmallConstantTripCount(&loop))
        return known;
    cost.guessed = true;
    return unknownTurns;
}

/** Block frequencies with LLVM's guess of each loop's length replaced by what is known of it. */
Cost Estimate::of(Function &function) {
    auto &frequencies = analyses.getResult<BlockFrequencyAnalysis>(function);
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto &target = analyses.getResult<TargetIRAnalysis>(function);
    Cost cost;
    DenseMap<const Loop *, double> scales;
    auto frequency = [&](const BasicBlock *block) {
        return static_cast<double>(frequencies.getBlockFreq(block).getFrequency()) /
               static_cast<double>(frequencies.getEntryFreq().getFrequency());
    };
    for (const Loop *loop : loops.getLoopsInPreorder()) {
        double entries = 0, outer = loop->getParentLoop() ? scales[loop->getParentLoop()] : 1;
        for (const BasicBlock *before : predecessors(loop->getHeader()))
            if (!loop->contains(before))
                entries += frequency(before) / succ_size(before);
        double header = std::max(frequency(loop->getHeader()), 1e-9);
        scales[loop] = outer * std::max(entries, 1e-9) * turns(*loop, evolution, cost) / header;
    }
    for (BasicBlock &block : function) {
        const Loop *loop = loops.getLoopFor(&block);
        double times = frequency(&block) * (loop ? scales[loop] : 1);
        for (const Instruction &instruction : block)
            cost.add(ofInstruction(instruction, target), times);
    }
    return cost;
}

/** For example: "about 2.4 cycles per work-item; loads 8 and stores 4 bytes". */
static std::string describe(const Cost &cost, unsigned width) {
    std::string text = formatv("about {0:F1} cycles per work-item", cost.cycles / width);
    if (cost.guessed)
        text += formatv(", if loops of unknown length run {0:F0} times", unknownTurns);
    if (cost.calls > 0)
        text += formatv(", and {0:F1} calls of functions linked later", cost.calls / width);
    if (cost.loaded + cost.stored > 0)
        text += formatv("; loads {0:F0} and stores {1:F0} bytes of global memory",
                        cost.loaded / width, cost.stored / width);
    return text;
}

Error EstimateCost::run(Module &module) {
    if (!context.options.switches.remarks)
        return Error::success();
    FunctionAnalysisManager &analyses = context.analyses().function;
    for (Function *kernel : kernelsOf(module)) {
        std::string text = describe(Estimate(analyses).of(*kernel), widthOf(*kernel));
        context.kernel(*kernel).remarks.push_back((isLinear(*kernel) ? "in linear shape: " : "") +
                                                  text);
    }
    analyses.clear(); /* stages behind this one change what they are about */
    return Error::success();
}

} // namespace weft
