// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the templates of reads and writes share: lists of image types, fetches, linear filtering.
 */
#ifndef WEFT_IMAGE_SAMPLE_H
#define WEFT_IMAGE_SAMPLE_H

/* ---- coordinates ----------------------------------------------------------------------------- */

/** Coordinates of each width as four. */
WEFT_HELPER int4 weft_four(int c) {
    return (int4)(c, 0, 0, 0);
}
WEFT_HELPER int4 weft_four(int2 c) {
    return (int4)(c.x, c.y, 0, 0);
}
WEFT_HELPER int4 weft_four(int4 c) {
    return c;
}
WEFT_HELPER float4 weft_four(float c) {
    return (float4)(c, 0, 0, 0);
}
WEFT_HELPER float4 weft_four(float2 c) {
    return (float4)(c.x, c.y, 0, 0);
}
WEFT_HELPER float4 weft_four(float4 c) {
    return c;
}

/**
 * X(image type, width of coordinates, axes, SINGLE or ARRAY): the last coordinate of an array is
 * the image's number. Depth images are told apart because their pixels are single floats.
 */
#define WEFT_COLOR_IMAGES(X, access)                                                               \
    X(access image1d_t, , 1, SINGLE)                                                               \
    X(access image1d_array_t, 2, 1, ARRAY)                                                         \
    X(access image2d_t, 2, 2, SINGLE)                                                              \
    X(access image2d_array_t, 4, 2, ARRAY)                                                         \
    X(access image3d_t, 4, 3, SINGLE)
#define WEFT_BUFFER_IMAGES(X, access) X(access image1d_buffer_t, , 1, SINGLE)
#define WEFT_DEPTH_IMAGES(X, access)                                                               \
    X(access image2d_depth_t, 2, 2, SINGLE)                                                        \
    X(access image2d_array_depth_t, 4, 2, ARRAY)

/* ---- one pixel ------------------------------------------------------------------------------- */

/** A pixel by integers; outside of the image: the nearest one, or with CLAMP the border. */
typedef struct weft_spot {
    int x, y, z;
    bool border;
} weft_spot;

WEFT_HELPER weft_spot weft_fold(weft_image_t image, uint sampler, int4 c, int axes, int array) {
    int layer = array ? (axes == 1 ? c.y : c.z) : c.z;
    weft_spot spot = {weft_clamp(c.x, image->width), 0, 0, false};
    spot.border = weft_outside(c.x, image->width);
    if (axes >= 2) {
        spot.y = weft_clamp(c.y, image->height);
        spot.border |= weft_outside(c.y, image->height);
    }
    if (axes == 3 || array)
        spot.z = weft_clamp(layer, weft_layers(image, axes, array));
    if (axes == 3)
        spot.border |= weft_outside(c.z, image->depth);
    spot.border &= weft_mode(sampler) == CLAMP;
    return spot;
}

WEFT_HELPER weft_spot weft_find(weft_image_t image, uint sampler, float4 c, int axes, int array) {
    int4 at = 0;
    at.x = weft_nearest(c.x, sampler, image->width);
    if (axes >= 2)
        at.y = weft_nearest(c.y, sampler, image->height);
    if (axes == 3)
        at.z = weft_nearest(c.z, sampler, image->depth);
    if (array)
        at.z = weft_layer(axes == 1 ? c.y : c.z, image->array_size);
    if (array && axes == 1)
        at.y = at.z;
    return weft_fold(image, sampler, at, axes, array);
}

WEFT_HELPER float4 weft_read_f(weft_image_t image, weft_spot at, int axes, int array) {
    float4 color = weft_texel_f(image, weft_row(image, axes, array, at.y, at.z), at.x);
    return at.border ? weft_border_f(image) : color;
}

WEFT_HELPER uint4 weft_read_u(weft_image_t image, weft_spot at, int axes, int array,
                              int is_signed) {
    uint4 color = weft_texel_u(image, weft_row(image, axes, array, at.y, at.z), at.x, is_signed);
    return at.border ? weft_border_u(image) : color;
}

/* ---- linear filtering ------------------------------------------------------------------------ */

