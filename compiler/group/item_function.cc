// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "group/item_function.h"
#include "group/arguments.h"
#include "norm/kernel_info.h"
#include "norm/launch.h"
#include "stages/stages.h"

#include "../../kernel-lib/rt/reference.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

Value *ItemFunction::ofItem(IRBuilder<> &builder, uint64_t member, Type *type) {
    return loadMember(builder, item, member, type);
}

/** What is behind the arguments of the kernel itself is the caller's. */
void ItemFunction::readParameters(IRBuilder<> &builder) {
    Value *block =
        loadMember(builder, launch, offsetof(weft_launch, args), builder.getPtrTy(), "args");
    for (Argument &argument : source.args()) {
        unsigned index = argument.getArgNo();
        argument.replaceAllUsesWith(
            index < record.args.size()
                ? readArgument(builder, argument, record.args[index].info, block, worker)
                : other(builder, argument));
    }
}

Value *ItemFunction::answer(IRBuilder<> &builder, Internal internal, CallBase &call) {
    Type *i64 = builder.getInt64Ty(), *pointer = builder.getPtrTy();
    uint64_t at = 0;
    if (call.arg_size() == 1 && internal != Internal::Fault)
        if (auto *dimension = dyn_cast<ConstantInt>(call.getArgOperand(0)))
            at = dimension->getZExtValue() * sizeof(uint64_t);
    auto ofItem = [&](uint64_t member) { return loadMember(builder, item, member + at, i64); };
    auto ofLaunch = [&](uint64_t member, Type *type) {
        return loadMember(builder, launch, member + at, type);
    };
    switch (internal) {
    case Internal::LocalId:
        return ofItem(offsetof(weft_rt_item, local_id));
    case Internal::LocalLinearId:
        return ofItem(offsetof(weft_rt_item, local_linear_id));
    case Internal::GroupId:
        return ofItem(offsetof(weft_rt_item, group_id));
    case Internal::GroupBase:
        return ofItem(offsetof(weft_rt_item, group_base));
    case Internal::LocalSize:
        return ofItem(offsetof(weft_rt_item, local_size));
    case Internal::GroupItems:
        return ofItem(offsetof(weft_rt_item, group_items));
    case Internal::EnqueuedLocalSize:
        return ofLaunch(offsetof(weft_launch, local_size), i64);
    case Internal::GlobalSize:
        return ofLaunch(offsetof(weft_launch, global_size), i64);
    case Internal::GlobalOffset:
        return ofLaunch(offsetof(weft_launch, global_offset), i64);
    case Internal::NumGroups:
        return ofLaunch(offsetof(weft_launch, num_groups), i64);
    case Internal::WorkDim:
        return ofLaunch(offsetof(weft_launch, work_dim), builder.getInt32Ty());
    case Internal::Apart:
        return builder.CreateIsNotNull(
            ofLaunch(offsetof(weft_launch, apart), builder.getInt32Ty()));
    case Internal::ProgramData:
        return ofLaunch(offsetof(weft_launch, program_data), pointer);
    case Internal::LocalMemory:
        return loadMember(builder, worker, offsetof(weft_worker, local_memory),
                          builder.getPtrTy(3));
    case Internal::PrivateMemory:
        return loadMember(builder, worker, offsetof(weft_worker, private_memory), pointer);
    case Internal::FrameEnd: /* stacks are in private memory: no address is in a frame besides */
        return Constant::getNullValue(pointer);
    case Internal::Launch:
        return launch;
    case Internal::Worker:
        return worker;
    default:
        return nullptr;
    }
}

bool ItemFunction::replace(IRBuilder<> &builder, Internal internal, CallBase &call) {
    if (internal == Internal::Barrier) {
        wait(builder, call);
        record.info.flags |= WEFT_KERNEL_BARRIER;
        return true;
    }
    if (internal == Internal::Check)
        callRt(builder, "weft_rt_check", builder.getVoidTy(),
               {builder.CreateZExt(call.getArgOperand(0), builder.getInt32Ty()),
                call.getArgOperand(1)});
    else if (internal == Internal::Fault)
        callFault(builder, launch, worker, call.getArgOperand(0));
    return internal == Internal::Check || internal == Internal::Fault || internal == Internal::Here;
}

