// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Sections and symbols of a compiled image: what only tools read, so nothing of it was checked. */
#ifndef WEFT_ELF_SECTIONS_H
#define WEFT_ELF_SECTIONS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A file in memory, as weft_loader_load was given it. */
typedef struct weft_elf {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr header;
} weft_elf;

/** False if the file has no table of sections, or one that does not lie in it. */
bool weft_elf_open(weft_elf *elf, const void *bytes, size_t size);
/** Section `index` < e_shnum; false if its contents do not lie in the file. */
bool weft_elf_section(const weft_elf *elf, unsigned index, Elf64_Shdr *section);
/** The first section of this name with contents inside the file; its number, 0: none. */
unsigned weft_elf_find(const weft_elf *elf, const char *name, Elf64_Shdr *section);

typedef struct weft_elf_symbol {
    const char *name; /* in the file */
    uint64_t address, bytes;
    bool is_global;
} weft_elf_symbol;

/** Calls `visit` for each function that has a name and a size, in the file's order. */
void weft_elf_functions(const weft_elf *elf, void (*visit)(void *user, const weft_elf_symbol *),
                        void *user);

#endif
