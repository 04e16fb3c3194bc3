/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/** What no kernel and no image is larger than: the compiler refuses it with a sentence for the
 * build log, and the loader takes a larger number for damage. */
#ifndef WEFT_LIMITS_H
#define WEFT_LIMITS_H

#include <stdint.h>

/** Memory of one kind that a kernel needs: sums of these numbers, each a few thousand times, fit in
 *  64 bits. */
#define WEFT_MAX_KERNEL_BYTES ((uint64_t)1 << 40)

/** Work-items of one run. */
#define WEFT_MAX_LANES 64u

/** An argument block. */
#define WEFT_MAX_ARGS_BYTES (1u << 20)

/** An image: addresses inside it stay within the small code model. */
#define WEFT_MAX_IMAGE_BYTES ((uint64_t)1 << 30)

#endif
