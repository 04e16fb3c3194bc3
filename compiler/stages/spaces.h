// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What address spaces say of aliases. */
#ifndef WEFT_STAGES_SPACES_H
#define WEFT_STAGES_SPACES_H

#include "llvm/Analysis/AliasAnalysis.h"

namespace weft {

/**
 * "The address spaces are disjoint" (OpenCL C 2.0, section 6.5) but for the generic one: local
 * memory is the worker's, and no buffer, constant or variable of the program lies there. So a sum
 * in local memory stays in a register while results are stored to a buffer.
 */
class SpacesResult : public llvm::AAResultBase {
  public:
    llvm::AliasResult alias(const llvm::MemoryLocation &first, const llvm::MemoryLocation &second,
                            llvm::AAQueryInfo &, const llvm::Instruction *);
    bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &,
                    llvm::FunctionAnalysisManager::Invalidator &) {
        return false;
    }
};

class SpacesAnalysis : public llvm::AnalysisInfoMixin<SpacesAnalysis> {
  public:
    using Result = SpacesResult;
    static Result run(llvm::Function &, llvm::FunctionAnalysisManager &) { return SpacesResult(); }

  private:
    friend llvm::AnalysisInfoMixin<SpacesAnalysis>;
    static llvm::AnalysisKey Key;
};

} // namespace weft

#endif
