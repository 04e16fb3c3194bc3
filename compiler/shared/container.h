// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Program binaries: what CL_PROGRAM_BINARIES returns, clCreateProgramWithBinary takes and
 * `weft compile --emit binary` writes. docs/program-binary.md describes the bytes.
 *
 * A container is untrusted: whatever is in it has been checked for length and checksum when
 * weft_container_read succeeds, and for nothing else. The checksum finds damage, not malice; a
 * device checks every byte of an image that it relies on (weft_device_ops.image_load), and bitcode
 * is read only by a child of the compiler process. Thread-safe; nothing here allocates.
 */
#ifndef WEFT_CONTAINER_H
#define WEFT_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_CONTAINER_MAGIC   "WeftBin\n"
#define WEFT_CONTAINER_VERSION 2u

/** In the order in which they lie in the container. */
enum {
    WEFT_CONTAINER_ISA,     /* feature set of the image, as weft_device_caps.isa */
    WEFT_CONTAINER_OPTIONS, /* of the build, compile or link */
    WEFT_CONTAINER_MAKER,   /* who wrote it, for people: "weft 0.1" */
    WEFT_CONTAINER_IR,      /* LLVM bitcode, spir64 form */
    WEFT_CONTAINER_IMAGE,   /* compiled image */
    WEFT_CONTAINER_PARTS
};

typedef struct weft_container_part {
    const void *data; /* of whoever made the struct; texts are not terminated */
    uint64_t bytes;   /* 0: not there */
} weft_container_part;

typedef struct weft_container {
    uint32_t type;           /* CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, _LIBRARY or _EXECUTABLE */
    uint32_t abi_version;    /* WEFT_ABI_VERSION of the image */
    uint64_t source_hash[2]; /* of what it was made from (weft_content_hash); 0, 0: unknown */
    weft_container_part parts[WEFT_CONTAINER_PARTS];
} weft_container;

/** Bytes that weft_container_write writes. */
uint64_t weft_container_size(const weft_container *container);
void weft_container_write(const weft_container *container, unsigned char *to);

/**
 * Takes a container of this or an older version apart; the parts point into `bytes`. NULL, or a
 * sentence (static) that says what is wrong; *container is then undefined. What is read has an IR
 * (object, library) or an IR or image (executable).
 */
const char *weft_container_read(const void *bytes, size_t size, weft_container *container);

/** XXH3-128 over pieces of memory, one behind the other. */
void weft_content_hash(const weft_container_part *pieces, size_t count, uint64_t hash[2]);

#ifdef __cplusplus
}
#endif

#endif
