// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * One build job inside the compiler process: what the server hands to the compiler proper in a
 * forked child, and what it gets back. Mirrors weft_job and weft_job_result of client/client.h.
 */
#ifndef WEFT_JOB_H
#define WEFT_JOB_H

#include "compiler/front/input.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

class Board;

/** Values equal weft_job_kind. */
enum class JobKind : uint32_t { Compile = 1, Link = 2, Build = 3 };

/** Memory belongs to the caller of runJob and lives until the process ends. */
struct JobRequest {
    JobKind kind = JobKind::Build;
    llvm::StringRef options;    /* as the application gave them */
    llvm::StringRef isa;        /* weft_device_caps.isa */
    llvm::StringRef extensions; /* CL_DEVICE_EXTENSIONS */
    llvm::StringRef switches;   /* as parseSwitches takes them */
    std::vector<JobInput> inputs;
    bool untrusted = false; /* sources read inputs and what is beneath folders of -I only */
    unsigned processes = 0; /* to share kernels among; 0: one per processor */
    Board *board = nullptr; /* tells what the job is at and costs (board.h); null: nobody asks */
};

/** The parts that are timed; what is in none of them shows in the total only. */
enum class JobPart : uint32_t { FrontEnd, Passes, CodeGen, Link, Count };

struct JobReply {
    /** CL_SUCCESS, or what clBuildProgram, clCompileProgram or clLinkProgram is to return. */
    int32_t status = 0;
    bool isLibrary = false; /* -create-library: `ir` only */
    /** The job looked for a file on disk, whether it was there or not (an embedded header or one
     *  of the inputs does not count): the result must not be kept in memory, it may get stale. */
    bool touchedFiles = false;
    std::string log;
    llvm::SmallVector<char, 0> ir;    /* bitcode, spir64 form; empty on failure */
    llvm::SmallVector<char, 0> image; /* compiled image; empty on failure and for Compile */
    std::array<uint64_t, static_cast<size_t>(JobPart::Count)> nanoseconds = {};
};

/**
 * What every job needs, done once in the server before it forks: targets, options. The application
 * waits for it, so it does only what is quick. Must not start threads.
 */
void initialiseCompiler();

/**
 * What makes later jobs quicker, done once in the server when no job is waiting: memory and tables
 * that children then share. Jobs are right without it. Must not start threads.
 */
void warmCompiler();

/**
 * Compiles and links. Runs in a child forked for this job, with memory and time limits set and the
 * application's working directory current. May crash, hang or call abort: the server tells the
 * application. Never writes to descriptors it has not opened itself, but for stderr, whose first
 * bytes go to the build log when the child dies.
 */
void runJob(const JobRequest &request, JobReply &reply);

} // namespace weft

#endif
