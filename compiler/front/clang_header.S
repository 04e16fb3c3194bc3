// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Clang's header, from the LLVM installation (WEFT_CLANG_HEADER is its path, set by meson.build). */
    .section .rodata, "a", @progbits
    .globl weft_clang_header
    .globl weft_clang_header_end
    .balign 16
weft_clang_header:
    .incbin WEFT_CLANG_HEADER
weft_clang_header_end:
    .byte 0

    .section .note.GNU-stack, "", @progbits
