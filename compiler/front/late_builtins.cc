// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "front/late_builtins.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

#include "llvm/ADT/StringExtras.h"

namespace weft {

namespace {

/** Extensions of which Clang 22 knows nothing, with the first version of OpenCL C that has them; 0:
 * also where the program names none. */
constexpr struct {
    llvm::StringLiteral name;
    uint32_t standard;
} lateExtensions[] = {
    /* "requires support for OpenCL C 2.0" */
    {"cl_khr_work_group_uniform_arithmetic", 200},
    {"cl_khr_extended_async_copies", 0},
};
enum Late { UniformArithmetic, AsyncCopies };

llvm::SmallVector<llvm::StringRef, 64> wordsOf(llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef, 64> words;
    llvm::SplitString(text, words);
    return words;
}

bool reports(llvm::StringRef extensions, Late late, uint32_t standard) {
    return standard >= lateExtensions[late].standard &&
           llvm::is_contained(wordsOf(extensions), lateExtensions[late].name);
}

/**
 * Overloads, separated by blanks: the result's letter, then those of the parameters.
 *   i int   j uint   l long   m ulong (and size_t)   h half   f float   d double   e event_t
 *   L __local void *   K const __local void *   G __global void *   C const __global void *
 */
llvm::StringRef groupOverloads(llvm::StringRef name) {
    if (!name.consume_front("work_group_") ||
        !(name.consume_front("reduce_") || name.consume_front("scan_inclusive_") ||
          name.consume_front("scan_exclusive_")))
        return "";
    if (name == "logical_and" || name == "logical_or" || name == "logical_xor")
        return "ii";
    if (name == "and" || name == "or" || name == "xor")
        return "ii jj ll mm";
    return name == "mul" ? "ii jj ll mm hh ff dd" : "";
}

llvm::StringRef copyOverloads(llvm::StringRef name) {
    return name == "async_work_group_copy_2D2D"   ? "eLmCmmmmmme eGmKmmmmmme"
           : name == "async_work_group_copy_3D3D" ? "eLmCmmmmmmmmme eGmKmmmmmmmmme"
                                                  : "";
}

class LateBuiltins : public clang::ExternalSemaSource {
  public:
    LateBuiltins(llvm::StringRef extensions, uint32_t standard)
        : extensions(extensions), arithmetic(reports(extensions, UniformArithmetic, standard)),
          copies(reports(extensions, AsyncCopies, standard)) {}

    void InitializeSema(clang::Sema &made) override;
    void ForgetSema() override { sema = nullptr; }
    bool LookupUnqualified(clang::LookupResult &result, clang::Scope *) override;

  private:
    bool typeOf(char letter, clang::QualType &type) const;
    clang::FunctionDecl *declare(clang::IdentifierInfo &name, llvm::StringRef letters,
                                 clang::SourceLocation place) const;

