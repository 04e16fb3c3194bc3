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

constexpr llvm::StringLiteral uniformArithmetic = "cl_khr_work_group_uniform_arithmetic";
constexpr llvm::StringLiteral asyncCopies = "cl_khr_extended_async_copies";

/** Extensions and features of which Clang 22 knows nothing in OpenCL C of these versions. */
constexpr struct {
    llvm::StringLiteral name;
    uint32_t since, before;
} lateExtensions[] = {
    {uniformArithmetic, 200, UINT32_MAX}, /* "requires support for OpenCL C 2.0" */
    {asyncCopies, 0, UINT32_MAX},
    /* Its table has their functions in all versions, where the macros are. */
    {"cl_khr_extended_bit_ops", 0, 200},
    {"cl_khr_integer_dot_product", 0, 200},
    {"__opencl_c_integer_dot_product_input_4x8bit", 0, 200},
    {"__opencl_c_integer_dot_product_input_4x8bit_packed", 0, 200},
};

bool isLate(llvm::StringRef name, uint32_t standard) {
    return llvm::any_of(lateExtensions, [&](const auto &one) {
        return one.name == name && one.since <= standard && standard < one.before;
    });
}

llvm::SmallVector<llvm::StringRef, 64> wordsOf(llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef, 64> words;
    llvm::SplitString(text, words);
    return words;
}

/**
 * Overloads, separated by blanks: the result's letter, then those of the parameters.
 *   i int   j uint   l long   m ulong (and size_t)   h half   f float   d double   e event_t
 *   L __local void *   K const __local void *   G __global void *   C const __global void *
 *   0 half *   1 __global half *   3 __local half *   4 generic half *   v void
 *   5 to 9 the same of const half, 7 in __constant
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

/** Of one half: the specification has them of vectors only, as Clang's table; its header, and so
 * other implementations, have these, too. Where there is the generic address space they have no
 * other writable one, so that a pointer which has to be converted is not ambiguous. */
llvm::StringRef halfOverloads(llvm::StringRef name, bool generic) {
    if (name == "vloada_half")
        return generic ? "fm7 fm9" : "fm5 fm6 fm7 fm8";
    if (!name.consume_front("vstorea_half") ||
        !(name.empty() || name == "_rte" || name == "_rtz" || name == "_rtp" || name == "_rtn"))
        return "";
    return generic ? "vfm4 vdm4" : "vfm0 vfm1 vfm3 vdm0 vdm1 vdm3";
}

class LateBuiltins : public clang::ExternalSemaSource {
  public:
    LateBuiltins(llvm::StringRef extensions, uint32_t standard)
        : extensions(extensions), standard(standard) {}

    void InitializeSema(clang::Sema &made) override;
    void ForgetSema() override { sema = nullptr; }
    bool LookupUnqualified(clang::LookupResult &result, clang::Scope *) override;

  private:
    clang::QualType pointer(clang::LangAS space, clang::QualType pointee) const;
    clang::QualType halfPointer(unsigned digit) const;
    clang::QualType typeOf(char letter) const;
    clang::FunctionDecl *declare(clang::IdentifierInfo &name, llvm::StringRef letters,
                                 clang::SourceLocation place) const;

    const llvm::StringRef extensions;
    const uint32_t standard;
    bool arithmetic = false, copies = false;
    clang::Sema *sema = nullptr;
};

/** Finds out what there is; "#pragma OPENCL EXTENSION" may name every extension that is reported.
 */
void LateBuiltins::InitializeSema(clang::Sema &made) {
    sema = &made;
    clang::OpenCLOptions &options = made.getOpenCLOptions();
    for (llvm::StringRef name : wordsOf(extensions)) {
        arithmetic |= name == uniformArithmetic && isLate(name, standard);
        copies |= name == asyncCopies;
        if (!name.starts_with("cl_") || (options.isKnown(name) && options.isWithPragma(name)))
            continue;
        options.acceptsPragma(name);
        options.support(name);
        options.enable(name);
    }
}

clang::QualType LateBuiltins::pointer(clang::LangAS space, clang::QualType pointee) const {
    return sema->Context.getPointerType(sema->Context.getAddrSpaceQualType(pointee, space));
}

/** See the digits above. */
clang::QualType LateBuiltins::halfPointer(unsigned digit) const {
    static constexpr clang::LangAS spaces[] = {
        clang::LangAS::opencl_private, clang::LangAS::opencl_global, clang::LangAS::opencl_constant,
        clang::LangAS::opencl_local, clang::LangAS::opencl_generic};
    clang::QualType half = sema->Context.HalfTy;
    return pointer(spaces[digit % 5], digit < 5 ? half : half.withConst());
}

/** Null: a type that this device or this program does not have. */
clang::QualType LateBuiltins::typeOf(char letter) const {
    clang::ASTContext &context = sema->Context;
    auto ifSupported = [&](const char *extension, clang::QualType type) {
        return sema->getOpenCLOptions().isSupported(extension, sema->getLangOpts())
                   ? type
                   : clang::QualType();
    };
    if (llvm::isDigit(letter))
        return halfPointer(static_cast<unsigned>(letter - '0'));
    switch (letter) {
    case 'v':
        return context.VoidTy;
    case 'i':
        return context.IntTy;
    case 'j':
        return context.UnsignedIntTy;
    case 'l':
        return context.LongTy;
    case 'm':
        return context.UnsignedLongTy;
    case 'h':
        return ifSupported("cl_khr_fp16", context.HalfTy);
    case 'f':
        return context.FloatTy;
    case 'd':
        return ifSupported("cl_khr_fp64", context.DoubleTy);
    case 'e':
        return context.OCLEventTy;
    case 'L':
        return pointer(clang::LangAS::opencl_local, context.VoidTy);
    case 'K':
        return pointer(clang::LangAS::opencl_local, context.VoidTy.withConst());
    case 'G':
        return pointer(clang::LangAS::opencl_global, context.VoidTy);
    default:
        return pointer(clang::LangAS::opencl_global, context.VoidTy.withConst());
    }
}

/** As Clang's GetOpenCLBuiltinFctOverloads and InsertOCLBuiltinDeclarationsFromTable do. */
clang::FunctionDecl *LateBuiltins::declare(clang::IdentifierInfo &name, llvm::StringRef letters,
                                           clang::SourceLocation place) const {
    clang::ASTContext &context = sema->Context;
    llvm::SmallVector<clang::QualType, 16> types;
    for (char letter : letters)
        types.push_back(typeOf(letter));
    if (llvm::any_of(types, [](clang::QualType type) { return type.isNull(); }))
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
    if (overloads.empty())
        overloads = halfOverloads(name->getName(), sema->getLangOpts().OpenCLGenericAddressSpace);
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
    for (llvm::StringRef name : wordsOf(extensions))
        if (isLate(name, standard))
            options.addMacroDef((name + "=1").str());
}

} // namespace weft
