// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Reads of weft_launch, weft_worker and weft_services from generated code. */
#ifndef WEFT_NORM_LAUNCH_H
#define WEFT_NORM_LAUNCH_H

#include "weft/abi.h"

#include "llvm/IR/IRBuilder.h"

#include <cstddef>

namespace weft {

/** Loads a member of a structure that does not change while the kernel runs. */
inline llvm::LoadInst *loadMember(llvm::IRBuilderBase &builder, llvm::Value *structure,
                                  uint64_t offset, llvm::Type *type, const llvm::Twine &name = "") {
    llvm::LoadInst *load = builder.CreateAlignedLoad(
        type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), structure, offset),
        builder.GetInsertBlock()->getModule()->getDataLayout().getABITypeAlign(type), name);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                      llvm::MDNode::get(builder.getContext(), {}));
    return load;
}

/** Calls launch->services-> the function at `offset`. */
inline llvm::CallInst *callService(llvm::IRBuilderBase &builder, llvm::Value *launch,
                                   uint64_t offset, llvm::FunctionType *type,
                                   llvm::ArrayRef<llvm::Value *> arguments) {
    llvm::Type *pointer = builder.getPtrTy();
    llvm::Value *services =
        loadMember(builder, launch, offsetof(weft_launch, services), pointer, "services");
    llvm::CallInst *call =
        builder.CreateCall(type, loadMember(builder, services, offset, pointer), arguments);
    call->setDoesNotThrow();
    return call;
}

/** Reports WEFT_FAULT_* `fault`; goes on. */
inline void callFault(llvm::IRBuilderBase &builder, llvm::Value *launch, llvm::Value *worker,
                      llvm::Value *fault) {
    llvm::Type *pointer = builder.getPtrTy();
    auto *type = llvm::FunctionType::get(
        builder.getVoidTy(),
        {pointer, pointer, builder.getInt32Ty(), builder.getInt64Ty(), pointer}, false);
    callService(builder, launch, offsetof(weft_services, fault), type,
                {launch, worker, fault, builder.getInt64(0), builder.CreateGlobalString("")});
}

} // namespace weft

#endif
