// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "front/source.h"

#include "front/clang_header.h"
#include "front/debug_info.h"
#include "front/folders.h"
#include "front/late_builtins.h"
#include "front/names.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/ExternalSemaSource.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <linux/magic.h>
#include <sys/vfs.h>

namespace weft {

namespace {

/* Where embedded files appear. Deep, so that a header named "../x.h" stays beneath the root. */
constexpr const char *clangHeaderPath = "/.weft/clang/opencl-c-base.h";
constexpr const char *ownHeaderPath = "/.weft/clang/weft.h";
constexpr const char *headerFolder = "/.weft/h/h/h/h/h/h/h/h";
constexpr const char *sourceName = "<source>";

/* Behind Clang's header, whose null values have no form in LLVM IR: a cast of an integer to an
   opaque type. It declares sub-group functions where cl_khr_subgroups is defined, but the device
   does not report that extension, which promises more (docs/sub-groups.md). Clang 22's __has_embed
   looks for the file that a source in memory does not have, and crashes. */
constexpr llvm::StringLiteral ownHeader = R"(#undef cl_khr_subgroups
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbuiltin-macro-redefined"
#undef __has_embed
#pragma clang diagnostic pop
#ifdef CLK_NULL_RESERVE_ID
#ifdef __opencl_c_pipes
reserve_id_t __weft_null_reserve_id(void);
#undef CLK_NULL_RESERVE_ID
#define CLK_NULL_RESERVE_ID __weft_null_reserve_id()
#endif
#ifdef __opencl_c_device_enqueue
clk_event_t __weft_null_event(void);
#undef CLK_NULL_EVENT
#define CLK_NULL_EVENT __weft_null_event()
#endif
#endif
)";

/* ---- files ----------------------------------------------------------------------------------- */

/** What the kernel says of processes is no source, but may be a secret: environments, memory. */
bool isOfKernel(const llvm::Twine &path) {
    llvm::SmallString<128> storage;
    struct statfs system;
    return statfs(path.toNullTerminatedStringRef(storage).data(), &system) == 0 &&
           system.f_type == PROC_SUPER_MAGIC;
}

/** The file system on disk; notes whether anything but a search folder was asked for. Files only:
 *  to open a pipe is to wait for its other end, and devices may give text for ever. */
class DiskFiles : public llvm::vfs::ProxyFileSystem {
  public:
    explicit DiskFiles(llvm::StringSet<> folders)
        : ProxyFileSystem(llvm::vfs::getRealFileSystem()), searchFolders(std::move(folders)) {}

    llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
        note(path);
        return ProxyFileSystem::status(path);
    }
    bool exists(const llvm::Twine &path) override {
        note(path);
        return ProxyFileSystem::exists(path);
    }
    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
    openFileForRead(const llvm::Twine &path) override {
        note(path);
        llvm::ErrorOr<llvm::vfs::Status> found = ProxyFileSystem::status(path);
        if (found && ((!found->isRegularFile() && !found->isDirectory()) || isOfKernel(path)))
            return std::make_error_code(std::errc::operation_not_permitted);
        return ProxyFileSystem::openFileForRead(path);
    }

    bool touched = false;

  private:
    void note(const llvm::Twine &path) {
        llvm::SmallString<128> storage;
        llvm::StringRef name = path.toStringRef(storage);
        touched |= !searchFolders.contains(name) && !name.starts_with("/.weft/");
    }

    llvm::StringSet<> searchFolders;
};

struct Files {
    llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all;
    const bool *touched; /* of what is in `all` */
};

/** Disk, as far as this source may see it. */
Files diskFiles(const Source &source) {
    std::vector<std::string> folders;
    for (size_t i = 0; i < source.options->preprocessor_count; i++)
        if (source.options->preprocessor[i].kind == 'I')
            folders.push_back(source.options->preprocessor[i].text);
    if (source.untrusted) {
        auto disk = llvm::makeIntrusiveRefCnt<FolderFiles>(std::move(folders));
        return {llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk), &disk->touched};
    }
    llvm::StringSet<> names;
    names.insert(".");
    names.insert(folders.begin(), folders.end());
    auto disk = llvm::makeIntrusiveRefCnt<DiskFiles>(std::move(names));
    return {llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk), &disk->touched};
}