void ItemFunction::replaceInternals() {
    for (Instruction &instruction : make_early_inc_range(instructions(*function))) {
        Internal internal = internalOf(instruction);
        if (internal == Internal::None)
            continue;
        auto &call = cast<CallBase>(instruction);
        IRBuilder<> builder(&call);
        if (Value *value = answer(builder, internal, call))
            call.replaceAllUsesWith(value);
        else if (!replace(builder, internal, call))
            continue;
        call.eraseFromParent();
    }
}

CallInst *ItemFunction::callRt(IRBuilder<> &builder, const char *name, Type *result,
                               ArrayRef<Value *> arguments) {
    SmallVector<Value *, 8> values = {item};
    values.append(arguments.begin(), arguments.end());
    SmallVector<Type *, 8> types;
    for (Value *value : values)
        types.push_back(value->getType());
    return builder.CreateCall(
        module.getOrInsertFunction(name, FunctionType::get(result, types, false)), values);
}

void ItemFunction::declare(const Twine &symbol) {
    LLVMContext &context = module.getContext();
    function = Function::Create(
        FunctionType::get(source.getReturnType(), {PointerType::get(context, 0)}, false),
        GlobalValue::ExternalLinkage, symbol, module);
    function->setVisibility(GlobalValue::HiddenVisibility);
    function->setDSOLocal(true);
    AttributeList attributes = source.getAttributes();
    function->setAttributes(AttributeList::get(context, attributes.getFnAttrs(), {}, {}));
    function->removeFnAttr(kernelAttribute);
}

/** Behind a trap the item has ended. */
void ItemFunction::returnFromTraps() {
    Type *type = function->getReturnType();
    for (BasicBlock &block : *function)
        if (auto *end = dyn_cast<UnreachableInst>(block.getTerminator())) {
            ReturnInst::Create(module.getContext(),
                               type->isVoidTy() ? nullptr : Constant::getNullValue(type),
                               end->getIterator());
            end->eraseFromParent();
        }
}

Function *ItemFunction::build(const Twine &symbol) {
    if (record.args.empty() && source.hasFnAttribute(kernelAttribute)) /* not a part of a kernel */
        readArguments(source, source, record);
    declare(symbol);
    function->splice(function->end(), &source);
    item = function->getArg(0);
    BasicBlock &entry = function->getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    launch = ofItem(builder, offsetof(weft_rt_item, launch), builder.getPtrTy());
    worker = ofItem(builder, offsetof(weft_rt_item, worker), builder.getPtrTy());
    launch->setName("launch");
    worker->setName("worker");
    readParameters(builder);
    replaceInternals();
    returnFromTraps();
    return function;
}

void makeRunner(Function &kernel, Function &item, const char *runner, ArrayRef<Value *> others) {
    Module &module = *kernel.getParent();
    Type *i64 = Type::getInt64Ty(module.getContext());
    SmallVector<Type *, 16> types(kernel.getFunctionType()->params());
    types.append({i64, i64});
    auto *groups =
        Function::Create(FunctionType::get(Type::getVoidTy(module.getContext()), types, false),
                         GlobalValue::InternalLinkage, "", module);
    groups->takeName(&kernel);
    groups->setAttributes(kernel.getAttributes());
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", groups));
    SmallVector<Value *, 8> arguments = {
        callInternal(builder, Internal::Launch), callInternal(builder, Internal::Worker),
        groups->getArg(groups->arg_size() - 2), groups->getArg(groups->arg_size() - 1), &item};
    arguments.append(others.begin(), others.end());
    SmallVector<Type *, 8> parameters;
    for (Value *argument : arguments)
        parameters.push_back(argument->getType());
    builder.CreateCall(module.getOrInsertFunction(
                           runner, FunctionType::get(builder.getVoidTy(), parameters, false)),
                       arguments);
    builder.CreateRetVoid();
    kernel.eraseFromParent();
}

} // namespace weft
