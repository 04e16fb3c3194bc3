// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * -cl-single-precision-constant: "Treat double precision floating-point constant as single
 * precision constant" (OpenCL 2.2, section 5.8.6.3). So 0.1 is 0.1f, wherever it stands.
 *
 * Clang makes a literal of type double and a cast to float, and where this is converted to double
 * at once, the two casts become one from double to double: `double d = 0.1` keeps all digits.
 * Nothing of Clang's may be replaced between the token and the literal, and behind it constants
 * have been evaluated already. So the linker puts the function below in the place of
 * Sema::ActOnNumericConstant (its option --wrap, see meson.build): it sees each number of a program
 * once, also those which a parser that goes back reads again.
 */

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

namespace weft {

using clang::ExprResult;
using clang::Scope;
using clang::Sema;
using clang::Token;

/** Clang's own. */
ExprResult actOnNumericConstant(Sema *sema, const Token &token, Scope *scope) __asm__(
    "__real__ZN5clang4Sema20ActOnNumericConstantERKNS_5TokenEPNS_5ScopeE");

/** What Clang's parsers call in its place. A member function's object is its first argument. */
ExprResult actOnConstant(Sema *sema, const Token &token, Scope *scope) __asm__(
    "__wrap__ZN5clang4Sema20ActOnNumericConstantERKNS_5TokenEPNS_5ScopeE");

namespace {

bool consistsOf(llvm::StringRef text, llvm::StringRef characters) {
    return text.find_first_not_of(characters) == llvm::StringRef::npos;
}

/** True for 0.1, 1., .5e3, 0x1p3: numbers with a fraction or an exponent and without a suffix. A
 *  complaint about what is no number at all is Clang's. */
bool isDouble(llvm::StringRef text) {
    bool hex = text.consume_front("0x") || text.consume_front("0X");
    size_t end = text.find_first_of(hex ? "pP" : "eE");
    bool exponent = end != llvm::StringRef::npos;
    llvm::StringRef mantissa = text.take_front(end);
    if (!consistsOf(mantissa, hex ? "0123456789abcdefABCDEF.'" : "0123456789.'"))
        return false;
    return exponent ? consistsOf(text.drop_front(end + 1), "0123456789+-'")
                    : !hex && mantissa.contains('.');
}

} // namespace

ExprResult actOnConstant(Sema *sema, const Token &token, Scope *scope) {
    if (!sema->getLangOpts().SinglePrecisionConstants || token.getLength() == 1)
        return actOnNumericConstant(sema, token, scope);
    llvm::SmallString<64> buffer;
    llvm::StringRef text = sema->getPreprocessor().getSpelling(token, buffer);
    if (!isDouble(text))
        return actOnNumericConstant(sema, token, scope);
    /* Kept as long as the syntax tree; a zero behind it, as behind every buffer of Clang's. */
    char *single = static_cast<char *>(sema->Context.Allocate(text.size() + 2, 1));
    std::copy(text.begin(), text.end(), single);
    single[text.size()] = 'f';
    single[text.size() + 1] = 0;
    Token changed = token;
    changed.setLiteralData(single);
    changed.setLength(static_cast<unsigned>(text.size()) + 1);
    changed.clearFlag(Token::NeedsCleaning);
    changed.clearFlag(Token::HasUCN);
    return actOnNumericConstant(sema, changed, scope);
}

} // namespace weft