/** Disk below; above it Clang's header and the job's, without copies. */
Files makeFiles(const Source &source) {
    Files files = diskFiles(source);
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    memory->addFileNoOwn(clangHeaderPath, 0, llvm::MemoryBufferRef(clangHeader(), clangHeaderPath));
    memory->addFileNoOwn(ownHeaderPath, 0, llvm::MemoryBufferRef(ownHeader, ownHeaderPath));
    /* Also where no header is in it: "../x.h" is found by way of it. */
    memory->addFile(headerFolder, 0, llvm::MemoryBuffer::getMemBuffer(""), std::nullopt,
                    std::nullopt, llvm::sys::fs::file_type::directory_file);
    for (const JobInput &input : source.inputs) {
        if (input.kind != InputKind::Header || input.name.empty())
            continue;
        llvm::SmallString<128> path;
        if (!llvm::sys::path::is_absolute(input.name))
            path = headerFolder;
        llvm::sys::path::append(path, input.name);
        memory->addFileNoOwn(path, 0, llvm::MemoryBufferRef(input.data, input.name));
    }
    files.all->pushOverlay(std::move(memory));
    return files;
}

/* ---- options --------------------------------------------------------------------------------- */

/** Options of ours that Clang takes under the same name. */
constexpr struct {
    uint32_t flag;
    const char *argument;
} sameInClang[] = {
    {WEFT_OPTION_SINGLE_PRECISION_CONSTANT, "-cl-single-precision-constant"},
    {WEFT_OPTION_MAD_ENABLE, "-cl-mad-enable"},
    {WEFT_OPTION_NO_SIGNED_ZEROS, "-cl-no-signed-zeros"},
    {WEFT_OPTION_UNSAFE_MATH, "-cl-unsafe-math-optimizations"},
    {WEFT_OPTION_FINITE_MATH_ONLY, "-cl-finite-math-only"},
    {WEFT_OPTION_FINITE_MATH_ONLY, "-menable-no-nans"}, /* Clang's driver would add it */
    {WEFT_OPTION_FAST_RELAXED_MATH, "-cl-fast-relaxed-math"},
    {WEFT_OPTION_UNIFORM_WORK_GROUP_SIZE, "-cl-uniform-work-group-size"},
    {WEFT_OPTION_NO_WARNINGS, "-w"},
    {WEFT_OPTION_WARNINGS_ARE_ERRORS, "-Werror"},
};

/**
 * What Clang took with a warning up to 14 or 15 and refuses since, though its meaning in C is
 * clear: programs that were written against it exist (the table is in docs/options.md).
 * "-Wno-error=" takes the severity back to that of a warning and keeps it there, so not where
 * warnings are to be errors; without warnings (-w) they are silent, as they were.
 */
constexpr const char *warningsOfYesterday[] = {
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=int-conversion",
    "-Wno-error=implicit-int",
};

const char *standardArgument(uint32_t standard) {
    switch (standard) {
    case 110:
        return "-cl-std=CL1.1";
    case 200:
        return "-cl-std=CL2.0";
    case 300:
        return "-cl-std=CL3.0";
    case WEFT_OPTIONS_STD_CXX:
        return "-cl-std=CLC++1.0";
    case WEFT_OPTIONS_STD_CXX_2021:
        return "-cl-std=CLC++2021";
    default:
        return "-cl-std=CL1.2";
    }
}

/** Parts of the language itself in 2.0 (and features of 3.0), which Weft has always had. */
constexpr const char *languageFeatures[] = {
    "__opencl_c_generic_address_space", "__opencl_c_pipes",
    "__opencl_c_atomic_order_acq_rel",  "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",   "__opencl_c_atomic_scope_all_devices"};

