// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Which branches all lanes of a vector take together. */
#ifndef WEFT_VECTOR_DIVERGENCE_H
#define WEFT_VECTOR_DIVERGENCE_H

#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"

namespace weft {

/**
 * LLVM's uniformity analysis seeded for the lanes of one vector, neighbours along x: ids in y and z
 * are uniform, and so is what a uniform address holds, since lanes read it at the same time.
 * A snapshot: the function must not change while it is asked.
 */
class Divergence {
  public:
    explicit Divergence(llvm::Function &kernel);

    bool isUniform(const llvm::Value &value) const { return info.isUniform(&value); }
    bool isDivergentBranch(const llvm::Instruction &terminator) const {
        return !info.isUniform(&terminator);
    }

  private:
    llvm::DominatorTree tree;
    llvm::CycleInfo cycles;
    llvm::TargetTransformInfo target;
    llvm::UniformityInfo info;
};

} // namespace weft

#endif
