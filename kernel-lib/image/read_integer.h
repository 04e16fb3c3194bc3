// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/sample.h"

/*
 * Reads of integer pixels, for both signs: the template defines WEFT_NAME, the function,
 * WEFT_PIXEL, what it returns, and WEFT_IS_SIGNED.
 */
/* Linear filtering of integers: "the values returned are undefined"; here the nearest pixel. */
#define WEFT_SAMPLED(type, n, axes, array)                                                         \
    WEFT_INLINE WEFT_PIXEL WEFT_NAME(type image, sampler_t sampler, float##n c) {                  \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_find(desc, weft_sampler(sampler), weft_four(c), axes, array);          \
        return WEFT_AS(WEFT_PIXEL, weft_read_u(desc, at, axes, array, WEFT_IS_SIGNED));            \
    }                                                                                              \
    WEFT_INLINE WEFT_PIXEL WEFT_NAME(type image, sampler_t sampler, int##n c) {                    \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_fold(desc, weft_sampler(sampler), weft_four(c), axes, array);          \
        return WEFT_AS(WEFT_PIXEL, weft_read_u(desc, at, axes, array, WEFT_IS_SIGNED));            \
    }
#define WEFT_UNSAMPLED(type, n, axes, array)                                                       \
    WEFT_INLINE WEFT_PIXEL WEFT_NAME(type image, int##n c) {                                       \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_fold(desc, 0, weft_four(c), axes, array);                              \
        return WEFT_AS(WEFT_PIXEL, weft_read_u(desc, at, axes, array, WEFT_IS_SIGNED));            \
    }
WEFT_COLOR_IMAGES(WEFT_SAMPLED, read_only)
WEFT_COLOR_IMAGES(WEFT_UNSAMPLED, read_only)
WEFT_COLOR_IMAGES(WEFT_UNSAMPLED, read_write)
WEFT_BUFFER_IMAGES(WEFT_UNSAMPLED, read_only)
WEFT_BUFFER_IMAGES(WEFT_UNSAMPLED, read_write)
#undef WEFT_SAMPLED
#undef WEFT_UNSAMPLED
#undef WEFT_NAME
#undef WEFT_PIXEL
#undef WEFT_IS_SIGNED
