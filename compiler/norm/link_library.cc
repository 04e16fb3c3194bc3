// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bodies for what is still only declared: the kernel library, late, when its callers have their
// final shape.

#include "norm/arith.h"
#include "norm/internals.h"
#include "norm/type_name.h"
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

/** Functions of floats of which -cl-fast-relaxed-math allows what native_ ones keep
 * (docs/kernel-library.md has the bounds). */
static constexpr StringLiteral relaxedFunctions[] = {"cos",  "exp", "exp10", "exp2",
                                                     "powr", "sin", "tan"};

/** Calls that may be approximate, "_Z3sinDv4_f", call "_Z10native_sinDv4_f". */
static void relax(Function &function) {
    const StringRef symbol = function.getName(), name = mangledName(symbol);
    if (!function.isDeclaration() || !function.getReturnType()->getScalarType()->isFloatTy() ||
        !is_contained(relaxedFunctions, name))
        return;
    const std::string form = "native_" + name.str();
    const std::string native =
        "_Z" + std::to_string(form.size()) + form + symbol.rsplit(name).second.str();
    for (User *user : make_early_inc_range(function.users())) {
        auto *call = dyn_cast<CallInst>(user);
        if (call && call->getCalledFunction() == &function && call->hasApproxFunc())
            call->setCalledFunction(function.getParent()->getOrInsertFunction(
                native, function.getFunctionType(), function.getAttributes()));
    }
}

Error LinkLibrary::run(Module &module) {
    for (Function &function : make_early_inc_range(module))
        relax(function);
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