/** T(i, j, k) of section 8.2: the border colour outside. */
WEFT_HELPER float4 weft_tap(weft_image_t image, int x, int y, int z, int axes, int array) {
    int width = image->width, height = image->height;
    bool outside = weft_outside(x, width) || (axes >= 2 && weft_outside(y, height)) ||
                   (axes == 3 && weft_outside(z, image->depth));
    weft_spot at = {weft_clamp(x, width), axes >= 2 ? weft_clamp(y, height) : 0,
                    weft_clamp(z, weft_layers(image, axes, array)), outside};
    return weft_read_f(image, at, axes, array);
}

WEFT_HELPER float4 weft_line(weft_image_t image, weft_pair x, int y, int z, int axes, int array) {
    return (1.0f - x.a) * weft_tap(image, x.i0, y, z, axes, array) +
           x.a * weft_tap(image, x.i1, y, z, axes, array);
}

WEFT_HELPER float4 weft_plane(weft_image_t image, weft_pair x, weft_pair y, int z, int axes,
                              int array) {
    return (1.0f - y.a) * weft_line(image, x, y.i0, z, axes, array) +
           y.a * weft_line(image, x, y.i1, z, axes, array);
}

WEFT_HELPER float4 weft_filter(weft_image_t image, uint sampler, float4 c, int axes, int array) {
    int layer = array ? weft_layer(axes == 1 ? c.y : c.z, image->array_size) : 0;
    weft_pair x = weft_neighbours(c.x, sampler, image->width);
    if (axes == 1)
        return weft_line(image, x, 0, layer, axes, array);
    weft_pair y = weft_neighbours(c.y, sampler, image->height);
    if (axes == 2)
        return weft_plane(image, x, y, layer, axes, array);
    weft_pair z = weft_neighbours(c.z, sampler, image->depth);
    return (1.0f - z.a) * weft_plane(image, x, y, z.i0, axes, array) +
           z.a * weft_plane(image, x, y, z.i1, axes, array);
}

WEFT_HELPER bool weft_any_outside(weft_pair pair, int size) {
    return weft_outside(pair.i0, size) || weft_outside(pair.i1, size);
}

/** weft_plane of pixels that are all in the image. */
WEFT_HELPER float4 weft_inner_plane(weft_image_t image, weft_pair x, weft_pair y, int z, int axes) {
    return weft_any_blend(image, weft_row(image, axes, SINGLE, y.i0, z),
                          weft_row(image, axes, SINGLE, y.i1, z), x.i0, x.i1, x.a, y.a);
}

WEFT_SLOW float4 weft_linear_1(weft_image_t image, uint sampler, float4 c) {
    return weft_filter(image, sampler, c, 1, SINGLE);
}
WEFT_SLOW float4 weft_linear_2(weft_image_t image, uint sampler, float4 c) {
    weft_pair x = weft_neighbours(c.x, sampler, image->width);
    weft_pair y = weft_neighbours(c.y, sampler, image->height);
    if (weft_any_outside(x, image->width) || weft_any_outside(y, image->height))
        return weft_filter(image, sampler, c, 2, SINGLE);
    return weft_inner_plane(image, x, y, 0, 2);
}
WEFT_SLOW float4 weft_linear_3(weft_image_t image, uint sampler, float4 c) {
    weft_pair x = weft_neighbours(c.x, sampler, image->width);
    weft_pair y = weft_neighbours(c.y, sampler, image->height);
    weft_pair z = weft_neighbours(c.z, sampler, image->depth);
    if (weft_any_outside(x, image->width) || weft_any_outside(y, image->height) ||
        weft_any_outside(z, image->depth))
        return weft_filter(image, sampler, c, 3, SINGLE);
    return (1.0f - z.a) * weft_inner_plane(image, x, y, z.i0, 3) +
           z.a * weft_inner_plane(image, x, y, z.i1, 3);
}
WEFT_SLOW float4 weft_linear_1_array(weft_image_t image, uint sampler, float4 c) {
    return weft_filter(image, sampler, c, 1, ARRAY);
}
WEFT_SLOW float4 weft_linear_2_array(weft_image_t image, uint sampler, float4 c) {
    return weft_filter(image, sampler, c, 2, ARRAY);
}

