// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Images as kernels use them. An image is the address of its weft_image_desc, the same for all
 * work-items of a launch: branches on its fields are uniform, and its loads are marked invariant by
 * build/pack.cc. A sampler is a value (WEFT_SAMPLER_*): the branches on a literal fold away.
 *
 * What is common is inlined into kernels before they are vectorised: pixels of the formats in
 * weft_texel_*, read without filtering. The rest are functions of their own (WEFT_SLOW).
 */
#ifndef WEFT_IMAGE_H
#define WEFT_IMAGE_H

#include "image/srgb.h"

#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#pragma OPENCL EXTENSION cl_khr_depth_images : enable

/** weft_image_desc of include/weft/abi.h, member by member; tests/kernels would notice. */
typedef struct weft_desc {
    ulong data;
    uint object_type, channel_order, channel_type, element_bytes;
    uint width, height, depth, array_size;
    ulong row_pitch, slice_pitch;
    uint mip_levels, samples, texel, read_map, write_map, reserved0;
    ulong reserved[2];
} weft_desc;
_Static_assert(sizeof(weft_desc) == 96, "as in abi.h");

typedef __constant const weft_desc *weft_image_t;

enum {
    UNORM8,
    UNORM16,
    SNORM8,
    SNORM16,
    S8,
    S16,
    S32,
    U8,
    U16,
    U32,
    HALF,
    FLOAT,
    SRGB8,
    P565,
    P555,
    P101010,
    P1010102
};
#define TEXEL(component, channels) ((component) | (channels) << 8)
#define OPAQUE_BORDER              (1u << 16)

enum { NONE, CLAMP_TO_EDGE, CLAMP, REPEAT, MIRRORED_REPEAT };

/** A function of its own: what is inlined should be small. */
#define WEFT_SLOW static __attribute__((noinline, overloadable))

/** The library's overloads: inlined wherever they are called. */
#define WEFT_INLINE __attribute__((overloadable, always_inline))

/** Of images, nearly all have a format that is inlined, and one as likely as another: by this share
 *  of those that come to it a question is answered with yes. What bodies of a kernel cost is
 *  estimated by it; where each way would count alike, the functions for all other formats, which
 *  the vectoriser calls lane by lane, would seem to be most of what a read is. */
#define WEFT_OFTEN(condition, share) __builtin_expect_with_probability(condition, 1, share)

/** build/pack.cc puts the argument in place of a call of these. */
uint WEFT_FN weft_sampler(sampler_t);
#define WEFT_DECLARE_IMAGE(access)                                                                 \
    weft_image_t WEFT_FN weft_image(access image1d_t);                                             \
    weft_image_t WEFT_FN weft_image(access image1d_buffer_t);                                      \
    weft_image_t WEFT_FN weft_image(access image1d_array_t);                                       \
    weft_image_t WEFT_FN weft_image(access image2d_t);                                             \
    weft_image_t WEFT_FN weft_image(access image2d_array_t);                                       \
    weft_image_t WEFT_FN weft_image(access image2d_depth_t);                                       \
    weft_image_t WEFT_FN weft_image(access image2d_array_depth_t);                                 \
    weft_image_t WEFT_FN weft_image(access image3d_t);
WEFT_DECLARE_IMAGE(read_only)
WEFT_DECLARE_IMAGE(write_only)
WEFT_DECLARE_IMAGE(read_write)

/** Pixels are aligned to their channels only. */
typedef uint weft_word __attribute__((aligned(1))); /* four bytes */
typedef ushort weft_short_word __attribute__((aligned(1)));
typedef uint weft_words2 __attribute__((ext_vector_type(2), aligned(1)));
typedef uint weft_words4 __attribute__((ext_vector_type(4), aligned(4)));
typedef float weft_floats4 __attribute__((ext_vector_type(4), aligned(4)));

typedef __global uchar *weft_pixel;
#define AS_PIXEL(type, pixel) (*(__global type *)(pixel))

/* ---- places ---------------------------------------------------------------------------------- */

/** What the last coordinate of an image counts: nothing, or the images of an array. */
enum { SINGLE, ARRAY };

WEFT_HELPER int weft_layers(weft_image_t image, int axes, int array) {
    return array ? (int)image->array_size : axes == 3 ? (int)image->depth : 1;
}

/** Address of a row's first pixel: 32-bit factors where they suffice. A pixel's place in its row is
 *  left to who knows the format, so that its size is a constant. */
