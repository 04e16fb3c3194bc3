// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Instructions of x86 that the kernel library (kernel-lib/math/math.h) has no other name for, a
 * function for each type and width, `__weft_rsqrt_d2` for one, without effects, that LLVM knows
 * nothing else about; stage widen gives a call as many lanes as the kernel has, and stage abi makes
 * instructions of it:
 *
 * - `__weft_reciprocal_(x)` and `__weft_rsqrt_(x)` are 1 / x and 1 / sqrt(x) to about 14 bits with
 *   AVX-512, which takes subnormal numbers as they are; before it of floats alone, to about 11,
 *   with subnormal numbers as zeros;
 * - `__weft_exponent_(x)`, floor(log2 |x|) as a number, and `__weft_scale_(x, n)`, x 2^floor(n)
 *   rounded once, are AVX-512's.
 */
#ifndef WEFT_NORM_INSTRUCTIONS_H
#define WEFT_NORM_INSTRUCTIONS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace weft {

/** Whether it is such a call, of one lane or of many. */
bool isNamedInstruction(const llvm::Instruction &instruction);

/** About how many cycles it takes on registers of so many bits. */
double namedInstructionCycles(const llvm::CallBase &call, unsigned vectorBits);

/** The call `known` for other numbers of lanes. */
llvm::CallInst *createNamedInstruction(llvm::IRBuilderBase &builder, const llvm::CallBase &known,
                                       llvm::ArrayRef<llvm::Value *> arguments);

/** An estimate of 1 / x of floats, of 4 lanes and more, as `__weft_reciprocal_`. */
llvm::Value *estimateReciprocal(llvm::IRBuilderBase &builder, llvm::Value *x, unsigned vectorBits);

/** Makes instructions of all calls. */
void lowerNamedInstructions(llvm::Module &module, unsigned vectorBits);

} // namespace weft

#endif