/** Is one of the two pixels of an axis in the border? Folds to false without CLAMP. */
WEFT_HELPER bool weft_at_border(weft_pair pair, uint sampler, int size) {
    return weft_mode(sampler) == CLAMP && weft_any_outside(pair, size);
}

/**
 * The common case, inlined: a 2D image of one of these formats. The formats' branches are uniform,
 * and so each way can be vectorised; only pixels at the border leave it.
 */
WEFT_HELPER float4 weft_bilinear(weft_image_t image, uint sampler, float4 c) {
    uint texel = image->texel;
    int width = image->width, height = image->height;
    weft_pair x = weft_neighbours(c.x, sampler, width);
    weft_pair y = weft_neighbours(c.y, sampler, height);
    bool is_common =
        texel == TEXEL(FLOAT, 1) || weft_is_unorm8x4(texel) || texel == TEXEL(FLOAT, 4);
    if (!WEFT_OFTEN(is_common, 0.97) || weft_at_border(x, sampler, width) ||
        weft_at_border(y, sampler, height))
        return weft_linear_2(image, sampler, c);
    weft_pixel upper = weft_row(image, 2, SINGLE, y.i0, 0);
    weft_pixel lower = weft_row(image, 2, SINGLE, y.i1, 0);
    if (WEFT_OFTEN(texel == TEXEL(FLOAT, 1), 0.33)) {
        float value = weft_blend(AS_PIXEL(float, weft_at(upper, x.i0, 4)),
                                 AS_PIXEL(float, weft_at(upper, x.i1, 4)),
                                 AS_PIXEL(float, weft_at(lower, x.i0, 4)),
                                 AS_PIXEL(float, weft_at(lower, x.i1, 4)), x.a, y.a);
        return (float4)(value, 0, 0, 1);
    }
    if (WEFT_OFTEN(weft_is_unorm8x4(texel), 0.5)) {
        const uint map = image->read_map;
        return weft_blend(weft_unorm8(weft_at(upper, x.i0, 4), map),
                          weft_unorm8(weft_at(upper, x.i1, 4), map),
                          weft_unorm8(weft_at(lower, x.i0, 4), map),
                          weft_unorm8(weft_at(lower, x.i1, 4), map), x.a, y.a);
    }
    return weft_blend(AS_PIXEL(weft_floats4, weft_at(upper, x.i0, 16)),
                      AS_PIXEL(weft_floats4, weft_at(upper, x.i1, 16)),
                      AS_PIXEL(weft_floats4, weft_at(lower, x.i0, 16)),
                      AS_PIXEL(weft_floats4, weft_at(lower, x.i1, 16)), x.a, y.a);
}

WEFT_HELPER float4 weft_linear(weft_image_t image, uint sampler, float4 c, int axes, int array) {
    if (axes == 1)
        return array ? weft_linear_1_array(image, sampler, c) : weft_linear_1(image, sampler, c);
    if (axes == 2)
        return array ? weft_linear_2_array(image, sampler, c) : weft_bilinear(image, sampler, c);
    return weft_linear_3(image, sampler, c);
}

WEFT_HELPER float4 weft_sample_f(weft_image_t image, uint sampler, float4 c, int axes, int array) {
    if (sampler & 2)
        return weft_linear(image, sampler, c, axes, array);
    return weft_read_f(image, weft_find(image, sampler, c, axes, array), axes, array);
}

/* ---- writing --------------------------------------------------------------------------------- */

/** "The behavior ... is undefined if the coordinates are outside": here nothing is written. */
WEFT_HELPER bool weft_writable(weft_image_t image, int4 c, int axes, int array) {
    bool inside = !weft_outside(c.x, image->width);
    if (axes >= 2)
        inside &= !weft_outside(c.y, image->height);
    if (array)
        inside &= !weft_outside(axes == 1 ? c.y : c.z, image->array_size);
    if (axes == 3)
        inside &= !weft_outside(c.z, image->depth);
    return inside;
}

/** The row that holds a pixel. */
WEFT_HELPER weft_pixel weft_target(weft_image_t image, int4 c, int axes, int array) {
    return weft_row(image, axes, array, c.y, array && axes == 1 ? c.y : c.z);
}

#endif
