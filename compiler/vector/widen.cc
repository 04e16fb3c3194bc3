// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The stage: kernels of several lanes become code on vectors.

#include "norm/internals.h"
#include "norm/simplify.h"
#include "stages/stages.h"
#include "vector/bodies.h"
#include "vector/prepare.h"
#include "vector/whole.h"
#include "vector/wide.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace weft {

/** All loads and stores, down to bytes, have masked forms. */
static bool hasMaskedAccesses(Function &kernel, FunctionAnalysisManager &analyses) {
    auto &target = analyses.getResult<TargetIRAnalysis>(kernel);
    Type *byte = FixedVectorType::get(Type::getInt8Ty(kernel.getContext()), 16);
    return target.isLegalMaskedLoad(byte, Align(1), 0) &&
           target.isLegalMaskedStore(byte, Align(1), 0);
}

static std::string describe(const WideCounts &counts) {
    std::string text;
    auto add = [&](unsigned count, const char *what) {
        if (count)
            text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    };
    add(counts.vectors, "values in vectors");
    add(counts.whole, "operations on whole OpenCL vectors");
    add(counts.shared, "once for all lanes");
    add(counts.lookedUp, "looked up in tables in registers");
    add(counts.gathers, "gathers");
    add(counts.scatters, "scatters");
    add(counts.expected, "of these only where lanes turn out to be apart");
    add(counts.laneBlocks, "operations lane by lane");
    add(counts.combined, "atomics of all lanes at once");
    add(counts.unrolled, "instructions once per lane");
    return text;
}

/** See straightAttribute. */
static bool isStraight(Function &kernel, const WideCounts &counts,
                       FunctionAnalysisManager &analyses) {
    return counts.gathers + counts.scatters == 0 && !calls(kernel, Internal::Barrier) &&
           analyses.getResult<LoopAnalysis>(kernel).empty();
}

Error Widen::run(Module &module) {
    FunctionAnalysisManager &analyses = context.analyses().function;
    FunctionPassManager cleaning;
    /* Here nothing is in variables yet; in the loop over items, registers of lanes that are off
     * would keep what the items before left there. */
    cleaning.addPass(SROAPass(SROAOptions::ModifyCFG));
    cleaning.addPass(EarlyCSEPass());
    cleaning.addPass(ADCEPass());
    for (Function *kernel : kernelsOf(module)) {
        if (widthOf(*kernel) == 1)
            continue;
        forgetWhoComes(*kernel);
        layOutPrivate(*kernel);
        const bool hasMasks = hasMaskedAccesses(*kernel, analyses);
        Widener widener(*kernel, hasMasks, context.options.vectorBits);
        widener.run();
        widener.counts.expected = expandExpected(*kernel, hasMasks);
        inlineRetryLoops(*kernel);
        runAnew(cleaning, *kernel, analyses);
        widener.counts.whole = keepWhole(*kernel, context.options.vectorBits);
        if (widener.counts.whole)
            runAnew(cleaning, *kernel, analyses);
        expandGroups(*kernel, context.options.vectorBits);
        expandDivisions(*kernel);
        analyses.clear(*kernel, kernel->getName());
        if (isStraight(*kernel, widener.counts, analyses))
            kernel->addFnAttr(straightAttribute);
        if (widener.counts.farStores)
            context.kernel(*kernel).info.flags |= WEFT_KERNEL_SCATTERS;
        std::string text = describe(widener.counts);
        if (!text.empty())
            context.kernel(*kernel).remarks.push_back(
                (isLinear(*kernel) ? "in linear shape: " : "") + text);
    }
    for (Function &function : make_early_inc_range(module))
        if (function.use_empty() && function.getName().starts_with("__weft_") &&
            (function.isDeclaration() || function.hasFnAttribute(laneWorkAttribute) ||
             function.hasFnAttribute(retryAttribute)))
            function.eraseFromParent();
    return Error::success();
}

} // namespace weft
