// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stages/pipeline.h"
#include "breaks/breaks.h"
#include "oracle/oracle.h"
#include "stages/stages.h"
#include "vector/bodies.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <weft/abi.h>

using namespace llvm;

namespace weft {

Analyses &StageContext::analyses() {
    if (!managers)
        managers = std::make_unique<Analyses>(options.target);
    return *managers;
}

KernelRecord &StageContext::kernel(StringRef name) {
    for (KernelRecord &kernel : record.kernels)
        if (kernel.name == name)
            return kernel;
    record.kernels.emplace_back();
    record.kernels.back().name = name.str();
    return record.kernels.back();
}

KernelRecord &StageContext::kernel(const Function &function) {
    return kernel(kernelName(function));
}

std::vector<Function *> kernelsOf(Module &module) {
    std::vector<Function *> kernels;
    for (Function &function : module)
        if (!function.isDeclaration() && function.hasFnAttribute(kernelAttribute))
            kernels.push_back(&function);
    return kernels;
}

Error sentence(const Twine &text) {
    return createStringError(inconvertibleErrorCode(), text);
}

namespace {

struct Stage {
    StringRef name;
    Error (*run)(Module &, StageContext &);
};

template <typename Class> Error runClass(Module &module, StageContext &context) {
    return Class(context).run(module);
}

const Stage allStages[] = {
#define WEFT_STAGE(name, Class, doc) {name, runClass<Class>},
#include "stages/passes.def"
};

Error verify(StringRef stage, Module &module) {
    std::string text;
    raw_string_ostream stream(text);
    if (!verifyModule(module, &stream))
        return Error::success();
    return sentence("internal error: the module is invalid after stage " + stage + ": " + text);
}

Error runOne(const Stage &stage, Module &module, StageContext &context) {
    breakInFront(stage.name, module, context);
    if (Error error = stage.run(module, context))
        return error;
    breakBehind(stage.name, module, context);
    if (context.options.verifyEach || context.options.switches.checks)
        return verify(stage.name, module);
    return Error::success();
}

/** Reference execution shares what it must with the usual way, and nothing that forms groups. */
const StringRef referenceStages[] = {"retarget",        "name-builtins", "lower-module-state",
                                     "inline-barriers", "reference",     "abi",
                                     "link-library",    "optimise"};

bool runs(const Stage &stage, const Switches &switches) {
    return !switches.reference || is_contained(referenceStages, stage.name);
}

/** Runs one stage of a pipeline; false: whoever watches wants no more. */
Expected<bool> pass(const Stage &stage, Module &module, StageContext &context) {
    if (context.options.note)
        context.options.note(stage.name);
    if (Error error = runOne(stage, module, context))
        return error;
    return !context.options.afterStage || context.options.afterStage(stage.name, module);
}

/** Behind the stage that the oracle is of: what must still be done for the module as a whole, as in
 *  reference execution, then the plainest way to entry functions. Nothing is broken here. */
Error runOracle(const Stage &last, Module &module, const PipelineOptions &options,
                ModuleRecord &record) {
    // What is invalid may well work when it is plain.
    if (Error error = verify(last.name, module))
        return error;
    PipelineOptions plain = options;
    plain.switches = Switches();
    plain.switches.reference = true;
    plain.optimise = false;
    StageContext context(plain, record);
    for (const Stage &stage : allStages) {
        if (&stage <= &last || !runs(stage, plain.switches))
            continue;
        if (stage.name == "reference")
            break;
        Expected<bool> more = pass(stage, module, context);
        if (!more)
            return more.takeError();
    }
    if (Error error = finishPlainly(last.name, module, context))
        return error;
    return verify("of the oracle of " + last.name.str(), module);
}

} // namespace

std::vector<StringRef> stageNames(const Switches &switches) {
    std::vector<StringRef> names;
    for (const Stage &stage : allStages)
        if (runs(stage, switches))
            names.push_back(stage.name);
    return names;
}

Error runStage(StringRef name, Module &module, const PipelineOptions &options,
               ModuleRecord &record) {
    StageContext context(options, record);
    for (const Stage &stage : allStages)
        if (stage.name == name)
            return runOne(stage, module, context);
    return sentence("there is no stage named " + name);
}

Error runPipeline(Module &module, const PipelineOptions &options, ModuleRecord &record) {
    /* Before the target machine makes anything for a function. LLVM aligns a stack itself only
     * where a variable wants it: registers that are stored there for want of room would lie in two
     * lines of the cache, two or three of four of 64 bytes. */
    Type *number = Type::getInt32Ty(module.getContext());
    module.setModuleFlag(Module::Error, "override-stack-alignment",
                         ConstantAsMetadata::get(ConstantInt::get(number, WEFT_STACK_ALIGN)));
    StageContext context(options, record);
    for (const Stage &stage : allStages) {
        if (!runs(stage, options.switches))
            continue;
        Expected<bool> more = pass(stage, module, context);
        if (!more)
            return more.takeError();
        if (!*more)
            return Error::success();
        if (stage.name == options.switches.oracle)
            return runOracle(stage, module, options, record);
    }
    // What a pass has broken must not run: better no program than another one. It takes a hundredth
    // of a build; stages look after each other where a test asks for it (runOne).
    return verify("ease-masks", module);
}

} // namespace weft
