// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enter.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

/* C cannot say how its stack is aligned when it calls. The four arguments are where the entry
 * expects them; the frame is found by way of rbp while rsp is moved down. */
// clang-format off
__asm__(".text\n"
        ".globl weft_enter\n"
        ".hidden weft_enter\n"
        ".type weft_enter, @function\n"
        "weft_enter:\n"
        "    .cfi_startproc\n"
        "    pushq %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %rbp, -16\n"
        "    movq %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    andq $-" TEXT(WEFT_STACK_ALIGN) ", %rsp\n"
        "    call *%r8\n"
        "    leave\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size weft_enter, . - weft_enter\n");
