// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/query.h"

#define WEFT_QUERY(type)                                                                           \
    WEFT_INLINE int2 get_image_dim(type image) {                                                   \
        weft_image_t desc = weft_image(image);                                                     \
        return (int2)((int)desc->width, (int)desc->height);                                        \
    }
WEFT_PLANES(WEFT_QUERY)
#undef WEFT_QUERY

#define WEFT_QUERY(type)                                                                           \
    WEFT_INLINE int4 get_image_dim(type image) {                                                   \
        weft_image_t desc = weft_image(image);                                                     \
        return (int4)((int)desc->width, (int)desc->height, (int)desc->depth, 0);                   \
    }
WEFT_VOLUMES(WEFT_QUERY)
#undef WEFT_QUERY
