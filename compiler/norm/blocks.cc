// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Clang makes two functions of a block that is enqueued: its code, f_block_invoke(literal, ...),
// and a kernel f_block_invoke_kernel that calls it. enqueue_kernel becomes a call that is given the
// kernel's address and the literal, a struct of size, alignment, address of the code and captures.

#include "norm/blocks.h"
#include "stages/stages.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

namespace {

Function *kernelIn(Value *operand) {
    auto *function = dyn_cast<Function>(operand->stripPointerCastsAndAliases());
    return function && function->getCallingConv() == CallingConv::SPIR_KERNEL ? function : nullptr;
}

/** The kernel's name in the image, as a pointer of the operand's type. */
Constant *nameOf(Function &kernel, Type *type) {
    Module &module = *kernel.getParent();
    std::string symbol = "weft.block." + kernel.getName().str();
    GlobalVariable *text = module.getNamedGlobal(symbol);
    if (!text) {
        Constant *bytes = ConstantDataArray::getString(module.getContext(), kernel.getName());
        text = new GlobalVariable(module, bytes->getType(), true, GlobalValue::InternalLinkage,
                                  bytes, symbol, nullptr, GlobalValue::NotThreadLocal, 2);
        text->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    }
    return ConstantExpr::getPointerBitCastOrAddrSpaceCast(text, type);
}

/** Address uses of a function other than calls of it go. */
void forgetAddress(Function &function) {
    SmallVector<Constant *, 4> constants;
    for (Use &use : make_early_inc_range(function.uses())) {
        auto *call = dyn_cast<CallBase>(use.getUser());
        if (call && call->isCallee(&use))
            continue;
        if (auto *constant = dyn_cast<Constant>(use.getUser()))
            constants.push_back(constant);
        else
            use.set(ConstantPointerNull::get(cast<PointerType>(function.getType())));
    }
    for (Constant *constant : constants) {
        if (isa<ConstantExpr>(constant))
            constant->replaceAllUsesWith(Constant::getNullValue(constant->getType()));
        else if (!isa<GlobalValue>(constant))
            constant->handleOperandChange(&function, Constant::getNullValue(function.getType()));
    }
    function.removeDeadConstantUsers();
}

} // namespace

Error nameBlocks(Module &module) {
    for (Function &function : module)
        for (Instruction &instruction : instructions(function)) {
            auto *call = dyn_cast<CallBase>(&instruction);
            if (!call)
                continue;
            for (Use &argument : call->args())
                if (Function *kernel = kernelIn(argument)) {
                    kernel->addFnAttr(blockAttribute);
                    argument.set(nameOf(*kernel, argument->getType()));
                }
            if (call->isIndirectCall())
                return sentence("'" + function.getName() +
                                "' calls a block that is not known when it is compiled");
        }
    for (Function &function : module)
        if (!function.isDeclaration())
            forgetAddress(function);
    return Error::success();
}

} // namespace weft
