// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Which values are the same for all work-items of a group that compute them. */
#ifndef WEFT_GROUP_UNIFORMITY_H
#define WEFT_GROUP_UNIFORMITY_H

#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"

namespace weft {

/**
 * LLVM's uniformity analysis, seeded for work-groups on one thread: kernel arguments, group ids and
 * sizes are uniform; local ids, private memory, atomics and every load that another item's store
 * may change are not. A snapshot: the function must not change while it is asked.
 */
class Uniformity {
  public:
    explicit Uniformity(llvm::Function &kernel);

    /** Also false for a value of a loop that items leave at different times. */
    bool isUniform(const llvm::Instruction &value) const {
        return info.isUniform(&value) && !temporal.contains(&value);
    }

    /** All items that come to the end of `block` together leave it by the same way. */
    bool branchesUniformly(const llvm::BasicBlock &block) const {
        return info.isUniform(block.getTerminator());
    }

  private:
    llvm::DominatorTree tree;
    llvm::CycleInfo cycles;
    llvm::TargetTransformInfo target;
    llvm::UniformityInfo info;
    llvm::SmallPtrSet<const llvm::Value *, 16> temporal;
};

} // namespace weft

#endif
