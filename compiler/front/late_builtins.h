// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Built-in functions of extensions that Clang's table does not have. They are declared as Clang
 * declares those of its table, when a name is looked up and not found, so a program that does not
 * name them does not pay for them, and one that defines such a name itself has its own.
 */
#ifndef WEFT_FRONT_LATE_BUILTINS_H
#define WEFT_FRONT_LATE_BUILTINS_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace clang {
class ExternalSemaSource;
class PreprocessorOptions;
} // namespace clang

namespace weft {

/** Declares the functions of those of the reported `extensions` (words between blanks, which must
 *  outlive it) that Clang does not know, in OpenCL C of this version, and lets pragmas name them.
 */
llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> lateBuiltins(llvm::StringRef extensions,
                                                                 uint32_t standard);

/** Defines the macros of those of them that Clang does not define in this version. */
void defineLateExtensions(clang::PreprocessorOptions &options, llvm::StringRef extensions,
                          uint32_t standard);

} // namespace weft

#endif
