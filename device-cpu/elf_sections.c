// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "elf_sections.h"

#include <string.h>

static bool within(uint64_t at, uint64_t bytes, uint64_t size) {
    return at <= size && bytes <= size - at;
}

bool weft_elf_open(weft_elf *elf, const void *bytes, size_t size) {
    elf->bytes = bytes;
    elf->size = size;
    if (size < sizeof(elf->header))
        return false;
    memcpy(&elf->header, bytes, sizeof(elf->header));
    return elf->header.e_shentsize == sizeof(Elf64_Shdr) && elf->header.e_shnum &&
           within(elf->header.e_shoff, (uint64_t)elf->header.e_shnum * sizeof(Elf64_Shdr), size);
}

bool weft_elf_section(const weft_elf *elf, unsigned index, Elf64_Shdr *section) {
    memcpy(section, elf->bytes + elf->header.e_shoff + index * sizeof(*section), sizeof(*section));
    return section->sh_type == SHT_NOBITS ||
           within(section->sh_offset, section->sh_size, elf->size);
}

/** A table of strings that ends in NUL. */
static bool string_table(const weft_elf *elf, unsigned index, Elf64_Shdr *strings) {
    return index < elf->header.e_shnum && weft_elf_section(elf, index, strings) &&
           strings->sh_type == SHT_STRTAB && strings->sh_size &&
           elf->bytes[strings->sh_offset + strings->sh_size - 1] == 0;
}

unsigned weft_elf_find(const weft_elf *elf, const char *name, Elf64_Shdr *section) {
    Elf64_Shdr names;

    if (!string_table(elf, elf->header.e_shstrndx, &names))
        return 0;
    for (unsigned i = 1; i < elf->header.e_shnum; i++)
        if (weft_elf_section(elf, i, section) && section->sh_type != SHT_NOBITS &&
            section->sh_name < names.sh_size &&
            strcmp((const char *)elf->bytes + names.sh_offset + section->sh_name, name) == 0)
            return i;
    return 0;
}

void weft_elf_functions(const weft_elf *elf, void (*visit)(void *user, const weft_elf_symbol *),
                        void *user) {
    Elf64_Shdr table, strings;

    if (!weft_elf_find(elf, ".symtab", &table) || !string_table(elf, table.sh_link, &strings))
        return;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym row;
        memcpy(&row, elf->bytes + table.sh_offset + at, sizeof(row));
        weft_elf_symbol symbol = {.address = row.st_value,
                                  .bytes = row.st_size,
                                  .is_global = ELF64_ST_BIND(row.st_info) == STB_GLOBAL};
        if (ELF64_ST_TYPE(row.st_info) != STT_FUNC || !row.st_size ||
            row.st_name >= strings.sh_size)
            continue;
        symbol.name = (const char *)elf->bytes + strings.sh_offset + row.st_name;
        if (*symbol.name)
            visit(user, &symbol);
    }
}
