// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What the stages of the vectoriser share. A kernel of width W runs W work-items at once, its
 * lanes: neighbours along x. Between the stages linearise and widen the code is still that of one
 * item, but where a lane must do nothing a mask says so:
 *
 *   __weft_active()                    this lane has an item (the last vector of a row may be
 * short)
 *   __weft_any(mask)                   some lane's mask is set: the same for all lanes
 *   __weft_lane_load(p, mask, some)    load, poison where the mask is not set
 *   __weft_lane_store(v, p, mask, some)
 *   __weft_same(v, mask)               v, which is the same in all lanes whose mask is set
 *   br mask, do, after, !weft.lanes    the block `do` runs for one lane after the other
 *
 * `some` is true if at least one lane that comes there has its mask set. All other branches are
 * taken by all lanes together.
 */
#ifndef WEFT_VECTOR_LANES_H
#define WEFT_VECTOR_LANES_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace weft {

/** On kernels: the number of lanes, decimal; absent: 1. */
constexpr const char *widthAttribute = "weft-width";
/** On terminators: see above; and, of blocks where the first lane may be off, this. */
constexpr const char *lanesMetadata = "weft.lanes";
constexpr const char *partialMetadata = "weft.partial";

/** Lanes of a kernel or of anything made of one. */
unsigned widthOf(const llvm::Function &function);

/** A masked access between linearise and widen. */
struct LaneAccess {
    llvm::CallInst *call = nullptr;
    bool isStore = false;

    explicit operator bool() const { return call != nullptr; }
    llvm::Value *value() const { return isStore ? call->getArgOperand(0) : call; }
    llvm::Value *pointer() const { return call->getArgOperand(isStore); }
    llvm::Value *mask() const { return call->getArgOperand(isStore + 1); }
    bool some() const {
        return !llvm::cast<llvm::ConstantInt>(call->getArgOperand(isStore + 2))->isZero();
    }
    llvm::Align align() const { return call->getParamAlign(isStore).valueOrOne(); }
};

LaneAccess laneAccess(llvm::Instruction &instruction);

llvm::CallInst *createLaneLoad(llvm::IRBuilderBase &builder, llvm::LoadInst &load,
                               llvm::Value *mask, bool some);
llvm::CallInst *createLaneStore(llvm::IRBuilderBase &builder, llvm::StoreInst &store,
                                llvm::Value *mask, bool some);

/** The branch before a block that runs lane by lane. */
inline bool isLaneBranch(const llvm::Instruction &terminator) {
    return terminator.hasMetadata(lanesMetadata);
}

/** An access that must happen item by item: atomic or volatile. */
bool isOrdered(const llvm::Instruction &instruction);

} // namespace weft

#endif
