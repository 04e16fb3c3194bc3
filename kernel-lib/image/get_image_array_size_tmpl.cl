// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/query.h"

#define WEFT_QUERY(type)                                                                           \
    WEFT_INLINE size_t get_image_array_size(type image) {                                          \
        weft_image_t desc = weft_image(image);                                                     \
        return desc->array_size;                                                                   \
    }
WEFT_ARRAYS(WEFT_QUERY)
#undef WEFT_QUERY
