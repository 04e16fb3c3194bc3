/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/** Names that no program may give to its functions and variables, in whatever language. */
#ifndef WEFT_COMPILER_SHARED_NAMES_H
#define WEFT_COMPILER_SHARED_NAMES_H

#include <stdbool.h>
#include <string.h>

/** Whether a symbol of this name is LLVM's (an intrinsic, whose type is checked nowhere else) or is
 *  made and looked for by Weft's stages, which would take the program's for their own. */
static inline bool weft_name_is_reserved(const char *name) {
    return !strncmp(name, "llvm.", 5) || !strncmp(name, "weft.", 5) || !strncmp(name, "__weft_", 7);
}

#endif
