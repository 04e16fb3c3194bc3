// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Lanes whose elements follow each other in memory: one wide access, and shuffles. */
#ifndef WEFT_VECTOR_GROUPS_H
#define WEFT_VECTOR_GROUPS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace weft {

/** Each lane has `parts` elements side by side, and the next lane's begin `groups` elements further
 * up, or down. */
struct LaneGroups {
    unsigned lanes, parts, groups;
    bool down;
    llvm::Type *element;
    llvm::Align align; /* of every lane's place, also of those that are off */
    bool hasMasks;     /* the target has masked accesses of all types */

    /** `first`: lane 0's place. No mask: all lanes are on, and nothing lies between their elements.
     * Gives a vector of lanes for each part. */
    llvm::SmallVector<llvm::Value *, 4> load(llvm::IRBuilderBase &builder, llvm::Value *first,
                                             llvm::Value *mask) const;
    void store(llvm::IRBuilderBase &builder, llvm::ArrayRef<llvm::Value *> values,
               llvm::Value *first, llvm::Value *mask) const;

  private:
    bool isPlain() const { return groups == 1 && !down; }
    unsigned flip(unsigned lane) const { return down ? lanes - 1 - lane : lane; }
    unsigned pieceSize() const;
    llvm::Align alignOf(const llvm::IRBuilderBase &builder, unsigned from) const;
    llvm::Value *placeOf(llvm::IRBuilderBase &builder, llvm::Value *first, unsigned from) const;
    llvm::Value *pick(llvm::IRBuilderBase &builder, llvm::Value *mask, unsigned from) const;
};

} // namespace weft

#endif
