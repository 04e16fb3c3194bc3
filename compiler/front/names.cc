// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "front/names.h"

#include "compiler/shared/names.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"

#include "llvm/ADT/STLExtras.h"

namespace weft {

namespace {

/** What the header in front of each program declares (source.cc). */
constexpr llvm::StringLiteral ownNames[] = {"__weft_null_reserve_id", "__weft_null_event"};

bool isRefused(llvm::StringRef name) {
    return isReservedName(name) && !llvm::is_contained(ownNames, name);
}

/** The name by which the linker knows what is declared, "" if it is no function or variable. */
llvm::StringRef symbolOf(const clang::Decl &decl) {
    auto *value = llvm::dyn_cast<clang::ValueDecl>(&decl);
    if (!value || !value->hasLinkage())
        return "";
    if (auto *label = decl.getAttr<clang::AsmLabelAttr>())
        return label->getLabel();
    if (auto *other = decl.getAttr<clang::AliasAttr>()) /* weakref("f") has one too */
        return other->getAliasee();
    return value->getDeclName().isIdentifier() ? value->getName() : "";
}

class Names {
  public:
    explicit Names(clang::DiagnosticsEngine &diagnostics) : diagnostics(diagnostics) {}

    void visit(const clang::DeclContext &context) {
        for (const clang::Decl *decl : context.decls()) {
            if (llvm::StringRef symbol = symbolOf(*decl); isRefused(symbol))
                report(decl->getLocation(), symbol);
            if (llvm::isa<clang::FileScopeAsmDecl>(decl))
                diagnostics.Report(decl->getLocation(),
                                   diagnostics.getCustomDiagID(
                                       clang::DiagnosticsEngine::Error,
                                       "assembler text outside of functions is not supported"));
            if (auto *inner = llvm::dyn_cast<clang::DeclContext>(decl))
                visit(*inner);
        }
    }
    void report(clang::SourceLocation place, llvm::StringRef symbol) {
        diagnostics.Report(place,
                           diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
            << refusalOfName(symbol);
    }

  private:
    clang::DiagnosticsEngine &diagnostics;
};

} // namespace

void checkNames(clang::CompilerInstance &instance) {
    Names(instance.getDiagnostics()).visit(*instance.getASTContext().getTranslationUnitDecl());
}

} // namespace weft
