// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "process/offline.h"
#include "process/stack.h"

#include "job/build.h"
#include "backend/codegen.h"
#include "compiler/shared/container.h"
#include "image/image.h"
#include "backend/library.h"
#include "front/link.h"
#include "compiler/shared/options.h"
#include "front/source.h"
#include "spirv/spirv.h"
#include "backend/target.h"
#include "version.h"
#include "weft/abi.h"
#include "weft/extensions.h"
#include "job/processes.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <CL/cl.h>

#include <cstring>
#include <unistd.h>

namespace weft {

namespace {

constexpr const char *usage =
    "usage: weft compile [options] [build options] file.cl|file.spv|file.ll|file.bc ... | file.o\n"
    "Several files are linked as clLinkProgram does; --emit bc then makes a library.\n"
    "  --emit WHAT        ir: what the front end leaves; bc: the same as bitcode; native: IR "
    "after\n"
    "                     all stages; asm; obj; image (default); for clCreateProgramWithBinary:\n"
    "                     binary (an executable), compiled (an object), library\n"
    "  --isa NAME         x86-64-v1 ... x86-64-v4 with +feature..., default: this machine's level\n"
    "  --stage NAME       run only this stage, print the module\n"
    "  --dump-after NAME  stop after this stage, print the module\n"
    "  --dump FOLDER      write the module after each stage to FOLDER/NN-stage.ll\n"
    "  --switches TEXT    how to compile, for tests: reference width=N linear narrow single "
    "turned\n"
    "                     lone functions remarks checks oracle=STAGE break=NAME,...\n"
    "  --blame            (of the tool, alone) run the kernels in reference execution and behind "
    "each\n"
    "                     stage, and say which stage was the first to change a result\n"
    "  --extensions LIST  what the device reports; default: what the CPU device reports\n"
    "  --entry NAME       of a .o, which is only linked: a kernel's entry (may be repeated)\n"
    "  --header NAME=FILE an embedded header, as clCompileProgram takes them (may be repeated)\n"
    "  --spec ID=VALUE    of SPIR-V: a specialisation constant, an integer or its bits (repeated)\n"
    "  --list-stages      print the names of the stages, in order; with --switches reference "
    "those\n"
    "                     that reference execution has\n"
    "  --verify           check the module after each stage\n"
    "  --processes N      share the kernels of an image over at most N processes\n"
    "  --time             print the time of each part to stderr\n"
    "  -o FILE            output; default: standard output\n"
    "Build options are those of clBuildProgram.\n";

/** --emit: containers for clCreateProgramWithBinary. */
constexpr llvm::StringLiteral binaryKinds[] = {"binary", "compiled", "library"};

struct Arguments {
    std::string isa, emit = "image", stage, dumpAfter, dumpFolder, output = "-", buildOptions,
                     switches;
    std::string extensions = WEFT_JOB_EXTENSIONS;
    std::vector<std::string> files, entries, headers;
    std::vector<SpecConstant> constants;
    unsigned processes = 0;
    bool verify = false, time = false, listStages = false, help = false;
    std::string wrong; /* what is wrong with the command line */
};

std::string nativeLevel() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4"))
        return "x86-64-v4";
    if (__builtin_cpu_supports("x86-64-v3"))
        return "x86-64-v3";
    return __builtin_cpu_supports("x86-64-v2") ? "x86-64-v2" : "x86-64-v1";
}

/** One word of a build option string that stands for `word`. */
std::string quote(llvm::StringRef word) {
    if (!word.empty() && word.find_first_of(" \t\n\v\f\r\"'\\") == llvm::StringRef::npos)
        return word.str();
    std::string text = "\"";
    for (char c : word) {
        if (c == '"' || c == '\\')
            text += '\\';
        text += c;
    }
    return text + "\"";
}

bool parseConstant(llvm::StringRef word, Arguments &arguments) {
    auto [id, value] = word.split('=');
    SpecConstant constant = {0, 8, 0};
    int64_t negative = 0;
    if (value.getAsInteger(0, constant.value)) {
        if (value.getAsInteger(0, negative))
            return false;
        constant.value = static_cast<uint64_t>(negative);
    }
    arguments.constants.push_back(constant);
    return !id.getAsInteger(0, arguments.constants.back().id);
}

bool refuse(Arguments &arguments, llvm::StringRef word, const char *why) {
    arguments.wrong = ("'" + word + "' " + why).str();
    return false;
}

bool parseArguments(int argc, char **argv, Arguments &arguments) {
    arguments.isa = nativeLevel();
    const std::pair<llvm::StringRef, std::string *> values[] = {
        {"--isa", &arguments.isa},         {"--emit", &arguments.emit},
        {"--stage", &arguments.stage},     {"--dump-after", &arguments.dumpAfter},
        {"--dump", &arguments.dumpFolder}, {"--extensions", &arguments.extensions},
        {"-o", &arguments.output},         {"--switches", &arguments.switches}};
    const std::pair<llvm::StringRef, bool *> switches[] = {{"--verify", &arguments.verify},
                                                           {"--time", &arguments.time},
                                                           {"--list-stages", &arguments.listStages},
                                                           {"--help", &arguments.help}};
    for (int i = 1; i < argc; i++) {
        llvm::StringRef word = argv[i];
        auto *value = llvm::find_if(values, [&](auto &row) { return row.first == word; });
        auto *toggle = llvm::find_if(switches, [&](auto &row) { return row.first == word; });
        if (word == "--entry") {
            if (++i == argc)
                return refuse(arguments, word, "wants a name");
            arguments.entries.push_back(argv[i]);
        } else if (word == "--header") {
            if (++i == argc || !llvm::StringRef(argv[i]).contains('='))
                return refuse(arguments, word, "wants NAME=FILE");
            arguments.headers.push_back(argv[i]);
        } else if (word == "--spec") {
            if (++i == argc || !parseConstant(argv[i], arguments))
                return refuse(arguments, word, "wants ID=VALUE, both integers");
        } else if (word == "--processes") {
            if (++i == argc || llvm::StringRef(argv[i]).getAsInteger(10, arguments.processes))
                return refuse(arguments, word, "wants a number");
        } else if (value != std::end(values)) {
            if (++i == argc)
                return refuse(arguments, word, "wants something behind it");
            *value->second = argv[i];
        } else if (toggle != std::end(switches)) {
            *toggle->second = true;
        } else if (word.starts_with("--") || word.empty()) {
            return refuse(arguments, word, "is no option");
        } else if (word.starts_with("-") && word != "-") {
            arguments.buildOptions += " " + quote(word);
            bool takesNext = word == "-D" || word == "-I" || word == "-U";
            if (takesNext && i + 1 < argc)
                arguments.buildOptions += " " + quote(argv[++i]);
        } else {
            arguments.files.push_back(word.str());
        }
    }
    if (!arguments.help && !arguments.listStages && arguments.files.empty())
        arguments.wrong = "no file is named";
    return arguments.wrong.empty();
}

/** What went wrong with what was written; left in the stream, its destructor would end the process
 * with a report. */
std::error_code takeError(llvm::raw_fd_ostream &stream) {
    std::error_code error = stream.error();
    stream.clear_error();
    return error;
}

/** One run of the offline compiler. */
class Offline {
  public:
    explicit Offline(const Arguments &arguments) : arguments(arguments) {}
    ~Offline() { weft_options_finish(&options); }

