// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Loop strength reduction of loops in which it pays. */
#ifndef WEFT_BACKEND_STRENGTH_H
#define WEFT_BACKEND_STRENGTH_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace weft {

/**
 * Runs LLVM's loop strength reduction in front of code generation, which leaves it out
 * (`disable-lsr`). Not in large modules, nor in loops with so many accesses to memory that their
 * addresses compete for registers: there it takes most of the time of a build and gains nothing.
 */
void reduceStrength(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace weft

#endif
