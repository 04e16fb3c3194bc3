// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C sources of a given size that no cache has seen, and what their kernels must compute.
#ifndef WEFT_BENCH_SOURCE_H
#define WEFT_BENCH_SOURCE_H

#include "child.h"

enum { SOURCE_ITEMS = 256, SOURCE_GROUP = 64, MAX_KERNELS = 40 };

struct source {
    int kernels;    // 1, 4 (about 150 lines) or 40 (about 1500 lines)
    uint64_t nonce; // in names and constants
    char *text;
};

// Makes the text; source->text is the caller's to free.
struct source make_source(int kernels, uint64_t nonce);
void source_kernel_name(const struct source *source, int index, char name[64]);

// The input that all kernels read.
void source_input(float in[SOURCE_ITEMS]);

// Ends the child if kernel number index did not make out of in what it should.
void check_source(const struct source *source, int index, const float *in, const float *out);

#endif