    int run();

  private:
    bool fail(const llvm::Twine &sentence);
    bool fail(llvm::Error error) { return fail(llvm::toString(std::move(error))); }
    bool load();
    bool link();
    std::unique_ptr<llvm::Module> loadFile(llvm::StringRef name);
    std::unique_ptr<llvm::Module> compile(const llvm::MemoryBuffer &file);
    std::unique_ptr<llvm::Module> readIl(llvm::StringRef bytes);
    bool runStages();
    bool makeImage(llvm::SmallVectorImpl<char> &image);
    bool buildWhole();
    std::function<bool(llvm::StringRef, llvm::Module &)> stageTimes() const;
    bool emitCode();
    bool emitBinary();
    bool linkObject(llvm::StringRef object);
    bool linkFile();
    bool write(llvm::StringRef bytes);
    bool writeText();
    bool dumpStage(unsigned number, llvm::StringRef name);
    void printTimes() const;

    const Arguments &arguments;
    Switches switches;
    weft_options options = {};
    Target target;
    std::unique_ptr<llvm::TargetMachine> machine;
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module;
    ModuleRecord record;
    std::array<uint64_t, static_cast<size_t>(JobPart::Count)> nanoseconds = {};
    bool touchedFiles = false;
    std::string sources; /* of all inputs, for the hash in a binary */
};

bool Offline::fail(const llvm::Twine &sentence) {
    llvm::errs() << "error: " << sentence << "\n";
    return false;
}

std::unique_ptr<llvm::Module> Offline::compile(const llvm::MemoryBuffer &file) {
    Source source;
    source.text = file.getBuffer();
    source.options = &options;
    source.extensions = arguments.extensions;
    source.keepNames = arguments.emit != "image" && arguments.emit != "obj";
    std::vector<JobInput> inputs;
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
    for (const std::string &header : arguments.headers) {
        auto [name, path] = llvm::StringRef(header).split('=');
        auto buffer = llvm::MemoryBuffer::getFile(path);
        if (!buffer) {
            fail("cannot read '" + path + "': " + buffer.getError().message());
            return nullptr;
        }
        inputs.push_back({InputKind::Header, name, (*buffer)->getBuffer()});
        buffers.push_back(std::move(*buffer));
    }
    source.inputs = inputs;
    std::string log;
    PartTimer timer(nanoseconds[static_cast<size_t>(JobPart::FrontEnd)]);
    std::unique_ptr<llvm::Module> made = compileSource(context, source, log, touchedFiles);
    llvm::errs() << log;
    return made;
}

std::unique_ptr<llvm::Module> Offline::readIl(llvm::StringRef bytes) {
    SpirvInput input;
    input.bytes = bytes;
    input.constants = arguments.constants;
    input.keepNames = arguments.emit != "image" && arguments.emit != "obj";
    std::string log;
    PartTimer timer(nanoseconds[static_cast<size_t>(JobPart::FrontEnd)]);
    std::unique_ptr<llvm::Module> made = readSpirv(context, input, log);
    if (made)
        setModuleFlags(*made, options.flags | WEFT_OPTION_KERNEL_ARG_INFO,
                       options.flags & WEFT_OPTION_UNIFORM_WORK_GROUP_SIZE);
    llvm::errs() << log;
    return made;
}

std::unique_ptr<llvm::Module> Offline::loadFile(llvm::StringRef name) {
    auto file = llvm::MemoryBuffer::getFileOrSTDIN(name);
    if (!file) {
        fail("cannot read '" + name + "': " + file.getError().message());
        return nullptr;
    }
    sources += (*file)->getBuffer();
    llvm::StringRef suffix = llvm::sys::path::extension(name);
    if (suffix == ".spv" || looksLikeSpirv((*file)->getBuffer()))
        return readIl((*file)->getBuffer());
    if (suffix != ".ll" && suffix != ".bc")
        return compile(**file);
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> read = llvm::parseIR(**file, diagnostic, context);
    if (!read)
        diagnostic.print("weft", llvm::errs());
    return read;
}

bool Offline::link() {
    std::vector<llvm::SmallVector<char, 0>> bitcodes(arguments.files.size());
    std::vector<llvm::MemoryBufferRef> inputs;
    for (size_t i = 0; i < arguments.files.size(); i++) {
        module = loadFile(arguments.files[i]);
        if (!module)
            return false;
        writeModule(*module, bitcodes[i]);
        inputs.push_back({{bitcodes[i].data(), bitcodes[i].size()}, arguments.files[i]});
    }
    PartTimer timer(nanoseconds[static_cast<size_t>(JobPart::Link)]);
    auto linked =
        linkModules(context, inputs, arguments.emit != "bc" && arguments.emit != "library");
    if (!linked)
        return fail(linked.takeError());
    module = std::move(*linked);
    return true;
}

bool Offline::load() {
    char error[WEFT_OPTIONS_ERROR_BYTES];
    if (weft_options_parse(WEFT_OPTIONS_BUILD, arguments.buildOptions.c_str(), &options, error))
        return fail(*error ? error : "out of memory");
    auto parsed = Target::parse(arguments.isa);
    if (!parsed)
        return fail(parsed.takeError());
    target = *parsed;
    auto parsedSwitches = parseSwitches(arguments.switches);
    if (!parsedSwitches)
        return fail(parsedSwitches.takeError());
    switches = *parsedSwitches;
    switches.remarks = true;
    if (arguments.files.size() > 1)
        return link();
    module = loadFile(arguments.files[0]);
    return module != nullptr;
}

bool Offline::write(llvm::StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream stream(arguments.output, error);
    if (error)
        return fail("cannot write '" + arguments.output + "': " + error.message());
    stream << bytes;
    stream.close();
    error = takeError(stream);
    return !error || fail("cannot write '" + arguments.output + "': " + error.message());
}

bool Offline::writeText() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, nullptr);
    return write(text);
}

