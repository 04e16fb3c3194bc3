// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/printf.h"
#include "norm/internals.h"
#include "norm/launch.h"

#include "weft/abi.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Alignment.h"

#include <cstddef>

using namespace llvm;

namespace weft {

namespace {

/** Where an argument goes in the record, and its head. */
struct Slot {
    uint64_t offset; /* of the weft_printf_arg */
    weft_printf_arg head;
};

weft_printf_arg headOf(Type *type) {
    Type *element = type->getScalarType();
    auto *vector = dyn_cast<FixedVectorType>(type);
    weft_printf_arg head = {};
    head.lanes = static_cast<uint8_t>(vector ? vector->getNumElements() : 1);
    head.kind = WEFT_PRINTF_INT;
    head.element_size = static_cast<uint8_t>(element->getScalarSizeInBits() / 8);
    if (element->isPointerTy()) {
        head.kind = WEFT_PRINTF_POINTER;
        head.element_size = 8;
    } else if (element->isFloatingPointTy()) {
        head.kind = WEFT_PRINTF_FLOAT;
    }
    return head;
}

/** Fills `slots`, one per argument behind the format; returns the record's size. */
uint64_t layOut(FunctionType &type, SmallVectorImpl<Slot> &slots) {
    uint64_t offset = sizeof(weft_printf_record);
    for (Type *argument : type.params().drop_front(3)) {
        weft_printf_arg head = headOf(argument);
        slots.push_back({offset, head});
        offset += sizeof(head) + alignTo(uint64_t{head.lanes} * head.element_size, 8);
    }
    return offset;
}

/** Records are aligned to 8 bytes. */
void storeAt(IRBuilder<> &builder, Value *record, uint64_t offset, Value *value) {
    builder.CreateAlignedStore(
        value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, offset),
        commonAlignment(Align(8), offset));
}

/** Lane by lane: an IR vector of three elements occupies four in memory, a record's three. */
void storeArgument(IRBuilder<> &builder, Value *record, const Slot &slot, Value *value) {
    uint64_t head =
        slot.head.kind | uint64_t{slot.head.element_size} << 8 | uint64_t{slot.head.lanes} << 16;
    storeAt(builder, record, slot.offset, builder.getInt64(head));
    uint64_t at = slot.offset + sizeof(weft_printf_arg);
    if (slot.head.lanes == 1)
        return storeAt(builder, record, at, value);
    for (unsigned lane = 0; lane < slot.head.lanes; lane++)
        storeAt(builder, record, at + uint64_t{lane} * slot.head.element_size,
                builder.CreateExtractElement(value, lane));
}

void fillRecord(IRBuilder<> &builder, Function &function, Value *record, uint64_t bytes,
                ArrayRef<Slot> slots) {
    storeAt(builder, record, offsetof(weft_printf_record, bytes),
            builder.getInt32(static_cast<uint32_t>(bytes)));
    storeAt(builder, record, offsetof(weft_printf_record, arg_count),
            builder.getInt32(static_cast<uint32_t>(slots.size())));
    storeAt(builder, record, offsetof(weft_printf_record, format), function.getArg(2));
    for (unsigned index = 0; index < slots.size(); index++)
        storeArgument(builder, record, slots[index], function.getArg(index + 3));
}

/**
 * i32 (launch, worker, format, arguments...): one function for all calls of the same types, kept
 * out of line, since printing is never what a kernel should be fast at.
 */
Function *makePrinter(Module &module, FunctionType *type, StringRef name) {
    auto *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
    function->addFnAttr(Attribute::NoInline);
    function->addFnAttr(Attribute::Cold);
    function->setDoesNotThrow();
    SmallVector<Slot, 8> slots;
    uint64_t bytes = layOut(*type, slots);
    LLVMContext &context = module.getContext();
    IRBuilder<> builder(BasicBlock::Create(context, "", function));
    auto *fill = BasicBlock::Create(context, "fill", function);
    auto *full = BasicBlock::Create(context, "full", function);
    Value *launch = function->getArg(0), *worker = function->getArg(1);
    Type *pointer = builder.getPtrTy();

    Value *record =
        callService(builder, launch, offsetof(weft_services, printf_reserve),
                    FunctionType::get(pointer, {pointer, pointer, builder.getInt32Ty()}, false),
                    {launch, worker, builder.getInt32(static_cast<uint32_t>(bytes))});
    builder.CreateCondBr(builder.CreateIsNull(record), full, fill);
    builder.SetInsertPoint(fill);
    fillRecord(builder, *function, record, bytes, slots);
    callService(builder, launch, offsetof(weft_services, printf_commit),
                FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer}, false),
                {launch, worker, record});
    // "printf returns 0 if it was executed successfully and -1 otherwise."
    builder.CreateRet(builder.getInt32(0));
    builder.SetInsertPoint(full);
    builder.CreateRet(builder.getInt32(-1));
    return function;
}

} // namespace

void lowerPrintf(Module &module) {
    Function *print = findInternal(module, Internal::Printf);
    if (!print)
        return;
    DenseMap<FunctionType *, Function *> printers;
    for (User *user : make_early_inc_range(print->users())) {
        auto *call = dyn_cast<CallInst>(user);
        if (!call || call->getCalledFunction() != print)
            continue;
        IRBuilder<> builder(call);
        SmallVector<Value *, 8> arguments = {callInternal(builder, Internal::Launch),
                                             callInternal(builder, Internal::Worker)};
        SmallVector<Type *, 8> types = {builder.getPtrTy(), builder.getPtrTy()};
        for (Value *argument : call->args()) {
            arguments.push_back(argument);
            types.push_back(argument->getType());
        }
        Function *&printer = printers[FunctionType::get(builder.getInt32Ty(), types, false)];
        if (!printer)
            printer = makePrinter(module, FunctionType::get(builder.getInt32Ty(), types, false),
                                  "printf.record");
        call->replaceAllUsesWith(builder.CreateCall(printer, arguments));
        call->eraseFromParent();
    }
}

} // namespace weft
