// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "norm/kept_functions.h"
#include "norm/hidden.h"
#include "norm/internals.h"
#include "stages/stages.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace weft {

SmallVector<CallBase *, 8> callsInto(Function &function, const Functions &callees) {
    SmallVector<CallBase *, 8> calls;
    for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&instruction))
            if (Function *callee = call->getCalledFunction())
                if (callees.contains(callee))
                    calls.push_back(call);
    return calls;
}

DenseMap<Function *, uint64_t> sizesWhenInlined(ArrayRef<Function *> bottomUp,
                                                const Functions &reaching) {
    DenseMap<Function *, uint64_t> sizes;
    for (Function *function : bottomUp) {
        uint64_t size = function->getInstructionCount();
        for (CallBase *call : callsInto(*function, reaching))
            size = SaturatingAdd(size, sizes.lookup(call->getCalledFunction()));
        sizes[function] = size;
    }
    return sizes;
}

std::vector<Function *> reachedFrom(ArrayRef<Function *> kernels, ArrayRef<Function *> bottomUp,
                                    const Functions &reaching) {
    SmallPtrSet<Function *, 32> seen(kernels.begin(), kernels.end());
    for (Function *function : reverse(bottomUp)) /* callers come first */
        if (seen.contains(function))
            for (CallBase *call : callsInto(*function, reaching))
                seen.insert(call->getCalledFunction());
    std::vector<Function *> reached;
    for (Function *function : bottomUp)
        if (seen.contains(function))
            reached.push_back(function);
    return reached;
}

namespace {

/** What needs all items, or ends one, must be seen in the kernel. */
bool isCollective(Function &function, const SmallPtrSetImpl<Function *> &known) {
    if (function.isVarArg() || any_of(function.users(), [&](User *user) {
            auto *call = dyn_cast<CallInst>(user);
            return !call || call->getCalledFunction() != &function;
        }))
        return true;
    for (Instruction &instruction : instructions(function)) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (!call)
            continue;
        Internal internal = internalOf(*call);
        if (internal == Internal::None ? known.contains(call->getCalledFunction())
                                       : !canBeTold(internal))
            return true;
    }
    return false;
}

Function *copyOf(Function &function) {
    ValueToValueMapTy map;
    Function *copy = CloneFunction(&function, map);
    copy->setLinkage(GlobalValue::InternalLinkage);
    copy->removeFnAttr(kernelAttribute);
    return copy;
}

} // namespace

Parted part(ArrayRef<Function *> large, ArrayRef<Function *> bottomUp, const Functions &reaching) {
    Parted parted;
    const SmallPtrSet<Function *, 16> isLarge(large.begin(), large.end());
    std::vector<Function *> small;
    for (Function *function : bottomUp)
        if (function->hasFnAttribute(kernelAttribute) && !isLarge.contains(function))
            small.push_back(function);
    parted.others = reachedFrom(small, bottomUp, reaching);
    const SmallPtrSet<Function *, 32> shared(parted.others.begin(), parted.others.end());
    DenseMap<Function *, Function *> copies;
    SmallPtrSet<Function *, 32> collective;
    for (Function *function : reachedFrom(large, bottomUp, reaching)) {
        const bool isKernel = isLarge.contains(function);
        Function *own = function;
        /* A kernel that is called as a function is both. */
        if ((isKernel && !function->use_empty()) || (!isKernel && shared.contains(function)))
            own = copies[function] = copyOf(*function);
        for (Function *caller : {own, isKernel ? function : own})
            for (CallBase *call : callsInto(*caller, reaching))
                if (Function *copy = copies.lookup(call->getCalledFunction()))
                    call->setCalledFunction(copy);
        if (isKernel)
            parted.kernels.push_back(function);
        if (isKernel && own == function)
            continue;
        const bool inlined = isCollective(*own, collective);
        if (inlined)
            collective.insert(own);
        (inlined ? parted.collective : parted.kept).push_back(own);
    }
    return parted;
}

} // namespace weft
