// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Instructions of x86 that the kernel library (kernel-lib/math/math.h) has no other name for, a
 * function for each type and width, `__weft_rsqrt_d2` for one, without effects, that LLVM knows
 * nothing else about; stage widen gives a call as many lanes as the kernel has, and stage abi makes
 * instructions of it:
 *
 * - `__weft_reciprocal_(x)` and `__weft_rsqrt_(x)` are 1 / x and 1 / sqrt(x) to about as many bits
 *   as `__weft_guess_bits()` says, of doubles only where those are 14;
 * - `__weft_exponent_(x)`, floor(log2 |x|) as a number, and `__weft_scale_(x, n)`, x 2^floor(n)
 *   rounded once, only where `__weft_has_scale()`.
 */
#ifndef WEFT_NORM_INSTRUCTIONS_H
#define WEFT_NORM_INSTRUCTIONS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace weft {

/** What `__weft_guess_bits()` is on a target with registers of so many bits: AVX-512 has 14 and
 *  takes subnormal numbers as they are; SSE has 11, of floats, and takes them for zeros. */
unsigned guessBits(unsigned vectorBits);

/** Whether it is such a call, of one lane or of many. */
bool isNamedInstruction(const llvm::Instruction &instruction);

/** About how many cycles it takes on registers of so many bits. */
double namedInstructionCycles(const llvm::CallBase &call, unsigned vectorBits);

/** The call `known` for other numbers of lanes. */
llvm::CallInst *createNamedInstruction(llvm::IRBuilderBase &builder, const llvm::CallBase &known,
                                       llvm::ArrayRef<llvm::Value *> arguments);

/** Makes instructions of all calls. */
void lowerNamedInstructions(llvm::Module &module, unsigned vectorBits);

} // namespace weft

#endif
