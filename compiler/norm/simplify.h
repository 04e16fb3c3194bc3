// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What several stages run of LLVM's passes. */
#ifndef WEFT_NORM_SIMPLIFY_H
#define WEFT_NORM_SIMPLIFY_H

#include "llvm/IR/PassManager.h"

namespace weft {

/** LLVM's number of OpenCL's generic address space. */
constexpr unsigned genericAddressSpace = 4;

/** Variables become values, expressions and control flow simple. */
void addSimplification(llvm::FunctionPassManager &passes);

/** Generic pointers become pointers of the address space that they are known to be of, as values:
 *  their variables do first. */
void addInferAddressSpaces(llvm::FunctionPassManager &passes);

/** Loops of few, known trips become straight code; no other loop is copied. */
void addFullUnrolling(llvm::FunctionPassManager &passes);

/** Loops get preheaders, exits of their own and PHIs behind them (LoopSimplify, LCSSA), as LLVM's
 *  tools for loops want them. Nothing that is known about the function stays. */
void bringLoopsIntoForm(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

/** Runs passes on a function that was changed by hand before and will be again: nothing that is
 *  known about it stays. */
void runAnew(llvm::FunctionPassManager &passes, llvm::Function &function,
             llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
