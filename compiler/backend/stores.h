// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Stores of several registers. */
#ifndef WEFT_BACKEND_STORES_H
#define WEFT_BACKEND_STORES_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace weft {

/**
 * Makes stores of one register each, upwards, of stores of several. Code generation would emit the
 * last one first: where memory is written as a stream, that takes Zen 4 twice as long. Masked
 * stores, which are the ends of rows, stay as they are.
 */
void splitStores(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace weft

#endif
