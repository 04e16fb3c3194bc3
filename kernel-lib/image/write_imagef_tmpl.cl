// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/sample.h"

#define WEFT_WRITE(type, n, axes, array)                                                           \
    WEFT_INLINE void write_imagef(type image, int##n c, float4 color) {                            \
        weft_image_t desc = weft_image(image);                                                     \
        int4 at = weft_four(c);                                                                    \
        if (weft_writable(desc, at, axes, array))                                                  \
            weft_put_f(desc, weft_target(desc, at, axes, array), at.x, color);                     \
    }
WEFT_COLOR_IMAGES(WEFT_WRITE, write_only)
WEFT_COLOR_IMAGES(WEFT_WRITE, read_write)
WEFT_BUFFER_IMAGES(WEFT_WRITE, write_only)
WEFT_BUFFER_IMAGES(WEFT_WRITE, read_write)
#undef WEFT_WRITE

#define WEFT_WRITE(type, n, axes, array)                                                           \
    WEFT_INLINE void write_imagef(type image, int##n c, float depth) {                             \
        weft_image_t desc = weft_image(image);                                                     \
        int4 at = weft_four(c);                                                                    \
        if (weft_writable(desc, at, axes, array))                                                  \
            weft_put_f(desc, weft_target(desc, at, axes, array), at.x, (float4)(depth, 0, 0, 1));  \
    }
WEFT_DEPTH_IMAGES(WEFT_WRITE, write_only)
WEFT_DEPTH_IMAGES(WEFT_WRITE, read_write)
#undef WEFT_WRITE
