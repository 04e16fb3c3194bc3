// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Entry functions as weft/abi.h has them: arguments from the launch's block.

#include "group/arguments.h"
#include "norm/called.h"
#include "norm/instructions.h"
#include "norm/internals.h"
#include "norm/kernel_info.h"
#include "norm/launch.h"
#include "norm/packed_dot.h"
#include "stages/stages.h"
#include "vector/bodies.h"
#include "vector/lanes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft {

namespace {

Function *declareEntry(Function &kernel, const std::string &symbol) {
    LLVMContext &context = kernel.getContext();
    Type *pointer = PointerType::get(context, 0), *i64 = Type::getInt64Ty(context);
    auto *entry = Function::Create(
        FunctionType::get(Type::getVoidTy(context), {pointer, pointer, i64, i64}, false),
        GlobalValue::ExternalLinkage, symbol, *kernel.getParent());
    AttributeList attributes = kernel.getAttributes();
    entry->setAttributes(AttributeList::get(context, attributes.getFnAttrs(), AttributeSet(), {}));
    entry->removeFnAttr(kernelAttribute);
    entry->setVisibility(GlobalValue::HiddenVisibility);
    entry->setDSOLocal(true);
    static const char *const names[] = {"launch", "worker", "first", "count"};
    for (unsigned index = 0; index < 4; index++)
        entry->getArg(index)->setName(names[index]);
    for (unsigned index = 0; index < 2; index++) {
        entry->addParamAttr(index, Attribute::NonNull);
        entry->addParamAttr(index, Attribute::NoUndef);
    }
    entry->addDereferenceableParamAttr(0, sizeof(weft_launch));
    entry->addDereferenceableParamAttr(1, sizeof(weft_worker));
    return entry;
}

} // namespace

Value *readArgument(IRBuilder<> &builder, Argument &argument, const weft_arg_info &info,
                    Value *block, Value *worker) {
    if (argument.hasAttribute(structAttribute))
        return builder.CreateAddrSpaceCast(
            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, info.offset),
            argument.getType());
    if (info.kind != WEFT_ARG_LOCAL)
        return loadMember(builder, block, info.offset, argument.getType(), argument.getName());
    Value *memory =
        loadMember(builder, worker, offsetof(weft_worker, local_memory), argument.getType());
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), memory,
                                     loadMember(builder, block, info.offset, builder.getInt64Ty()),
                                     argument.getName());
}

namespace {

/** What a stage claimed is not true: the command fails (Switches::checks). */
void lowerCheck(CallBase &check, Function &entry) {
    Value *fails = check.getArgOperand(0), *which = check.getArgOperand(1);
    Instruction *then = SplitBlockAndInsertIfThen(fails, check.getIterator(), false);
    IRBuilder<> builder(then);
    callFault(builder, entry.getArg(0), entry.getArg(1), which);
    check.eraseFromParent();
}

void replaceInternals(Function &entry) {
    SmallVector<CallBase *, 16> checks;
    for (Instruction &instruction : make_early_inc_range(instructions(entry))) {
        Internal internal = internalOf(instruction);
        if (internal == Internal::None)
            continue;
        auto &call = cast<CallBase>(instruction);
        if (internal == Internal::Launch || internal == Internal::Worker) {
            call.replaceAllUsesWith(entry.getArg(internal == Internal::Launch ? 0 : 1));
        } else if (internal == Internal::FrameEnd) {
            // The entry's frame is the outermost: everything private is in it or further down.
            IRBuilder<> builder(&call);
            call.replaceAllUsesWith(builder.CreateIntrinsic(Intrinsic::addressofreturnaddress,
                                                            {builder.getPtrTy()}, {}));
        } else if (internal == Internal::Fault) {
            IRBuilder<> builder(&call);
            callFault(builder, entry.getArg(0), entry.getArg(1), call.getArgOperand(0));
        } else if (internal == Internal::Check) {
            checks.push_back(&call);
            continue;
        } else {
            continue;
        }
        call.eraseFromParent();
    }
    for (CallBase *check : checks)
        lowerCheck(*check, entry);
}

void makeEntry(Function &kernel, KernelRecord &record) {
    if (record.args.size() != kernel.arg_size() - 2)
        readArguments(kernel, kernel, record);
    static const char *const prefixes[] = {"weft_kernel_", "weft_linear_", "weft_narrow_",
                                           "weft_single_", "weft_turned_", "weft_lone_"};
    const unsigned shape = shapeOf(kernel);
    Function *entry = declareEntry(kernel, prefixes[shape] + record.name);
    /* Not always what was asked for: there may be a kernel of that name. */
    const std::string symbol = entry->getName().str();
    record.entrySymbol[shape] = symbol;
    record.info.body[shape].width = shape ? widthOf(kernel) : record.info.width;
    if (isLinear(kernel)) { /* also where it is the kernel itself: both shapes in one */
        record.entrySymbol[WEFT_SHAPE_LINEAR] = symbol;
        record.info.body[WEFT_SHAPE_LINEAR] = record.info.body[shape];
    }
    entry->splice(entry->end(), &kernel);
    BasicBlock &block = entry->getEntryBlock();
    IRBuilder<> builder(&block, block.begin());
    Value *launch = entry->getArg(0), *worker = entry->getArg(1);
    Value *arguments =
        loadMember(builder, launch, offsetof(weft_launch, args), builder.getPtrTy(), "args");
    for (unsigned index = 0; index + 2 < kernel.arg_size(); index++) {
        Argument &argument = *kernel.getArg(index);
        argument.replaceAllUsesWith(
            readArgument(builder, argument, record.args[index].info, arguments, worker));
    }
    Argument *first = kernel.getArg(static_cast<unsigned>(kernel.arg_size()) - 2);
    Argument *count = kernel.getArg(static_cast<unsigned>(kernel.arg_size()) - 1);
    first->replaceAllUsesWith(entry->getArg(2));
    count->replaceAllUsesWith(entry->getArg(3));
    replaceInternals(*entry);
    kernel.eraseFromParent();
}

} // namespace

Error Abi::run(Module &module) {
    for (Function *kernel : kernelsOf(module))
        makeEntry(*kernel, context.kernel(*kernel));
    for (Function &function : make_early_inc_range(module))
        if (internalOf(&function) != Internal::None && function.use_empty())
            function.eraseFromParent();
    lowerCalled(module, context.options.vectorBits);
    lowerNamedInstructions(module, context.options.vectorBits);
    lowerPackedDots(module, *context.options.target, context.options.vectorBits);
    return Error::success();
}

} // namespace weft
