// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Our own image loader: maps what the compiler's image.cc (or a damaged file) gives.
 *
 * Not dlopen: glibc matches by path, so a second image from a reused descriptor silently gives the
 * first one; it needs /proc and takes the dynamic loader's lock.
 */
#ifndef WEFT_LOADER_H
#define WEFT_LOADER_H

#include "isa.h"
#include "weft/device.h"

/**
 * Checks, maps (writable, then executable) and relocates an image; one holder. Every offset, size,
 * string and address of the file is checked before it is used. On failure *image is NULL,
 * *error_text a static sentence, and the result CL_INVALID_BINARY, or CL_OUT_OF_HOST_MEMORY where
 * memory or executable mappings are refused: of anonymous memory, of a file in memory and of files
 * in `folder` ("": none) and /tmp. `bytes` is not needed afterwards. Thread-safe.
 */
int32_t weft_loader_load(const weft_isa *isa, const char *folder, const void *bytes, size_t size,
                         weft_image **image, const char **error_text);
/** Registers the image with gdb until it is released (gdb.h). `bytes`: what was loaded. Before
 *  anyone else knows of the image. */
void weft_loader_show_gdb(weft_image *image, const void *bytes, size_t size, const char *sources);
void weft_loader_retain(weft_image *image);
/** The last holder unmaps. Accepts NULL. */
void weft_loader_release(weft_image *image);

const weft_image_info *weft_loader_info(const weft_image *image);
const weft_kernel_code *weft_loader_kernel(const weft_image *image, uint32_t index);
/** The kernel of that name; NULL: there is none, or no image. */
const weft_kernel_code *weft_loader_find(const weft_image *image, const char *name);
const void *weft_loader_data(const weft_image *image);
uint64_t weft_loader_base(const weft_image *image);

#endif
