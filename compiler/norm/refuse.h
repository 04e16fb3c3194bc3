// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What no build takes, whatever its kernels: found in front of all stages, which rely on it. */
#ifndef WEFT_NORM_REFUSE_H
#define WEFT_NORM_REFUSE_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>

namespace weft {

/** A reason in the program itself. It has a place only if the module has debug information. */
class Refusal : public llvm::ErrorInfo<Refusal> {
  public:
    static char ID;

    Refusal(std::string place, std::string reason)
        : place(std::move(place)), reason(std::move(reason)) {}
    /** A sentence for the build log, behind "<source>:3:1: " if the place is known. */
    void log(llvm::raw_ostream &stream) const override {
        stream << (place.empty() ? "" : place + ": ") << reason;
    }
    std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  private:
    std::string place, reason;
};

/** Second names of functions and variables (attribute alias) become the first. */
void resolveAliases(llvm::Module &module);

/**
 * "Recursion is not supported" (OpenCL C, section 6.9 i): inlining would not end, and frames could
 * not be bounded. Roots are kernels of the front ends' form; without any, what can be called from
 * outside. Functions that none of them calls do no harm.
 */
llvm::Error refuseRecursion(llvm::Module &module);

/**
 * Refuses, of a module in the front ends' form without aliases: recursion; private memory whose
 * size is not known; variables and arguments larger than any kernel or program may have, which
 * sums in later stages rely on. The error is a Refusal.
 */
llvm::Error refuse(llvm::Module &module);

} // namespace weft

#endif
