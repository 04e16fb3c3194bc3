// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bodies for what is still only declared: the kernel library, late, when its callers have their
// final shape.

#include "norm/arith.h"
#include "norm/half.h"
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

/** The function of another name with the same parameters, "_Z3madDv4_DhS_S_": "_Z3fmaDv4_DhS_S_".
 */
static FunctionCallee withName(Function &function, StringRef name) {
    const StringRef symbol = function.getName();
    const std::string other = "_Z" + std::to_string(name.size()) + name.str() +
                              symbol.rsplit(mangledName(symbol)).second.str();
    return function.getParent()->getOrInsertFunction(other, function.getFunctionType(),
                                                     function.getAttributes());
}

/** Calls that may be approximate, "_Z3sinDv4_f", call "_Z10native_sinDv4_f". */
static void relax(Function &function) {
    const StringRef name = mangledName(function.getName());
    if (!function.isDeclaration() || !function.getReturnType()->getScalarType()->isFloatTy() ||
        !is_contained(relaxedFunctions, name))
        return;
    for (User *user : make_early_inc_range(function.users())) {
        auto *call = dyn_cast<CallInst>(user);
        if (call && call->getCalledFunction() == &function && call->hasApproxFunc())
            call->setCalledFunction(withName(function, ("native_" + name).str()));
    }
}

/** mad of halves, which the library computes in float, is the machine's fma where it has one. */
static void fuseHalves(Function &function, const TargetMachine &target) {
    if (function.isDeclaration() && function.getReturnType()->getScalarType()->isHalfTy() &&
        mangledName(function.getName()) == "mad" && computesInHalf(target))
        function.replaceAllUsesWith(withName(function, "fma").getCallee());
}

Error LinkLibrary::run(Module &module) {
    for (Function &function : make_early_inc_range(module)) {
        relax(function);
        fuseHalves(function, *context.options.target);
    }
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
