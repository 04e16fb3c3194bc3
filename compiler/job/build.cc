// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "job/build.h"

#include "backend/codegen.h"
#include "backend/constants.h"
#include "front/debug_info.h"
#include "image/image.h"
#include "backend/library.h"
#include "front/link.h"
#include "job/parts.h"
#include "norm/refuse.h"
#include "front/source.h"
#include "job/processes.h"

#include "llvm/ADT/STLExtras.h"

namespace weft {

namespace {

/** "" or what the kernel takes of local and private memory. */
std::string memoryOf(const KernelRecord &kernel) {
    auto blocks = llvm::count_if(
        kernel.args, [](const ArgRecord &arg) { return arg.info.kind == WEFT_ARG_LOCAL; });
    std::string text;
    if (kernel.info.local_bytes)
        text += std::to_string(kernel.info.local_bytes) + " bytes of local memory";
    if (blocks)
        text += (text.empty() ? "" : ", ") + std::to_string(blocks) + " arguments in local memory";
    if (kernel.info.private_bytes)
        text += (text.empty() ? "" : ", ") + std::to_string(kernel.info.private_bytes) +
                " bytes of private memory per work-item";
    return text;
}

} // namespace

std::string remarksOf(const ModuleRecord &record) {
    std::string text;
    auto add = [&](const KernelRecord &kernel, const std::string &remark) {
        text += "remark: kernel '" + kernel.name + "': " + remark + "\n";
    };
    for (const KernelRecord &kernel : record.kernels) {
        for (const std::string &remark : kernel.remarks)
            add(kernel, remark);
        if (std::string memory = memoryOf(kernel); !memory.empty())
            add(kernel, memory);
    }
    return text;
}

PartTimer::PartTimer(uint64_t &nanoseconds) : sum(nanoseconds), start(monotonicNow()) {}
PartTimer::~PartTimer() {
    sum += monotonicNow() - start;
}

bool mayOptimise(const llvm::Module &module, const ImageOptions &options) {
    return !options.switches.reference && !moduleFlag(module, flag::optDisable);
}

bool mayOptimiseCode(const llvm::Module &module, const ImageOptions &options) {
    return options.switches.oracle.empty() && mayOptimise(module, options);
}

PipelineOptions pipelineOptions(const llvm::Module &module, const Target &target,
                                llvm::TargetMachine &machine, const ImageOptions &options) {
    PipelineOptions pipeline;
    pipeline.target = &machine;
    pipeline.switches = options.switches;
    pipeline.optimise = mayOptimise(module, options);
    pipeline.fma = target.hasFma();
    pipeline.vectorBits = target.vectorBits();
    pipeline.slowGathers = target.hasSlowGathers();
    pipeline.debug = moduleFlag(module, flag::debug);
    pipeline.denormsAreZero = moduleFlag(module, flag::denormsAreZero);
    pipeline.verifyEach = options.verifyEach;
    pipeline.mostLanes = options.mostLanes;
    pipeline.mostCalleeFrame = options.mostCalleeFrame;
    pipeline.afterStage = options.afterStage;
    pipeline.linkLibrary = [&target](llvm::Module &into, LibraryStage stage) {
        return linkLibrary(into, stage, target);
    };
    return pipeline;
}

namespace {

/** Up to here stages look at the whole module; behind it each kernel goes its own way. */
constexpr llvm::StringLiteral lastWholeStage = "inline-barriers";
/** Behind this one each body of a kernel does. */
constexpr llvm::StringLiteral lastCommonStage = "estimate";

/** "kernel 'k': optimise", for who watches a long build. */
std::string noteOf(const ModuleRecord &record, llvm::StringRef stage) {
    std::string text = "kernel";
    for (const KernelRecord &kernel : record.kernels)
        text += (&kernel == &record.kernels[0] ? " '" : ", '") + kernel.name + "'";
    return stage.str() + ", " + (record.kernels.empty() ? "whole program" : text);
}

/** Pipeline and code generation of this process's share. */
llvm::Error generateShare(llvm::Module &module, const Target &target, llvm::TargetMachine &machine,
                          const ImageOptions &options, const Parts &parts, ModuleRecord &record,
                          ObjectBytes &object, Nanoseconds &nanoseconds) {
    auto note = [&](llvm::StringRef stage) {
        if (options.board)
            options.board->note(noteOf(record, stage));
    };
    {
        PartTimer timer(nanoseconds[static_cast<size_t>(JobPart::Passes)]);
        PipelineOptions pipeline = pipelineOptions(module, target, machine, options);
        pipeline.note = note;
        pipeline.effort = &parts.effort();
        if (auto error = runPipeline(module, pipeline, record))
            return error;
        if (parts.isDone())
            return llvm::Error::success();
        /* In modules of other makers passes may have made calls of pointers direct. */
        if (auto error = refuseRecursion(module))
            return error;
    }
    PartTimer timer(nanoseconds[static_cast<size_t>(JobPart::CodeGen)]);
    target.apply(module, machine);
    finishDebugInfo(module);
    note("code generation");
    return generateCode(module, machine, false, object, parts.effort() == Effort::Least);
}

llvm::Error tryToBuild(llvm::Module &module, const Target &target, const ImageOptions &options,
                       ModuleRecord &record, llvm::SmallVectorImpl<char> &image,
                       Nanoseconds &nanoseconds) {
    Parts parts(options.processes, options.board);
    Nanoseconds own = {};
    SourceTexts sources = sourcesOf(module);
    ImageOptions how = options;
    how.afterStage = [&](llvm::StringRef stage, llvm::Module &after) {
        if (stage == lastWholeStage)
            parts.split(after, record);
        if (stage == lastCommonStage && options.switches.oracle.empty())
            parts.splitBodies(after, record);
        if (parts.isDone())
            return false;
        return !options.afterStage || options.afterStage(stage, after);
    };
    auto machine = target.createMachine(mayOptimiseCode(module, how));
    std::vector<ObjectBytes> objects(1);
    llvm::Error error =
        generateShare(module, target, *machine, how, parts, record, objects[0], own);
    if (parts.isCopy())
        parts.finishCopy(std::move(error), record, objects[0], own);
    if (error)
        return error;
    {
        PartTimer timer(own[static_cast<size_t>(JobPart::CodeGen)]);
        if (auto error = parts.collect(record, objects, own))
            return error;
    }
    for (size_t part = 0; part < own.size(); part++)
        nanoseconds[part] += own[part];
    PartTimer timer(nanoseconds[static_cast<size_t>(JobPart::Link)]);
    ImageInput input;
    for (const ObjectBytes &object : objects)
        input.objects.push_back({{object.data(), object.size()}, "program"});
    input.runtime = rtObject(target.level());
    input.called = calledObject(target.level());
    input.isa = target.isa();
    input.options = options.options;
    input.sources = std::move(sources);
    return linkImage(input, record, image);
}

/** How a program that needs too much stack came to need less. */
struct Frames {
    std::vector<StackError::Need> needs; /* before variables of functions left it */
    bool tried = false;                  /* that they do, and it was no help */
};

/** Whether the kernels may do with less stack, and how: without the variables of functions where
 *  these are most of it, else with half as many lanes each. */
bool mayDoWithLess(const StackError &stack, ImageOptions &options, Frames &frames) {
    auto isOfCallees = [](const StackError::Need &need) { return need.ownBytes < need.bytes / 2; };
    if (!frames.tried && options.mostCalleeFrame > leastCalleeFrame &&
        llvm::any_of(stack.kernels, isOfCallees)) {
        frames.needs = stack.kernels;
        options.mostCalleeFrame = leastCalleeFrame;
        return true;
    }
    for (const StackError::Need &need : stack.kernels) {
        if (need.lanes < 2)
            return false;
        options.mostLanes[need.name] = need.lanes / 2;
    }
    return true;
}

/** Success if the reason is that kernels need too much stack, and they are to do with less now;
 * else the error. */
llvm::Error lessen(llvm::Error error, ImageOptions &options, Frames &frames) {
    return llvm::handleErrors(std::move(error),
                              [&](std::unique_ptr<StackError> stack) -> llvm::Error {
                                  if (mayDoWithLess(*stack, options, frames))
                                      return llvm::Error::success();
                                  return llvm::Error(std::move(stack));
                              });
}

/** Functions whose variables leave the stack become parts of kernels, which may then be too large:
 *  then it is as if that had not been tried. */
llvm::Error undoFrames(llvm::Error error, ImageOptions &options, Frames &frames) {
    if (frames.needs.empty() || frames.tried || error.isA<StackError>())
        return error;
    llvm::consumeError(std::move(error));
    options.mostCalleeFrame = maxCalleeFrame;
    frames.tried = true;
    auto before = std::make_unique<StackError>();
    before->kernels = frames.needs;
    return llvm::Error(std::move(before));
}

} // namespace

llvm::Error buildImage(std::unique_ptr<llvm::Module> &module, llvm::MemoryBufferRef bitcode,
                       const Target &target, ImageOptions options, ModuleRecord &record,
                       llvm::SmallVectorImpl<char> &image, Nanoseconds &nanoseconds) {
    Frames frames;
    ConstantMemory constants;
    for (;;) {
        llvm::Error error = tryToBuild(*module, target, options, record, image, nanoseconds);
        if (!error)
            return error;
        error = undoFrames(std::move(error), options, frames);
        if (auto reason = lessen(std::move(error), options, frames))
            return reason;
        auto again = readModule(module->getContext(), bitcode);
        if (!again)
            return again.takeError();
        (void)module.release(); /* freeing takes longer than the process's end */
        module = std::move(*again);
        record = ModuleRecord();
    }
}

} // namespace weft
