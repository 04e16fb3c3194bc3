// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** How large a function becomes that others are inlined into. */
#ifndef WEFT_NORM_SIZE_LIMIT_H
#define WEFT_NORM_SIZE_LIMIT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace weft {

/** Counting all of a function before each call is inlined takes the square of the calls: this adds
 *  up, and counts only when the sum is over the limit. */
class SizeLimit {
  public:
    /** `most`: instructions. What is inlined must not change while this is asked. */
    SizeLimit(const llvm::Function &function, unsigned most)
        : function(function), most(most), bound(function.getInstructionCount()) {}

    /** A call of this function was inlined. */
    void add(const llvm::Function &callee);

    bool isOver();

  private:
    const llvm::Function &function;
    const uint64_t most;
    uint64_t bound; /* at least as many as there are */
    llvm::DenseMap<const llvm::Function *, unsigned> sizes;
};

inline void SizeLimit::add(const llvm::Function &callee) {
    auto [entry, isNew] = sizes.try_emplace(&callee, 0);
    if (isNew)
        entry->second = callee.getInstructionCount();
    bound += entry->second;
}

inline bool SizeLimit::isOver() {
    if (bound > most)
        bound = function.getInstructionCount();
    return bound > most;
}

} // namespace weft

#endif
