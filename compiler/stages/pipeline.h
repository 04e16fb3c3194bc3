// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * From a module in its one form (spir64, as Clang or the SPIR-V reader leaves it) to a module of
 * native functions with the ABI of weft/abi.h, ready for code generation.
 */
#ifndef WEFT_PIPELINE_H
#define WEFT_PIPELINE_H

#include "norm/callee_frames.h"
#include "stages/switches.h"
#include "weft/abi.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace weft {

/** One argument: what the note will say (strings are still strings here). */
struct ArgRecord {
    weft_arg_info info = {};
    std::string name, typeName;
};

/** Functions that do not run on the thread's stack: reference execution, oracles of stages. */
struct ArenaStacks {
    /* By shape: those whose frames may lie on one stack at the same time. None: no such stacks. */
    std::array<std::vector<std::string>, WEFT_SHAPE_COUNT> symbols;
    unsigned perRun = 0; /* stacks for each run of weft_kernel_info; 0: one behind all of them */
};

/** One kernel: filled in stage by stage, turned into a weft_kernel_info by meta.cc. */
struct KernelRecord {
    weft_kernel_info info = {}; /* entry[], frame_bytes and string offsets are set after linking */
    std::string name, attributes, vecTypeHint;
    std::array<std::string, WEFT_SHAPE_COUNT> entrySymbol; /* "" : no such shape */
    std::vector<ArgRecord> args;
    ArenaStacks stacks;
    std::vector<std::string> remarks; /* sentences for the build log: width, why not wider, ... */
};

/** What the module defines beside code. */
struct ModuleRecord {
    std::vector<KernelRecord> kernels;
    std::string dataSymbol; /* initial bytes of the program-scope data block, "": none */
    uint64_t dataBytes = 0;
    uint32_t dataInitBytes = 0, dataAlign = 1;
    std::vector<weft_data_fixup> fixups;
    std::string initKernel, finiKernel;
};

/** Which part of the kernel library is linked: what must be seen before work-groups are formed,
 *  everything that is still undeclared afterwards, or that without what is compiled (norm/called.h)
 *  and stays a call. */
enum class LibraryStage { Group, Late, LateCalled };

/**
 * What is done for the kernels of a process. It falls, step by step, where a kernel costs more
 * processor time or memory than there is for it (parts.h): a program that can be built is built.
 */
enum class Effort {
    All,
    FewerLanes, /* a quarter of one register's */
    OneItem,    /* at a time; functions stay functions unless they are small */
    Least       /* and nothing in stages or code generation that can be left out */
};

struct PipelineOptions {
    llvm::TargetMachine *target = nullptr;
    bool optimise = true;        /* -cl-opt-disable clears it */
    bool fma = false;            /* the ISA has fma: fmuladd fuses */
    bool contract = true;        /* fmuladd may fuse at all */
    bool denormsAreZero = false; /* -cl-denorms-are-zero */
    unsigned vectorBits = 128;   /* of the widest registers that code is to use */
    bool slowGathers = false;    /* Target::hasSlowGathers() */
    bool debug = false;          /* -g: lines; variables too where nothing is optimised */
    bool verifyEach = false;     /* run the verifier after each stage */
    Switches switches;
    llvm::StringMap<unsigned> mostLanes;       /* of kernels whose code would need too much stack */
    uint64_t mostCalleeFrame = maxCalleeFrame; /* bytes, less where calls need too much of it */
    /** Links the library's definitions that `module` refers to. Never null. */
    std::function<llvm::Error(llvm::Module &module, LibraryStage stage)> linkLibrary;
    /** Called after each stage with its name from passes.def; false stops the pipeline there. */
    std::function<bool(llvm::StringRef stage, llvm::Module &module)> afterStage;
    /** Called before each stage with what begins, for who watches a long build; may be empty. */
    std::function<void(llvm::StringRef stage)> note;
    const Effort *effort = nullptr; /* may change while the pipeline runs; null: all */

    bool isBelow(Effort most) const { return effort && *effort >= most; }
};

/** More instructions than that, and linear time is all that there is: stages and code generation
 *  lower their effort. Kernels of real programs have some thousand at most. */
inline bool isGiant(const llvm::Function &function) {
    return function.getInstructionCount() > 12000;
}

/** Runs all stages. An error is a sentence for the build log that names kernel and reason. */
llvm::Error runPipeline(llvm::Module &module, const PipelineOptions &options, ModuleRecord &record);

/** Runs one stage of passes.def by name (tests, `weft compile --stage`). */
llvm::Error runStage(llvm::StringRef name, llvm::Module &module, const PipelineOptions &options,
                     ModuleRecord &record);

/** Names of the stages, in order; those only that reference execution has if `switches` say so. */
std::vector<llvm::StringRef> stageNames(const Switches &switches = Switches());

} // namespace weft

#endif
