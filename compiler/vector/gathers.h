// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Gathers without an instruction, or with one that is no help. */
#ifndef WEFT_VECTOR_GATHERS_H
#define WEFT_VECTOR_GATHERS_H

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

namespace weft {

/** Whether the target has an instruction for this gather. */
bool hasGather(const llvm::IntrinsicInst &gather, const llvm::TargetTransformInfo &target);

/**
 * Makes loads of one element each out of gathers for which there is no instruction, and, where
 * `slowGathers` (Target::hasSlowGathers()), of those whose places no load gave, unless they are
 * many. Lanes that are off read what is always there.
 */
void takeGathersApart(llvm::Function &function, const llvm::TargetTransformInfo &target,
                      bool slowGathers);

} // namespace weft

#endif
