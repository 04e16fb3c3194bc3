// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "front/link.h"

#include "compiler/shared/names.h"
#include "compiler/shared/options.h"
#include "front/source.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

namespace weft {

namespace {

/** Errors of LLVM's linker (types that differ, module flags that contradict) as text. */
class LinkComplaints : public llvm::DiagnosticHandler {
  public:
    explicit LinkComplaints(std::string &text) : text(text) {}

    bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
        if (info.getSeverity() == llvm::DS_Error) {
            llvm::raw_string_ostream stream(text);
            llvm::DiagnosticPrinterRawOStream printer(stream);
            info.print(printer);
            stream << "\n";
        }
        return true;
    }

  private:
    std::string &text;
};

bool isStrongDefinition(const llvm::GlobalValue &value) {
    return !value.isDeclaration() && !value.hasLocalLinkage() && !value.hasAppendingLinkage() &&
           !value.hasAvailableExternallyLinkage() && !value.hasLinkOnceLinkage() &&
           !value.hasWeakLinkage() && !value.hasCommonLinkage();
}

/** Clang 22 defines every kernel twice; only one of the names is the user's. */
bool isKernelCopy(const llvm::GlobalValue &value) {
    return value.getName().starts_with(copyOfKernelPrefix);
}

llvm::Error checkDuplicates(llvm::ArrayRef<std::unique_ptr<llvm::Module>> modules) {
    llvm::StringMap<unsigned> definedBy;
    std::string text;
    for (unsigned i = 0; i < modules.size(); i++)
        for (const llvm::GlobalValue &value : modules[i]->global_values()) {
            if (!isStrongDefinition(value) || isKernelCopy(value))
                continue;
            auto [row, isNew] = definedBy.try_emplace(value.getName(), i);
            if (!isNew)
                text += "'" + value.getName().str() + "' is defined by input " +
                        std::to_string(row->second + 1) + " and by input " + std::to_string(i + 1) +
                        "\n";
        }
    return text.empty() ? llvm::Error::success()
                        : llvm::createStringError(llvm::StringRef(text).rtrim());
}

/**
 * SPIR-V has an exported function beside a kernel of the same name: what imports that name means
 * the function, of which the reader has made the kernel's copy or one whose name goes on
 * (symbolOf()).
 */
void bindBesideKernels(llvm::ArrayRef<std::unique_ptr<llvm::Module>> modules) {
    llvm::StringMap<std::string> defined;
    for (const auto &module : modules)
        for (const llvm::Function &function : *module) {
            llvm::StringRef name = function.getName();
            if (function.isDeclaration() || function.hasLocalLinkage() ||
                !(name.consume_front(copyOfKernelPrefix) || name.consume_back(besideKernelSuffix)))
                continue;
            const llvm::Function *kernel = module->getFunction(name);
            if (kernel && kernel->getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
                defined[name] = function.getName().str();
        }
    for (const auto &module : modules)
        for (llvm::Function &function : llvm::make_early_inc_range(*module)) {
            auto found = defined.find(function.getName());
            if (!function.isDeclaration() || found == defined.end() ||
                function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
                continue;
            if (llvm::Function *known = module->getFunction(found->second)) {
                function.replaceAllUsesWith(known);
                function.eraseFromParent();
            } else {
                function.setName(found->second);
            }
        }
}

llvm::Error checkVariables(const llvm::Module &module) {
    std::string text;
    for (const llvm::GlobalVariable &variable : module.globals())
        if (variable.isDeclaration() && !variable.use_empty())
            text += "undefined: variable '" + variable.getName().str() + "'\n";
    return text.empty() ? llvm::Error::success()
                        : llvm::createStringError(llvm::StringRef(text).rtrim());
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> readModule(llvm::LLVMContext &context,
                                                         llvm::MemoryBufferRef bitcode) {
    auto module = llvm::parseBitcodeFile(bitcode, context);
    if (!module)
        return llvm::createStringError("an input is not a compiled program: " +
                                       llvm::toString(module.takeError()));
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (llvm::verifyModule(**module, &stream))
        return llvm::createStringError("an input is a damaged compiled program: " + text);
    if (!(*module)->getTargetTriple().isSPIR())
        return llvm::createStringError("an input is not a compiled program of this platform");
    return module;
}

void writeModule(const llvm::Module &module, llvm::SmallVectorImpl<char> &bitcode) {
    llvm::raw_svector_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(module, stream);
}

llvm::Expected<std::unique_ptr<llvm::Module>>
linkModules(llvm::LLVMContext &context, llvm::ArrayRef<llvm::MemoryBufferRef> bitcodes,
            bool complete) {
    std::vector<std::unique_ptr<llvm::Module>> modules;
    for (llvm::MemoryBufferRef bitcode : bitcodes) {
        auto module = readModule(context, bitcode);
        if (!module)
            return module.takeError();
        modules.push_back(std::move(*module));
    }
    if (modules.empty())
        return llvm::createStringError("there is no compiled program to link");
    if (auto error = checkDuplicates(modules))
        return error;
    bindBesideKernels(modules);

    std::string complaints;
    context.setDiagnosticHandler(std::make_unique<LinkComplaints>(complaints));
    std::unique_ptr<llvm::Module> whole = std::move(modules[0]);
    llvm::Linker linker(*whole);
    bool failed = false;
    for (size_t i = 1; i < modules.size() && !failed; i++)
        failed = linker.linkInModule(std::move(modules[i]));
    context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
    if (failed || !complaints.empty())
        return llvm::createStringError(complaints.empty() ? "the programs cannot be linked"
                                                          : complaints);
    if (complete)
        if (auto error = checkVariables(*whole))
            return error;
    return whole;
}

namespace {

/** Of functions that were in a library made without -enable-link-options. */
constexpr llvm::StringLiteral fixedOptions = "weft-fixed-options";

/** What Clang would have said of each operation, had the option been given to it. */
llvm::FastMathFlags fastMath(uint32_t flags) {
    llvm::FastMathFlags fast;
    if (flags & WEFT_OPTION_NO_SIGNED_ZEROS)
        fast.setNoSignedZeros();
    if (flags & WEFT_OPTION_FINITE_MATH_ONLY)
        fast.setNoNaNs(); /* not infinities, as in source.cc */
    if (flags & WEFT_OPTION_UNSAFE_MATH) {
        fast.setAllowReassoc();
        fast.setAllowReciprocal();
        fast.setAllowContract(true);
        fast.setApproxFunc();
    }
    return fast;
}

void addFastMath(llvm::Function &function, llvm::FastMathFlags fast) {
    for (llvm::Instruction &instruction : llvm::instructions(function))
        if (llvm::isa<llvm::FPMathOperator>(instruction))
            instruction.setFastMathFlags(instruction.getFastMathFlags() | fast);
}

} // namespace

void applyLinkOptions(llvm::Module &module, uint32_t flags) {
    bool library = flags & WEFT_OPTION_CREATE_LIBRARY, fixed = false;
    llvm::FastMathFlags fast = fastMath(flags);
    for (llvm::Function &function : module) {
        if (function.isDeclaration())
            continue;
        if (function.hasFnAttribute(fixedOptions))
            fixed = true;
        else if (fast.any())
            addFastMath(function, fast);
        if (library && !(flags & WEFT_OPTION_ENABLE_LINK_OPTIONS))
            function.addFnAttr(fixedOptions);
    }
    const std::pair<uint32_t, llvm::StringRef> rows[] = {
        {fixed ? 0 : WEFT_OPTION_DENORMS_ARE_ZERO, flag::denormsAreZero},
        {WEFT_OPTION_OPT_DISABLE, flag::optDisable},
        {WEFT_OPTION_KERNEL_ARG_INFO, flag::kernelArgInfo}};
    for (const auto &[option, name] : rows)
        if ((flags & option) && !moduleFlag(module, name))
            module.addModuleFlag(llvm::Module::Max, name, 1);
}

} // namespace weft
