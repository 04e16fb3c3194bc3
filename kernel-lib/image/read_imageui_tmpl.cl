// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/sample.h"

/* Linear filtering of integers: "the values returned are undefined"; here the nearest pixel. */
#define WEFT_SAMPLED(type, n, axes, array)                                                         \
    WEFT_INLINE uint4 read_imageui(type image, sampler_t sampler, float##n c) {                    \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_find(desc, weft_sampler(sampler), weft_four(c), axes, array);          \
        return WEFT_AS(uint4, weft_read_u(desc, at, axes, array, 0));                              \
    }                                                                                              \
    WEFT_INLINE uint4 read_imageui(type image, sampler_t sampler, int##n c) {                      \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_fold(desc, weft_sampler(sampler), weft_four(c), axes, array);          \
        return WEFT_AS(uint4, weft_read_u(desc, at, axes, array, 0));                              \
    }
#define WEFT_UNSAMPLED(type, n, axes, array)                                                       \
    WEFT_INLINE uint4 read_imageui(type image, int##n c) {                                         \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_fold(desc, 0, weft_four(c), axes, array);                              \
        return WEFT_AS(uint4, weft_read_u(desc, at, axes, array, 0));                              \
    }
WEFT_COLOR_IMAGES(WEFT_SAMPLED, read_only)
WEFT_COLOR_IMAGES(WEFT_UNSAMPLED, read_only)
WEFT_COLOR_IMAGES(WEFT_UNSAMPLED, read_write)
WEFT_BUFFER_IMAGES(WEFT_UNSAMPLED, read_only)
WEFT_BUFFER_IMAGES(WEFT_UNSAMPLED, read_write)
#undef WEFT_SAMPLED
#undef WEFT_UNSAMPLED
