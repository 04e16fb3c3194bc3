// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Pixels and filtering as the specification describes them, written for clarity. */
#ifndef WEFT_TEST_IMAGE_REFERENCE_H
#define WEFT_TEST_IMAGE_REFERENCE_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdbool.h>

/** A plain image; arrays have their images in `layers`, 3D images their slices in `depth`. */
typedef struct picture {
    cl_image_format format;
    int axes; /* 1, 2, 3: without an array's number */
    bool array;
    int width, height, depth, layers;
    int pixel_bytes;
    unsigned char *data; /* without gaps */
} picture;

/** Channels stored per pixel, bytes of one; 0: packed in a whole. */
int reference_channels(cl_channel_order order);
int reference_channel_bytes(cl_channel_type type);
int reference_pixel_bytes(cl_image_format format);

/** A pixel as four numbers: floats or integers, as the format has it. */
void reference_decode(const unsigned char *pixel, cl_image_format format, double result[4]);
/** The bytes of a pixel for a colour. */
void reference_encode(const double color[4], cl_image_format format, unsigned char *pixel);
void reference_border(cl_image_format format, double result[4]);

/** read_imagef, read_imagei, read_imageui. */
void reference_read(const picture *image, bool normalized, cl_addressing_mode mode,
                    cl_filter_mode filter, const float coord[3], double result[4]);

#endif