/** "-cl-ext=-all,+...": exactly what the device reports, and what the language has in itself. */
std::string extensionArgument(llvm::StringRef extensions, uint32_t standard, bool &images) {
    std::string argument = "-cl-ext=-all";
    llvm::SmallVector<llvm::StringRef, 64> names;
    llvm::SplitString(extensions, names);
    images = false;
    for (llvm::StringRef name : names) {
        images |= name == "__opencl_c_images";
        /* Features of 2.0 in 1.x would be extensions of the language that nobody asked for. */
        if (standard < 200 && name.starts_with("__opencl_c_") && !name.contains("image") &&
            !name.contains("dot_product"))
            continue;
        if (llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
            argument += (",+" + name).str();
        if (name == "cl_khr_fp64" && (standard == 300 || standard == WEFT_OPTIONS_STD_CXX_2021))
            argument += ",+__opencl_c_fp64";
    }
    if (standard >= 200) {
        for (const char *feature : languageFeatures)
            argument += std::string(",+") + feature;
        /* Sub-group functions are core in 2.1, so programs name the extension in a pragma without
           asking; its macro is undefined again before the program begins (ownHeader). */
        argument += ",+cl_khr_subgroups";
    }
    return argument;
}

std::vector<std::string> makeArguments(const Source &source, bool &images) {
    const weft_options &options = *source.options;
    std::vector<std::string> arguments = {
        "-triple",
        "spir64",
        "-x",
        "cl",
        standardArgument(options.std),
        extensionArgument(source.extensions, options.std, images),
        "-fdeclare-opencl-builtins",
        "-disable-llvm-passes",
        "-emit-llvm-only",
        "-cl-kernel-arg-info",
        "-cl-fp32-correctly-rounded-divide-sqrt", /* always so, with or without the option */
        "-ffp-contract=on",
        "-fno-threadsafe-statics",
        "-ferror-limit",
        "100",
        "-fmacro-backtrace-limit=6",
        "-fmessage-length=0",
        "-nostdsysteminc",
        "-Wno-unused-command-line-argument"};
    if (options.flags & WEFT_OPTION_OPT_DISABLE)
        arguments.insert(arguments.end(), {"-O0", "-disable-O0-optnone"});
    else
        arguments.push_back("-O2");
    for (const auto &row : sameInClang)
        if (options.flags & row.flag)
            arguments.push_back(row.argument);
    if (!(options.flags & WEFT_OPTION_WARNINGS_ARE_ERRORS) ||
        options.flags & WEFT_OPTION_NO_WARNINGS)
        arguments.insert(arguments.end(), std::begin(warningsOfYesterday),
                         std::end(warningsOfYesterday));
    if (options.flags & WEFT_OPTION_DEBUG || source.lines)
        arguments.insert(arguments.end(), {"-debug-info-kind=standalone", "-dwarf-version=5",
                                           "-debugger-tuning=gdb"});
    if (!source.keepNames)
        arguments.push_back("-discard-value-names");
    return arguments;
}

/** Macros and search folders go straight into Clang's structures. */
void setPreprocessor(clang::CompilerInvocation &invocation, const Source &source, bool images) {
    const weft_options &options = *source.options;
    clang::PreprocessorOptions &preprocessor = invocation.getPreprocessorOpts();
    clang::HeaderSearchOptions &headers = invocation.getHeaderSearchOpts();

    preprocessor.addMacroDef("__OPENCL_VERSION__=220");
    defineLateExtensions(preprocessor, source.extensions, options.std);
    if (images) /* a data type of OpenCL 2.1 that Clang's header does not have */
        preprocessor.addMacroDef("CLK_UNORM_INT_101010_2=0x10E0");
    else
        preprocessor.addMacroUndef("__IMAGE_SUPPORT__");
    preprocessor.Includes.push_back(clangHeaderPath);
    preprocessor.Includes.push_back(ownHeaderPath);
    headers.UseStandardSystemIncludes = false;
    headers.UseBuiltinIncludes = false;
    headers.AddPath(headerFolder, clang::frontend::Quoted, false, true);
    headers.AddPath(".", clang::frontend::Quoted, false, true);
    headers.AddPath(headerFolder, clang::frontend::Angled, false, true);
    for (size_t i = 0; i < options.preprocessor_count; i++) {
        const weft_preprocessor_option &option = options.preprocessor[i];
        if (option.kind == 'D')
            preprocessor.addMacroDef(option.text);
        else if (option.kind == 'U')
            preprocessor.addMacroUndef(option.text);
        else
            headers.AddPath(option.text, clang::frontend::Angled, false, true);
    }
}

/* ---- the compilation ------------------------------------------------------------------------- */

/** Parses and keeps the module: Clang's own actions would set up a back end as well. */
class ModuleAction : public clang::ASTFrontendAction {
  public:
    explicit ModuleAction(llvm::LLVMContext &context) : context(context) {}

    std::unique_ptr<llvm::Module> take() { return std::move(module); }

  protected:
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                          llvm::StringRef) override {
        auto made = clang::CreateLLVMCodeGen(instance, sourceName, context);
        generator = made.get();
        return made;
    }
    /** At its end diagnostics still know the source. */
    void ExecuteAction() override {
        ASTFrontendAction::ExecuteAction();
        if (!getCompilerInstance().getDiagnostics().hasErrorOccurred())
            checkNames(getCompilerInstance());
    }
    void EndSourceFileAction() override {
        if (!getCompilerInstance().getDiagnostics().hasErrorOccurred())
            module = generator->ReleaseModule();
    }

  private:
    llvm::LLVMContext &context;
    clang::CodeGenerator *generator = nullptr;
    std::unique_ptr<llvm::Module> module;
};

