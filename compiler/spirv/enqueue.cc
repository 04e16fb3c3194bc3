// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Device-side enqueue: calls of the functions that stage lower-module-state knows
// (norm/enqueue.cc).

#include "spirv/reader.h"

#include "weft/abi.h"

using namespace llvm;

namespace weft::spirv {

/** A pointer as OpenCL C's functions take it. */
static Value *generic(IRBuilder<> &builder, Value *pointer) {
    return builder.CreateAddrSpaceCast(pointer, PointerType::get(builder.getContext(), 4));
}

/** Room in the frame of this function. */
Value *Reader::temporary(Type *type) {
    BasicBlock &entry = function->getEntryBlock();
    return IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
}

/**
 * What is started: "Invoke must be an OpFunction", a kernel itself where a producer makes entry
 * points of blocks, else a function that gets a kernel here. Null: not a function of this module.
 */
Function *Reader::blockKernel(const Instruction &instruction, uint32_t at) {
    Function *invoke = functions.lookup(instruction.operand(at));
    if (!invoke || invoke->arg_empty() || !invoke->getArg(0)->getType()->isPointerTy()) {
        fail(instruction, "what it is to run is not a function with a pointer to its captures");
        return nullptr;
    }
    if (invoke->getCallingConv() == CallingConv::SPIR_KERNEL)
        return invoke;
    Function *&kernel = blockKernels[invoke];
    if (kernel)
        return kernel;
    kernel = Function::Create(invoke->getFunctionType(), GlobalValue::InternalLinkage,
                              invoke->getName() + "_block_invoke_kernel", *module);
    kernel->setCallingConv(CallingConv::SPIR_KERNEL);
    kernel->setDoesNotThrow();
    kernel->setConvergent();
    IRBuilder<> inside(BasicBlock::Create(context, "", kernel));
    SmallVector<Value *, 4> arguments;
    for (Argument &argument : kernel->args())
        arguments.push_back(&argument);
    inside.CreateCall(invoke, arguments)->setCallingConv(invoke->getCallingConv());
    inside.CreateRetVoid();
    return kernel;
}

/** Sizes of local memory as an array of size_t: integers, or addresses of such. */
Value *Reader::localSizes(const Instruction &instruction, uint32_t from) {
    uint32_t count = instruction.operands() - from;
    Type *wide = builder.getInt64Ty();
    Value *sizes = temporary(ArrayType::get(wide, count));
    for (uint32_t i = 0; i < count; i++) {
        Value *size = operand(instruction, from + i);
        if (!size->getType()->isPointerTy() && !size->getType()->isIntegerTy()) {
            fail(instruction, "a size of local memory is not an integer");
            break;
        }
        size = size->getType()->isPointerTy()
                   ? builder.CreateLoad(wide, size)
                   : builder.CreateIntCast(size, wide, /*isSigned=*/false);
        builder.CreateStore(size, builder.CreateConstInBoundsGEP1_64(wide, sizes, i));
    }
    return sizes;
}

/** An ND-range operand: a structure, or the address of one. */
Value *Reader::rangeAddress(const Instruction &instruction, uint32_t at) {
    Value *range = operand(instruction, at);
    if (range->getType()->isPointerTy())
        return range;
    if (!isa<StructType>(range->getType()) ||
        module->getDataLayout().getTypeAllocSize(range->getType()) != sizeof(weft_ndrange))
        fail(instruction, "the ND-range is not a structure like ndrange_t");
    Value *copy = temporary(range->getType());
    builder.CreateStore(range, copy);
    return copy;
}

/** OpEnqueueKernel: queue, flags, ND-range, events, wait list, event, function, its captures with
 *  size and alignment, sizes of local memory. */
Value *Reader::enqueueKernel(const Instruction &instruction) {
    Function *kernel = fits(instruction, "i:qi.iaa.ann") ? blockKernel(instruction, 6) : nullptr;
    if (!kernel)
        return nullptr;
    uint32_t locals = instruction.operands() > 10 ? instruction.operands() - 10 : 0;
    if (kernel->arg_size() != locals + 1) {
        fail(instruction, "the number of local sizes differs from the function's parameters");
        return nullptr;
    }
    Value *sizes = locals ? localSizes(instruction, 10)
                          : ConstantPointerNull::get(PointerType::get(context, 0));
    return callPlain("__weft_enqueue_kernel", resultType(instruction),
                     {operand(instruction, 0), operand(instruction, 1),
                      rangeAddress(instruction, 2), operand(instruction, 3),
                      generic(builder, operand(instruction, 4)),
                      generic(builder, operand(instruction, 5)), generic(builder, kernel),
                      generic(builder, operand(instruction, 7)),
                      builder.CreateIntCast(operand(instruction, 8), builder.getInt64Ty(), false),
                      builder.getInt32(locals), sizes},
                     Effect::Any);
}

/** OpBuildNDRange: global size, local size, offset; each an integer or an array of two or three. */
Value *Reader::buildRange(const Instruction &instruction) {
    static const unsigned members[] = {2, 3, 1}; /* as in ndrange_t */
    auto *type = dyn_cast<StructType>(resultType(instruction));
    if (!type || type->getNumElements() != 4) {
        fail(instruction, "the result is not a structure like ndrange_t");
        return nullptr;
    }
    for (unsigned member : members)
        if (auto *array = dyn_cast<ArrayType>(type->getElementType(member));
            !array || array->getNumElements() != 3 || !array->getElementType()->isIntegerTy(64)) {
            fail(instruction, "the result is not a structure like ndrange_t");
            return nullptr;
        }
    Value *range = Constant::getNullValue(type);
    for (unsigned part = 0; part < 3; part++) {
        Value *given = operand(instruction, part);
        auto *array = dyn_cast<ArrayType>(given->getType());
        if (!(array ? array->getElementType() : given->getType())->isIntegerTy()) {
            fail(instruction, "a size is not an integer or an array of integers");
            break;
        }
        unsigned count = array ? static_cast<unsigned>(array->getNumElements()) : 1;
        if (part == 0)
            range = builder.CreateInsertValue(
                range, ConstantInt::get(type->getElementType(0), count), {0});
        for (unsigned i = 0; i < 3; i++) {
            Value *size = builder.getInt64(part == 0 ? 1 : 0);
            if (i < count)
                size = builder.CreateIntCast(array ? builder.CreateExtractValue(given, {i}) : given,
                                             builder.getInt64Ty(), false);
            range = builder.CreateInsertValue(range, size, {members[part], i});
        }
    }
    return range;
}

/** The queries: what they are about, if it is not the function alone, then the function and its
 *  captures. */
void Reader::queryKernel(const Instruction &instruction) {
    StringRef name;
    Value *first = nullptr;
    switch (instruction.op) {
    case Op::GetKernelNDrangeSubGroupCount:
        name = "__get_kernel_sub_group_count_for_ndrange_impl";
        first = rangeAddress(instruction, 0);
        break;
    case Op::GetKernelNDrangeMaxSubGroupSize:
        name = "__get_kernel_max_sub_group_size_for_ndrange_impl";
        first = rangeAddress(instruction, 0);
        break;
    case Op::GetKernelLocalSizeForSubgroupCount:
        name = "__weft_sub_group_local_size";
        first = operand(instruction, 0);
        break;
    case Op::GetKernelMaxNumSubgroups:
        name = "__weft_max_sub_groups";
        break;
    case Op::GetKernelWorkGroupSize:
        name = "__get_kernel_work_group_size_impl";
        break;
    default:
        name = "__get_kernel_preferred_work_group_size_multiple_impl";
    }
    bool counts = instruction.op == Op::GetKernelLocalSizeForSubgroupCount;
    if (!fits(instruction, !first ? "i:.a" : counts ? "i:i.a" : "i:..a"))
        return;
    uint32_t at = first ? 1 : 0;
    Function *kernel = blockKernel(instruction, at);
    if (!kernel)
        return;
    SmallVector<Value *, 3> arguments;
    if (first)
        arguments.push_back(first);
    arguments.append({generic(builder, kernel), generic(builder, operand(instruction, at + 1))});
    set(instruction, callPlain(name, resultType(instruction), arguments, Effect::Any));
}

void Reader::readEnqueue(const Instruction &instruction) {
    switch (instruction.op) {
    case Op::EnqueueKernel:
        return set(instruction, enqueueKernel(instruction));
    case Op::BuildNDRange:
        return set(instruction, buildRange(instruction));
    case Op::EnqueueMarker:
        if (!fits(instruction, "i:qiaa"))
            return;
        return set(instruction, callPlain("__weft_enqueue_marker", resultType(instruction),
                                          {operand(instruction, 0), operand(instruction, 1),
                                           generic(builder, operand(instruction, 2)),
                                           generic(builder, operand(instruction, 3))},
                                          Effect::Any));
    default:
        return queryKernel(instruction);
    }
}

} // namespace weft::spirv
