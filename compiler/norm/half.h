// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Operations on half where the target has none. */
#ifndef WEFT_NORM_HALF_H
#define WEFT_NORM_HALF_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace weft {

/** Whether the machine computes in half (AVX512-FP16): then each operation has an instruction. */
bool computesInHalf(const llvm::TargetMachine &machine);

/** The same of the machine that a function is for, whose attributes say so. */
bool computesInHalf(const llvm::Function &function);

/**
 * Makes each operation on half one of float whose result is rounded to half at once, the same for
 * scalars and vectors, and nothing where the machine computes in half itself. The results are those
 * of half arithmetic, rounded once: nothing is kept in float between operations. Behind the last
 * pass that takes instructions together (InstCombine makes halves of them again), in front of code
 * generation, whose own way has the same results but takes fma and vectors of doubles apart.
 */
void lowerHalf(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace weft

#endif
