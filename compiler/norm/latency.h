// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** How long a processor takes for an operation. */
#ifndef WEFT_NORM_LATENCY_H
#define WEFT_NORM_LATENCY_H

#include "llvm/IR/Instruction.h"

namespace weft {

/** Operations on vectors that may begin in each cycle. */
constexpr unsigned beginsPerCycle = 4;

/**
 * One operation on a register, whatever it has of lanes: about what processors of both makers
 * since Skylake and Zen 2 take (A. Abel and J. Reineke, uops.info, ASPLOS 2019), near enough to
 * choose by. What LLVM knows of it (TargetTransformInfo) is of the processor that it is asked for,
 * and ours are levels.
 */
struct OperationTime {
    unsigned latency; /* cycles until the result is there; of a load in the nearest cache */
    unsigned begins;  /* times that something begins for it, of `beginsPerCycle` */
    unsigned adder;   /* the same of what adds, multiplies and converts: half as many may begin */
    unsigned divider; /* cycles of what divides and takes roots, which is one of its own */
};

/** What takes no operation takes no time: casts that keep bits, addresses, values of blocks before.
 *  So do calls that are no intrinsics: nobody knows. */
OperationTime timeOf(const llvm::Instruction &instruction);

} // namespace weft

#endif
