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

/** More addresses than that compete for registers, and each is compared with all others. */
constexpr unsigned mostAccesses = 8;

bool hasFewAccesses(const Loop &loop) {
    unsigned count = 0;
    for (const BasicBlock *block : loop.blocks())
        count += count_if(*block, [](const Instruction &instruction) {
            return instruction.mayReadOrWriteMemory();
        });
    return count <= mostAccesses;
}

bool hasSmallLoop(const LoopInfo &loops) {
    return any_of(loops.getLoopsInPreorder(),
                  [](const Loop *loop) { return loop->isInnermost() && hasFewAccesses(*loop); });
}

/** LLVM's pass does innermost loops only. */
struct ReduceInSmallLoops : PassInfoMixin<ReduceInSmallLoops> {
    LoopStrengthReducePass reduce;

    PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses,
                          LoopStandardAnalysisResults &results, LPMUpdater &updater) {
        if (!loop.isInnermost() || !hasFewAccesses(loop))
            return PreservedAnalyses::all();
        return reduce.run(loop, analyses, results, updater);
    }
};

} // namespace

void reduceStrength(Module &module, TargetMachine &machine) {
    Analyses analyses(&machine);
    analyses.loop.registerPass([] { return IVUsersAnalysis(); });
    LoopPassManager loops;
    loops.addPass(CanonicalizeFreezeInLoopsPass());
    loops.addPass(ReduceInSmallLoops());
    FunctionPassManager passes;
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
    for (Function &function : module)
        if (!function.isDeclaration() &&
            hasSmallLoop(analyses.function.getResult<LoopAnalysis>(function)))
            passes.run(function, analyses.function);
}

} // namespace weft
