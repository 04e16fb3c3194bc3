// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Declares and recognises the internal calls of internals.def. */
#ifndef WEFT_NORM_INTERNALS_H
#define WEFT_NORM_INTERNALS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace weft {

enum class Internal {
    None,
#define WEFT_INTERNAL(Name, symbol, signature, kind) Name,
#include "norm/internals.def"
};

/** The declaration of `internal` in `module`, created when it is missing. */
llvm::Function *declareInternal(llvm::Module &module, Internal internal);

/** Likewise of one that takes values of many types: a name for each, the symbol with a suffix. */
llvm::Function *declareInternal(llvm::Module &module, Internal internal, llvm::FunctionType *type,
                                const llvm::Twine &suffix);

/** Which internal a function or a call's direct callee is; None for anything else. */
Internal internalOf(const llvm::Function *function);
Internal internalOf(const llvm::Instruction &instruction);

/** Whether there is such a call in the body of `function`. */
bool calls(const llvm::Function &function, Internal internal);

/** Whether it is asked for one of the launch's dimensions. */
bool hasDimension(Internal internal);

/** The symbol of `internal`, for messages and look-ups. */
llvm::StringRef internalName(Internal internal);

/** No device has groups of 2^31 items: local ids are below, local sizes (never 0) at most that. */
constexpr uint64_t maxGroupItems = uint64_t{1} << 31;

/** No kernel runs more work-items at once: a bit for each is in one long. */
constexpr uint64_t maxWidth = 64;

/** The existing declaration or null. */
llvm::Function *findInternal(llvm::Module &module, Internal internal);

/** Emits a call of an internal without arguments, or with a constant dimension. */
llvm::CallInst *callInternal(llvm::IRBuilderBase &builder, Internal internal);
llvm::CallInst *callInternal(llvm::IRBuilderBase &builder, Internal internal, unsigned dimension);

} // namespace weft

#endif