bool Offline::dumpStage(unsigned number, llvm::StringRef name) {
    if (auto error = llvm::sys::fs::create_directories(arguments.dumpFolder))
        return fail("cannot create '" + arguments.dumpFolder + "': " + error.message());
    llvm::SmallString<128> path(arguments.dumpFolder);
    llvm::sys::path::append(path,
                            (number < 10 ? "0" : "") + llvm::Twine(number) + "-" + name + ".ll");
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    if (error)
        return fail("cannot write '" + path + "': " + error.message());
    module->print(stream, nullptr);
    stream.close();
    error = takeError(stream);
    return !error || fail("cannot write '" + path + "': " + error.message());
}

bool Offline::runStages() {
    ImageOptions how;
    how.switches = switches;
    machine = target.createMachine(mayOptimiseCode(*module, how));
    unsigned number = 0;
    bool good = arguments.dumpFolder.empty() || dumpStage(number, "front-end");
    how.options = arguments.buildOptions;
    how.verifyEach = arguments.verify;
    auto times = stageTimes();
    how.afterStage = [&](llvm::StringRef name, llvm::Module &after) {
        times(name, after);
        good = arguments.dumpFolder.empty() || dumpStage(++number, name);
        return good && name != arguments.dumpAfter;
    };
    PartTimer timer(nanoseconds[static_cast<size_t>(JobPart::Passes)]);
    PipelineOptions pipeline = pipelineOptions(*module, target, *machine, how);
    llvm::Error error = arguments.stage.empty()
                            ? runPipeline(*module, pipeline, record)
                            : runStage(arguments.stage, *module, pipeline, record);
    if (error)
        return fail(std::move(error));
    llvm::errs() << remarksOf(record);
    return good;
}

