// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The reference executor: kernels compiled as plain C functions by Clang, each work-item a fiber of
 * its own, a barrier a switch to the next item. Slow, and nothing in it can be wrong about
 * barriers.
 */
#ifndef WEFT_TESTS_REFERENCE_H
#define WEFT_TESTS_REFERENCE_H

#include <stdint.h>

typedef void reference_kernel(int *out, const int *in, int *scratch, int n);

typedef struct reference_launch {
    uint32_t work_dim;
    uint64_t global_size[3], global_offset[3], local_size[3]; /* unused dimensions: 1, 0, 1 */
} reference_launch;

/** `scratch` holds what one group needs. One call at a time. */
void reference_run(reference_kernel *kernel, const reference_launch *launch, int *out,
                   const int *in, int *scratch, int n);

#endif
