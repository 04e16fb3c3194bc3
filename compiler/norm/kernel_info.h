// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the application can ask about a kernel, read from the front end's metadata. */
#ifndef WEFT_NORM_KERNEL_INFO_H
#define WEFT_NORM_KERNEL_INFO_H

#include "stages/pipeline.h"

namespace weft {

/** Name, attributes and required sizes of a kernel from its metadata. Arguments: see below. */
void readKernelInfo(const llvm::Function &kernel, KernelRecord &record);

/**
 * The argument block: one slot per argument, in order, each at its natural alignment. `kernel` is
 * the recorded form (structs by value are marked with structAttribute); `source` carries the
 * kernel_arg_* metadata and may be the same function.
 */
void readArguments(const llvm::Function &kernel, const llvm::Function &source,
                   KernelRecord &record);

} // namespace weft

#endif
