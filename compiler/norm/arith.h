// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What x86 does differently from OpenCL's abstract machine, mended before any optimisation. */
#ifndef WEFT_NORM_ARITH_H
#define WEFT_NORM_ARITH_H

#include "stages/pipeline.h"

namespace weft {

/**
 * Gives a function (user's or library's) native attributes and calling conventions, and mends:
 * - integer division: x / 0 = x, x % 0 = 0, MIN / -1 = MIN, MIN % -1 = 0, never a trap;
 * - llvm.fmuladd: one fma if the ISA has it and contraction is allowed, else product and sum;
 * - sync scopes of atomics, which mean nothing on x86: all become the system scope;
 * - alignment of OpenCL vectors: that of their elements is enough, where more is not known from
 *   the variable.
 */
void makeNative(llvm::Function &function, const PipelineOptions &options);

/** How wide the vectors of a function's code may be, for LLVM. */
inline void setVectorBits(llvm::Function &function, unsigned bits) {
    for (const char *name : {"prefer-vector-width", "min-legal-vector-width"})
        function.addFnAttr(name, std::to_string(bits));
}

/** Traps and unreachable code report a fault through the launch's services, then leave the item
 *  (`unreachable` after the call; stage regions turns it into the item's end). */
void lowerTraps(llvm::Function &function);

} // namespace weft

#endif
