// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Dot products of four bytes in a word, as the kernel library asks for them (kernel-lib/packed):
 * `__weft_dot4_<signs>`, a function without effects that LLVM knows nothing else about, since it
 * has no operation whose code would be certain. Stage widen gives a call as many lanes as the
 * kernel has, and stage abi makes instructions of it. Results are modulo 2^32.
 */
#ifndef WEFT_NORM_PACKED_DOT_H
#define WEFT_NORM_PACKED_DOT_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace weft {

/** Whose bytes have a sign: of neither, of the second word, of both. */
enum class PackedSigns { UU, US, SS };

/** Whether an instruction is such a call, of one lane or of many. */
bool isPackedDot(const llvm::Instruction &instruction);

/** About how many cycles it takes on registers of so many bits. */
double packedDotCycles(const llvm::CallBase &call, unsigned vectorBits);

/** A call for i32, or for vectors of it. */
llvm::CallInst *createPackedDot(llvm::IRBuilderBase &builder, PackedSigns signs, llvm::Value *a,
                                llvm::Value *b);

/** The call `known` for other numbers of lanes. */
llvm::CallInst *createPackedDot(llvm::IRBuilderBase &builder, const llvm::CallBase &known,
                                llvm::ArrayRef<llvm::Value *> arguments);

/**
 * Makes instructions of all calls: VNNI's where the machine has them, with a sum that is its only
 * user in the accumulator; else products of 16 bits, which are exact, added in pairs. A single
 * lane becomes plain arithmetic.
 */
void lowerPackedDots(llvm::Module &module, const llvm::TargetMachine &machine, unsigned vectorBits);

} // namespace weft

#endif
