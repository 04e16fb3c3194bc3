// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// From the front ends' spir64 form to native triple, layout, types and calling convention.

#include "norm/arith.h"
#include "norm/blocks.h"
#include "norm/internals.h"
#include "norm/kernel_info.h"
#include "norm/opaque_types.h"
#include "norm/program_kernels.h"
#include "norm/refuse.h"
#include "stages/stages.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>

using namespace llvm;

namespace weft {

namespace {

constexpr const char *secondCopyPrefix = "__clang_ocl_kern_imp_";

void setTarget(Module &module, const TargetMachine &target) {
    module.setTargetTriple(target.getTargetTriple());
    module.setDataLayout(target.createDataLayout());
}

/** What a block captured does not change while its kernel runs. */
bool isCaptures(const Argument &argument) {
    return argument.getArgNo() == 0 && argument.getType()->isPointerTy() &&
           argument.getParent()->hasFnAttribute(blockAttribute);
}

/** Parameters of the recorded form: a struct by value is an address in the argument block. */
FunctionType *kernelType(const Function &source) {
    SmallVector<Type *, 8> parameters;
    for (const Argument &argument : source.args())
        parameters.push_back(argument.hasByValAttr() || isCaptures(argument)
                                 ? PointerType::get(source.getContext(), 2)
                                 : argument.getType());
    return FunctionType::get(Type::getVoidTy(source.getContext()), parameters, false);
}

/** "Changes made by one work-item to its parameter are not seen by the others": own copy each. */
Value *ownCopy(IRBuilder<> &builder, Argument &before, Argument &after) {
    Type *type = before.getParamByValType();
    const DataLayout &layout = before.getParent()->getParent()->getDataLayout();
    Align align = before.getParamAlign().value_or(layout.getABITypeAlign(type));
    uint64_t bytes = layout.getTypeAllocSize(type);
    auto &context = before.getContext();
    after.addAttr(Attribute::get(context, structAttribute, std::to_string(bytes)));
    after.addAttr(Attribute::getWithAlignment(context, align));
    AllocaInst *copy = builder.CreateAlloca(type, nullptr, before.getName());
    copy->setAlignment(align);
    builder.CreateMemCpy(copy, align, &after, align, bytes);
    return copy;
}

/** Moves (or copies, when something else calls `source`) the body into the recorded form. */
void takeBody(Function &kernel, Function &source, bool copy) {
    LLVMContext &context = kernel.getContext();
    auto *entry = BasicBlock::Create(context, "", &kernel);
    IRBuilder<> builder(entry);
    ValueToValueMapTy values;
    for (auto [before, after] : zip(source.args(), kernel.args())) {
        after.setName(before.getName());
        if (before.hasByValAttr()) {
            values[&before] = ownCopy(builder, before, after);
            continue;
        }
        if (isCaptures(before)) {
            values[&before] = builder.CreateAddrSpaceCast(&after, before.getType());
            continue;
        }
        values[&before] = &after;
        AttrBuilder attributes(context, source.getAttributes().getParamAttrs(before.getArgNo()));
        kernel.addParamAttrs(after.getArgNo(), attributes);
    }
    BasicBlock *body = &source.getEntryBlock();
    if (copy) {
        SmallVector<ReturnInst *, 4> returns;
        AttributeList own = kernel.getAttributes(); /* the clone brings those of the source */
        CloneFunctionInto(&kernel, &source, values, CloneFunctionChangeType::LocalChangesOnly,
                          returns);
        kernel.setAttributes(own);
        body = cast<BasicBlock>(values[body]);
    } else {
        kernel.splice(kernel.end(), &source);
        for (Argument &before : source.args())
            before.replaceAllUsesWith(values[&before]);
    }
    // In front of the body's own variables: only those of the entry block are ever promoted.
    body->splice(body->begin(), entry);
    entry->eraseFromParent();
}

/**
 * Clang 22 emits each kernel twice: `foo`, which only calls `__clang_ocl_kern_imp_foo`, and that
 * copy, which other kernels call. One is left: the recorded form with the copy's body.
 */
void recordKernel(Function &stub, StageContext &context) {
    Module &module = *stub.getParent();
    std::string name = stub.getName().str();
    Function *copy = module.getFunction((Twine(secondCopyPrefix) + name).str());
    Function &source = copy && !copy->isDeclaration() ? *copy : stub;
    if (&source != &stub)
        stub.deleteBody();

    stub.setName(name + ".stub");
    auto *kernel = Function::Create(kernelType(source), GlobalValue::InternalLinkage, name, module);
    KernelRecord &record = context.kernel(name);
    readKernelInfo(source, record);
    if (source.hasFnAttribute(blockAttribute)) {
        record.info.flags |= WEFT_KERNEL_BLOCK;
        kernel->addFnAttr(blockAttribute);
    }
    bool called = !source.use_empty();
    takeBody(*kernel, source, called);
    if (!called) // a copy has got its own, which no other function may share
        kernel->setSubprogram(source.getSubprogram());
    if (kernel->getSubprogram()) // not the name of Clang's copy
        kernel->getSubprogram()->replaceLinkageName(MDString::get(module.getContext(), name));
    kernel->addFnAttr(kernelAttribute);
    readArguments(*kernel, source, record);

    if (source.use_empty())
        source.eraseFromParent();
    if (&source == &stub)
        return;
    stub.replaceAllUsesWith(PoisonValue::get(stub.getType()));
    stub.eraseFromParent();
}

void recordKernels(Module &module, StageContext &context) {
    std::vector<Function *> stubs;
    for (Function &function : module)
        if (function.getCallingConv() == CallingConv::SPIR_KERNEL && !function.isDeclaration())
            stubs.push_back(&function);
    // Behind all others, where the runtime does not show them: blocks', then the program's own.
    auto rank = [&](Function *stub) {
        if (stub->getName() == context.record.initKernel ||
            stub->getName() == context.record.finiKernel)
            return 2;
        return stub->hasFnAttribute(blockAttribute) ? 1 : 0;
    };
    std::stable_sort(stubs.begin(), stubs.end(),
                     [&](Function *a, Function *b) { return rank(a) < rank(b); });
    for (Function *stub : stubs)
        recordKernel(*stub, context);
}

/** The user's names must never meet those of the kernel library or of code generation. */
void makeInternal(Module &module) {
    for (Function &function : module)
        if (!function.isDeclaration()) {
            if (!function.hasFnAttribute(kernelAttribute))
                function.setName(function.getName() + ".user");
            function.setLinkage(GlobalValue::InternalLinkage);
            function.setVisibility(GlobalValue::DefaultVisibility);
            function.setComdat(nullptr);
        }
    for (GlobalVariable &variable : module.globals())
        if (!variable.isDeclaration() && !variable.getName().starts_with("llvm.")) {
            variable.setName(variable.getName() + ".user");
            variable.setLinkage(GlobalValue::InternalLinkage);
            variable.setComdat(nullptr);
        }
}

/** What nobody asked for goes. Optimised code keeps its lines; where its variables are is only
 * known by unoptimised code, and later stages need not know of them otherwise. */
void limitDebugInfo(Module &module, const PipelineOptions &options) {
    if (!options.debug) {
        StripDebugInfo(module);
        return;
    }
    if (!options.optimise)
        return;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            instruction.dropDbgRecords();
}

} // namespace

Error Retarget::run(Module &module) {
    resolveAliases(module);
    if (Error error = refuse(module))
        return error;
    limitDebugInfo(module, context.options);
    setTarget(module, *context.options.target);
    lowerOpaqueTypes(module);
    if (Error error = makeProgramKernels(module, context.record))
        return error;
    if (Error error = nameBlocks(module))
        return error;
    recordKernels(module, context);
    makeInternal(module);
    // The loop creates declarations of internals, which stay as they are made.
    for (Function &function : make_early_inc_range(module)) {
        if (function.isIntrinsic() || internalOf(&function) != Internal::None)
            continue;
        makeNative(function, context.options);
        lowerTraps(function);
    }
    return Error::success();
}

} // namespace weft
