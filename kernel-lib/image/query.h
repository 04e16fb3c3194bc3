// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Lists of image types for the queries: X(type) for every access qualifier. */
#ifndef WEFT_IMAGE_QUERY_H
#define WEFT_IMAGE_QUERY_H

#define WEFT_EVERY_ACCESS(X, type) X(read_only type) X(write_only type) X(read_write type)
#define WEFT_ARRAYS_OF_PLANES(X)                                                                   \
    WEFT_EVERY_ACCESS(X, image2d_array_t) WEFT_EVERY_ACCESS(X, image2d_array_depth_t)
#define WEFT_PLANES(X)                                                                             \
    WEFT_EVERY_ACCESS(X, image2d_t)                                                                \
    WEFT_EVERY_ACCESS(X, image2d_depth_t) WEFT_ARRAYS_OF_PLANES(X)
#define WEFT_VOLUMES(X)     WEFT_EVERY_ACCESS(X, image3d_t)
#define WEFT_ARRAYS(X)      WEFT_EVERY_ACCESS(X, image1d_array_t) WEFT_ARRAYS_OF_PLANES(X)
#define WEFT_HAVE_HEIGHT(X) WEFT_PLANES(X) WEFT_VOLUMES(X)
#define WEFT_ALL_IMAGES(X)                                                                         \
    WEFT_EVERY_ACCESS(X, image1d_t)                                                                \
    WEFT_EVERY_ACCESS(X, image1d_buffer_t)                                                         \
    WEFT_EVERY_ACCESS(X, image1d_array_t) WEFT_HAVE_HEIGHT(X)

#endif
