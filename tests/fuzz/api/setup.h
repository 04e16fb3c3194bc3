// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What is asked of the device once, and the texts and binaries of programs (setup.c). */
#ifndef WEFT_FUZZ_SETUP_H
#define WEFT_FUZZ_SETUP_H

#include "api.h"

enum { MOST_FORMATS = 128, IMAGE_TYPES = 6, MOST_KERNELS = 6 };

extern size_t base_align;   /* bytes */
extern cl_uint pitch_align; /* pixels */

/** The formats that images of this type may have, whatever the flags. */
typedef struct formats {
    cl_image_format list[MOST_FORMATS];
    cl_uint count;
} formats;
const formats *formats_of(cl_mem_object_type type);
size_t element_bytes(cl_image_format format);

typedef struct source {
    const char *text, *options;
    bool builds;   /* if it needs a header: with that */
    bool includes; /* "header.h", which must be source HEADER_SOURCE */
    unsigned kernel_count;
    kernel_text kernels[MOST_KERNELS];
} source;
enum { HEADER_SOURCE = 4 };
extern const source sources[];
extern const unsigned source_count;

/** A program binary for device `index`, of the first source. */
typedef struct binary {
    unsigned char *bytes;
    size_t size;
} binary;
extern binary binaries[2];
/** A copy of binaries[device % 2] whose checksum is right and some of whose numbers are not; its
 * code only returns. To be freed. */
unsigned char *draw_wild_binary(world *w, unsigned device);

extern const void *il_module;
extern size_t il_bytes;

#endif
