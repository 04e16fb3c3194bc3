// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Debug information of -g: what the front end leaves, and what code generation must find. */
#ifndef WEFT_DEBUG_INFO_H
#define WEFT_DEBUG_INFO_H

#include "image/image_debug.h"
#include "front/input.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

namespace weft {

/**
 * Puts the text of the source and of embedded headers into the module, and makes its debug
 * information name them as files of WEFT_SOURCES_FOLDER (abi.h), which debuggers are given when an
 * image is loaded. `sourceName`, `headerFolder`: as the front end was told. Files on disk keep
 * their paths.
 */
void keepSources(llvm::Module &module, llvm::StringRef text, llvm::StringRef sourceName,
                 llvm::ArrayRef<JobInput> inputs, llvm::StringRef headerFolder);

/** What keepSources kept, in all modules that were linked into this one. */
SourceTexts sourcesOf(const llvm::Module &module);

/**
 * Makes line and variable information consistent after the stages, which move code between
 * functions as they like: what belongs to another function than the one it is in becomes "inlined"
 * there.
 */
void finishDebugInfo(llvm::Module &module);

} // namespace weft

#endif
