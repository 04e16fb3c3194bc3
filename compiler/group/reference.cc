// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reference execution: instead of regions and loops, each work-item runs the kernel as it was
// written, on a stack of its own, and a barrier goes on with the next item.

#include "group/arguments.h"
#include "norm/internals.h"
#include "norm/kernel_info.h"
#include "norm/launch.h"
#include "norm/sub_groups.h"
#include "stages.h"

#include "../../kernel-lib/rt/reference.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace weft {

namespace {

/** `void weft_item_<kernel>(weft_rt_item *)` from `void kernel(arguments...)`. */
class ItemFunction {
  public:
    ItemFunction(Function &kernel, KernelRecord &record, const Switches &switches)
        : kernel(kernel), record(record), switches(switches), module(*kernel.getParent()) {}

    /** Leaves the kernel without a body. */
    Function *build();

  private:
    void readArguments(IRBuilder<> &builder);
    Value *ofLaunch(IRBuilder<> &builder, uint64_t member, Type *type);
    Value *ofWorker(IRBuilder<> &builder, uint64_t member, Type *type);
    Value *answer(IRBuilder<> &builder, Internal internal, CallBase &call);
    void replaceInternals();

    Function &kernel;
    KernelRecord &record;
    const Switches &switches;
    Module &module;
    Function *function = nullptr;
    Value *item = nullptr, *launch = nullptr, *worker = nullptr;
};

void ItemFunction::readArguments(IRBuilder<> &builder) {
    if (record.args.size() != kernel.arg_size())
        weft::readArguments(kernel, kernel, record);
    Value *block =
        loadMember(builder, launch, offsetof(weft_launch, args), builder.getPtrTy(), "args");
    for (unsigned index = 0; index < kernel.arg_size(); index++) {
        Argument &argument = *kernel.getArg(index);
        argument.replaceAllUsesWith(
            readArgument(builder, argument, record.args[index].info, block, worker));
    }
}

Value *ItemFunction::ofLaunch(IRBuilder<> &builder, uint64_t member, Type *type) {
    return loadMember(builder, launch, member, type);
}

Value *ItemFunction::ofWorker(IRBuilder<> &builder, uint64_t member, Type *type) {
    return loadMember(builder, worker, member, type);
}

/** Null: not a query, or one that stage abi answers. */
Value *ItemFunction::answer(IRBuilder<> &builder, Internal internal, CallBase &call) {
    Type *i64 = builder.getInt64Ty(), *pointer = builder.getPtrTy();
    uint64_t at = 0;
    if (call.arg_size() == 1 && internal != Internal::Fault)
        at = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue() * sizeof(uint64_t);
    auto ofItem = [&](uint64_t member) { return loadMember(builder, item, member + at, i64); };
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
        return ofLaunch(builder, offsetof(weft_launch, local_size) + at, i64);
    case Internal::GlobalSize:
        return ofLaunch(builder, offsetof(weft_launch, global_size) + at, i64);
    case Internal::GlobalOffset:
        return ofLaunch(builder, offsetof(weft_launch, global_offset) + at, i64);
    case Internal::NumGroups:
        return ofLaunch(builder, offsetof(weft_launch, num_groups) + at, i64);
    case Internal::WorkDim:
        return ofLaunch(builder, offsetof(weft_launch, work_dim), builder.getInt32Ty());
    case Internal::ProgramData:
        return ofLaunch(builder, offsetof(weft_launch, program_data), pointer);
    case Internal::LocalMemory:
        return ofWorker(builder, offsetof(weft_worker, local_memory), builder.getPtrTy(3));
    case Internal::PrivateMemory:
        return ofWorker(builder, offsetof(weft_worker, private_memory), pointer);
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

void ItemFunction::replaceInternals() {
    for (Instruction &instruction : make_early_inc_range(instructions(*function))) {
        Internal internal = internalOf(instruction);
        if (internal == Internal::None)
            continue;
        auto &call = cast<CallBase>(instruction);
        IRBuilder<> builder(&call);
        Type *pointer = builder.getPtrTy();
        if (internal == Internal::Barrier) {
            if (!switches.broken("turn"))
                builder.CreateCall(module.getOrInsertFunction("weft_rt_reference_barrier",
                                                              builder.getVoidTy(), pointer),
                                   {item});
            record.info.flags |= WEFT_KERNEL_BARRIER;
        } else if (internal == Internal::Fault) {
            callFault(builder, launch, worker, call.getArgOperand(0));
        } else if (Value *value = answer(builder, internal, call)) {
            call.replaceAllUsesWith(value);
        } else {
            continue;
        }
        call.eraseFromParent();
    }
}

Function *ItemFunction::build() {
    LLVMContext &context = module.getContext();
    Type *pointer = PointerType::get(context, 0);
    function = Function::Create(FunctionType::get(Type::getVoidTy(context), {pointer}, false),
                                GlobalValue::ExternalLinkage, record.itemSymbol, module);
    function->setVisibility(GlobalValue::HiddenVisibility);
    function->setDSOLocal(true);
    AttributeList attributes = kernel.getAttributes();
    function->setAttributes(AttributeList::get(context, attributes.getFnAttrs(), {}, {}));
    function->removeFnAttr(kernelAttribute);
    function->splice(function->end(), &kernel);
    item = function->getArg(0);
    BasicBlock &entry = function->getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    launch = loadMember(builder, item, offsetof(weft_rt_item, launch), pointer, "launch");
    worker = loadMember(builder, item, offsetof(weft_rt_item, worker), pointer, "worker");
    readArguments(builder);
    replaceInternals();
    /* Behind a trap the item has ended. */
    for (BasicBlock &block : *function)
        if (auto *end = dyn_cast<UnreachableInst>(block.getTerminator())) {
            ReturnInst::Create(context, nullptr, end->getIterator());
            end->eraseFromParent();
        }
    return function;
}

/** `void kernel(arguments..., i64 first, i64 count)`, as stage abi wants it. */
void makeGroups(Function &kernel, Function &item) {
    Module &module = *kernel.getParent();
    LLVMContext &context = module.getContext();
    Type *i64 = Type::getInt64Ty(context), *pointer = PointerType::get(context, 0);
    SmallVector<Type *, 16> types(kernel.getFunctionType()->params());
    types.append({i64, i64});
    auto *groups = Function::Create(FunctionType::get(Type::getVoidTy(context), types, false),
                                    GlobalValue::InternalLinkage, "", module);
    groups->takeName(&kernel);
    groups->setAttributes(kernel.getAttributes());
    IRBuilder<> builder(BasicBlock::Create(context, "", groups));
    builder.CreateCall(
        module.getOrInsertFunction("weft_rt_reference", builder.getVoidTy(), pointer, pointer, i64,
                                   i64, pointer),
        {callInternal(builder, Internal::Launch), callInternal(builder, Internal::Worker),
         groups->getArg(groups->arg_size() - 2), groups->getArg(groups->arg_size() - 1), &item});
    builder.CreateRetVoid();
    kernel.eraseFromParent();
}

} // namespace

Error Reference::run(Module &module) {
    if (!context.options.switches.reference)
        return Error::success();
    for (Function *kernel : kernelsOf(module)) {
        KernelRecord &record = context.kernel(kernel->getName());
        if (usesSubGroups(*kernel))
            record.info.flags |= WEFT_KERNEL_SUB_GROUPS;
        fixSubGroupSize(*kernel, 1); /* each item runs on its own */
        record.itemSymbol = "weft_item_" + kernel->getName().str();
        makeGroups(*kernel, *ItemFunction(*kernel, record, context.options.switches).build());
    }
    return Error::success();
}

} // namespace weft
