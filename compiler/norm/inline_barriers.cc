// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every function that reaches an internal call is inlined into its kernels, or told what it asks
// for where they would be too large.

#include "norm/callee_frames.h"
#include "norm/hidden.h"
#include "norm/internals.h"
#include "norm/kept_functions.h"
#include "norm/simplify.h"
#include "norm/size_limit.h"
#include "stages/stages.h"
#include "vector/flat.h"
#include "vector/prepare.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace weft {

namespace {

/** Inlining is repeated along every path of calls; this bounds what a hostile program can ask. */
constexpr unsigned maxKernelInstructions = 2000000, maxProgramInstructions = 4000000;

/** A function of so many instructions is simplified before it becomes part of others. */
constexpr unsigned worthSimplifying = 2000;

/**
 * Kernels that would have more keep functions: they run one item at a time anyway. That is twice
 * what stage inline-library allows before it gives up, since a call with constant arguments may
 * become shorter than what it calls.
 */
constexpr uint64_t maxWithAll = 120000;

class Inliner {
  public:
    Inliner(Module &module, StageContext &context) : module(module), context(context) {
        passes.addPass(SROAPass(SROAOptions::ModifyCFG));
        passes.addPass(SimplifyCFGPass());
        passes.addPass(EarlyCSEPass(true));
        passes.addPass(InstCombinePass());
        passes.addPass(SimplifyCFGPass());
    }

    Error run();

  private:
    void findReaching();
    Error order(Function &function);
    std::vector<Function *> largeKernels() const;
    Error keepFunctions();
    Error inlineCalls(Function &function, const Functions &callees);
    void simplify(Function &function);
    void eraseUnused();

