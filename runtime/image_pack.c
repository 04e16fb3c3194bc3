// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * A colour as a pixel, for clEnqueueFillImage. All in integers: the thread is the application's,
 * and so are its rounding mode, its denormals and its unmasked exceptions.
 */

#include "runtime/image_format.h"
#include "runtime/srgb.h"

#include <string.h>

/* A colour's component as it was given: bits of a float, an int or a uint. */
typedef uint32_t bits;

/* |x| * scale for a finite float x, rounded to the nearest even integer; at most `scale`. */
static uint32_t scaled(bits x, uint32_t scale) {
    int exponent = (int)(x >> 23 & 0xff) - 150; /* x = mantissa * 2^exponent */
    uint64_t mantissa = (x & 0x7fffff) | 0x800000, half, rest, product;

    if ((x & 0x7fffffff) >= 0x3f800000) /* 1 and more, infinity */
        return scale;
    if (exponent < -64 + 1)
        return 0; /* below 2^-39, times at most 2^16 */
    product = mantissa * scale;
    rest = product & (((uint64_t)1 << -exponent) - 1);
    half = (uint64_t)1 << (-exponent - 1);
    product >>= -exponent;
    return (uint32_t)(product + (rest > half || (rest == half && product & 1)));
}

static bool is_nan(bits x) {
    return (x & 0x7fffffff) > 0x7f800000;
}

static uint32_t unorm(bits x, uint32_t most) {
    return x >> 31 || is_nan(x) ? 0 : scaled(x, most);
}

static uint32_t snorm(bits x, uint32_t most) {
    uint32_t value = is_nan(x) ? 0 : scaled(x, most);

    return x >> 31 ? 0u - value : value;
}

/* Shifts right, rounding to the nearest even. */
static uint32_t round_shift(uint32_t value, unsigned shift) {
    uint32_t rest = value & ((1u << shift) - 1), half = 1u << (shift - 1);

    value >>= shift;
    return value + (rest > half || (rest == half && value & 1));
}

static uint32_t half_float(bits x) {
    uint32_t sign = x >> 16 & 0x8000, magnitude = x & 0x7fffffff;

    if (magnitude > 0x7f800000)
        return sign | 0x7e00 | (x >> 13 & 0x1ff);
    if (magnitude >= 0x477ff000) /* 65520: rounds to infinity */
        return sign | 0x7c00;
    if (magnitude >= 0x38800000) /* 2^-14: normal */
        return sign | round_shift(magnitude - 0x38000000, 13);
    if (magnitude < 0x33000000) /* below 2^-25 */
        return sign;
    return sign | round_shift((magnitude & 0x7fffff) | 0x800000, 126 - (magnitude >> 23));
}

/* Positive floats compare as their bits do. */
static uint32_t srgb(bits x) {
    uint32_t code = 0;

    if (x >> 31 || is_nan(x))
        return 0;
    for (uint32_t step = 128; step; step /= 2)
        if (x >= weft_srgb_least[code + step])
            code += step;
    return code;
}

static uint32_t clamp_signed(bits x, int32_t most) {
    int32_t value = (int32_t)x;

    return (uint32_t)(value > most ? most : value < -most - 1 ? -most - 1 : value);
}

static uint32_t clamp_unsigned(bits x, uint32_t most) {
    return x > most ? most : x;
}

static uint32_t component(uint32_t kind, bits x, bool is_alpha) {
    switch (kind) {
    case WEFT_COMPONENT_UNORM8:
        return unorm(x, 255);
    case WEFT_COMPONENT_UNORM16:
        return unorm(x, 65535);
    case WEFT_COMPONENT_SNORM8:
        return snorm(x, 127);
    case WEFT_COMPONENT_SNORM16:
        return snorm(x, 32767);
    case WEFT_COMPONENT_S8:
        return clamp_signed(x, 127);
    case WEFT_COMPONENT_S16:
        return clamp_signed(x, 32767);
    case WEFT_COMPONENT_U8:
        return clamp_unsigned(x, 255);
    case WEFT_COMPONENT_U16:
        return clamp_unsigned(x, 65535);
    case WEFT_COMPONENT_HALF:
        return half_float(x);
    case WEFT_COMPONENT_SRGB8:
        return is_alpha ? unorm(x, 255) : srgb(x);
    default: /* 32 bits */
        return x;
    }
}

static bool pack_whole(uint32_t kind, const bits *color, uint32_t *pixel) {
    switch (kind) {
    case WEFT_COMPONENT_565:
        *pixel = unorm(color[0], 31) << 11 | unorm(color[1], 63) << 5 | unorm(color[2], 31);
        return true;
    case WEFT_COMPONENT_555:
        *pixel = unorm(color[0], 31) << 10 | unorm(color[1], 31) << 5 | unorm(color[2], 31);
        return true;
    case WEFT_COMPONENT_101010:
        *pixel = unorm(color[0], 1023) << 20 | unorm(color[1], 1023) << 10 | unorm(color[2], 1023);
        return true;
    case WEFT_COMPONENT_1010102:
        *pixel = unorm(color[0], 1023) << 22 | unorm(color[1], 1023) << 12 |
                 unorm(color[2], 1023) << 2 | unorm(color[3], 3);
        return true;
    default:
        return false;
    }
}

uint32_t weft_format_pack(const weft_image_desc *desc, const void *color, unsigned char pixel[16]) {
    uint32_t kind = WEFT_TEXEL_COMPONENT(desc->texel), channels = WEFT_TEXEL_CHANNELS(desc->texel);
    uint32_t bytes = desc->element_bytes / channels, value;
    bits given[4] = {0};

    /* "For CL_DEPTH the fill color is a single floating-point value" */
    memcpy(given, color, desc->channel_order == CL_DEPTH ? sizeof(bits) : sizeof(given));
    if (pack_whole(kind, given, &value)) {
        memcpy(pixel, &value, desc->element_bytes); /* little endian */
        return desc->element_bytes;
    }
    for (uint32_t i = 0; i < channels; i++) {
        uint32_t from = desc->write_map >> (4 * i) & 3;
        value = component(kind, given[from], from == 3);
        memcpy(pixel + (size_t)i * bytes, &value, bytes);
    }
    return desc->element_bytes;
}
