// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Oracles of stages (docs/differential.md): what a stage has left is made executable in the
 * plainest way, so that a wrong result tells the first stage that changed it. Nothing here is
 * shared with the stages that it judges, but for stage abi and what a kernel's arguments are.
 */
#ifndef WEFT_ORACLE_ORACLE_H
#define WEFT_ORACLE_ORACLE_H

#include "stages/stages.h"

namespace weft {

/** What stages leave. */
enum class Left {
    Items,    /* code of one item: choose-width may have said how many lanes a vector has */
    LockStep, /* of one lane, under masks, all lanes of a vector on one way */
    Vectors,  /* of a vector */
    Regions,  /* of a vector between barriers, and of a group what calls those */
    Groups,   /* of a range of groups */
    Entries   /* likewise, as weft/abi.h has it */
};

/** Entry functions for code of the first kinds, but for stage abi. */
void runItems(llvm::Function &kernel, KernelRecord &record);
void runLockStep(llvm::Function &kernel, KernelRecord &record);
void runVectors(llvm::Function &kernel, KernelRecord &record);
llvm::Error runRegions(llvm::Function &kernel, KernelRecord &record);
/** Gives a kernel's entries a stack in the arena: plain code needs much. */
void runEntries(llvm::Module &module, KernelRecord &record);

/** From what `stage` has left to what code generation takes. Stages that reference execution runs
 *  of the whole module have all run. `context` is of plain options: nothing is broken. */
llvm::Error finishPlainly(llvm::StringRef stage, llvm::Module &module, StageContext &context);

} // namespace weft

#endif
