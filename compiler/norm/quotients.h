// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Divisions that need not be exact. */
#ifndef WEFT_NORM_QUOTIENTS_H
#define WEFT_NORM_QUOTIENTS_H

#include "llvm/IR/Function.h"

namespace weft {

/**
 * Divisions of vectors of floats for which the program allows a reciprocal (LLVM's `arcp`:
 * -cl-fast-relaxed-math, -cl-unsafe-math-optimizations) become an estimate and a correction, at
 * most 1.5 ULP off; what an exact division has of infinities and zeros, they have. `fma`: the
 * target has it.
 */
void estimateQuotients(llvm::Function &function, unsigned vectorBits, bool fma);

} // namespace weft

#endif
