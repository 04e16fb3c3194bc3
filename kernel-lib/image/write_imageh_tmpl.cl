// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* cl_khr_fp16: every half is a float. There is none of depth images. */
#include "image/sample.h"

#define WEFT_WRITE(type, n, axes, array)                                                           \
    WEFT_INLINE void write_imageh(type image, int##n c, half4 color) {                             \
        weft_image_t desc = weft_image(image);                                                     \
        int4 at = weft_four(c);                                                                    \
        if (weft_writable(desc, at, axes, array))                                                  \
            weft_put_f(desc, weft_target(desc, at, axes, array), at.x,                             \
                       __builtin_convertvector(color, float4));                                    \
    }
WEFT_COLOR_IMAGES(WEFT_WRITE, write_only)
WEFT_COLOR_IMAGES(WEFT_WRITE, read_write)
WEFT_BUFFER_IMAGES(WEFT_WRITE, write_only)
WEFT_BUFFER_IMAGES(WEFT_WRITE, read_write)
#undef WEFT_WRITE
