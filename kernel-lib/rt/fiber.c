// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fiber.h"

#include "../../include/weft/abi.h"

#ifndef __x86_64__
#error "weft_rt_switch is written for x86-64"
#endif

/** Control words of the floating-point units never differ between stacks. */
__attribute__((naked)) void weft_rt_switch(__attribute__((unused)) void **from,
                                           __attribute__((unused)) void *to) {
    __asm__("pushq %rbp\n\t"
            "pushq %rbx\n\t"
            "pushq %r12\n\t"
            "pushq %r13\n\t"
            "pushq %r14\n\t"
            "pushq %r15\n\t"
            "movq %rsp, (%rdi)\n\t"
            "movq %rsi, %rsp\n\t"
            "popq %r15\n\t"
            "popq %r14\n\t"
            "popq %r13\n\t"
            "popq %r12\n\t"
            "popq %rbx\n\t"
            "popq %rbp\n\t"
            "retq");
}

/** Where weft_rt_switch "returns" to on a new stack: the argument in rbx, what to run in r12. */
__attribute__((naked)) static void weft_rt_begin(void) {
    __asm__("movq %rbx, %rdi\n\t"
            "callq *%r12\n\t"
            "ud2");
}

void *weft_rt_new_stack(void *end, void (*run)(void *), void *argument) {
    /* The six registers that weft_rt_switch takes up, its return address, and what makes the stack
     * pointer a multiple of 16 behind them. */
    uint64_t *stack = (uint64_t *)end - 9;
    stack[3] = (uint64_t)run;      /* r12 */
    stack[4] = (uint64_t)argument; /* rbx */
    stack[5] = 0;                  /* rbp */
    stack[6] = (uint64_t)weft_rt_begin;
    return stack;
}

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

__attribute__((naked)) uint64_t weft_rt_enter(__attribute__((unused)) const void *first,
                                              __attribute__((unused)) void *second,
                                              __attribute__((unused)) uint64_t third,
                                              __attribute__((unused)) uint64_t fourth,
                                              __attribute__((unused)) void (*function)(void)) {
    __asm__("pushq %rbp\n\t"
            "movq %rsp, %rbp\n\t"
            "andq $-" TEXT(WEFT_STACK_ALIGN) ", %rsp\n\t"
                                             "callq *%r8\n\t"
                                             "leaveq\n\t"
                                             "retq");
}
