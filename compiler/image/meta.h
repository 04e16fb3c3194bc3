// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The note of an image: ModuleRecord (pipeline.h) as the bytes that weft/abi.h describes. */
#ifndef WEFT_META_H
#define WEFT_META_H

#include "stages/pipeline.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace weft {

/**
 * Appends the table: weft_image_info, kernels, arguments, fix-ups (each at a multiple of 8), then
 * strings, each once. The number of bytes depends on counts and strings only, not on addresses: the
 * table is made once to learn its size and again when `record` has the addresses of the linked
 * image. `dataInit` is the image address of the program-scope data's initial bytes. A record that
 * does not fit the format (over 4 GiB) is an error.
 */
llvm::Error writeMeta(const ModuleRecord &record, llvm::StringRef isa, llvm::StringRef options,
                      uint64_t dataInit, llvm::SmallVectorImpl<char> &bytes);

} // namespace weft

#endif
