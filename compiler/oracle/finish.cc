// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The end of the pipeline behind any stage.

#include "oracle/oracle.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace weft {

void runEntries(Module &module, KernelRecord &record) {
    for (unsigned shape = 0; shape < WEFT_SHAPE_COUNT; shape++) {
        const std::string &symbol = record.entrySymbol[shape];
        Function *entry = symbol.empty() ? nullptr : module.getFunction(symbol);
        if (!entry || (shape && symbol == record.entrySymbol[WEFT_SHAPE_ROWS]))
            continue; /* one entry has both shapes */
        auto *outer = Function::Create(entry->getFunctionType(), entry->getLinkage(), "", module);
        outer->takeName(entry);
        outer->setVisibility(entry->getVisibility());
        outer->setDSOLocal(true);
        entry->setName(symbol + ".plain");
        record.stacks.symbols[shape] = {entry->getName().str()};
        IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", outer));
        SmallVector<Type *, 8> types(outer->getFunctionType()->params());
        SmallVector<Value *, 8> arguments;
        for (Argument &argument : outer->args())
            arguments.push_back(&argument);
        types.push_back(entry->getType());
        arguments.push_back(entry);
        builder.CreateCall(
            module.getOrInsertFunction("weft_rt_oracle_entry",
                                       FunctionType::get(builder.getVoidTy(), types, false)),
            arguments);
        builder.CreateRetVoid();
    }
}

namespace {

/** By the last stage that has run. */
Left leftBy(StringRef stage) {
    if (stage == "linearise")
        return Left::LockStep;
    if (stage == "widen" || stage == "estimate" || stage == "whole-turns")
        return Left::Vectors;
    if (stage == "regions")
        return Left::Regions;
    if (stage == "group-loops" || stage == "reference")
        return Left::Groups;
    if (stage == "abi" || stage == "optimise" || stage == "ease-masks")
        return Left::Entries;
    return Left::Items;
}

Error runKernels(Module &module, Left left, StageContext &context) {
    void (*const ways[])(Function &, KernelRecord &) = {runItems, runLockStep, runVectors};
    for (Function *kernel : kernelsOf(module)) {
        KernelRecord &record = context.kernel(*kernel);
        if (left != Left::Regions)
            ways[static_cast<unsigned>(left)](*kernel, record);
        else if (Error error = runRegions(*kernel, record))
            return error;
    }
    return Error::success();
}

} // namespace

Error finishPlainly(StringRef stage, Module &module, StageContext &context) {
    Left left = leftBy(stage);
    if (left < Left::Groups)
        if (Error error = runKernels(module, left, context))
            return error;
    if (left < Left::Entries)
        if (Error error = Abi(context).run(module))
            return error;
    if (left >= Left::Groups)
        for (KernelRecord &kernel : context.record.kernels)
            if (kernel.stacks.symbols[WEFT_SHAPE_ROWS].empty()) /* not in reference execution */
                runEntries(module, kernel);
    ModulePassManager passes;
    passes.addPass(GlobalDCEPass());
    passes.run(module, context.analyses().module);
    return Error::success();
}

} // namespace weft