    Module &module;
    StageContext &context;
    FunctionPassManager passes;       /* those of stage canonical */
    Functions reaching;               /* functions that reach an internal call, kernels included */
    DenseMap<Function *, int> state;  /* 1: on the path, 2: done */
    std::vector<Function *> bottomUp; /* callees before callers */
    uint64_t all = 0;                 /* instructions of those that are done */
};

void Inliner::findReaching() {
    for (Function &function : module) {
        if (internalOf(&function) != Internal::None) {
            for (User *user : function.users())
                if (auto *call = dyn_cast<CallBase>(user))
                    reaching.insert(call->getFunction());
        } else if (!function.isDeclaration() &&
                   (function.hasFnAttribute(kernelAttribute) ||
                    frameBytes(function) > context.options.mostCalleeFrame)) {
            // Such a frame belongs to the kernel, whose large arrays move to the worker's arena.
            reaching.insert(&function);
        }
    }
    for (unsigned index = 0; index < reaching.size(); index++)
        for (User *user : reaching[index]->users())
            if (auto *call = dyn_cast<CallBase>(user))
                reaching.insert(call->getFunction());
}

std::string functionName(StringRef name) {
    name.consume_back(".user");
    return name.str();
}

Error Inliner::order(Function &function) {
    int &mark = state[&function];
    if (mark == 2)
        return Error::success();
    if (mark == 1)
        return sentence("the function '" + functionName(function.getName()) +
                        "' calls itself, directly or through others; OpenCL C does not allow "
                        "recursion");
    mark = 1;
    for (CallBase *call : callsInto(function, reaching))
        if (Error error = order(*call->getCalledFunction()))
            return error;
    state[&function] = 2;
    bottomUp.push_back(&function);
    return Error::success();
}

/**
 * LLVM, which simplifies functions here and inlines them, takes it that a barrier in there leaves
 * alone what such a parameter points to (norm/restrict.h, which sees to the kernels).
 */
void leaveRestrict(Function &function) {
    if (!function.hasFnAttribute(kernelAttribute))
        for (Argument &parameter : function.args())
            parameter.removeAttr(Attribute::NoAlias);
}

Error Inliner::inlineCalls(Function &function, const Functions &callees) {
    SizeLimit size(function, maxKernelInstructions);
    for (CallBase *call : callsInto(function, callees)) {
        const Function &body = *call->getCalledFunction();
        std::string callee = functionName(body.getName());
        InlineFunctionInfo info;
        InlineResult result = InlineFunction(*call, info, false);
        if (!result.isSuccess())
            return sentence("the function '" + callee + "' cannot become part of '" +
                            functionName(function.getName()) + "': " + result.getFailureReason());
        size.add(body);
        if (size.isOver())
            return sentence("'" + functionName(function.getName()) + "' is too large: more than " +
                            Twine(maxKernelInstructions) +
                            " instructions when the functions that it calls are part of it");
    }
    simplify(function);
    all += function.getInstructionCount();
    if (all > maxProgramInstructions)
        return sentence("the program is too large: more than " + Twine(maxProgramInstructions) +
                        " instructions when '" + functionName(function.getName()) +
                        "' and others have the functions in them that they call");
    return Error::success();
}

/**
 * A large function that is about to be copied into others becomes as small as it will be anyway:
 * Clang leaves three instructions where one is enough, and each copy would have all three.
 */
void Inliner::simplify(Function &function) {
    if (!context.options.optimise || function.hasFnAttribute(kernelAttribute) ||
        function.getInstructionCount() < worthSimplifying)
        return;
    runAnew(passes, function, context.analyses().function);
}

/** In the module's order. */
std::vector<Function *> Inliner::largeKernels() const {
    auto sizes = sizesWhenInlined(bottomUp, reaching);
    std::vector<Function *> large;
    for (Function *kernel : kernelsOf(module))
        if (context.options.switches.functions || sizes.lookup(kernel) > maxWithAll)
            large.push_back(kernel);
    return large;
}

/**
 * Kernels that are too large with everything in them get only what must be there; the rest stays
 * functions, so that a program takes as much time and room as it is long. What is left in
 * `bottomUp` is of the other kernels.
 */
Error Inliner::keepFunctions() {
    std::vector<Function *> large = largeKernels();
    if (context.options.optimise && !large.empty()) {
        for (Function *function : reachedFrom(large, bottomUp, reaching))
            if (!function->hasFnAttribute(kernelAttribute))
                runAnew(passes, *function, context.analyses().function);
        large = largeKernels();
    }
    if (large.empty())
        return Error::success();
    Parted parted = part(large, bottomUp, reaching);
    Functions collective(parted.collective.begin(), parted.collective.end());
    for (auto *functions : {&parted.collective, &parted.kept, &parted.kernels})
        for (Function *function : *functions)
            if (Error error = inlineCalls(*function, collective))
                return error;
    bottomUp = std::move(parted.others);
    if (parted.kept.empty())
        return Error::success();
    Functions kept(parted.kept.begin(), parted.kept.end());
    erase_if(parted.kernels, [&](Function *kernel) { return callsInto(*kernel, kept).empty(); });
    auto frames = moveLargeFrames(parted.kept, parted.kernels, context.options.mostCalleeFrame);
    passHidden(parted.kept, parted.kernels, context.options.switches);
    for (Function *kernel : parted.kernels) {
        placeCalleeFrames(*kernel, frames.lookup(kernel));
        kernel->addFnAttr(largeAttribute);
        context.kernel(kernel->getName())
            .remarks.push_back(std::string("functions that ask for ids stay functions: ") +
                               (context.options.switches.functions
                                    ? "so it is set"
                                    : "it would be too large with all of them in it"));
    }
    context.keptFunctions = true;
    return Error::success();
}

void Inliner::eraseUnused() {
    for (bool again = true; again;) {
        again = false;
        for (Function &function : make_early_inc_range(module)) {
            function.removeDeadConstantUsers();
            if (!function.use_empty() || function.hasFnAttribute(kernelAttribute) ||
                !(function.isDeclaration() || function.hasLocalLinkage()))
                continue;
            function.eraseFromParent();
            again = true;
        }
    }
}

Error Inliner::run() {
    findReaching();
    for (Function *function : reaching)
        if (Error error = order(*function))
            return error;
    for (Function *function : bottomUp)
        leaveRestrict(*function);
    if (Error error = keepFunctions())
        return error;
    for (Function *function : bottomUp)
        if (Error error = inlineCalls(*function, reaching))
            return error;
    eraseUnused();
    return Error::success();
}

} // namespace

Error InlineBarriers::run(Module &module) {
    if (Error error = Inliner(module, context).run())
        return error;
    for (Function *kernel : kernelsOf(module))
        if (!context.options.switches.reference && isFlat(*kernel))
            context.kernel(kernel->getName()).info.flags |= WEFT_KERNEL_FLAT;
    return Error::success();
}

} // namespace weft
