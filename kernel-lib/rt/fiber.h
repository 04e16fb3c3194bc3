// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Stacks in a worker's arena, and going from one to another. */
#ifndef WEFT_RT_FIBER_H
#define WEFT_RT_FIBER_H

#include <stdint.h>

/** Keeps what a called function must keep (System V ABI, 3.2.1) on this stack, the stack's pointer
 *  in `*from`, and goes on with the stack `to`. */
void weft_rt_switch(void **from, void *to);

/** The pointer, for weft_rt_switch, of a new stack that ends at `end`, a multiple of 16: there
 *  `run(argument)` begins, and must not return. */
void *weft_rt_new_stack(void *end, void (*run)(void *), void *argument);

/** Calls compiled code, a function of at most four such arguments, with its stack at a multiple of
 *  WEFT_STACK_ALIGN, which C does not keep. What it returns, if it returns something. */
uint64_t weft_rt_enter(const void *first, void *second, uint64_t third, uint64_t fourth,
                       void (*function)(void));

#endif
