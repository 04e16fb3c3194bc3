// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gdb.h"

#include "elf_sections.h"
#include "sources.h"

#include "weft/shim.h"

#include <sched.h>
#include <stdatomic.h>

/* ---- gdb's side ------------------------------------------------------------------------------ */

/*
 * gdb prescribes these names, structures and meanings. They are the one exception to "no global
 * mutable state outside the platform object": gdb looks for them in every library of the process,
 * in its table of dynamic symbols where the library is stripped, so libweft.so exports them.
 */
enum { JIT_NOACTION, JIT_REGISTER, JIT_UNREGISTER };

struct weft_gdb_entry {
    struct weft_gdb_entry *next, *prev;
    const char *file;
    uint64_t bytes;
};

struct jit_descriptor {
    uint32_t version, action;
    weft_gdb_entry *relevant, *first;
};

extern struct jit_descriptor __jit_debug_descriptor;
extern void __jit_debug_register_code(void);

__attribute__((visibility("default"))) struct jit_descriptor __jit_debug_descriptor = {1, 0, NULL,
                                                                                       NULL};

/** gdb puts a breakpoint here, and reads the descriptor when it is hit. */
__attribute__((visibility("default"), noinline)) void __jit_debug_register_code(void) {
    __asm__ volatile("" ::: "memory");
}

/** Guards the descriptor. Not a mutex: one that another thread held at a fork would stay locked. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

/** False if the descriptor is not free in good time: it never is in a child forked at a bad
 *  time. */
static bool take_descriptor(void) {
    for (unsigned tries = 0; tries < 1000000; tries++) {
        if (!atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
            return true;
        sched_yield();
    }
    return false;
}

static void tell_gdb(uint32_t action, weft_gdb_entry *entry) {
    __jit_debug_descriptor.action = action;
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_register_code();
    __jit_debug_descriptor.action = JIT_NOACTION;
    __jit_debug_descriptor.relevant = NULL;
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

/* ---- the copy that gdb reads ----------------------------------------------------------------- */

static void move_segments(unsigned char *bytes, const weft_elf *elf, uint64_t base) {
    for (unsigned i = 0; i < elf->header.e_phnum; i++) {
        unsigned char *at = bytes + elf->header.e_phoff + i * sizeof(Elf64_Phdr);
        Elf64_Phdr segment;
        memcpy(&segment, at, sizeof(segment)); /* checked by the loader */
        segment.p_vaddr += base;
        segment.p_paddr += base;
        memcpy(at, &segment, sizeof(segment));
    }
}

static void move_sections(unsigned char *bytes, const weft_elf *elf, uint64_t base) {
    for (unsigned i = 1; i < elf->header.e_shnum; i++) {
        Elf64_Shdr section;
        weft_elf_section(elf, i, &section);
        if (!(section.sh_flags & SHF_ALLOC))
            continue;
        section.sh_addr += base;
        memcpy(bytes + elf->header.e_shoff + i * sizeof(section), &section, sizeof(section));
    }
}

static void move_symbols(unsigned char *bytes, const weft_elf *elf, uint64_t base) {
    Elf64_Shdr table;

    if (!weft_elf_find(elf, ".symtab", &table))
        return;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, bytes + table.sh_offset + at, sizeof(symbol));
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE)
            symbol.st_value += base;
        memcpy(bytes + table.sh_offset + at, &symbol, sizeof(symbol));
    }
}

/** ".weft.debug_addresses": where in the file 8-byte image addresses of the DWARF stand. */
static void move_addresses(unsigned char *bytes, const weft_elf *elf, uint64_t base) {
    Elf64_Shdr table;

    if (!weft_elf_find(elf, ".weft.debug_addresses", &table))
        return;
    for (uint64_t at = 0; at + 8 <= table.sh_size; at += 8) {
        uint64_t place, address;
        memcpy(&place, elf->bytes + table.sh_offset + at, 8);
        if (place > elf->size - 8)
            return;
        memcpy(&address, bytes + place, 8);
        address += base;
        memcpy(bytes + place, &address, 8);
    }
}

weft_gdb_entry *weft_gdb_register(const void *bytes, size_t size, const unsigned char *base,
                                  const char *folder) {
    weft_gdb_entry *entry = weft_malloc(sizeof(*entry) + size);
    unsigned char *copy = (unsigned char *)(entry + 1);
    uint64_t address = (uint64_t)(uintptr_t)base;
    weft_elf elf;

    if (!entry || !weft_elf_open(&elf, bytes, size)) {
        weft_free(entry);
        return NULL;
    }
    memcpy(copy, bytes, size);
    weft_sources_write(&elf, folder);
    move_segments(copy, &elf, address);
    move_symbols(copy, &elf, address);
    move_addresses(copy, &elf, address);
    weft_sources_rename(copy, size, folder);
    move_sections(copy, &elf, address);
    *entry = (weft_gdb_entry){.file = (const char *)copy, .bytes = size};
    if (!take_descriptor()) {
        weft_free(entry);
        return NULL;
    }
    entry->next = __jit_debug_descriptor.first;
    if (entry->next)
        entry->next->prev = entry;
    __jit_debug_descriptor.first = entry;
    tell_gdb(JIT_REGISTER, entry);
    return entry;
}

void weft_gdb_unregister(weft_gdb_entry *entry) {
    if (!entry || !take_descriptor())
        return; /* stays in the list and in memory */
    if (entry->prev)
        entry->prev->next = entry->next;
    else
        __jit_debug_descriptor.first = entry->next;
    if (entry->next)
        entry->next->prev = entry->prev;
    tell_gdb(JIT_UNREGISTER, entry);
    weft_free(entry);
}
