// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The kernel library (kernel-lib/) as the compiler sees it: embedded bitcode, linked late. */
#ifndef WEFT_LIBRARY_H
#define WEFT_LIBRARY_H

#include "stages/pipeline.h"
#include "backend/target.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace weft {

/**
 * Links the library's definitions of what `module` declares and uses, and of what those need, as
 * internal functions with the target's attributes. The module must have passed stage retarget.
 *
 * Stage Group links the functions that must be seen before work-groups are formed and leaves all
 * other declarations alone. Stage Late links everything, stage LateCalled all but what
 * callPrecompiled() makes calls of; what is still undefined then and is not an
 * internal of the pipeline is an error, a sentence that names the function in OpenCL's terms.
 *
 * Only the bitcode of the functions concerned is read; the library itself is constant data, so any
 * number of processes forked from one share it.
 */
llvm::Error linkLibrary(llvm::Module &module, LibraryStage stage, const Target &target);

/** Whether the library defines this mangled name, in whichever stage. */
bool libraryDefines(llvm::StringRef symbol);

/** A mangled name as OpenCL C would write it: "_Z3sinDv4_f" is "sin(float4)". */
std::string openclName(llvm::StringRef symbol);

/**
 * The functions that code generation may call, for a level 1 to 4 of x86-64: one relocatable
 * object, sections per function, nothing undefined. Constant data.
 */
llvm::MemoryBufferRef rtObject(unsigned level);

/** The functions of norm/called.h for a level, likewise; they may refer to rtObject's. */
llvm::MemoryBufferRef calledObject(unsigned level);

} // namespace weft

#endif