/** A function to be called after each stage that prints the stage's time, if that is wanted. */
std::function<bool(llvm::StringRef, llvm::Module &)> Offline::stageTimes() const {
    return [this, last = monotonicNow()](llvm::StringRef name, llvm::Module &after) mutable {
        if (arguments.time)
            llvm::errs() << "  " << name << " " << (monotonicNow() - last) / 1000 << " us, "
                         << after.getInstructionCount() << " instructions\n";
        last = monotonicNow();
        return true;
    };
}

/** Exactly what a build job does. */
bool Offline::makeImage(llvm::SmallVectorImpl<char> &image) {
    ImageOptions how;
    how.options = arguments.buildOptions;
    how.switches = switches;
    how.verifyEach = arguments.verify;
    how.processes = arguments.processes;
    how.afterStage = stageTimes();
    llvm::SmallVector<char, 0> ir;
    writeModule(*module, ir);
    llvm::MemoryBufferRef bitcode({ir.data(), ir.size()}, "program");
    if (auto error = buildImage(module, bitcode, target, how, record, image, nanoseconds))
        return fail(std::move(error));
    llvm::errs() << remarksOf(record);
    return true;
}

bool Offline::buildWhole() {
    llvm::SmallVector<char, 0> image;
    return makeImage(image) && write({image.data(), image.size()});
}

/** What clGetProgramInfo(CL_PROGRAM_BINARIES) would give. */
bool Offline::emitBinary() {
    llvm::SmallVector<char, 0> ir, image;
    bool executable = arguments.emit == "binary";
    if (arguments.emit == "library")
        applyLinkOptions(*module, WEFT_OPTION_CREATE_LIBRARY);
    writeModule(*module, ir);
    if (executable && !makeImage(image))
        return false;
    auto part = [](llvm::StringRef text) { return weft_container_part{text.data(), text.size()}; };
    weft_container container = {};
    container.type = executable                    ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                     : arguments.emit == "library" ? CL_PROGRAM_BINARY_TYPE_LIBRARY
                                                   : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    weft_container_part source = part(sources);
    weft_content_hash(&source, 1, container.source_hash);
    std::string isa = target.isa();
    container.parts[WEFT_CONTAINER_OPTIONS] = part(llvm::StringRef(arguments.buildOptions).ltrim());
    container.parts[WEFT_CONTAINER_MAKER] = part("weft " WEFT_VERSION);
    container.parts[WEFT_CONTAINER_IR] = part({ir.data(), ir.size()});
    if (executable) {
        container.abi_version = WEFT_ABI_VERSION;
        container.parts[WEFT_CONTAINER_ISA] = part(isa);
        container.parts[WEFT_CONTAINER_IMAGE] = part({image.data(), image.size()});
    }
    std::string bytes(weft_container_size(&container), 0);
    weft_container_write(&container, reinterpret_cast<unsigned char *>(bytes.data()));
    return write(bytes);
}

bool Offline::emitCode() {
    llvm::SmallVector<char, 0> code;
    {
        PartTimer timer(nanoseconds[static_cast<size_t>(JobPart::CodeGen)]);
        target.apply(*module, *machine);
        if (auto error = generateCode(*module, *machine, arguments.emit == "asm", code))
            return fail(std::move(error));
    }
    llvm::StringRef bytes(code.data(), code.size());
    return arguments.emit == "image" ? linkObject(bytes) : write(bytes);
}

