// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Program binaries: what CL_PROGRAM_BINARIES returns and clCreateProgramWithBinary takes.
 *
 * A container is a weft_binary_header, then three byte strings without padding or NUL: the feature
 * set that the code needs, the build options, and the payload (LLVM bitcode in spir64 form for
 * compiled objects and libraries, the compiled image for executables). Numbers are little-endian.
 * The checksum finds damage, not malice; a device checks every byte of an image that it relies on
 * (weft_device_ops.image_load), and bitcode is read only by the compiler process.
 */
#ifndef WEFT_BINARY_H
#define WEFT_BINARY_H

#include "runtime/program.h"

#define WEFT_BINARY_MAGIC   "WeftBin\n"
#define WEFT_BINARY_VERSION 1u

typedef struct weft_binary_header {
    char magic[8];
    uint32_t version;     /* WEFT_BINARY_VERSION */
    uint32_t abi_version; /* WEFT_ABI_VERSION */
    uint32_t type;        /* CL_PROGRAM_BINARY_TYPE_* */
    uint32_t isa_bytes;   /* 0 for objects and libraries: bitcode runs everywhere */
    uint32_t options_bytes;
    uint32_t reserved; /* 0 */
    uint64_t payload_bytes;
    uint64_t checksum; /* of the whole container with this member 0 */
} weft_binary_header;

/** Bytes of the container of a finished build; 0: there is no binary. */
size_t weft_binary_size(const weft_build *build);
/** Writes weft_binary_size(build) bytes. */
void weft_binary_write(const weft_build *build, unsigned char *to);

/**
 * Reads a container into a cleared build: type, options and ir or code (with image loaded).
 * CL_SUCCESS; CL_INVALID_BINARY for anything damaged, of another version or for a machine that
 * this is not, with a sentence in *reason; CL_OUT_OF_HOST_MEMORY. On failure the build is clear.
 */
cl_int weft_binary_read(weft_build *build, const unsigned char *bytes, size_t size,
                        const char **reason);

#endif