/** Clang without modules, which it would compile to a file: their pragma is there without
 * -fmodules. */
class Instance : public clang::CompilerInstance {
  public:
    using CompilerInstance::CompilerInstance;

    clang::ModuleLoadResult loadModule(clang::SourceLocation place, clang::ModuleIdPath,
                                       clang::Module::NameVisibilityKind, bool) override {
        refuse(place);
        return {};
    }
    void createModuleFromSource(clang::SourceLocation place, llvm::StringRef,
                                llvm::StringRef) override {
        refuse(place);
    }

  private:
    void refuse(clang::SourceLocation place) {
        clang::DiagnosticsEngine &diagnostics = getDiagnostics();
        diagnostics.Report(place, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                              "OpenCL C has no modules"));
    }
};

/** Reads our cc1 arguments. They are ours, so a complaint is a fault of this file: log and fail. */
std::shared_ptr<clang::CompilerInvocation>
makeInvocation(const Source &source, llvm::vfs::FileSystem &files, llvm::raw_ostream &log) {
    bool images = false;
    std::vector<std::string> arguments = makeArguments(source, images);
    std::vector<const char *> pointers;
    for (const std::string &argument : arguments)
        pointers.push_back(argument.c_str());
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    clang::DiagnosticOptions options;
    clang::TextDiagnosticPrinter printer(log, options);
    auto diagnostics = clang::CompilerInstance::createDiagnostics(files, options, &printer, false);
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, *diagnostics))
        return nullptr;
    setPreprocessor(*invocation, source, images);
    if (source.options->flags & WEFT_OPTION_OPT_DISABLE) {
        /* At level 0 Clang leaves out the bodies of C99's `inline` functions, for which a C
           program has another definition elsewhere, and an OpenCL program has none. */
        clang::CodeGenOptions &generation = invocation->getCodeGenOpts();
        generation.OptimizationLevel = 1;
        generation.DisableLifetimeMarkers = true;
        generation.RelaxedAliasing = true;
    }
    /* Clang tells __cxa_atexit of a program-scope object's destructor, but, for want of the address
       space, not of the object. This ABI has destructors that cannot be registered as they are, so
       Clang writes functions around them which name their object; nothing else that OpenCL has
       differs. */
    if (source.options->std >= WEFT_OPTIONS_STD_CXX)
        invocation->getLangOpts().CXXABI = clang::TargetCXXABI::WebAssembly;
    /* Programs that promise finite numbers have infinities all the same: 1 / (1 + exp(-x)) where
       exp has overflown, -INFINITY as what is smaller than all. To know of none makes hardly any
       kernel faster. */
    invocation->getLangOpts().NoHonorInfs = false;
    invocation->getCodeGenOpts().DiscardValueNames = !source.keepNames;
    invocation->getDiagnosticOpts().ShowColors = false;
    invocation->getFrontendOpts().DisableFree = true; /* the child process ends soon */
    invocation->getFrontendOpts().Inputs.assign({clang::FrontendInputFile(
        llvm::MemoryBufferRef(source.text, sourceName),
        clang::InputKind(source.options->std >= WEFT_OPTIONS_STD_CXX ? clang::Language::OpenCLCXX
                                                                     : clang::Language::OpenCL))});
    return invocation;
}

