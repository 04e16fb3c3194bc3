// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Program binaries (compiler/shared/container.h) and builds. */
#ifndef WEFT_BINARY_H
#define WEFT_BINARY_H

#include "runtime/program.h"

/** Bytes of the container of a finished build; 0: there is no binary. */
size_t weft_binary_size(const weft_build *build);
/** Writes weft_binary_size(build) bytes. */
void weft_binary_write(const weft_build *build, unsigned char *to);

/**
 * Reads a container into a cleared build: type, options, ir and code (with image loaded). An
 * executable whose image this machine or this version cannot run has its ir only (image NULL) and
 * is compiled from it by clBuildProgram. CL_SUCCESS; CL_INVALID_BINARY for anything damaged or
 * foreign, and for an image that does not run here and comes without IR, with a sentence in
 * *reason; CL_OUT_OF_HOST_MEMORY. On failure the build is clear.
 */
cl_int weft_binary_read(weft_build *build, const unsigned char *bytes, size_t size,
                        const char **reason);

#endif
