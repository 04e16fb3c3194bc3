// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// printf, __local variables and writable program-scope variables disappear from the module.

#include "norm/enqueue.h"
#include "norm/internals.h"
#include "norm/pipes.h"
#include "norm/printf.h"
#include "norm/program_data.h"
#include "stages/stages.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/Alignment.h"

using namespace llvm;

namespace weft {

namespace {

/** All functions that `kernel` may run: callees, and functions whose address it takes. */
SmallPtrSet<Function *, 16> reachableFrom(Function &kernel) {
    SmallPtrSet<Function *, 16> seen = {&kernel};
    SmallVector<Function *, 16> open = {&kernel};
    while (!open.empty()) {
        Function *function = open.pop_back_val();
        for (Instruction &instruction : instructions(*function))
            for (Value *operand : instruction.operands())
                if (auto *callee = dyn_cast<Function>(operand->stripPointerCasts()))
                    if (!callee->isDeclaration() && seen.insert(callee).second)
                        open.push_back(callee);
    }
    return seen;
}

struct KernelLocals {
    KernelRecord *record;
    SmallPtrSet<Function *, 16> functions;
};

Error checkLocal(const GlobalVariable &variable) {
    if (variable.isDeclaration())
        return sentence("the __local variable '" + variable.getName() +
                        "' is declared, but defined nowhere");
    if (!isa<UndefValue>(variable.getInitializer()))
        return sentence("the __local variable '" + variable.getName() +
                        "' has an initial value, which local memory cannot have");
    SmallPtrSet<GlobalVariable *, 4> pointing;
    variablesInitialisedBy(const_cast<GlobalVariable &>(variable), pointing);
    if (!pointing.empty())
        return sentence("the initial value of '" + (*pointing.begin())->getName() +
                        "' is the address of the __local variable '" + variable.getName() +
                        "', which differs from group to group");
    return Error::success();
}

/**
 * One offset for a variable in all kernels that reach it, so that shared functions need no copies:
 * behind everything that any of these kernels already holds.
 */
void placeLocal(GlobalVariable &variable, std::vector<KernelLocals> &kernels) {
    convertUsersOfConstantsToInstructions({&variable});
    SmallPtrSet<Function *, 8> users;
    for (User *user : variable.users())
        if (auto *instruction = dyn_cast<Instruction>(user))
            users.insert(instruction->getFunction());
    SmallVector<KernelRecord *, 8> holders;
    uint64_t offset = 0;
    for (KernelLocals &kernel : kernels)
        if (any_of(users, [&](Function *user) { return kernel.functions.contains(user); })) {
            holders.push_back(kernel.record);
            offset = std::max(offset, kernel.record->info.local_bytes);
        }
    const DataLayout &layout = variable.getParent()->getDataLayout();
    Align align =
        std::max(variable.getAlign().valueOrOne(), layout.getABITypeAlign(variable.getValueType()));
    offset = alignTo(offset, align);
    for (KernelRecord *record : holders) {
        record->info.local_bytes = offset + layout.getTypeAllocSize(variable.getValueType());
        record->info.flags |= WEFT_KERNEL_LOCAL;
    }
    replaceInFunctions(variable, [offset](IRBuilderBase &builder) {
        return builder.CreateConstInBoundsGEP1_64(
            builder.getInt8Ty(), callInternal(builder, Internal::LocalMemory), offset);
    });
}

Error lowerLocals(Module &module, StageContext &context) {
    std::vector<GlobalVariable *> locals;
    for (GlobalVariable &variable : module.globals())
        if (variable.getAddressSpace() == 3) {
            if (Error error = checkLocal(variable))
                return error;
            locals.push_back(&variable);
        }
    if (locals.empty())
        return Error::success();
    std::vector<KernelLocals> kernels;
    for (Function *kernel : kernelsOf(module))
        context.kernel(kernel->getName()); /* all first: the list may move when it grows */
    for (Function *kernel : kernelsOf(module))
        kernels.push_back({&context.kernel(kernel->getName()), reachableFrom(*kernel)});
    for (GlobalVariable *variable : locals) {
        placeLocal(*variable, kernels);
        variable->removeDeadConstantUsers();
        if (variable->use_empty())
            variable->eraseFromParent();
    }
    return Error::success();
}

void flagPrinting(Module &module, StageContext &context) {
    Function *print = findInternal(module, Internal::Printf);
    if (!print || print->use_empty())
        return;
    for (Function *kernel : kernelsOf(module))
        for (Function *function : reachableFrom(*kernel))
            for (Instruction &instruction : instructions(*function))
                if (internalOf(instruction) == Internal::Printf)
                    context.kernel(kernel->getName()).info.flags |= WEFT_KERNEL_PRINTF;
}

/** Kernels that may use queues: get_default_queue() has an answer in them. */
void flagEnqueueing(Module &module, StageContext &context) {
    SmallPtrSet<Function *, 8> calling = functionsThatEnqueue(module);
    if (calling.empty())
        return;
    for (Function *kernel : kernelsOf(module))
        if (any_of(reachableFrom(*kernel),
                   [&](Function *function) { return calling.contains(function); }))
            context.kernel(kernel->getName()).info.flags |= WEFT_KERNEL_ENQUEUES;
}

} // namespace

Error LowerModuleState::run(Module &module) {
    flagPrinting(module, context);
    flagEnqueueing(module, context);
    lowerPrintf(module);
    lowerPipes(module);
    lowerEnqueue(module, context.options.debug);
    if (Error error = lowerLocals(module, context))
        return error;
    if (Error error = lowerProgramData(module, context.record))
        return error;
    if (Function *print = findInternal(module, Internal::Printf); print && print->use_empty())
        print->eraseFromParent();
    return Error::success();
}

} // namespace weft
