// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Simplified SSA for the stages that follow. No pass here moves, copies or merges a barrier: its
// internal call is convergent, noduplicate and nomerge.

#include "norm/blocks.h"
#include "norm/quiet.h"
#include "norm/required_size.h"
#include "norm/restrict.h"
#include "norm/simplify.h"
#include "stages/stages.h"

#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LowerExpectIntrinsic.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace weft {

namespace {

bool isBlock(const Function &function) {
    return function.hasFnAttribute(blockAttribute);
}

} // namespace

Error Canonical::run(Module &module) {
    // What asks for it (the library's image functions) is inlined before anything is vectorised.
    ModulePassManager inliner;
    inliner.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
    inliner.run(module, context.analyses().module);
    FunctionPassManager values, passes;
    if (context.options.optimise)
        values.addPass(LowerExpectIntrinsicPass()); /* __builtin_expect of programs */
    // Even without optimisation: later stages would otherwise keep each variable in memory across
    // every barrier. A debugger wants just that.
    if (context.options.optimise || !context.options.debug) {
        values.addPass(SROAPass(SROAOptions::ModifyCFG));
        values.addPass(SimplifyCFGPass());
    }
    if (context.options.optimise) {
        passes.addPass(EarlyCSEPass(true));
        passes.addPass(InstCombinePass());
        passes.addPass(SimplifyCFGPass());
    }
    // A block's captures are constant memory: values that all items share.
    FunctionPassManager infer;
    addInferAddressSpaces(infer);
    FunctionAnalysisManager &analyses = context.analyses().function;
    for (Function &function : module)
        if (!function.isDeclaration()) {
            if (context.options.optimise && isBlock(function))
                infer.run(function, analyses);
            if (context.options.optimise) {
                forgetPrivateVolatile(function);
                if (function.hasFnAttribute(kernelAttribute))
                    tellRequiredSize(function, context.kernel(function).info);
            }
            values.run(function, analyses);
            forgetRestrict(function);
            passes.run(function, analyses);
            // Stages change functions by hand from here on.
            analyses.clear(function, function.getName());
        }
    return Error::success();
}

} // namespace weft
