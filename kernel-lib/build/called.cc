// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * called ISA OUT.o: the functions of called.def, compiled as the compiler process would compile
 * them: for one item, and for as many lanes as Called::served() says.
 */
#include "object.h"

#include "compiler/backend/library.h"
#include "compiler/norm/called.h"
#include "compiler/norm/internals.h"
#include "compiler/backend/target.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace {

/** The function under the name by which kernels call it: a call of the library's. */
void define(Module &module, const weft::Called &called, unsigned vectorBits) {
    LLVMContext &context = module.getContext();
    FunctionType *type = called.type(context);
    auto *inner =
        Function::Create(type, GlobalValue::ExternalLinkage, called.librarySymbol(), module);
    Function *outer = called.declare(module);
    outer->setCallingConv(called.convention(vectorBits));
    IRBuilder<> builder(BasicBlock::Create(context, "", outer));
    SmallVector<Value *, 2> arguments;
    for (Argument &argument : outer->args())
        arguments.push_back(&argument);
    builder.CreateRet(builder.CreateCall(inner, arguments));
}

void defineAll(Module &module, unsigned vectorBits) {
    for (const weft::Called &called : weft::Called::all()) {
        define(module, called, vectorBits);
        for (unsigned lanes = 2; lanes <= weft::maxWidth; lanes *= 2)
            if (called.served(lanes, vectorBits) == lanes)
                define(module, called.withLanes(lanes), vectorBits);
    }
}

/** Everything becomes part of the functions: what they share would be called without a convention
 *  that keeps registers. */
void prepare(Module &module) {
    for (Function &function : module) {
        if (function.isDeclaration() || function.getName().starts_with(weft::calledPrefix))
            continue;
        function.setLinkage(GlobalValue::InternalLinkage);
        function.removeFnAttr(Attribute::NoInline);
        function.addFnAttr(Attribute::AlwaysInline);
    }
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3)
        fail("usage: called ISA OUT.o");
    weft::initialiseTargets();
    auto target = weft::Target::parse(argv[1]);
    if (!target)
        fail(toString(target.takeError()));
    auto machine = target->createMachine(true);
    LLVMContext context;
    Module module("called", context);
    defineAll(module, target->vectorBits());
    target->apply(module, *machine);
    module.setOverrideStackAlignment(WEFT_STACK_ALIGN); /* only kernels call them */
    if (Error problem = weft::linkLibrary(module, weft::LibraryStage::Late, *target))
        fail(toString(std::move(problem)));
    prepare(module);
    writeObject(module, *machine, target->vectorBits(), argv[2]);
    return 0;
}
