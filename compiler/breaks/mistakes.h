// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What the rows of breaks.def do. A mistake changes a module in front of a stage, which is so told
 * something wrong, or behind it, as if the stage had made that. Stages know nothing of it. Code
 * that does not have what a mistake is about stays as it is: some kernel of the tests does.
 */
#ifndef WEFT_BREAKS_MISTAKES_H
#define WEFT_BREAKS_MISTAKES_H

#include "norm/internals.h"
#include "stages/stages.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace weft {

struct Mistake {
    using Change = void (*)(llvm::Module &module, StageContext &context);

    llvm::StringLiteral name; /* as in breaks.def */
    Change inFront, behind;   /* null: nothing */
};

/** Of the stages in norm/, in group/ and in vector/. */
llvm::ArrayRef<Mistake> normMistakes();
llvm::ArrayRef<Mistake> groupMistakes();
llvm::ArrayRef<Mistake> vectorMistakes();

/** `change` may erase or replace the instruction that it is given. */
template <typename Kind>
void forEach(llvm::Function &function, llvm::function_ref<void(Kind &)> change) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
        if (auto *one = llvm::dyn_cast<Kind>(&instruction))
            change(*one);
}

template <typename Kind>
void forEach(llvm::Module &module, llvm::function_ref<void(Kind &)> change) {
    for (llvm::Function &function : module)
        forEach<Kind>(function, change);
}

/** Calls of one internal, or of the function of this name. */
void forEachCall(llvm::Module &module, Internal internal,
                 llvm::function_ref<void(llvm::CallBase &)> change);
void eraseCalls(llvm::Module &module, llvm::StringRef name);

} // namespace weft

#endif
