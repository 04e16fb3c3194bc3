// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory is flat here, so a generic pointer does not say what it points to; but local and private
// memory lie in few known places: the worker's arena and the frames of compiled code. All else is
// global.

#include "norm/address_spaces.h"

#include "norm/internals.h"
#include "norm/launch.h"

#include "weft/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace weft {

namespace {

/** Addresses as numbers: start <= address < start + bytes. */
Value *isWithin(IRBuilder<> &builder, Value *address, Value *start, Value *bytes) {
    return builder.CreateICmpULT(builder.CreateSub(address, start), bytes);
}

Value *asNumber(IRBuilder<> &builder, Value *pointer) {
    return builder.CreatePtrToInt(pointer, builder.getInt64Ty());
}

Value *isLocal(IRBuilder<> &builder, Value *address) {
    Value *start = asNumber(builder, callInternal(builder, Internal::LocalMemory));
    Value *launch = callInternal(builder, Internal::Launch);
    return isWithin(
        builder, address, start,
        loadMember(builder, launch, offsetof(weft_launch, local_bytes), builder.getInt64Ty()));
}

/** In the arena behind local memory, or in a frame: private variables are nowhere else. An
 *  application's buffer may well lie on the same stack, but not among our frames. */
Value *isPrivate(IRBuilder<> &builder, Value *address) {
    Value *worker = callInternal(builder, Internal::Worker);
    Value *start = asNumber(builder, callInternal(builder, Internal::PrivateMemory));
    Value *end = asNumber(builder, loadMember(builder, worker, offsetof(weft_worker, private_end),
                                              builder.getPtrTy()));
    Value *inArena = isWithin(builder, address, start, builder.CreateSub(end, start));
    Value *stack = builder.getInt64(WEFT_MAX_STACK);
    Value *top = asNumber(builder, callInternal(builder, Internal::FrameEnd));
    Value *inFrame = isWithin(builder, address, builder.CreateSub(top, stack), stack);
    return builder.CreateOr(inArena, inFrame);
}

} // namespace

Value *lowerAddressSpaceTest(CallBase &call, StringRef name) {
    enum { Fence, Global, Local, Private } test;
    if (name == "get_fence")
        test = Fence;
    else if (name == "to_global")
        test = Global;
    else if (name == "to_local")
        test = Local;
    else if (name == "to_private")
        test = Private;
    else
        return nullptr;
    IRBuilder<> builder(&call);
    Value *pointer = call.getArgOperand(0);
    Value *address = asNumber(builder, pointer);
    Value *local = isLocal(builder, address);
    // CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE.
    if (test == Fence)
        return builder.CreateSelect(local, builder.getInt32(1), builder.getInt32(2));
    Value *answer = local;
    if (test != Local)
        answer = isPrivate(builder, address);
    if (test == Global)
        answer = builder.CreateNot(builder.CreateOr(answer, local));
    // "Returns NULL if it cannot cast ptr to that address space."
    Value *cast = builder.CreateAddrSpaceCast(pointer, call.getType());
    return builder.CreateSelect(answer, cast, Constant::getNullValue(call.getType()));
}

} // namespace weft
