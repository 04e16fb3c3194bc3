// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Writable program-scope variables: one block per (program, device), reached through the
 *  launch. */
#ifndef WEFT_NORM_PROGRAM_DATA_H
#define WEFT_NORM_PROGRAM_DATA_H

#include "stages/stages.h"

namespace weft {

/**
 * Moves every writable program-scope variable, and every constant that points to one, into the
 * program-data block. Its initial bytes become the constant record.dataSymbol (pointers into the
 * image are relocations of that constant; pointers into the block are record.fixups).
 */
llvm::Error lowerProgramData(llvm::Module &module, ModuleRecord &record);

/** Replaces each use of `variable` by an address that `make` emits, once per function. */
void replaceInFunctions(llvm::GlobalVariable &variable,
                        llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &)> make);

/** The constants whose initialisers refer to `value`, directly or through expressions. */
void variablesInitialisedBy(llvm::Constant &value,
                            llvm::SmallPtrSetImpl<llvm::GlobalVariable *> &found);

} // namespace weft

#endif
