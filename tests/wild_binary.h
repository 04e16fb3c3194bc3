// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Program binaries whose checksum is right and whose numbers are not, for tests that go on with
 * what they load. To be included behind compiler/shared/container.c, whose checksum it makes.
 *
 * All code of such a binary is return instructions. So nothing is computed by code that the note
 * lies about; a body may be said to begin anywhere in it, and what is left to go wrong is Weft's
 * own.
 */
#ifndef WEFT_WILD_BINARY_H
#define WEFT_WILD_BINARY_H

#include "weft/abi.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/** A binary's bytes, the caller's, and the note in them. */
typedef struct weft_wild_binary {
    unsigned char *bytes;
    size_t size;
    size_t table; /* where weft_image_info is */
    weft_image_info info;
} weft_wild_binary;

enum { WEFT_WILD_VALUES = 14 };

/** Makes the checksum right, of containers of both versions; others stay as they are. */
static inline void weft_wild_mend(unsigned char *bytes, size_t size) {
    container_header two;
    header_of_version_1 one;

    if (size < sizeof(two) || memcmp(bytes, WEFT_CONTAINER_MAGIC, 8) != 0)
        return;
    memcpy(&two, bytes, sizeof(two));
    if (two.start.version == 2) {
        two.checksum = checksum_of(two, bytes + sizeof(two), size - sizeof(two));
        memcpy(bytes, &two, sizeof(two));
        return;
    }
    memcpy(&one, bytes, sizeof(one));
    one.checksum = 0;
    one.checksum = mix_of_version_1(mix_of_version_1(0x57656674u, &one, sizeof(one)),
                                    bytes + sizeof(one), size - sizeof(one));
    memcpy(bytes, &one, sizeof(one));
}

/** Every byte of a segment that may be executed returns. */
static inline void weft_wild_blank(unsigned char *image, size_t size) {
    Elf64_Ehdr header;

    memcpy(&header, image, sizeof(header));
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, image + header.e_phoff + i * sizeof(segment), sizeof(segment));
        if (segment.p_type == PT_LOAD && segment.p_flags & PF_X && segment.p_offset < size &&
            segment.p_filesz <= size - segment.p_offset)
            memset(image + segment.p_offset, 0xc3, segment.p_filesz);
    }
}

/** Finds the note of a good binary of this build, and takes its code away. False: it has none. */
static inline bool weft_wild_open(unsigned char *bytes, size_t size, weft_wild_binary *b) {
    const uint32_t start[2] = {WEFT_IMAGE_MAGIC, WEFT_ABI_VERSION};
    weft_container container;

    if (weft_container_read(bytes, size, &container))
        return false;
    const weft_container_part *part = &container.parts[WEFT_CONTAINER_IMAGE];
    unsigned char *image = bytes + ((const unsigned char *)part->data - bytes);
    const unsigned char *found = memmem(image, part->bytes, start, sizeof(start));
    if (!found)
        return false;
    *b = (weft_wild_binary){.bytes = bytes, .size = size, .table = (size_t)(found - bytes)};
    memcpy(&b->info, found, sizeof(b->info));
    weft_wild_blank(image, part->bytes);
    weft_wild_mend(bytes, size);
    return true;
}

/** What a word of the note may become: everything that is likely to hurt. */
static inline void weft_wild_values(uint32_t before, uint32_t values[WEFT_WILD_VALUES]) {
    const uint32_t all[WEFT_WILD_VALUES] = {
        0,          1,          3,          8,          0x101,      0x7fffffff,  0x80000000u,
        UINT32_MAX, before + 1, before - 1, before * 2, before / 2, before ^ 64, before << 16};

    memcpy(values, all, sizeof(all));
}

#endif