WEFT_HELPER weft_pixel weft_row(weft_image_t image, int axes, int array, int y, int z) {
    ulong at = image->data;
    if (axes >= 2)
        at += (ulong)(uint)y * (uint)image->row_pitch;
    if (axes == 3 || array)
        at += (ulong)(uint)z * image->slice_pitch;
    return (weft_pixel)at;
}

/** Pixel x of a row of pixels of `bytes` bytes. */
WEFT_HELPER weft_pixel weft_at(weft_pixel row, int x, uint bytes) {
    return row + (ulong)(uint)x * bytes;
}

WEFT_HELPER int weft_clamp(int value, int size) {
    value = value < size - 1 ? value : size - 1;
    return value > 0 ? value : 0;
}

WEFT_HELPER bool weft_outside(int value, int size) {
    return (uint)value >= (uint)size;
}

/** "layer = clamp(rint(w), 0, number of layers - 1)" */
WEFT_HELPER int weft_layer(float w, int layers) {
    float most = (float)(layers - 1);
    w = __builtin_elementwise_rint(w);
    w = w > 0 ? w : 0; /* so is NaN */
    return (int)(w < most ? w : most);
}

/** floor(u) in [-1, size]: what lies outside is outside by one, and so is NaN. */
WEFT_HELPER int weft_floor(float u, int size) {
    u = __builtin_elementwise_floor(u);
    u = u > -1.0f ? u : -1.0f;
    return (int)(u < (float)size ? u : (float)size);
}

WEFT_HELPER uint weft_mode(uint sampler) {
    return sampler >> 4 & 7;
}

/** From a coordinate as the kernel gives it to pixels, folded into the image where the addressing
 *  mode says so (OpenCL C 2.0, 6.13.14.2 and 8.2). */
WEFT_HELPER float weft_to_pixels(float s, uint sampler, int size) {
    if (!(sampler & 1))
        return s;
    if (weft_mode(sampler) == REPEAT)
        return (s - __builtin_elementwise_floor(s)) * size;
    if (weft_mode(sampler) == MIRRORED_REPEAT)
        return __builtin_elementwise_abs(s - 2.0f * __builtin_elementwise_rint(0.5f * s)) * size;
    return s * size;
}

/** Index of the nearest pixel; -1 or size: the border, with CLAMP only. */
WEFT_HELPER int weft_nearest(float s, uint sampler, int size) {
    int i = weft_floor(weft_to_pixels(s, sampler, size), size);
    if ((sampler & 1) && weft_mode(sampler) == REPEAT)
        return i >= size ? i - size : i < 0 ? 0 : i; /* "if (i > w_t - 1) i = i - w_t" */
    return weft_mode(sampler) == CLAMP ? i : weft_clamp(i, size);
}

/** The two pixels of an axis and the weight of the second. */
typedef struct weft_pair {
    int i0, i1;
    float a;
} weft_pair;

WEFT_HELPER weft_pair weft_neighbours(float s, uint sampler, int size) {
    float u = weft_to_pixels(s, sampler, size) - 0.5f;
    float lower = __builtin_elementwise_floor(u);
    weft_pair pair;
    pair.a = u - lower; /* "frac(x) = x - floor(x)" */
    /* Not weft_floor: far away both are outside; -2 is as good as -1 000 000. */
    lower = lower > -2.0f ? lower : -2.0f;
    pair.i0 = (int)(lower < (float)size ? lower : (float)size);
    pair.i1 = pair.i0 + 1;
    if ((sampler & 1) && weft_mode(sampler) == REPEAT) {
        pair.i0 = pair.i0 < 0 ? pair.i0 + size : pair.i0;
        pair.i1 = pair.i1 > size - 1 ? pair.i1 - size : pair.i1;
        /* a coordinate that was not finite */
        pair.i0 = weft_clamp(pair.i0, size);
        pair.i1 = weft_clamp(pair.i1, size);
    } else if (weft_mode(sampler) != CLAMP) {
        pair.i0 = weft_clamp(pair.i0, size);
        pair.i1 = weft_clamp(pair.i1, size);
    }
    return pair;
}

/* ---- the border ------------------------------------------------------------------------------ */

WEFT_HELPER float4 weft_border_f(weft_image_t image) {
    return (float4)(0, 0, 0, image->read_map & OPAQUE_BORDER ? 1 : 0);
}

WEFT_HELPER uint4 weft_border_u(weft_image_t image) {
    return (uint4)(0, 0, 0, image->read_map & OPAQUE_BORDER ? 1 : 0);
}

#include "image/texel.h"

#endif
