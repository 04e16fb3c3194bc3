// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "image_reference.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- formats --------------------------------------------------------------------------------- */

int reference_channels(cl_channel_order order) {
    switch (order) {
    case CL_R:
    case CL_Rx:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH:
        return 1;
    case CL_RG:
    case CL_RGx:
    case CL_RA:
        return 2;
    case CL_RGB:
    case CL_RGBx:
        return 3;
    default:
        return 4;
    }
}

int reference_channel_bytes(cl_channel_type type) {
    switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
        return 1;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
        return 2;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
        return 4;
    default:
        return 0;
    }
}

int reference_pixel_bytes(cl_image_format format) {
    int bytes = reference_channel_bytes(format.image_channel_data_type);
    if (bytes)
        return bytes * reference_channels(format.image_channel_order);
    return format.image_channel_data_type == CL_UNORM_SHORT_565 ||
                   format.image_channel_data_type == CL_UNORM_SHORT_555
               ? 2
               : 4;
}

static double half_value(uint16_t half) {
    int exponent = half >> 10 & 31, mantissa = half & 1023;
    double value = exponent == 31  ? mantissa ? NAN : INFINITY
                   : exponent == 0 ? ldexp(mantissa, -24)
                                   : ldexp(mantissa + 1024, exponent - 25);
    return half >> 15 ? -value : value;
}

static double channel(const unsigned char *at, cl_channel_type type) {
    int8_t i8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    float f32;
    memcpy(&i8, at, 1);
    switch (type) {
    case CL_UNORM_INT8:
        return at[0] / 255.0;
    case CL_SNORM_INT8:
        return fmax(i8 / 127.0, -1);
    case CL_SIGNED_INT8:
        return i8;
    case CL_UNSIGNED_INT8:
        return at[0];
    case CL_UNORM_INT16:
        memcpy(&u16, at, 2);
        return u16 / 65535.0;
    case CL_SNORM_INT16:
        memcpy(&i16, at, 2);
        return fmax(i16 / 32767.0, -1);
    case CL_SIGNED_INT16:
        memcpy(&i16, at, 2);
        return i16;
    case CL_UNSIGNED_INT16:
        memcpy(&u16, at, 2);
        return u16;
    case CL_HALF_FLOAT:
        memcpy(&u16, at, 2);
        return half_value(u16);
    case CL_SIGNED_INT32:
        memcpy(&i32, at, 4);
        return i32;
    case CL_UNSIGNED_INT32:
        memcpy(&u32, at, 4);
        return u32;
    default:
        memcpy(&f32, at, 4);
        return f32;
    }
}

/* Bits of the packed types: width of r, g, b, a from the top. */
static const int *packed_widths(cl_channel_type type) {
    static const int w565[4] = {5, 6, 5, 0}, w555[4] = {5, 5, 5, 0}, w101010[4] = {10, 10, 10, 0},
                     w1010102[4] = {10, 10, 10, 2};
    return type == CL_UNORM_SHORT_565    ? w565
           : type == CL_UNORM_SHORT_555  ? w555
           : type == CL_UNORM_INT_101010 ? w101010
                                         : w1010102;
}

static void decode_packed(const unsigned char *pixel, cl_channel_type type, double stored[4]) {
    const int *width = packed_widths(type);
    int at = width[0] + width[1] + width[2] + width[3];
    uint32_t bits = 0;
    memcpy(&bits, pixel, at > 16 ? 4 : 2);
    for (int i = 0; i < 4; i++) {
        at -= width[i];
        uint32_t most = (1u << width[i]) - 1;
        stored[i] = most ? (double)(bits >> at & most) / most : 0;
    }
}

