// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The stages' classes, and what they share while one module passes through. */
#ifndef WEFT_STAGES_H
#define WEFT_STAGES_H

#include "stages/pipeline.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

#include <memory>
#include <string>

namespace weft {

/** Analysis managers that know the target and no library function at all. They hold what the
 *  passes of the stages ask for (analyses.cc), and each other. */
struct Analyses {
    explicit Analyses(llvm::TargetMachine *target);
    Analyses(const Analyses &) = delete;

    llvm::LoopAnalysisManager loop;
    llvm::FunctionAnalysisManager function;
    llvm::CGSCCAnalysisManager scc;
    llvm::ModuleAnalysisManager module;
};

/** One module's way through the pipeline. Not thread-safe; lives as long as one job. */
class StageContext {
  public:
    StageContext(const PipelineOptions &options, ModuleRecord &record)
        : options(options), record(record) {}

    const PipelineOptions &options;
    ModuleRecord &record;
    /** Stage inline-library left calls in kernels that would be too large without. */
    bool keptFunctions = false;

    /** Created by the first stage that asks: building the managers costs as much as a stage. */
    Analyses &analyses();

    /** The record of a kernel, created if a stage is run alone on a module from a file. */
    KernelRecord &kernel(llvm::StringRef name);
    /** The same for a kernel or any of its bodies (vector/bodies.h). */
    KernelRecord &kernel(const llvm::Function &kernel);

  private:
    std::unique_ptr<Analyses> managers;
};

/** Kernels carry this attribute from stage retarget until stage abi has made their entries. */
constexpr const char *kernelAttribute = "weft-kernel";

/** A parameter that is a struct by value: `ptr addrspace(2)` into the argument block; its value is
 *  the struct's size and its `align` attribute the alignment. */
constexpr const char *structAttribute = "weft-struct";

/** The kernels of a module between retarget and abi, in the module's order. */
std::vector<llvm::Function *> kernelsOf(llvm::Module &module);

/** An error whose text is a sentence for the build log. */
llvm::Error sentence(const llvm::Twine &text);

#define WEFT_STAGE(name, Class, doc)                                                               \
    class Class {                                                                                  \
      public:                                                                                      \
        explicit Class(StageContext &context) : context(context) {}                                \
        llvm::Error run(llvm::Module &module);                                                     \
                                                                                                   \
      private:                                                                                     \
        StageContext &context;                                                                     \
    };
#include "stages/passes.def"

} // namespace weft

#endif
