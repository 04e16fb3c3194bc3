// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Names of symbols that only LLVM and Weft may declare. */
#ifndef WEFT_FRONT_NAMES_H
#define WEFT_FRONT_NAMES_H

namespace clang {
class CompilerInstance;
}

namespace weft {

/**
 * Reports, as Clang's errors, that the program gave a function or a variable such a name (by an
 * assembler label, a weak reference, or its own), or has assembler text outside of functions, which
 * this process cannot read. For the end of a program's parsing.
 */
void checkNames(clang::CompilerInstance &instance);

} // namespace weft

#endif
