/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/*
 * What runs first in a compiler process that is linked statically, before its C library relocates
 * it. Two megabytes of LLVM's tables hold addresses. To ask for their pages in one call, instead of
 * by a fault for each, saves a third of what it costs to be independent of the address.
 *
 * Nothing is relocated, there is no stack protector and no thread-local storage yet: names are
 * hidden, so that they are found relative to the instruction, and the call is made by hand.
 */
#include <elf.h>
#include <stdint.h>
#include <sys/syscall.h>

#define HIDDEN __attribute__((visibility("hidden")))

extern const Elf64_Ehdr __ehdr_start HIDDEN; /* both from the linker */
extern char _end[] HIDDEN;

/** In <sys/mman.h> since glibc 2.35. */
enum { POPULATE_WRITE = 23, PAGE = 4096 };

HIDDEN void weft_populate(void);

/** From the first page that is relocated to the end of all that can be written. A kernel older than
 *  5.14 knows no such call, and faults it is. */
HIDDEN __attribute__((used, no_stack_protector)) void weft_populate(void) {
    uintptr_t base = (uintptr_t)&__ehdr_start;
    const Elf64_Phdr *headers = (const Elf64_Phdr *)(base + __ehdr_start.e_phoff);
    for (unsigned i = 0; i < __ehdr_start.e_phnum; i++) {
        if (headers[i].p_type != PT_GNU_RELRO)
            continue;
        uintptr_t begin = (base + headers[i].p_vaddr) & -(uintptr_t)PAGE;
        uintptr_t end = ((uintptr_t)_end + PAGE - 1) & -(uintptr_t)PAGE;
        long result;
        __asm__ volatile("syscall"
                         : "=a"(result)
                         : "a"(SYS_madvise), "D"(begin), "S"(end - begin), "d"(POPULATE_WRITE)
                         : "rcx", "r11", "memory");
    }
}

/* The kernel starts here. _start wants rdx and the stack as the kernel left them. */
__asm__(".text\n"
        ".globl weft_start\n"
        ".hidden weft_start\n"
        ".type weft_start, @function\n"
        "weft_start:\n"
        "    push %rdx\n"
        "    mov %rsp, %rbp\n"
        "    and $-16, %rsp\n"
        "    call weft_populate\n"
        "    mov %rbp, %rsp\n"
        "    pop %rdx\n"
        "    jmp _start\n"
        ".size weft_start, . - weft_start\n");
