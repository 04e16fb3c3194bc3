// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** OpenCL's opaque types (events, images, samplers, ...) in their one native form. */
#ifndef WEFT_NORM_OPAQUE_TYPES_H
#define WEFT_NORM_OPAQUE_TYPES_H

#include "llvm/IR/Module.h"

namespace weft {

/**
 * Replaces `target("spirv.Sampler")` by i32 (WEFT_SAMPLER_* bits) and every other
 * `target("spirv.*")` by a pointer, in all functions of the module; folds
 * `__translate_sampler_initializer`. Names and metadata of functions stay.
 */
void lowerOpaqueTypes(llvm::Module &module);

} // namespace weft

#endif
