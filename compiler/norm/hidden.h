// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Functions that ask for ids and stay functions: their callers tell them by hidden parameters. */
#ifndef WEFT_NORM_HIDDEN_H
#define WEFT_NORM_HIDDEN_H

#include "norm/internals.h"
#include "stages/switches.h"

#include "llvm/ADT/ArrayRef.h"

namespace weft {

/** A call of it can be answered by the caller of the function that it is in, once for all: it is
 * the same anywhere in a work-item, and needs neither other items nor to be in a kernel. */
bool canBeTold(Internal internal);

/**
 * Each function gets a parameter behind its own for each internal call (by dimension) that it or
 * what it calls makes, and the kernels pass the values. `functions`: callees before callers, called
 * directly only, and without internal calls but those of canBeTold(). The functions are replaced by
 * others of their names; what they were is a declaration, for callers that no kernel reaches.
 */
void passHidden(llvm::ArrayRef<llvm::Function *> functions,
                llvm::ArrayRef<llvm::Function *> kernels, const Switches &switches);

} // namespace weft

#endif
