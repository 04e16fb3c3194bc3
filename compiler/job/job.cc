// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "job/job.h"

#include "job/board.h"
#include "job/build.h"
#include "front/link.h"
#include "norm/refuse.h"
#include "compiler/shared/options.h"
#include "front/source.h"
#include "spirv/spirv.h"
#include "backend/target.h"

#include <CL/cl.h>

#include <cstring>

namespace weft {

namespace {

weft_options_use useOf(JobKind kind) {
    return kind == JobKind::Compile ? WEFT_OPTIONS_COMPILE
           : kind == JobKind::Link  ? WEFT_OPTIONS_LINK
                                    : WEFT_OPTIONS_BUILD;
}

int32_t failureOf(JobKind kind) {
    return kind == JobKind::Compile ? CL_COMPILE_PROGRAM_FAILURE
           : kind == JobKind::Link  ? CL_LINK_PROGRAM_FAILURE
                                    : CL_BUILD_PROGRAM_FAILURE;
}

/** One job's state. The context is never freed: the child process ends with the job. */
class Job {
  public:
    Job(const JobRequest &request, JobReply &reply)
        : request(request), reply(reply), context(*new llvm::LLVMContext) {}
    ~Job() { weft_options_finish(&options); }

    void run();

  private:
    int32_t parseOptions();
    bool makeModule();
    bool compile();
    std::unique_ptr<llvm::Module> frontEnd(bool lines, std::string &log);
    llvm::Error withPlace(llvm::Error error);
    bool readIl(const JobInput &il);
    bool link();
    bool buildProgram();

    /** Writes the sentence to the log and returns false. */
    bool fail(llvm::Error error);
    bool fail(const llvm::Twine &sentence);

