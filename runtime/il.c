// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The outer form of SPIR-V and its specialisation constants (SPIR-V specification, section 2.3). */

#include "runtime/il.h"

#include "weft/shim.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_WORDS = 5,
    MAGIC = 0x07230203,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_SPEC_CONSTANT_TRUE = 48,
    OP_SPEC_CONSTANT_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_DECORATE = 71,
    DECORATION_SPEC_ID = 1
};

/** One instruction: its words, the first of which holds length and opcode. */
typedef struct instruction {
    const uint32_t *words;
    uint32_t count, opcode;
} instruction;

/** Takes the next instruction of checked words; false at the end. */
static bool next(const uint32_t **at, const uint32_t *end, instruction *out) {
    if (*at >= end)
        return false;
    *out = (instruction){*at, **at >> 16, **at & 0xffff};
    *at += out->count;
    return true;
}

const char *weft_il_check(const void *bytes, size_t size) {
    uint32_t header[HEADER_WORDS];
    if (size % sizeof(uint32_t) || size < sizeof(header))
        return "if il does not contain well-formed intermediate language: its size is not that of "
               "SPIR-V";
    memcpy(header, bytes, sizeof(header));
    if (header[0] != MAGIC)
        return "if il does not contain well-formed intermediate language: it does not begin like "
               "SPIR-V in the host's order of bytes";
    if ((header[1] & 0xff0000ff) || header[1] >> 16 != 1 ||
        (header[1] >> 8 & 0xff) > WEFT_IL_MAX_MINOR)
        return "if il cannot be consumed by the OpenCL runtime: its version is not one of "
               "CL_DEVICE_IL_VERSION";
    for (size_t at = sizeof(header), count; at < size; at += count * sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, (const char *)bytes + at, sizeof(word));
        count = word >> 16;
        if (!count || count > (size - at) / sizeof(word))
            return "if il does not contain well-formed intermediate language: an instruction is "
                   "longer than the module";
    }
    return NULL;
}

/* ---- specialisation constants ---------------------------------------------------------------- */

/** Ids with a number each: targets of SpecId with the constant's id, types with their width. */
typedef struct id_number {
    uint32_t id, number;
} id_number;

static int by_id(const void *a, const void *b) {
    const id_number *left = a, *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

static int by_constant(const void *a, const void *b) {
    const weft_il_constant *left = a, *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

static const id_number *find(const id_number *list, uint32_t count, uint32_t id) {
    id_number key = {id, 0};
    return count ? bsearch(&key, list, count, sizeof(key), by_id) : NULL;
}

static bool names_constant(const instruction *i) {
    return i->opcode == OP_DECORATE && i->count == 4 && i->words[2] == DECORATION_SPEC_ID;
}

static bool names_width(const instruction *i) {
    return (i->opcode == OP_TYPE_INT || i->opcode == OP_TYPE_FLOAT) && i->count >= 3;
}

static bool is_constant(const instruction *i) {
    return i->opcode >= OP_SPEC_CONSTANT_TRUE && i->opcode <= OP_SPEC_CONSTANT && i->count >= 3;
}

/** The size of a constant in bytes; 0: its type is not known. */
static uint32_t bytes_of(const instruction *i, const id_number *widths, uint32_t count) {
    if (i->opcode != OP_SPEC_CONSTANT)
        return 1; /* "spec_size … for boolean: cl_uchar" */
    const id_number *width = find(widths, count, i->words[1]);
    uint32_t bits = width ? width->number : 0;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

/** False: out of memory. */
static bool find_constants(weft_il *il) {
    const uint32_t *begin = (const uint32_t *)il->bytes + HEADER_WORDS;
    const uint32_t *end = (const uint32_t *)il->bytes + il->size / sizeof(uint32_t), *at;
    uint32_t named = 0, typed = 0;
    instruction i;
    for (at = begin; next(&at, end, &i);) {
        named += names_constant(&i);
        typed += names_width(&i);
    }
    if (!named)
        return true;
    id_number *targets = weft_calloc((size_t)named + typed, sizeof(*targets));
    id_number *widths = targets + named;
    il->constants = weft_calloc(named, sizeof(*il->constants));
    if (!targets || !il->constants) {
        weft_free(targets);
        return false;
    }
    named = typed = 0;
    for (at = begin; next(&at, end, &i);) {
        if (names_constant(&i))
            targets[named++] = (id_number){i.words[1], i.words[3]};
        else if (names_width(&i))
            widths[typed++] = (id_number){i.words[1], i.words[2]};
    }
    qsort(targets, named, sizeof(*targets), by_id);
    qsort(widths, typed, sizeof(*widths), by_id);
    for (at = begin; next(&at, end, &i);) {
        const id_number *target = is_constant(&i) ? find(targets, named, i.words[2]) : NULL;
        uint32_t bytes = target ? bytes_of(&i, widths, typed) : 0;
        if (bytes && il->constant_count < named)
            il->constants[il->constant_count++] =
                (weft_il_constant){.id = target->number, .bytes = bytes};
    }
    qsort(il->constants, il->constant_count, sizeof(*il->constants), by_constant);
    weft_free(targets);
    return true;
}

weft_il *weft_il_create(const void *bytes, size_t size) {
    weft_il *il = weft_calloc(1, sizeof(*il));
    if (!il)
        return NULL;
    il->bytes = weft_malloc(size);
    il->size = size;
    if (il->bytes) {
        memcpy(il->bytes, bytes, size);
        if (find_constants(il))
            return il;
    }
    weft_il_destroy(il);
    return NULL;
}

void weft_il_destroy(weft_il *il) {
    if (!il)
        return;
    weft_free(il->constants);
    weft_free(il->bytes);
    weft_free(il);
}

weft_il_constant *weft_il_find(weft_il *il, uint32_t id) {
    weft_il_constant key = {.id = id};
    if (!il->constant_count)
        return NULL;
    return bsearch(&key, il->constants, il->constant_count, sizeof(key), by_constant);
}

uint32_t weft_il_given(const weft_il *il, weft_spec_constant *to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < il->constant_count; i++)
        if (il->constants[i].given)
            to[count++] = (weft_spec_constant){il->constants[i].id, il->constants[i].bytes,
                                               il->constants[i].value};
    return count;
}
