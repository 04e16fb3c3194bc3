// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * OpenCL C to LLVM IR: Clang in this process, at the level of its cc1 options.
 *
 * The result is the one form that compiler/stages/pipeline.h starts from: triple spir64, address
 * spaces kept, built-ins as mangled calls, no LLVM pass run.
 */
#ifndef WEFT_SOURCE_H
#define WEFT_SOURCE_H

#include "front/input.h"
#include "compiler/shared/options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace weft {

/** What is compiled. All memory belongs to the caller. */
struct Source {
    llvm::StringRef text;            /* followed by a NUL byte */
    llvm::ArrayRef<JobInput> inputs; /* those of kind Header are found by their names */
    const weft_options *options = nullptr;
    llvm::StringRef extensions; /* CL_DEVICE_EXTENSIONS and __opencl_c_* features */
    bool untrusted = false;     /* reads inputs and folders of -I only (folders.h) */
    bool keepNames = false;     /* names of IR values, for dumps */
    bool lines = false;         /* debug information without -g, to say where something is */
};

/**
 * Compiles. Null on failure; Clang's diagnostics are appended to `log` in either case, with the
 * source shown as <source>. `touchedFiles` is set when a file outside of `inputs` was looked for
 * where it might have been found.
 * Relative folders and includes are found from the current directory.
 *
 * Module flags say what later stages must know of the options: see moduleFlags in source.cc.
 */
std::unique_ptr<llvm::Module> compileSource(llvm::LLVMContext &context, const Source &source,
                                            std::string &log, bool &touchedFiles);

/** Leaves what later stages must know of the options, and links must keep, as module flags;
 *  `options`: WEFT_OPTION_*. */
void setModuleFlags(llvm::Module &module, uint32_t options, bool uniformGroups);

/** Compiles a small kernel, so that processes forked later find Clang's tables made: half a
 *  millisecond of each job for three, once, when nobody waits. False if even that fails. */
bool warmFrontEnd();

/** Names of the module flags; each is an i32, absent means 0. */
namespace flag {
constexpr llvm::StringLiteral kernelArgInfo = "weft.kernel-arg-info";
constexpr llvm::StringLiteral uniformGroups = "weft.uniform-work-group-size";
constexpr llvm::StringLiteral denormsAreZero = "weft.denorms-are-zero";
constexpr llvm::StringLiteral optDisable = "weft.opt-disable";
constexpr llvm::StringLiteral debug = "weft.debug"; /* -g: debug information is to be kept */
} // namespace flag

/** The value of a module flag, 0 if the module has none of this name. */
uint32_t moduleFlag(const llvm::Module &module, llvm::StringRef name);

} // namespace weft

#endif