    const JobRequest &request;
    JobReply &reply;
    llvm::LLVMContext &context;
    weft_options options = {};
    std::unique_ptr<llvm::Module> module;
};

bool Job::fail(const llvm::Twine &sentence) {
    reply.log += "error: " + sentence.str() + "\n";
    return false;
}

bool Job::fail(llvm::Error error) {
    std::string text = llvm::toString(std::move(error));
    llvm::SmallVector<llvm::StringRef, 4> lines;
    llvm::StringRef(text).split(lines, '\n', -1, false);
    for (llvm::StringRef line : lines)
        fail(line);
    return false;
}

int32_t Job::parseOptions() {
    char error[WEFT_OPTIONS_ERROR_BYTES];
    std::string text = request.options.str();
    int32_t status = weft_options_parse(useOf(request.kind), text.c_str(), &options, error);
    if (status != CL_SUCCESS && *error)
        fail(error);
    return status;
}

std::unique_ptr<llvm::Module> Job::frontEnd(bool lines, std::string &log) {
    Source source;
    for (const JobInput &input : request.inputs)
        if (input.kind == InputKind::Source)
            source.text = input.data;
    source.inputs = request.inputs;
    source.options = &options;
    source.lines = lines;
    source.extensions = request.extensions;
    source.untrusted = request.untrusted;
    PartTimer timer(reply.nanoseconds[static_cast<size_t>(JobPart::FrontEnd)]);
    return compileSource(context, source, log, reply.touchedFiles);
}

bool Job::compile() {
    module = frontEnd(false, reply.log);
    return module != nullptr;
}

/** Without -g a module does not know its lines: where a program is refused they are made. */
llvm::Error Job::withPlace(llvm::Error error) {
    auto isSource = [](const JobInput &input) { return input.kind == InputKind::Source; };
    if (!error.isA<Refusal>() || options.flags & WEFT_OPTION_DEBUG ||
        llvm::none_of(request.inputs, isSource))
        return error;
    std::string log;
    std::unique_ptr<llvm::Module> again = frontEnd(true, log);
    if (!again)
        return error;
    resolveAliases(*again);
    llvm::Error placed = refuse(*again);
    if (!placed)
        return error;
    llvm::consumeError(std::move(error));
    (void)again.release(); /* freeing takes longer than the process's end */
    return placed;
}

/** "The intermediate language" of clCreateProgramWithIL, with the values that were set for it. */
bool Job::readIl(const JobInput &il) {
    std::vector<SpecConstant> constants;
    for (const JobInput &input : request.inputs) {
        if (input.kind != InputKind::SpecConstants)
            continue;
        constants.resize(input.data.size() / sizeof(SpecConstant));
        memcpy(constants.data(), input.data.data(), constants.size() * sizeof(SpecConstant));
    }
    SpirvInput what;
    what.bytes = il.data;
    what.constants = constants;
    PartTimer timer(reply.nanoseconds[static_cast<size_t>(JobPart::FrontEnd)]);
    module = readSpirv(context, what, reply.log);
    if (module)
        setModuleFlags(*module, options.flags | WEFT_OPTION_KERNEL_ARG_INFO,
                       options.flags & WEFT_OPTION_UNIFORM_WORK_GROUP_SIZE);
    return module != nullptr;
}

bool Job::link() {
    std::vector<llvm::MemoryBufferRef> inputs;
    for (const JobInput &input : request.inputs)
        if (input.kind == InputKind::Ir)
            inputs.emplace_back(input.data, "input " + std::to_string(inputs.size() + 1));
    PartTimer timer(reply.nanoseconds[static_cast<size_t>(JobPart::FrontEnd)]);
    auto linked = linkModules(context, inputs, !(options.flags & WEFT_OPTION_CREATE_LIBRARY));
    if (!linked)
        return fail(linked.takeError());
    module = std::move(*linked);
    return true;
}

bool Job::makeModule() {
    if (request.board)
        request.board->note("front end");
    bool hasSource = false, hasIr = false;
    const JobInput *il = nullptr;
    for (const JobInput &input : request.inputs) {
        if (input.kind == InputKind::Spirv)
            il = &input;
        hasSource |= input.kind == InputKind::Source;
        hasIr |= input.kind == InputKind::Ir;
    }
    bool compiles = hasSource || il;
    if (request.kind == JobKind::Link ? compiles : hasSource + hasIr + (il != nullptr) != 1)
        return fail("the job has the wrong kind of inputs");
    if (il)
        return readIl(*il);
    if (hasSource)
        return compile();
    if (!link())
        return false;
    applyLinkOptions(*module, options.flags);
    return true;
}

bool Job::buildProgram() {
    auto target = Target::parse(request.isa);
    if (!target)
        return fail(target.takeError());
    ImageOptions how;
    how.options = request.options;
    auto switches = parseSwitches(request.switches.str() + testSwitches());
    if (!switches)
        return fail(switches.takeError());
    how.switches = *switches;
    how.switches.remarks |= (options.flags & WEFT_OPTION_DEBUG) != 0;
    how.processes = request.processes;
    how.board = request.board;
    ModuleRecord record;
    llvm::MemoryBufferRef ir({reply.ir.data(), reply.ir.size()}, "program");
    if (auto error = buildImage(module, ir, *target, how, record, reply.image, reply.nanoseconds))
        return fail(withPlace(std::move(error)));
    if (how.switches.remarks)
        reply.log += remarksOf(record);
    return true;
}

void Job::run() {
    reply.status = parseOptions();
    if (reply.status != CL_SUCCESS)
        return;
    reply.status = failureOf(request.kind);
    if (!makeModule())
        return;
    writeModule(*module, reply.ir);
    reply.isLibrary = request.kind == JobKind::Link && (options.flags & WEFT_OPTION_CREATE_LIBRARY);
    if (request.kind != JobKind::Compile && !reply.isLibrary && !buildProgram()) {
        reply.ir.clear();
        reply.image.clear();
        return;
    }
    (void)module.release(); /* freeing takes longer than the process's end */
    reply.status = CL_SUCCESS;
}

} // namespace

void initialiseCompiler() {
    initialiseTargets();
}

void warmCompiler() {
    (void)warmFrontEnd();
}

void runJob(const JobRequest &request, JobReply &reply) {
    Job(request, reply).run();
}

} // namespace weft
