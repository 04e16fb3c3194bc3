// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/shared/container.h"

#include <CL/cl.h>
#include <stdbool.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The first 16 bytes are the same in all versions. */
typedef struct container_start {
    char magic[8];
    uint32_t version;
    uint32_t abi_version;
} container_start;

/** Version 2. Numbers are little-endian; no padding inside. */
typedef struct container_header {
    container_start start;
    uint32_t type;
    uint32_t part_count; /* lengths below; WEFT_CONTAINER_PARTS or, from a later writer, more */
    uint64_t checksum;   /* of the whole container with this member 0 */
    uint64_t source_hash[2];
    /* uint64_t bytes[part_count], then the parts, without padding */
} container_header;

/** Version 1: image or IR alone. */
typedef struct header_of_version_1 {
    container_start start;
    uint32_t type;
    uint32_t isa_bytes;
    uint32_t options_bytes;
    uint32_t reserved;
    uint64_t payload_bytes;
    uint64_t checksum;
} header_of_version_1;

enum { MOST_PARTS = 64 };

static const char wrong_length[] = "the program binary's length is wrong";
static const char wrong_checksum[] = "the program binary is damaged: its checksum is wrong";

void weft_content_hash(const weft_container_part *pieces, size_t count, uint64_t hash[2]) {
    XXH3_state_t state; /* 576 bytes */
    XXH3_128bits_reset(&state);
    for (size_t i = 0; i < count; i++)
        if (pieces[i].bytes)
            XXH3_128bits_update(&state, pieces[i].data, pieces[i].bytes);
    XXH128_hash_t digest = XXH3_128bits_digest(&state);
    hash[0] = digest.low64;
    hash[1] = digest.high64;
}

/* ---- writing --------------------------------------------------------------------------------- */

static uint64_t checksum_of(container_header header, const void *rest, size_t bytes) {
    XXH3_state_t state;
    header.checksum = 0;
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, &header, sizeof header);
    XXH3_64bits_update(&state, rest, bytes);
    return XXH3_64bits_digest(&state);
}

uint64_t weft_container_size(const weft_container *container) {
    uint64_t bytes = sizeof(container_header) + WEFT_CONTAINER_PARTS * sizeof(uint64_t);
    for (size_t i = 0; i < WEFT_CONTAINER_PARTS; i++)
        bytes += container->parts[i].bytes;
    return bytes;
}

void weft_container_write(const weft_container *container, unsigned char *to) {
    container_header header = {
        .start = {.version = WEFT_CONTAINER_VERSION, .abi_version = container->abi_version},
        .type = container->type,
        .part_count = WEFT_CONTAINER_PARTS,
        .source_hash = {container->source_hash[0], container->source_hash[1]},
    };
    memcpy(header.start.magic, WEFT_CONTAINER_MAGIC, sizeof header.start.magic);
    unsigned char *rest = to + sizeof header, *at = rest;
    for (size_t i = 0; i < WEFT_CONTAINER_PARTS; i++, at += sizeof(uint64_t))
        memcpy(at, &container->parts[i].bytes, sizeof(uint64_t));
    for (size_t i = 0; i < WEFT_CONTAINER_PARTS; i++) {
        if (container->parts[i].bytes)
            memcpy(at, container->parts[i].data, container->parts[i].bytes);
        at += container->parts[i].bytes;
    }
    header.checksum = checksum_of(header, rest, (size_t)(at - rest));
    memcpy(to, &header, sizeof header);
}

/* ---- reading --------------------------------------------------------------------------------- */

/** Mixes 8 bytes at a time; the tail is padded with zeros, the length goes in first. */
static uint64_t mix_of_version_1(uint64_t hash, const void *data, size_t bytes) {
    const unsigned char *at = data;
    hash ^= bytes;
    while (bytes) {
        uint64_t word = 0;
        size_t part = bytes < sizeof(word) ? bytes : sizeof(word);
        memcpy(&word, at, part);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u; /* odd: no bit of the difference is lost */
        hash ^= hash >> 32;
        at += part;
        bytes -= part;
    }
    return hash;
}

/** Copies a version's header; what is behind it. NULL: the container is shorter. */
static const unsigned char *take_header(const unsigned char *bytes, size_t size, void *header,
                                        size_t header_bytes, size_t *rest_bytes) {
    if (size < header_bytes)
        return NULL;
    memcpy(header, bytes, header_bytes);
    *rest_bytes = size - header_bytes;
    return bytes + header_bytes;
}

