// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The file of the LLVM installation that clang_header.S embeds; it is never committed. */
#ifndef WEFT_CLANG_HEADER_H
#define WEFT_CLANG_HEADER_H

#include "llvm/ADT/StringRef.h"

extern "C" const char weft_clang_header[], weft_clang_header_end[];

namespace weft {

/** Clang's opencl-c-base.h, followed by a NUL byte. */
inline llvm::StringRef clangHeader() {
    return {weft_clang_header, static_cast<size_t>(weft_clang_header_end - weft_clang_header)};
}

} // namespace weft

#endif
