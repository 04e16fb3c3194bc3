// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What a program runs by itself: before its first kernel, and when it goes. */
#ifndef WEFT_NORM_PROGRAM_KERNELS_H
#define WEFT_NORM_PROGRAM_KERNELS_H

#include "stages/pipeline.h"

namespace weft {

/**
 * Gathers the whole program's constructors (llvm.global_ctors: Clang's, and SPIR-V's initialisers)
 * into one kernel without arguments, behind all others in the module, and its destructors
 * (llvm.global_dtors, and what constructors hand to __cxa_atexit) into another one. Names them in
 * `record`; "" where there is nothing to do. The module is still as the front ends leave it.
 * An error is a sentence for the build log.
 */
llvm::Error makeProgramKernels(llvm::Module &module, ModuleRecord &record);

} // namespace weft

#endif
