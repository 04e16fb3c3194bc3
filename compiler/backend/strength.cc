// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backend/strength.h"
#include "stages/stages.h"

#include "llvm/Analysis/IVUsers.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"
#include "llvm/Transforms/Utils/CanonicalizeFreezeInLoops.h"

using namespace llvm;

namespace weft {

namespace {

/** From so many IR instructions on, a fifth less time for code generation is worth more than what
 *  is still found behind our own stages (measured: code no larger without). */
constexpr unsigned largeModule = 4000;
/** More addresses than that compete for registers, and each is compared with all others. */
constexpr unsigned mostAccesses = 8;

/** LLVM's pass does innermost loops only. */
bool pays(const Loop &loop) {
    unsigned count = 0;
    for (const BasicBlock *block : loop.blocks())
        count += count_if(*block, [](const Instruction &instruction) {
            return instruction.mayReadOrWriteMemory();
        });
    return loop.isInnermost() && count <= mostAccesses;
}

struct ReduceWherePays : PassInfoMixin<ReduceWherePays> {
    LoopStrengthReducePass reduce;

    PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses,
                          LoopStandardAnalysisResults &results, LPMUpdater &updater) {
        return pays(loop) ? reduce.run(loop, analyses, results, updater) : PreservedAnalyses::all();
    }
};

} // namespace

void reduceStrength(Module &module, TargetMachine &machine) {
    if (module.getInstructionCount() > largeModule)
        return;
    Analyses analyses(&machine);
    analyses.loop.registerPass([] { return IVUsersAnalysis(); });
    LoopPassManager loops;
    loops.addPass(CanonicalizeFreezeInLoopsPass());
    loops.addPass(ReduceWherePays());
    FunctionPassManager passes;
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
    for (Function &function : module)
        if (!function.isDeclaration() &&
            any_of(analyses.function.getResult<LoopAnalysis>(function).getLoopsInPreorder(),
                   [](const Loop *loop) { return pays(*loop); }))
            passes.run(function, analyses.function);
}

} // namespace weft
