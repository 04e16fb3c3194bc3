// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image/query.h"

#define WEFT_QUERY(type)                                                                           \
    WEFT_INLINE int get_image_channel_data_type(type image) {                                      \
        weft_image_t desc = weft_image(image);                                                     \
        return (int)desc->channel_type;                                                            \
    }
WEFT_ALL_IMAGES(WEFT_QUERY)
#undef WEFT_QUERY
