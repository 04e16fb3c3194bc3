// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The second half of a build, shared by jobs and the offline compiler: a module to an image. */
#ifndef WEFT_BUILD_H
#define WEFT_BUILD_H

#include "job/job.h"
#include "stages/pipeline.h"
#include "stages/switches.h"
#include "backend/target.h"

#include "llvm/Support/MemoryBufferRef.h"

namespace weft {

/** What the way from a module to an image is to do besides. */
struct ImageOptions {
    llvm::StringRef options; /* for the note */
    Switches switches;
    bool verifyEach = false;
    unsigned processes = 0; /* at most so many; 0: one per processor */
    Board *board = nullptr; /* as in JobRequest */
    std::function<bool(llvm::StringRef stage, llvm::Module &module)> afterStage; /* may be empty */
    llvm::StringMap<unsigned> mostLanes;       /* as in PipelineOptions: set by buildImage */
    uint64_t mostCalleeFrame = maxCalleeFrame; /* the same */
};

/** Neither -cl-opt-disable nor reference execution. */
bool mayOptimise(const llvm::Module &module, const ImageOptions &options);
/** Likewise for code generation: oracles of stages want it plain (docs/differential.md). */
bool mayOptimiseCode(const llvm::Module &module, const ImageOptions &options);

/** Options of the pipeline for a module whose flags (source.h) say how it was compiled. */
PipelineOptions pipelineOptions(const llvm::Module &module, const Target &target,
                                llvm::TargetMachine &machine, const ImageOptions &options);

/**
 * Runs pipeline, code generation and image link; adds the time of each to `nanoseconds`, indexed by
 * JobPart. The module is used up. `record` is filled in. Errors are sentences for the build log.
 * Where kernels turn out to need more stack than there is, they are built once more, with half as
 * many lanes, from `bitcode`, which is the module as it was.
 */
llvm::Error buildImage(std::unique_ptr<llvm::Module> &module, llvm::MemoryBufferRef bitcode,
                       const Target &target, ImageOptions options, ModuleRecord &record,
                       llvm::SmallVectorImpl<char> &image,
                       std::array<uint64_t, static_cast<size_t>(JobPart::Count)> &nanoseconds);

/** What there is to say about each kernel, a line each that names it, for the build log. */
std::string remarksOf(const ModuleRecord &record);

/** Adds the time from construction to destruction to one part. */
class PartTimer {
  public:
    explicit PartTimer(uint64_t &nanoseconds);
    ~PartTimer();
    PartTimer(const PartTimer &) = delete;
    PartTimer &operator=(const PartTimer &) = delete;

  private:
    uint64_t &sum;
    uint64_t start;
};

} // namespace weft

#endif
