// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** weft compile --blame: which stage of the compiler was the first to change what a kernel does. */
#ifndef WEFT_TOOL_BLAME_H
#define WEFT_TOOL_BLAME_H

#include <CL/cl.h>
#include <stdio.h>

/** What a try of a file needs. */
typedef struct blame_input {
    const char *file, *options;
    const char *kernel; /* NULL: all */
} blame_input;

/** How many launches of each kernel are tried, and how long each may take. */
enum { BLAME_LAUNCHES = 6, BLAME_SECONDS = 20 };

/**
 * In a process of its own, under settings of its environment: builds the file, launches its kernels
 * with made-up arguments and writes to `out`, line by line, "kernel launch hash" of all that they
 * have written; "kernel launch" is written before the launch, "kernel ! why" of a kernel that
 * cannot be tried. The exit status.
 */
int blame_run(const blame_input *input, FILE *out);

#endif
