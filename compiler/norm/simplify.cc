// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/simplify.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace weft {

void addSimplification(FunctionPassManager &passes) {
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(InstCombinePass());
}

void addInferAddressSpaces(FunctionPassManager &passes) {
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(InferAddressSpacesPass(genericAddressSpace));
}

void addFullUnrolling(FunctionPassManager &passes) {
    passes.addPass(LoopUnrollPass(
        LoopUnrollOptions(2).setPartial(false).setRuntime(false).setPeeling(false).setUpperBound(
            false)));
}

void runAnew(FunctionPassManager &passes, Function &function, FunctionAnalysisManager &analyses) {
    analyses.clear(function, function.getName());
    passes.run(function, analyses);
    analyses.clear(function, function.getName());
}

void bringLoopsIntoForm(Function &function, FunctionAnalysisManager &analyses) {
    FunctionPassManager passes;
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    runAnew(passes, function, analyses);
}

} // namespace weft
