// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/query.h"

#define WEFT_QUERY(type)                                                                           \
    WEFT_INLINE int get_image_height(type image) {                                                 \
        weft_image_t desc = weft_image(image);                                                     \
        return (int)desc->height;                                                                  \
    }
WEFT_HAVE_HEIGHT(WEFT_QUERY)
#undef WEFT_QUERY
