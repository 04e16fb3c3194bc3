// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * (float4)(x) with one value for all elements. "The operands are evaluated by standard rules for
 * implicit conversions" (OpenCL C 2.0, section 6.1.6), and no rule makes a float of a pointer or of
 * a structure. Clang 22 does not ask: it picks the conversion by a table that has no line for
 * these, and ends, or goes on wherever the bytes behind the table lead. LLVM 23 refuses them, with
 * the sentence below (llvm-project, pull request 180318).
 *
 * The linker puts the function below in the place of Sema::ActOnCastExpr (its option --wrap, see
 * meson.build), which the parser calls for each cast and each vector literal.
 */

#include "clang/AST/ASTContext.h"
#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

namespace weft {

using clang::Declarator;
using clang::Expr;
using clang::ExprResult;
using clang::ParsedType;
using clang::QualType;
using clang::Sema;
using clang::SourceLocation;

/** Clang's own. */
ExprResult actOnCast(Sema *sema, clang::Scope *scope, SourceLocation left, Declarator &target,
                     ParsedType &type, SourceLocation right,
                     Expr *operand) __asm__("__real__ZN5clang4Sema13ActOnCastExprEPNS_5ScopeENS_"
                                            "14SourceLocationERNS_10DeclaratorERNS_"
                                            "9OpaquePtrINS_8QualTypeEEES3_PNS_4ExprE");

/** What Clang's parser calls in its place. A member function's object is its first argument. */
ExprResult
actOnCastChecked(Sema *sema, clang::Scope *scope, SourceLocation left, Declarator &target,
                 ParsedType &type, SourceLocation right,
                 Expr *operand) __asm__("__wrap__ZN5clang4Sema13ActOnCastExprEPNS_5ScopeENS_"
                                        "14SourceLocationERNS_10DeclaratorERNS_"
                                        "9OpaquePtrINS_8QualTypeEEES3_PNS_4ExprE");

namespace {

/** The vector type that a value is cast to; null: another kind of type. */
QualType vectorType(Sema &sema, Declarator &target, QualType from) {
    const clang::DeclSpec &words = target.getDeclSpec();
    if (target.getNumTypeObjects() != 0) /* a pointer, an array, a function */
        return {};
    QualType type;
    if (words.getTypeSpecType() == clang::DeclSpec::TST_typename) {
        type = Sema::GetTypeFromParser(words.getRepAsType());
    } else if (words.hasTypeSpecifier()) { /* typeof(v), float with an attribute */
        clang::DiagnosticsEngine &complaints = sema.getDiagnostics();
        const bool isSilent = complaints.getSuppressAllDiagnostics();
        complaints.setSuppressAllDiagnostics(true); /* Clang asks once more */
        type = sema.GetTypeForDeclaratorCast(target, from)->getType();
        complaints.setSuppressAllDiagnostics(isSilent);
    }
    return !type.isNull() && type->isExtVectorType() ? type : QualType();
}

/** The x of (float4)(x); nullptr: no parentheses, or several values in them. */
Expr *onlyValue(Expr *operand) {
    if (auto *list = llvm::dyn_cast<clang::ParenListExpr>(operand))
        return list->getNumExprs() == 1 ? list->getExpr(0) : nullptr;
    if (auto *one = llvm::dyn_cast<clang::ParenExpr>(operand))
        return one->getSubExpr();
    return nullptr;
}

/** True: no conversion makes an element of the value. Addresses become integers, as they always did
 *  with Clang. */
bool isRefused(QualType value, QualType element) {
    if (auto *atomic = value->getAs<clang::AtomicType>())
        value = atomic->getValueType();
    if (value->isDependentType() || value->isPlaceholderType() || value->isVectorType() ||
        value->isArithmeticType() || value->isEnumeralType())
        return false;
    return !(value->isScalarType() || value->isArrayType()) || element->isFloatingType();
}

} // namespace

ExprResult actOnCastChecked(Sema *sema, clang::Scope *scope, SourceLocation left,
                            Declarator &target, ParsedType &type, SourceLocation right,
                            Expr *operand) {
    Expr *value = onlyValue(operand);
    /* The name of a template's function, which may stand for one. */
    const bool isUnresolved =
        value && value->getType()->isSpecificPlaceholderType(clang::BuiltinType::Overload);
    if (!value || !(isUnresolved || isRefused(value->getType(), sema->Context.FloatTy)))
        return actOnCast(sema, scope, left, target, type, right, operand);
    QualType vector = vectorType(*sema, target, operand->getType());
    if (isUnresolved && !vector.isNull()) {
        const ExprResult resolved = sema->CheckPlaceholderExpr(value);
        if (resolved.isInvalid()) /* and why has been said */
            return clang::ExprError();
        value = resolved.get();
    }
    if (vector.isNull() ||
        !isRefused(value->getType(), vector->castAs<clang::ExtVectorType>()->getElementType()))
        return actOnCast(sema, scope, left, target, type, right, operand);
    bool isDifferenceKnown = false;
    sema->Diag(value->getBeginLoc(), clang::diag::err_typecheck_convert_incompatible)
        << vector << value->getType() << clang::AssignmentAction::Initializing << isDifferenceKnown
        << 0 << "" << value->getSourceRange();
    return clang::ExprError();
}

} // namespace weft
