// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LLVM's PassBuilder would register all analyses that there are, but it knows all passes, too: with
// it come sanitizers, coroutines and profiles, a fifth of the executable, whose tables are
// relocated and whose options are registered whenever a compiler process starts.

#include "stages/spaces.h"
#include "stages/stages.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/Analysis/EphemeralValuesCache.h"
#include "llvm/Analysis/InlineAdvisor.h"
#include "llvm/Analysis/LastRunTrackingAnalysis.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryDependenceAnalysis.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

using namespace llvm;

namespace weft {

namespace {

/** Each is made when a pass asks for it. */
template <typename... Analysis, typename Manager> void add(Manager &manager) {
    (manager.registerPass([] { return Analysis(); }), ...);
}

AAManager aliasAnalyses() {
    AAManager aliases;
    aliases.registerFunctionAnalysis<BasicAA>();
    aliases.registerFunctionAnalysis<ScopedNoAliasAA>();
    aliases.registerFunctionAnalysis<TypeBasedAA>();
    aliases.registerFunctionAnalysis<SpacesAnalysis>();
    return aliases;
}

/** No call in a kernel is a C library function, whatever its name, and none may be invented. */
TargetLibraryAnalysis noLibrary() {
    TargetLibraryInfoImpl none{Triple("x86_64-unknown-linux-gnu")};
    none.disableAllFunctions();
    return TargetLibraryAnalysis(std::move(none));
}

void connect(Analyses &all) {
    all.module.registerPass([&] { return FunctionAnalysisManagerModuleProxy(all.function); });
    all.module.registerPass([&] { return CGSCCAnalysisManagerModuleProxy(all.scc); });
    all.scc.registerPass([&] { return ModuleAnalysisManagerCGSCCProxy(all.module); });
    all.function.registerPass([&] { return CGSCCAnalysisManagerFunctionProxy(all.scc); });
    all.function.registerPass([&] { return ModuleAnalysisManagerFunctionProxy(all.module); });
    all.function.registerPass([&] { return LoopAnalysisManagerFunctionProxy(all.loop); });
    all.loop.registerPass([&] { return FunctionAnalysisManagerLoopProxy(all.function); });
}

} // namespace

Analyses::Analyses(TargetMachine *target) {
    add<PassInstrumentationAnalysis, InlineAdvisorAnalysis, LazyCallGraphAnalysis,
        ProfileSummaryAnalysis>(module);
    add<PassInstrumentationAnalysis, FunctionAnalysisManagerCGSCCProxy>(scc);
    add<PassInstrumentationAnalysis, ShouldRunExtraSimpleLoopUnswitch>(loop);
    add<PassInstrumentationAnalysis, AssumptionAnalysis, BasicAA, BlockFrequencyAnalysis,
        BranchProbabilityAnalysis, DemandedBitsAnalysis, DominatorTreeAnalysis,
        EphemeralValuesAnalysis, LastRunTrackingAnalysis, LazyValueAnalysis, LoopAccessAnalysis,
        LoopAnalysis, MemoryDependenceAnalysis, MemorySSAAnalysis,
        OptimizationRemarkEmitterAnalysis, PostDominatorTreeAnalysis, ScalarEvolutionAnalysis,
        ScopedNoAliasAA, ShouldRunExtraVectorPasses, SpacesAnalysis, TypeBasedAA>(function);
    function.registerPass(aliasAnalyses);
    function.registerPass(noLibrary);
    function.registerPass(
        [target] { return target ? target->getTargetIRAnalysis() : TargetIRAnalysis(); });
    connect(*this);
}

} // namespace weft
