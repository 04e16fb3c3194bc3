// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What the stages of the vectoriser share. A kernel of width W runs W work-items at once, its
 * lanes: neighbours along x. Between the stages linearise and widen the code is still that of one
 * item, but where a lane must do nothing a mask says so:
 *
 *   __weft_active()                    this lane has an item: a row's last vector may be short
 *   __weft_any(mask)                   some lane's mask is set: the same for all lanes
 *   __weft_lane_load(p, mask, some)    load, poison where the mask is not set
 *   __weft_lane_store(v, p, mask, some)
 *   __weft_same(v, mask)               v, which is the same in all lanes whose mask is set
 *   __weft_lane_work.N(mask, ...)      what this function does, for one lane after the other;
 *                                      poison where the mask is not set
 *
 * `some` is true if at least one lane that comes there has its mask set. All branches are taken by
 * all lanes together.
 */
#ifndef WEFT_VECTOR_LANES_H
#define WEFT_VECTOR_LANES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace weft {

/** On kernels: the number of lanes, decimal; absent: 1. */
constexpr const char *widthAttribute = "weft-width";
/** On wide kernels, and what becomes of them, that have neither loops nor barriers of their own and
 *  access memory in rows: there is little that later stages could still find. */
constexpr const char *straightAttribute = "weft-straight";
/** On functions that hold one operation to be done for one lane after the other. */
constexpr const char *laneWorkAttribute = "weft-lane-work";
/** On functions that hold a retry loop (vector/waits.h), which one lane after the other runs. */
constexpr const char *retryAttribute = "weft-retry";
/** On terminators of blocks where the first lane may be off, and an annotation of instructions. */
constexpr const char *partialMetadata = "weft.partial";

/** On private variables that have one element of all lanes, then the next of all. */
constexpr const char *sideBySideMetadata = "weft.side-by-side";

/** The first lane may be off in this block. */
void markPartial(llvm::BasicBlock &block);
/** The first lane may be off where the instruction is, or was: InstCombine sinks instructions into
 *  blocks where all lanes are on, with what "no wrap" promised for some of them. */
bool isPartial(const llvm::Instruction &instruction);

/** Lanes of a kernel or of anything made of one. */
unsigned widthOf(const llvm::Function &function);

/** A masked access between linearise and widen; behind, one by llvm.masked.load or store, whose
 *  operands lie alike but for some(). */
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

/** Where lanes that are off may read anything up to the largest OpenCL vector, as a pointer of this
 *  type. */
llvm::Constant *nothingAt(llvm::Module &module, llvm::Type *pointer);

/** Parts the block of `calls`, any instructions that follow each other, in two ways: where
 * `condition` holds, what `instead` inserts does their work and gives their values, elsewhere the
 * calls as before. The builder is left behind both. */
void insteadWhere(llvm::IRBuilderBase &builder, llvm::Value *condition,
                  llvm::ArrayRef<llvm::Instruction *> calls, llvm::MDNode *weights,
                  llvm::function_ref<llvm::SmallVector<llvm::Value *, 4>()> instead);
void insteadWhere(llvm::IRBuilderBase &builder, llvm::Value *condition, llvm::Instruction &call,
                  llvm::MDNode *weights, llvm::function_ref<llvm::Value *()> instead);

/** Work that is done lane by lane, between linearise and widen. */
struct LaneWork {
    llvm::CallInst *call = nullptr;    /* its first argument is the mask */
    llvm::Instruction *work = nullptr; /* in a function of its own */

    explicit operator bool() const { return call != nullptr; }
    /** What an operand of the work is in the kernel. */
    llvm::Value *outer(llvm::Value *operand) const;
    /** A copy for the kernel, not inserted, with `operandOf` for each of the call's arguments. */
    llvm::Instruction *
    instantiate(llvm::function_ref<llvm::Value *(llvm::Value *)> operandOf) const;
};

LaneWork laneWork(llvm::Instruction &instruction);

/** The call of a new function that does what `work` does; `work` stays as it is. */
llvm::CallInst *createLaneWork(llvm::IRBuilderBase &builder, llvm::Instruction &work,
                               llvm::Value *mask);

/** An access that must happen item by item: atomic or volatile. */
bool isOrdered(const llvm::Instruction &instruction);

} // namespace weft

#endif