static const char *read_version_1(const unsigned char *bytes, size_t size,
                                  weft_container *container) {
    header_of_version_1 header;
    size_t rest_bytes;
    const unsigned char *rest = take_header(bytes, size, &header, sizeof header, &rest_bytes);
    if (!rest)
        return wrong_length;
    /* 32-bit lengths: their sum cannot overflow 64 bits; payload_bytes is compared on its own. */
    uint64_t strings = (uint64_t)header.isa_bytes + header.options_bytes;
    if (header.payload_bytes == 0 || header.payload_bytes > rest_bytes ||
        strings != rest_bytes - header.payload_bytes)
        return wrong_length;
    uint64_t checksum = header.checksum;
    header.checksum = 0;
    if (checksum !=
        mix_of_version_1(mix_of_version_1(0x57656674u, &header, sizeof header), rest, rest_bytes))
        return wrong_checksum;
    bool executable = header.type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    container->type = header.type;
    container->abi_version = header.start.abi_version;
    container->parts[WEFT_CONTAINER_ISA] = (weft_container_part){rest, header.isa_bytes};
    rest += header.isa_bytes;
    container->parts[WEFT_CONTAINER_OPTIONS] = (weft_container_part){rest, header.options_bytes};
    rest += header.options_bytes;
    container->parts[executable ? WEFT_CONTAINER_IMAGE : WEFT_CONTAINER_IR] =
        (weft_container_part){rest, header.payload_bytes};
    return NULL;
}

static const char *read_version_2(const unsigned char *bytes, size_t size,
                                  weft_container *container) {
    container_header header;
    size_t rest_bytes;
    const unsigned char *rest = take_header(bytes, size, &header, sizeof header, &rest_bytes);
    if (!rest)
        return wrong_length;
    size_t table = (size_t)header.part_count * sizeof(uint64_t);
    if (header.part_count < WEFT_CONTAINER_PARTS || header.part_count > MOST_PARTS ||
        table > rest_bytes)
        return wrong_length;
    uint64_t at = table;
    for (uint32_t i = 0; i < header.part_count; i++) {
        uint64_t part;
        memcpy(&part, rest + i * sizeof part, sizeof part);
        if (part > rest_bytes - at)
            return wrong_length;
        if (i < WEFT_CONTAINER_PARTS)
            container->parts[i] = (weft_container_part){rest + at, part};
        at += part;
    }
    if (at != rest_bytes)
        return wrong_length;
    if (header.checksum != checksum_of(header, rest, rest_bytes))
        return wrong_checksum;
    container->type = header.type;
    container->abi_version = header.start.abi_version;
    memcpy(container->source_hash, header.source_hash, sizeof header.source_hash);
    return NULL;
}

/** What any version must hold. */
static const char *check(const weft_container *container) {
    bool has_ir = container->parts[WEFT_CONTAINER_IR].bytes != 0;
    bool has_image = container->parts[WEFT_CONTAINER_IMAGE].bytes != 0;
    switch (container->type) {
    case CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT:
    case CL_PROGRAM_BINARY_TYPE_LIBRARY:
        if (!has_ir || has_image)
            return "the program binary lacks what its kind needs";
        break;
    case CL_PROGRAM_BINARY_TYPE_EXECUTABLE:
        if (!has_ir && !has_image)
            return "the program binary lacks what its kind needs";
        break;
    default:
        return "the program binary is of an unknown kind";
    }
    for (size_t i = 0; i <= WEFT_CONTAINER_MAKER; i++)
        if (container->parts[i].bytes &&
            memchr(container->parts[i].data, 0, container->parts[i].bytes))
            return "the program binary's strings are damaged";
    return NULL;
}

const char *weft_container_read(const void *bytes, size_t size, weft_container *container) {
    container_start start;
    memset(container, 0, sizeof *container);
    if (size < sizeof start)
        return "the program binary is shorter than its header";
    memcpy(&start, bytes, sizeof start);
    if (memcmp(start.magic, WEFT_CONTAINER_MAGIC, sizeof start.magic) != 0)
        return "not a program binary of Weft";
    const char *fault = start.version == 1   ? read_version_1(bytes, size, container)
                        : start.version == 2 ? read_version_2(bytes, size, container)
                                             : "the program binary was made by a later Weft";
    return fault ? fault : check(container);
}
