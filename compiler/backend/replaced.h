// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Functions of LLVM's that others stand in for. */
#ifndef WEFT_REPLACED_H
#define WEFT_REPLACED_H

/**
 * Declares a function of LLVM's by its symbol, as `name`, and what is called in its place, as
 * `name`InPlace. The object of a member function is its first argument. The linker's option --wrap
 * (see meson.build) puts the second in the place of the first where another of LLVM's files calls
 * it; within one file LLVM calls its own.
 */
#define WEFT_REPLACED(result, name, symbol, ...)                                                   \
    result name(__VA_ARGS__) __asm__("__real_" symbol);                                            \
    result name##InPlace(__VA_ARGS__) __asm__("__wrap_" symbol)

#endif
