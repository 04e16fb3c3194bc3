// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Kernels that would be too large with all functions in them that ask for ids. */
#ifndef WEFT_NORM_KEPT_FUNCTIONS_H
#define WEFT_NORM_KEPT_FUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <vector>

namespace weft {

using Functions = llvm::SetVector<llvm::Function *>;

/** Direct calls in `function` of those in `callees`. */
llvm::SmallVector<llvm::CallBase *, 8> callsInto(llvm::Function &function,
                                                 const Functions &callees);

/** What kernels are made of, some of which keep functions. Callees come before callers. */
struct Parted {
    std::vector<llvm::Function *> kernels;    /* those that keep functions */
    std::vector<llvm::Function *> collective; /* which become part of them all the same */
    std::vector<llvm::Function *> kept;
    std::vector<llvm::Function *> others; /* all that the other kernels are made of, with these */
};

/** Instructions that each function will have when those of `reaching` that it calls are part of
 *  it. `bottomUp`: `reaching`, callees before callers. */
llvm::DenseMap<llvm::Function *, uint64_t>
sizesWhenInlined(llvm::ArrayRef<llvm::Function *> bottomUp, const Functions &reaching);

/** `kernels` and what they call of `bottomUp`; in that order. */
std::vector<llvm::Function *> reachedFrom(llvm::ArrayRef<llvm::Function *> kernels,
                                          llvm::ArrayRef<llvm::Function *> bottomUp,
                                          const Functions &reaching);

/** Gives `large`, kernels of `bottomUp`, functions of their own where others call them as well. */
Parted part(llvm::ArrayRef<llvm::Function *> large, llvm::ArrayRef<llvm::Function *> bottomUp,
            const Functions &reaching);

} // namespace weft

#endif