static double from_srgb(double x) {
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

void reference_decode(const unsigned char *pixel, cl_image_format format, double result[4]) {
    cl_channel_type type = format.image_channel_data_type;
    int bytes = reference_channel_bytes(type);
    double s[4] = {0};
    if (bytes)
        for (int i = 0; i < reference_channels(format.image_channel_order); i++)
            s[i] = channel(pixel + i * bytes, type);
    else
        decode_packed(pixel, type, s);
#define SET(r, g, b, a) memcpy(result, ((double[4]){(r), (g), (b), (a)}), 4 * sizeof(double))
    switch (format.image_channel_order) {
    case CL_A:
        SET(0, 0, 0, s[0]);
        break;
    case CL_INTENSITY:
        SET(s[0], s[0], s[0], s[0]);
        break;
    case CL_LUMINANCE:
        SET(s[0], s[0], s[0], 1);
        break;
    case CL_RG:
    case CL_RGx:
        SET(s[0], s[1], 0, 1);
        break;
    case CL_RA:
        SET(s[0], 0, 0, s[1]);
        break;
    case CL_RGB:
    case CL_RGBx:
        SET(s[0], s[1], s[2], 1);
        break;
    case CL_RGBA:
        SET(s[0], s[1], s[2], s[3]);
        break;
    case CL_sRGBA:
        SET(from_srgb(s[0]), from_srgb(s[1]), from_srgb(s[2]), s[3]);
        break;
    case CL_sBGRA:
        SET(from_srgb(s[2]), from_srgb(s[1]), from_srgb(s[0]), s[3]);
        break;
    case CL_BGRA:
        SET(s[2], s[1], s[0], s[3]);
        break;
    case CL_ARGB:
        SET(s[1], s[2], s[3], s[0]);
        break;
    case CL_ABGR:
        SET(s[3], s[2], s[1], s[0]);
        break;
    default: /* R, Rx, DEPTH */
        SET(s[0], 0, 0, 1);
        break;
    }
}

static double limited(double x, double least, double most) {
    return isnan(x) ? 0 : x < least ? least : x > most ? most : x;
}

static void encode_channel(double x, cl_channel_type type, unsigned char *at) {
    int64_t value;
    float f = (float)x;
    _Float16 half;
    switch (type) {
    case CL_UNORM_INT8:
        value = (int64_t)nearbyint(limited(x, 0, 1) * 255);
        break;
    case CL_SNORM_INT8:
        value = (int64_t)nearbyint(limited(x, -1, 1) * 127);
        break;
    case CL_UNORM_INT16:
        value = (int64_t)nearbyint(limited(x, 0, 1) * 65535);
        break;
    case CL_SNORM_INT16:
        value = (int64_t)nearbyint(limited(x, -1, 1) * 32767);
        break;
    case CL_SIGNED_INT8:
        value = (int64_t)limited(x, -128, 127);
        break;
    case CL_SIGNED_INT16:
        value = (int64_t)limited(x, -32768, 32767);
        break;
    case CL_UNSIGNED_INT8:
        value = (int64_t)limited(x, 0, 255);
        break;
    case CL_UNSIGNED_INT16:
        value = (int64_t)limited(x, 0, 65535);
        break;
    case CL_HALF_FLOAT:
        half = (_Float16)f;
        memcpy(at, &half, 2);
        return;
    case CL_FLOAT:
        memcpy(at, &f, 4);
        return;
    default:
        value = (int64_t)x;
        break;
    }
    memcpy(at, &value, (size_t)reference_channel_bytes(type));
}

void reference_encode(const double c[4], cl_image_format format, unsigned char *pixel) {
    static const char *const names[] = {"rgba"};
    const char *stored = names[0];
    cl_channel_type type = format.image_channel_data_type;
    int bytes = reference_channel_bytes(type);
    switch (format.image_channel_order) {
    case CL_A:
        stored = "a";
        break;
    case CL_RA:
        stored = "ra";
        break;
    case CL_BGRA:
        stored = "bgra";
        break;
    case CL_ARGB:
        stored = "argb";
        break;
    case CL_ABGR:
        stored = "abgr";
        break;
    default:
        break;
    }
    if (!bytes) {
        const int *width = packed_widths(type);
        uint32_t bits = 0;
        for (int i = 0; i < 4; i++)
            bits = bits << width[i] |
                   (uint32_t)nearbyint(limited(c[i], 0, 1) * ((1u << width[i]) - 1));
        memcpy(pixel, &bits, (size_t)reference_pixel_bytes(format));
        return;
    }
    for (int i = 0; i < reference_channels(format.image_channel_order); i++)
        encode_channel(c[strchr("rgba", stored[i]) - "rgba"], type, pixel + i * bytes);
}

void reference_border(cl_image_format format, double result[4]) {
    cl_channel_order order = format.image_channel_order;
    bool opaque = order == CL_R || order == CL_RG || order == CL_RGB || order == CL_LUMINANCE;
    SET(0, 0, 0, opaque ? 1 : 0);
}

/* ---- sampling -------------------------------------------------------------------------------- */

/* Pixel indices on one axis; `weight` is that of i1. For CL_FILTER_NEAREST i0 counts alone. The
 * arithmetic is float's, as the specification's formulas are for the device. */
typedef struct taps {
    int i0, i1;
    double weight;
} taps;

static int bounded(float x, int size) {
    return isnan(x) || x<-2 ? -2 : x>(float) size ? size : (int)x;
}

static int clamp_index(int i, int size) {
    return i < 0 ? 0 : i > size - 1 ? size - 1 : i;
}

static int folded(int i, cl_addressing_mode mode, int size) {
    return mode == CL_ADDRESS_CLAMP ? i : clamp_index(i, size);
}

static taps find_taps(float s, bool normalized, cl_addressing_mode mode, bool linear, int size) {
    bool repeat = normalized && mode == CL_ADDRESS_REPEAT;
    taps t = {0, 0, 0};
    volatile float u = s; /* no contraction */
    if (repeat) {
        u = s - floorf(s);
        u = u * (float)size;
    } else if (normalized && mode == CL_ADDRESS_MIRRORED_REPEAT) {
        u = fabsf(s - 2 * rintf(0.5f * s));
        u = u * (float)size;
    } else if (normalized) {
        u = s * (float)size;
    }
    if (!linear) {
        t.i0 = bounded(floorf(u), size);
        if (repeat && t.i0 > size - 1)
            t.i0 -= size;
        t.i0 = repeat ? clamp_index(t.i0, size) : folded(t.i0, mode, size);
        return t;
    }
    u = u - 0.5f;
    t.i0 = bounded(floorf(u), size);
    t.i1 = t.i0 + 1;
    t.weight = u - floorf(u);
    if (repeat) {
        t.i0 = clamp_index(t.i0 < 0 ? t.i0 + size : t.i0, size);
        t.i1 = clamp_index(t.i1 > size - 1 ? t.i1 - size : t.i1, size);
    } else {
        t.i0 = folded(t.i0, mode, size);
        t.i1 = folded(t.i1, mode, size);
    }
    return t;
}

static void pixel_at(const picture *image, int x, int y, int z, int layer, double result[4]) {
    if (x < 0 || y < 0 || z < 0 || x >= image->width || y >= image->height || z >= image->depth) {
        reference_border(image->format, result);
        return;
    }
    size_t row =
        ((size_t)layer * (size_t)image->depth + (size_t)z) * (size_t)image->height + (size_t)y;
    reference_decode(image->data +
                         (row * (size_t)image->width + (size_t)x) * (size_t)image->pixel_bytes,
                     image->format, result);
}

void reference_read(const picture *image, bool normalized, cl_addressing_mode mode,
                    cl_filter_mode filter, const float coord[3], double result[4]) {
    const int size[3] = {image->width, image->height, image->depth};
    bool linear = filter == CL_FILTER_LINEAR;
    taps t[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    int layer = 0;
    for (int i = 0; i < image->axes; i++)
        t[i] = find_taps(coord[i], normalized, mode, linear, size[i]);
    if (image->array)
        layer = clamp_index(bounded(rintf(coord[image->axes]), image->layers), image->layers);
    SET(0, 0, 0, 0);
    for (int corner = 0; corner < (linear ? 1 << image->axes : 1); corner++) {
        int at[3] = {0, 0, 0};
        double weight = 1, color[4];
        for (int i = 0; i < image->axes; i++) {
            bool second = corner >> i & 1;
            at[i] = second ? t[i].i1 : t[i].i0;
            weight *= !linear ? 1 : second ? t[i].weight : 1 - t[i].weight;
        }
        pixel_at(image, at[0], at[1], at[2], layer, color);
        for (int i = 0; i < 4; i++)
            result[i] += weight * color[i];
    }
}
