// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bodies for what is still only declared: the kernel library, late, when its callers have their
// final shape.

#include "norm/arith.h"
#include "norm/internals.h"
#include "stages/stages.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft {

static bool isCalledByNew(const Function &function, const SmallPtrSetImpl<Function *> &before) {
    return any_of(function.users(), [&](const User *user) {
        auto *call = dyn_cast<CallBase>(user);
        return call && !before.contains(call->getFunction());
    });
}

Error LinkLibrary::run(Module &module) {
    SmallPtrSet<Function *, 32> before;
    for (Function &function : module)
        if (!function.isDeclaration())
            before.insert(&function);
    auto stage = context.options.optimise ? LibraryStage::LateCalled : LibraryStage::Late;
    if (Error error = context.options.linkLibrary(module, stage))
        return error;
    for (Function &function : make_early_inc_range(module)) {
        if (before.contains(&function))
            continue;
        if (function.isDeclaration()) {
            if (internalOf(&function) != Internal::None && isCalledByNew(function, before))
                return sentence("internal error: the library's code calls " + function.getName() +
                                ", which only kernels may do at this stage");
            continue;
        }
        function.setLinkage(GlobalValue::InternalLinkage);
        function.setVisibility(GlobalValue::DefaultVisibility);
        function.setComdat(nullptr);
        makeNative(function, context.options);
    }
    return Error::success();
}

} // namespace weft
