// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Names that no program may give to its functions and variables, in whatever language. */
#ifndef WEFT_COMPILER_SHARED_NAMES_H
#define WEFT_COMPILER_SHARED_NAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace weft {

/** Clang's copy of a kernel, for kernels that call it: the kernel's name with this before it. */
inline constexpr llvm::StringLiteral copyOfKernelPrefix = "__clang_ocl_kern_imp_";

/** Behind the name of a function that SPIR-V has beside a kernel of the same name. */
inline constexpr llvm::StringLiteral besideKernelSuffix = ".function";

/** Whether a symbol of this name is LLVM's (an intrinsic, whose type is checked nowhere else) or is
 *  made and looked for by Weft's stages, which would take the program's for their own. */
inline bool isReservedName(llvm::StringRef name) {
    return name.starts_with("llvm.") || name.starts_with("weft.") || name.starts_with("__weft_");
}

/** Why a program with it is refused. */
inline std::string refusalOfName(llvm::StringRef name) {
    return "'" + name.str() + "' is a name that only the compiler may declare";
}

} // namespace weft

#endif