/** Clang makes kernels of blocks that are enqueued, which every program may have under one name. */
void hideBlocks(llvm::Module &module) {
    for (llvm::Function &function : module)
        if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL &&
            !function.isDeclaration() && function.getName().contains("_block_invoke") &&
            !function.getMetadata("kernel_arg_addr_space"))
            function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

} // namespace

void setModuleFlags(llvm::Module &module, uint32_t options, bool uniform) {
    const struct {
        llvm::StringRef name;
        bool set;
    } rows[] = {
        {flag::kernelArgInfo, (options & WEFT_OPTION_KERNEL_ARG_INFO) != 0},
        {flag::uniformGroups, uniform},
        {flag::denormsAreZero, (options & WEFT_OPTION_DENORMS_ARE_ZERO) != 0},
        {flag::optDisable, (options & WEFT_OPTION_OPT_DISABLE) != 0},
        {flag::debug, (options & WEFT_OPTION_DEBUG) != 0},
    };
    for (const auto &row : rows)
        if (row.set)
            module.addModuleFlag(llvm::Module::Max, row.name, 1);
}

uint32_t moduleFlag(const llvm::Module &module, llvm::StringRef name) {
    auto *value = llvm::mdconst::extract_or_null<llvm::ConstantInt>(module.getModuleFlag(name));
    return value ? static_cast<uint32_t>(value->getZExtValue()) : 0;
}

std::unique_ptr<llvm::Module> compileSource(llvm::LLVMContext &context, const Source &source,
                                            std::string &log, bool &touchedFiles) {
    llvm::raw_string_ostream stream(log);
    Files files = makeFiles(source);
    auto invocation = makeInvocation(source, *files.all, stream);
    if (!invocation)
        return nullptr;

    Instance instance(invocation);
    instance.setVirtualFileSystem(files.all);
    instance.setVerboseOutputStream(stream); /* "2 errors generated." */
    clang::TextDiagnosticPrinter printer(stream, invocation->getDiagnosticOpts());
    instance.createDiagnostics(&printer, false);
    instance.createFileManager();
    instance.setExternalSemaSource(lateBuiltins(source.extensions, source.options->std));
    context.setDiscardValueNames(!source.keepNames);
    ModuleAction action(context);
    bool good = instance.ExecuteAction(action);
    touchedFiles |= *files.touched;
    std::unique_ptr<llvm::Module> module = action.take();
    if (!good || !module)
        return nullptr;
    /* "Non-uniform work-groups are enabled only if the program was compiled with the
       -cl-std=CL2.0 flag and without the -cl-uniform-work-group-size flag." */
    setModuleFlags(*module, source.options->flags,
                   source.options->std < 200 ||
                       (source.options->flags & WEFT_OPTION_UNIFORM_WORK_GROUP_SIZE));
    hideBlocks(*module);
    if (source.options->flags & WEFT_OPTION_DEBUG)
        keepSources(*module, source.text, sourceName, source.inputs, headerFolder);
    return module;
}

bool warmFrontEnd() {
    static const char text[] = "float f(float4 v) { return dot(v, v); }\n"
                               "kernel void k(global float *p, local int *l, float x) {\n"
                               "    size_t i = get_global_id(0);\n"
                               "    for (int n = 0; n < 4; n++)\n"
                               "        l[get_local_id(0)] += (int)p[i];\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    p[i] = sqrt(x) + f((float4)(p[i], 1, 2, 3)) + l[0];\n"
                               "}\n";
    llvm::LLVMContext context;
    weft_options options = {};
    Source source;
    source.text = text;
    source.options = &options;
    source.extensions = "cl_khr_fp64";
    std::string log;
    bool touched = false;
    return compileSource(context, source, log, touched) != nullptr;
}

} // namespace weft