    const llvm::StringRef extensions;
    const bool arithmetic, copies;
    clang::Sema *sema = nullptr;
};

/** "#pragma OPENCL EXTENSION" may name every extension that is reported. */
void LateBuiltins::InitializeSema(clang::Sema &made) {
    sema = &made;
    clang::OpenCLOptions &options = made.getOpenCLOptions();
    for (llvm::StringRef name : wordsOf(extensions)) {
        if (!name.starts_with("cl_") || (options.isKnown(name) && options.isWithPragma(name)))
            continue;
        options.acceptsPragma(name);
        options.support(name);
        options.enable(name);
    }
}

/** False: a type that this device or this program does not have. */
bool LateBuiltins::typeOf(char letter, clang::QualType &type) const {
    clang::ASTContext &context = sema->Context;
    auto pointer = [&](clang::LangAS space, bool isConst) {
        clang::QualType pointee = isConst ? context.VoidTy.withConst() : context.VoidTy;
        return context.getPointerType(context.getAddrSpaceQualType(pointee, space));
    };
    bool exists = true;
    switch (letter) {
    case 'i':
        type = context.IntTy;
        break;
    case 'j':
        type = context.UnsignedIntTy;
        break;
    case 'l':
        type = context.LongTy;
        break;
    case 'm':
        type = context.UnsignedLongTy;
        break;
    case 'h':
        type = context.HalfTy;
        exists = sema->getOpenCLOptions().isSupported("cl_khr_fp16", sema->getLangOpts());
        break;
    case 'f':
        type = context.FloatTy;
        break;
    case 'd':
        type = context.DoubleTy;
        exists = sema->getOpenCLOptions().isSupported("cl_khr_fp64", sema->getLangOpts());
        break;
    case 'e':
        type = context.OCLEventTy;
        break;
    case 'L':
    case 'K':
        type = pointer(clang::LangAS::opencl_local, letter == 'K');
        break;
    default:
        type = pointer(clang::LangAS::opencl_global, letter == 'C');
        break;
    }
    return exists;
}

/** As Clang's GetOpenCLBuiltinFctOverloads and InsertOCLBuiltinDeclarationsFromTable do. */
clang::FunctionDecl *LateBuiltins::declare(clang::IdentifierInfo &name, llvm::StringRef letters,
                                           clang::SourceLocation place) const {
    clang::ASTContext &context = sema->Context;
    llvm::SmallVector<clang::QualType, 16> types(letters.size());
    for (size_t i = 0; i < letters.size(); i++)
        if (!typeOf(letters[i], types[i]))
            return nullptr;
    clang::FunctionProtoType::ExtProtoInfo info(context.getTargetInfo().getDefaultCallingConv());
    clang::QualType type =
        context.getFunctionType(types[0], llvm::ArrayRef(types).drop_front(), info);
    auto *function = clang::FunctionDecl::Create(
        context, context.getTranslationUnitDecl(), place, place, &name, type, nullptr,
        clang::SC_Extern, sema->getCurFPFeatures().isFPConstrained(), false, true);
    function->setImplicit();
    llvm::SmallVector<clang::ParmVarDecl *, 16> parameters;
    for (unsigned i = 0; i + 1 < types.size(); i++) {
        parameters.push_back(clang::ParmVarDecl::Create(
            context, function, {}, {}, nullptr, types[i + 1], nullptr, clang::SC_None, nullptr));
        parameters.back()->setScopeInfo(0, i);
    }
    function->setParams(parameters);
    function->addAttr(clang::ConvergentAttr::CreateImplicit(context));
    if (!sema->getLangOpts().OpenCLCPlusPlus)
        function->addAttr(clang::OverloadableAttr::CreateImplicit(context));
    return function;
}

bool LateBuiltins::LookupUnqualified(clang::LookupResult &result, clang::Scope *) {
    clang::IdentifierInfo *name = result.getLookupName().getAsIdentifierInfo();
    if (!name || !sema || result.isForRedeclaration() ||
        result.getLookupKind() != clang::Sema::LookupOrdinaryName)
        return false;
    llvm::StringRef overloads = arithmetic ? groupOverloads(name->getName()) : "";
    if (overloads.empty() && copies)
        overloads = copyOverloads(name->getName());
    for (llvm::StringRef letters : wordsOf(overloads))
        if (clang::FunctionDecl *function = declare(*name, letters, result.getNameLoc()))
            result.addDecl(function);
    result.resolveKind();
    return !result.empty();
}

} // namespace

llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> lateBuiltins(llvm::StringRef extensions,
                                                                 uint32_t standard) {
    return llvm::makeIntrusiveRefCnt<LateBuiltins>(extensions, standard);
}

void defineLateExtensions(clang::PreprocessorOptions &options, llvm::StringRef extensions,
                          uint32_t standard) {
    for (Late late : {UniformArithmetic, AsyncCopies})
        if (reports(extensions, late, standard))
            options.addMacroDef((lateExtensions[late].name + "=1").str());
}

} // namespace weft
