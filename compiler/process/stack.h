// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The stack of a process that compiles. */
#ifndef WEFT_PROCESS_STACK_H
#define WEFT_PROCESS_STACK_H

namespace weft {

/** What a build says whose source, or code, is nested more deeply than the stack is long. */
extern const char *const stackOverflowText;

/**
 * Lets the main thread's stack grow to 64 MiB, and has `overflown` called when it is full, on a
 * stack of its own: a signal handler, which must not return. Other faults go their usual way; so do
 * those of copies that are forked later, whose first process can do with less. Called once.
 */
void useLargeStack(void (*overflown)());

} // namespace weft

#endif
