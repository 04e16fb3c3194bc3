// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "object.h"

#include "compiler/norm/half.h"
#include "compiler/norm/instructions.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

void fail(const Twine &message) {
    errs() << "kernel library: " << message << "\n";
    exit(1);
}

static void optimise(Module &module, TargetMachine &machine) {
    LoopAnalysisManager loop;
    FunctionAnalysisManager function;
    CGSCCAnalysisManager scc;
    ModuleAnalysisManager analyses;
    PassBuilder builder(&machine);
    TargetLibraryInfoImpl none(machine.getTargetTriple());
    none.disableAllFunctions();
    function.registerPass([&] { return TargetLibraryAnalysis(none); });
    builder.registerModuleAnalyses(analyses);
    builder.registerCGSCCAnalyses(scc);
    builder.registerFunctionAnalyses(function);
    builder.registerLoopAnalyses(loop);
    builder.crossRegisterProxies(loop, function, scc, analyses);
    builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, analyses);
}

void writeObject(Module &module, TargetMachine &machine, unsigned vectorBits, StringRef path) {
    if (verifyModule(module, &errs()))
        fail("the linked module is broken");
    weft::lowerNamedInstructions(module, vectorBits);
    optimise(module, machine);
    weft::lowerHalf(module, machine);
    std::error_code code;
    raw_fd_ostream out(path, code);
    if (code)
        fail(path + ": " + code.message());
    legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, out, nullptr, CodeGenFileType::ObjectFile))
        fail("no object files for this target");
    passes.run(module);
}
