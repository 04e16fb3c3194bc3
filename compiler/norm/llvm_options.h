// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Choices that LLVM offers as options of its command line only. */
#ifndef WEFT_LLVM_OPTIONS_H
#define WEFT_LLVM_OPTIONS_H

#include "llvm/ADT/StringRef.h"

namespace weft {

/** Holds for all of the process, which is one job's. An option that LLVM no longer has is nothing.
 */
void choose(llvm::StringRef option, const char *value);
void choose(llvm::StringRef option, bool value);

} // namespace weft

#endif
