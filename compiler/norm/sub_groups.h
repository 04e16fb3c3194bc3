// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Sub-group functions: the core ones of OpenCL 2.1 and those of the cl_khr_subgroup_* extensions.
 * A sub-group is the items that a kernel runs at once, its lanes; a kernel that runs one item at a
 * time has sub-groups of one item. docs/sub-groups.md
 */
#ifndef WEFT_NORM_SUB_GROUPS_H
#define WEFT_NORM_SUB_GROUPS_H

#include "norm/group_arith.h"

#include "llvm/IR/InstrTypes.h"

namespace weft {

/** What lanes give each other. Only lanes count whose mask is set. */
enum class Exchange {
    Broadcast, /* the value of lane `other`, which is the same for all: uniform */
    Shuffle,   /* the value of lane `other` */
    Reduce,    /* all values combined: uniform */
    Cluster,   /* the values of a lane's cluster, of `other` lanes, combined */
    Inclusive, /* the values up to this lane's combined */
    Exclusive  /* the values in front of this lane's combined */
};

/**
 * T __weft_sub_group.T(exchange, arithmetic, value, other, mask): Internal::SubGroup. Until stage
 * linearise the mask is `true`.
 */
struct SubGroupCall {
    llvm::CallBase *call = nullptr;

    explicit operator bool() const { return call != nullptr; }
    Exchange exchange() const { return static_cast<Exchange>(constant(0)); }
    Arith arith() const { return static_cast<Arith>(constant(1)); }
    llvm::Value *value() const { return call->getArgOperand(2); }
    llvm::Value *other() const { return call->getArgOperand(3); }
    llvm::Value *mask() const { return call->getArgOperand(4); }
    bool isUniform() const {
        return exchange() == Exchange::Broadcast || exchange() == Exchange::Reduce;
    }

  private:
    uint64_t constant(unsigned index) const;
};

SubGroupCall subGroupCall(const llvm::Instruction &instruction);

/** True for Internal::Ballot and Internal::SubGroup, whose last operand is a mask. */
bool needsLanes(const llvm::Instruction &instruction);
void setLanes(llvm::CallBase &call, llvm::Value *mask);

/**
 * Lowers a call of the function `name`; false: it is no sub-group function. `mangled`: its
 * parameters. `result`: its value, by code put in front of the call; null if it has none.
 */
bool lowerSubGroup(llvm::CallBase &call, llvm::StringRef name, llvm::StringRef mangled,
                   llvm::Value *&result);

/** A bit that is set in one of the lanes that come there: who acts for its sub-group. */
llvm::Value *electLane(llvm::IRBuilder<> &builder);
/** The value of the first of the lanes that come there. */
llvm::Value *broadcastFirst(llvm::IRBuilder<> &builder, llvm::Value *value);

/** True if the kernel asks anything about sub-groups. */
bool usesSubGroups(llvm::Function &kernel);

/** get_max_sub_group_size() becomes `width`; where it is 1, no trace of sub-groups is left. */
void fixSubGroupSize(llvm::Function &kernel, unsigned width);

} // namespace weft

#endif
