// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* cl_khr_fp16: read_imagef, rounded to half at the end. There is none of depth images. */
#include "image/sample.h"

#define WEFT_SAMPLED(type, n, axes, array)                                                         \
    WEFT_INLINE half4 read_imageh(type image, sampler_t sampler, float##n c) {                     \
        return __builtin_convertvector(                                                            \
            weft_sample_f(weft_image(image), weft_sampler(sampler), weft_four(c), axes, array),    \
            half4);                                                                                \
    }                                                                                              \
    WEFT_INLINE half4 read_imageh(type image, sampler_t sampler, int##n c) {                       \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_fold(desc, weft_sampler(sampler), weft_four(c), axes, array);          \
        return __builtin_convertvector(weft_read_f(desc, at, axes, array), half4);                 \
    }
#define WEFT_UNSAMPLED(type, n, axes, array)                                                       \
    WEFT_INLINE half4 read_imageh(type image, int##n c) {                                          \
        weft_image_t desc = weft_image(image);                                                     \
        weft_spot at = weft_fold(desc, 0, weft_four(c), axes, array);                              \
        return __builtin_convertvector(weft_read_f(desc, at, axes, array), half4);                 \
    }
WEFT_COLOR_IMAGES(WEFT_SAMPLED, read_only)
WEFT_COLOR_IMAGES(WEFT_UNSAMPLED, read_only)
WEFT_COLOR_IMAGES(WEFT_UNSAMPLED, read_write)
WEFT_BUFFER_IMAGES(WEFT_UNSAMPLED, read_only)
WEFT_BUFFER_IMAGES(WEFT_UNSAMPLED, read_write)
#undef WEFT_SAMPLED
#undef WEFT_UNSAMPLED