bool Offline::linkObject(llvm::StringRef object) {
    llvm::SmallVector<char, 0> image;
    {
        PartTimer timer(nanoseconds[static_cast<size_t>(JobPart::Link)]);
        ImageInput input;
        input.objects.push_back({object, "program"});
        input.runtime = rtObject(target.level());
        input.called = calledObject(target.level());
        input.isa = target.isa();
        input.options = arguments.buildOptions;
        if (auto error = linkImage(input, record, image))
            return fail(std::move(error));
    }
    return write({image.data(), image.size()});
}

/** An object from elsewhere: only the link is run, for tests of it. */
bool Offline::linkFile() {
    auto parsed = Target::parse(arguments.isa);
    if (!parsed)
        return fail(parsed.takeError());
    target = *parsed;
    auto file = llvm::MemoryBuffer::getFile(arguments.files[0]);
    if (!file)
        return fail("cannot read '" + arguments.files[0] + "': " + file.getError().message());
    for (const std::string &entry : arguments.entries) {
        record.kernels.emplace_back();
        record.kernels.back().name = record.kernels.back().entrySymbol[WEFT_SHAPE_ROWS] = entry;
    }
    return linkObject((*file)->getBuffer());
}

void Offline::printTimes() const {
    const char *names[] = {"front end", "passes", "code generation", "link"};
    for (size_t i = 0; i < nanoseconds.size(); i++)
        llvm::errs() << names[i] << " " << nanoseconds[i] / 1000 << " us\n";
    llvm::errs() << (touchedFiles ? "looked for files on disk\n" : "looked for no file on disk\n");
}

int Offline::run() {
    if (llvm::sys::path::extension(arguments.files[0]) == ".o")
        return !linkFile();
    if (!load())
        return 1;
    auto times = llvm::scope_exit([&] {
        if (arguments.time)
            printTimes();
    });
    bool wholeWay = arguments.stage.empty() && arguments.dumpAfter.empty();
    if (wholeWay && arguments.emit == "ir")
        return !writeText();
    if (wholeWay && arguments.emit == "bc") {
        llvm::SmallVector<char, 0> bitcode;
        writeModule(*module, bitcode);
        return !write({bitcode.data(), bitcode.size()});
    }
    if (wholeWay && arguments.emit == "image" && arguments.dumpFolder.empty())
        return !buildWhole();
    if (llvm::is_contained(binaryKinds, arguments.emit))
        return !emitBinary();
    if (!runStages())
        return 1;
    if (!wholeWay || arguments.emit == "native")
        return !writeText();
    return !emitCode();
}

/** Prints to standard output; the exit status. */
int print(const llvm::Twine &text) {
    llvm::outs() << text;
    llvm::outs().flush();
    std::error_code error = takeError(llvm::outs());
    if (error)
        llvm::errs() << "error: cannot write: " << error.message() << "\n";
    return error ? 1 : 0;
}

int listStages(llvm::StringRef text) {
    auto switches = parseSwitches(text);
    if (!switches) {
        llvm::errs() << "error: " << llvm::toString(switches.takeError()) << "\n";
        return 2;
    }
    std::string names;
    for (llvm::StringRef name : stageNames(*switches))
        names += (name + "\n").str();
    return print(names);
}

} // namespace

int compileOffline(int argc, char **argv) {
    Arguments arguments;
    if (!parseArguments(argc, argv, arguments)) {
        llvm::errs() << "error: " << arguments.wrong
                     << "; `weft compile --help' tells the options\n";
        return 2;
    }
    const llvm::StringRef known[] = {"ir", "bc", "native", "asm", "obj", "image"};
    if (!llvm::is_contained(known, arguments.emit) &&
        !llvm::is_contained(binaryKinds, arguments.emit)) {
        llvm::errs() << "error: --emit knows ir, bc, native, asm, obj, image, binary, compiled and "
                        "library\n";
        return 2;
    }
    if (arguments.help)
        return print(usage);
    if (arguments.listStages)
        return listStages(arguments.switches);
    useLargeStack([] {
        for (const char *text : {"error: ", stackOverflowText, "\n"})
            (void)!write(STDERR_FILENO, text, strlen(text));
        _exit(1);
    });
    initialiseTargets();
    int status = Offline(arguments).run();
    waitForChildren();
    return status;
}

} // namespace weft
