// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** LLVM IR of native functions to an object file in memory. */
#ifndef WEFT_CODEGEN_H
#define WEFT_CODEGEN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace weft {

/**
 * Appends an object file (or, with `assembly`, its text) to `output`. The module must have been
 * through the whole pipeline; it is changed by code generation and of no more use afterwards. The
 * object has a section per function and datum, so that image.h takes only what is needed, and
 * .stack_sizes. `least`: only what is needed for right code. An error is a sentence for the build
 * log.
 */
llvm::Error generateCode(llvm::Module &module, llvm::TargetMachine &machine, bool assembly,
                         llvm::SmallVectorImpl<char> &output, bool least = false);

} // namespace weft

#endif
