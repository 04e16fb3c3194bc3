// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bodies for what is still only declared: the kernel library, late, when its callers have their
// final shape.

#include "norm/arith.h"
#include "norm/internals.h"
#include "stages/stages.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace weft {

static bool isCalledByNew(const Function &function, const SmallPtrSetImpl<Function *> &before) {
    return any_of(function.users(), [&](const User *user) {
        auto *call = dyn_cast<CallBase>(user);
        return call && !before.contains(call->getFunction());
    });
}

/** Of what -cl-fast-relaxed-math allows (docs/kernel-library.md has the bounds), the native_ form;
 * empty: the function is as exact as ever. */
static StringRef relaxedForm(StringRef name) {
    return StringSwitch<StringRef>(name)
        .Case("cos", "native_cos")
        .Case("exp", "native_exp")
        .Case("exp10", "native_exp10")
        .Case("exp2", "native_exp2")
        .Case("powr", "native_powr")
        .Case("sin", "native_sin")
        .Case("tan", "native_tan")
        .Default("");
}

/** Calls of floats' functions that may be approximate, "_Z3sinDv4_f", call native_ ones. */
static void relax(Function &function) {
    StringRef rest = function.getName();
    unsigned length = 0;
    if (!function.isDeclaration() || !function.getReturnType()->getScalarType()->isFloatTy() ||
        !rest.consume_front("_Z") || rest.consumeInteger(10, length))
        return;
    const StringRef form = relaxedForm(rest.take_front(length));
    if (form.empty())
        return;
    const std::string native = ("_Z" + Twine(form.size()) + form + rest.drop_front(length)).str();
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
