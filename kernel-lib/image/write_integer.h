// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/sample.h"

/* Writes of integer pixels, for both signs; the template defines what read_integer.h names. */
#define WEFT_WRITE(type, n, axes, array)                                                           \
    WEFT_INLINE void WEFT_NAME(type image, int##n c, WEFT_PIXEL color) {                           \
        weft_image_t desc = weft_image(image);                                                     \
        int4 at = weft_four(c);                                                                    \
        if (weft_writable(desc, at, axes, array))                                                  \
            weft_put_u(desc, weft_target(desc, at, axes, array), at.x, WEFT_AS(uint4, color),      \
                       WEFT_IS_SIGNED);                                                            \
    }
WEFT_COLOR_IMAGES(WEFT_WRITE, write_only)
WEFT_COLOR_IMAGES(WEFT_WRITE, read_write)
WEFT_BUFFER_IMAGES(WEFT_WRITE, write_only)
WEFT_BUFFER_IMAGES(WEFT_WRITE, read_write)
#undef WEFT_WRITE
#undef WEFT_NAME
#undef WEFT_PIXEL
#undef WEFT_IS_SIGNED
