// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/sample.h"

#define WEFT_SAMPLED(type, n, axes, array)                                                         \
    WEFT_INLINE float4 read_imagef(type image, sampler_t sampler, float##n c) {                    \
        return weft_sample_f(weft_image(image), weft_sampler(sampler), weft_four(c), axes, array); \
    }                                                                                              \
    WEFT_INLINE float4 read_imagef(type image, sampler_t sampler, int##n c) {                      \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_fold(desc, weft_sampler(sampler), weft_four(c), axes, array);          \
        return weft_read_f(desc, at, axes, array);                                                 \
    }
#define WEFT_UNSAMPLED(type, n, axes, array)                                                       \
    WEFT_INLINE float4 read_imagef(type image, int##n c) {                                         \
        weft_image_t desc = weft_image(image);                                                     \
        return weft_read_f(desc, weft_fold(desc, 0, weft_four(c), axes, array), axes, array);      \
    }
WEFT_COLOR_IMAGES(WEFT_SAMPLED, read_only)
WEFT_COLOR_IMAGES(WEFT_UNSAMPLED, read_only)
WEFT_COLOR_IMAGES(WEFT_UNSAMPLED, read_write)
WEFT_BUFFER_IMAGES(WEFT_UNSAMPLED, read_only)
WEFT_BUFFER_IMAGES(WEFT_UNSAMPLED, read_write)
#undef WEFT_SAMPLED
#undef WEFT_UNSAMPLED

#define WEFT_SAMPLED(type, n, axes, array)                                                         \
    WEFT_INLINE float read_imagef(type image, sampler_t sampler, float##n c) {                     \
        return weft_sample_f(weft_image(image), weft_sampler(sampler), weft_four(c), axes, array)  \
            .x;                                                                                    \
    }                                                                                              \
    WEFT_INLINE float read_imagef(type image, sampler_t sampler, int##n c) {                       \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_fold(desc, weft_sampler(sampler), weft_four(c), axes, array);          \
        return weft_read_f(desc, at, axes, array).x;                                               \
    }
#define WEFT_UNSAMPLED(type, n, axes, array)                                                       \
    WEFT_INLINE float read_imagef(type image, int##n c) {                                          \
        weft_image_t desc = weft_image(image);                                                     \
        return weft_read_f(desc, weft_fold(desc, 0, weft_four(c), axes, array), axes, array).x;    \
    }
WEFT_DEPTH_IMAGES(WEFT_SAMPLED, read_only)
WEFT_DEPTH_IMAGES(WEFT_UNSAMPLED, read_only)
WEFT_DEPTH_IMAGES(WEFT_UNSAMPLED, read_write)
#undef WEFT_SAMPLED
#undef WEFT_UNSAMPLED
