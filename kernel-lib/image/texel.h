// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Pixels: from memory to four components and back. Included by image.h. */
#ifndef WEFT_IMAGE_TEXEL_H
#define WEFT_IMAGE_TEXEL_H

/* ---- reading --------------------------------------------------------------------------------- */

/** Four bytes as one word: a vector of pixels is one gather and some shifts, not 64 bytes apart. */
WEFT_HELPER uint4 weft_split(weft_pixel pixel) {
    uint word = AS_PIXEL(weft_word, pixel);
    return (uint4)(word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24);
}

WEFT_HELPER void weft_join(weft_pixel pixel, uint4 v) {
    AS_PIXEL(weft_word, pixel) = v.x | v.y << 8 | v.z << 16 | v.w << 24;
}

/** Four bytes in the order of read_map. */
WEFT_HELPER uint4 weft_split_by(weft_pixel pixel, uint map) {
    uint word = AS_PIXEL(weft_word, pixel);
    return (uint4)(word >> ((map & 3) << 3) & 255, word >> ((map >> 4 & 3) << 3) & 255,
                   word >> ((map >> 8 & 3) << 3) & 255, word >> ((map >> 12 & 3) << 3) & 255);
}

/** Products with a rounded reciprocal: within 1 ULP of c / 255, exact for 0 and the largest c;
 *  tests/builtins compares all values. */
WEFT_HELPER float4 weft_unorm8(weft_pixel pixel, uint map) {
    return __builtin_convertvector(WEFT_AS(int4, weft_split_by(pixel, map)), float4) *
           (1.0f / 255.0f);
}

/** RGBA, BGRA, ARGB or ABGR. */
WEFT_HELPER bool weft_is_unorm8x4(uint texel) {
    return (texel & 65535) == TEXEL(UNORM8, 4);
}

/** A pixel's bytes, of which there are 1, 2, 4, 8 or 16: channels that it has not are 0. */
WEFT_HELPER uint4 weft_bytes(weft_pixel pixel, uint count) {
    uint4 words = 0;
    switch (count) {
    case 1:
        words.x = *pixel;
        break;
    case 2:
        words.x = AS_PIXEL(weft_short_word, pixel);
        break;
    case 4:
        words.x = AS_PIXEL(weft_word, pixel);
        break;
    case 8:
        words.xy = AS_PIXEL(weft_words2, pixel);
        break;
    default:
        words = AS_PIXEL(weft_words4, pixel);
        break;
    }
    return words;
}

/** Channels of 8 bits, 16 bits or as they are. */
WEFT_HELPER uint4 weft_split8(uint4 words) {
    return (uint4)(words.x & 255, words.x >> 8 & 255, words.x >> 16 & 255, words.x >> 24);
}

WEFT_HELPER uint4 weft_split16(uint4 words) {
    return (uint4)(words.x & 65535, words.x >> 16, words.y & 65535, words.y >> 16);
}

/** The lower bits with their sign. */
WEFT_HELPER int4 weft_sign(uint4 channels, uint bits) {
    return WEFT_AS(int4, channels << (32 - bits)) >> (int)(32 - bits);
}

WEFT_HELPER float4 weft_quotient(int4 channels, float4 scale) {
    return __builtin_convertvector(channels, float4) / scale;
}

WEFT_HELPER float4 weft_snorm(int4 channels, float4 scale) {
    float4 value = weft_quotient(channels, scale);
    return value > -1.0f ? value : (float4)-1.0f; /* "-128 must convert to -1.0f" */
}

WEFT_HELPER float4 weft_from_unorm8(uint4 words) {
    return weft_quotient(WEFT_AS(int4, weft_split8(words)), 255.0f);
}

WEFT_HELPER float4 weft_from_unorm16(uint4 words) {
    return weft_quotient(WEFT_AS(int4, weft_split16(words)), 65535.0f);
}

WEFT_HELPER float4 weft_from_snorm8(uint4 words) {
    return weft_snorm(weft_sign(weft_split8(words), 8), 127.0f);
}

WEFT_HELPER float4 weft_from_snorm16(uint4 words) {
    return weft_snorm(weft_sign(weft_split16(words), 16), 32767.0f);
}

WEFT_HELPER float4 weft_from_half(uint4 words) {
    ushort4 bits = (ushort4)(words.x, words.x >> 16, words.y, words.y >> 16);
    return __builtin_convertvector(WEFT_AS(half4, bits), float4);
}

WEFT_HELPER float4 weft_from_float(uint4 words) {
    return WEFT_AS(float4, words);
}

WEFT_HELPER float4 weft_from_srgb8(uint4 words) {
    uint4 bytes = weft_split8(words);
    return (float4)(weft_srgb_linear[bytes.x], weft_srgb_linear[bytes.y], weft_srgb_linear[bytes.z],
                    bytes.w / 255.0f);
}

/* Channels that share a word. */

WEFT_HELPER float4 weft_from_565(uint4 words) {
    int4 channels = (int4)(words.x >> 11, words.x >> 5 & 63, words.x & 31, 0);
    return weft_quotient(channels, (float4)(31, 63, 31, 1));
}

WEFT_HELPER float4 weft_from_555(uint4 words) {
    return weft_quotient((int4)(words.x >> 10 & 31, words.x >> 5 & 31, words.x & 31, 0), 31.0f);
}

WEFT_HELPER float4 weft_from_101010(uint4 words) {
    int4 channels = (int4)(words.x >> 20 & 1023, words.x >> 10 & 1023, words.x & 1023, 0);
    return weft_quotient(channels, 1023.0f);
}

WEFT_HELPER float4 weft_from_1010102(uint4 words) {
    int4 channels = (int4)(words.x >> 22, words.x >> 12 & 1023, words.x >> 2 & 1023, words.x & 3);
    return weft_quotient(channels, (float4)(1023, 1023, 1023, 3));
}

/** X(component, how a pixel's bytes become channels); of integers "the values returned are
 *  undefined". */
#define WEFT_CONVERSIONS(X)                                                                        \
    X(UNORM8, weft_from_unorm8)                                                                    \
    X(UNORM16, weft_from_unorm16)                                                                  \
    X(SNORM8, weft_from_snorm8)                                                                    \
    X(SNORM16, weft_from_snorm16)                                                                  \
    X(HALF, weft_from_half)                                                                        \
    X(FLOAT, weft_from_float)                                                                      \
    X(SRGB8, weft_from_srgb8)                                                                      \
    X(P565, weft_from_565)                                                                         \
    X(P555, weft_from_555)                                                                         \
    X(P101010, weft_from_101010)                                                                   \
    X(P1010102, weft_from_1010102)

/** What read_map asks for: channels, 0 or 1. By way of memory, since no branch can be foretold that
 *  is another for each component. */
WEFT_HELPER float4 weft_map_f(float4 channels, uint map) {
    const float from[8] = {channels.x, channels.y, channels.z, channels.w, 0, 1};
    return (float4)(from[map & 7], from[map >> 4 & 7], from[map >> 8 & 7], from[map >> 12 & 7]);
}

WEFT_HELPER uint4 weft_map_u(uint4 channels, uint map) {
    const uint from[8] = {channels.x, channels.y, channels.z, channels.w, 0, 1};
    return (uint4)(from[map & 7], from[map >> 4 & 7], from[map >> 8 & 7], from[map >> 12 & 7]);
}

/** Any format. */
WEFT_SLOW float4 weft_any_texel_f(weft_image_t image, weft_pixel pixel) {
    const uint4 words = weft_bytes(pixel, image->element_bytes);
    float4 channels = 0;
    switch (image->texel & 255) {
#define WEFT_CASE(component, convert)                                                              \
    case component:                                                                                \
        channels = convert(words);                                                                 \
        break;
        WEFT_CONVERSIONS(WEFT_CASE)
#undef WEFT_CASE
    }
    return weft_map_f(channels, image->read_map);
}

WEFT_HELPER float weft_blend(float t00, float t10, float t01, float t11, float a, float b) {
    return (1 - b) * ((1 - a) * t00 + a * t10) + b * ((1 - a) * t01 + a * t11);
}

WEFT_HELPER float4 weft_blend(float4 t00, float4 t10, float4 t01, float4 t11, float a, float b) {
    return (1 - b) * ((1 - a) * t00 + a * t10) + b * ((1 - a) * t01 + a * t11);
}

/** What four pixels of any format come to, whose format is looked at once. */
WEFT_HELPER float4 weft_any_blend(weft_image_t image, weft_pixel upper, weft_pixel lower, int x0,
                                  int x1, float a, float b) {
    const uint bytes = image->element_bytes;
    const uint4 t00 = weft_bytes(weft_at(upper, x0, bytes), bytes);
    const uint4 t10 = weft_bytes(weft_at(upper, x1, bytes), bytes);
    const uint4 t01 = weft_bytes(weft_at(lower, x0, bytes), bytes);
    const uint4 t11 = weft_bytes(weft_at(lower, x1, bytes), bytes);
    float4 channels = 0;
    switch (image->texel & 255) {
#define WEFT_CASE(component, convert)                                                              \
    case component:                                                                                \
        channels = weft_blend(convert(t00), convert(t10), convert(t01), convert(t11), a, b);       \
        break;
        WEFT_CONVERSIONS(WEFT_CASE)
#undef WEFT_CASE
    }
    return weft_map_f(channels, image->read_map);
}

/** Pixel x of a row. */
WEFT_HELPER float4 weft_texel_f(weft_image_t image, weft_pixel row, int x) {
    uint texel = image->texel;
    if (WEFT_OFTEN(weft_is_unorm8x4(texel), 0.25))
        return weft_unorm8(weft_at(row, x, 4), image->read_map);
    if (WEFT_OFTEN(texel == TEXEL(FLOAT, 4), 0.33))
        return AS_PIXEL(weft_floats4, weft_at(row, x, 16));
    if (WEFT_OFTEN(texel == TEXEL(UNORM8, 1), 0.5))
        return (float4)((float)(int)*weft_at(row, x, 1) * (1.0f / 255.0f), 0, 0, 1);
    if (WEFT_OFTEN(texel == TEXEL(FLOAT, 1), 0.97))
        return (float4)(AS_PIXEL(float, weft_at(row, x, 4)), 0, 0, 1);
    return weft_any_texel_f(image, weft_at(row, x, image->element_bytes));
}

WEFT_HELPER uint4 weft_channels_u(uint component, uint4 words) {
    switch (component) {
    case S8:
        return WEFT_AS(uint4, weft_sign(weft_split8(words), 8));
    case S16:
        return WEFT_AS(uint4, weft_sign(weft_split16(words), 16));
    case U8:
        return weft_split8(words);
    case U16:
        return weft_split16(words);
    case S32:
    case U32:
        return words;
    default: /* not integers: "the values returned are undefined" */
        return 0;
    }
}

WEFT_SLOW uint4 weft_any_texel_u(weft_image_t image, weft_pixel pixel) {
    const uint4 words = weft_bytes(pixel, image->element_bytes);
    return weft_map_u(weft_channels_u(image->texel & 255, words), image->read_map);
}

/** Integers of both kinds, as their bits. */
WEFT_HELPER uint4 weft_texel_u(weft_image_t image, weft_pixel row, int x, int is_signed) {
    uint texel = image->texel;
    if (!is_signed && WEFT_OFTEN(texel == TEXEL(U8, 4), 0.25))
        return weft_split(weft_at(row, x, 4));
    if (!is_signed && WEFT_OFTEN(texel == TEXEL(U8, 1), 0.33))
        return (uint4)(*weft_at(row, x, 1), 0, 0, 1);
    if (WEFT_OFTEN(texel == TEXEL(is_signed ? S32 : U32, 4), 0.5))
        return AS_PIXEL(weft_words4, weft_at(row, x, 16));
    if (WEFT_OFTEN(texel == TEXEL(is_signed ? S32 : U32, 1), 0.97))
        return (uint4)(AS_PIXEL(uint, weft_at(row, x, 4)), 0, 0, 1);
    return weft_any_texel_u(image, weft_at(row, x, image->element_bytes));
}

/* ---- writing --------------------------------------------------------------------------------- */

/**
 * round-to-nearest-even of value * scale, clamped to [low, 1] first; NaN gives low or 0. By the
 * bits of a sum with 1.5 * 2^23: no instruction above SSE2, and no conversion that could overflow.
 */
WEFT_HELPER int weft_normal(float value, float low, float scale) {
    value = value == value ? value : 0.0f;
    value = value > low ? value : low;
    value = value < 1.0f ? value : 1.0f;
    return as_int(value * scale + 12582912.0f) - 0x4b400000;
}

WEFT_HELPER int4 weft_normal4(float4 value, float scale) {
    value = value > 0.0f ? value : (float4)0.0f;
    value = value < 1.0f ? value : (float4)1.0f;
    return WEFT_AS(int4, value * scale + 12582912.0f) - 0x4b400000;
}

WEFT_HELPER void weft_put_channel_f(uint component, weft_pixel pixel, uint channel, float value) {
    switch (component) {
    case UNORM8:
        pixel[channel] = (uchar)weft_normal(value, 0, 255.0f);
        break;
    case UNORM16:
        ((__global ushort *)pixel)[channel] = (ushort)weft_normal(value, 0, 65535.0f);
        break;
    case SNORM8:
        ((__global char *)pixel)[channel] = (char)weft_normal(value, -1, 127.0f);
        break;
    case SNORM16:
        ((__global short *)pixel)[channel] = (short)weft_normal(value, -1, 32767.0f);
        break;
    case HALF:
        ((__global half *)pixel)[channel] = (half)value;
        break;
    case FLOAT:
        ((__global float *)pixel)[channel] = value;
        break;
    default:
        break;
    }
}

WEFT_HELPER void weft_put_packed(uint component, weft_pixel pixel, float4 v) {
    uint r, g, b;
    switch (component) {
    case P565:
        r = weft_normal(v.x, 0, 31.0f);
        g = weft_normal(v.y, 0, 63.0f);
        b = weft_normal(v.z, 0, 31.0f);
        *(__global ushort *)pixel = (ushort)(r << 11 | g << 5 | b);
        break;
    case P555:
        r = weft_normal(v.x, 0, 31.0f);
        g = weft_normal(v.y, 0, 31.0f);
        b = weft_normal(v.z, 0, 31.0f);
        *(__global ushort *)pixel = (ushort)(r << 10 | g << 5 | b);
        break;
    default:
        r = weft_normal(v.x, 0, 1023.0f);
        g = weft_normal(v.y, 0, 1023.0f);
        b = weft_normal(v.z, 0, 1023.0f);
        *(__global uint *)pixel =
            component == P101010 ? r << 20 | g << 10 | b
                                 : r << 22 | g << 12 | b << 2 | (uint)weft_normal(v.w, 0, 3.0f);
        break;
    }
}

WEFT_SLOW void weft_put_any_f(weft_image_t image, weft_pixel pixel, float4 v) {
    uint component = image->texel & 255, channels = image->texel >> 8 & 255;
    if (component >= P565) {
        weft_put_packed(component, pixel, v);
        return;
    }
    v = weft_map_f(v, image->write_map);
    weft_put_channel_f(component, pixel, 0, v.x);
    if (channels > 1)
        weft_put_channel_f(component, pixel, 1, v.y);
    if (channels > 2) {
        weft_put_channel_f(component, pixel, 2, v.z);
        weft_put_channel_f(component, pixel, 3, v.w);
    }
}

WEFT_HELPER void weft_put_f(weft_image_t image, weft_pixel row, int x, float4 v) {
    uint texel = image->texel;
    if (WEFT_OFTEN(texel == TEXEL(UNORM8, 4), 0.33))
        weft_join(weft_at(row, x, 4), WEFT_AS(uint4, weft_normal4(v, 255.0f)));
    else if (WEFT_OFTEN(texel == TEXEL(FLOAT, 4), 0.5))
        AS_PIXEL(weft_floats4, weft_at(row, x, 16)) = v;
    else if (WEFT_OFTEN(texel == TEXEL(FLOAT, 1), 0.97))
        AS_PIXEL(float, weft_at(row, x, 4)) = v.x;
    else
        weft_put_any_f(image, weft_at(row, x, image->element_bytes), v);
}

WEFT_HELPER int weft_signed(uint value, int most) {
    int v = (int)value;
    v = v > most ? most : v;
    return v < -most - 1 ? -most - 1 : v;
}

WEFT_HELPER void weft_put_channel_u(uint component, weft_pixel pixel, uint channel, uint value) {
    switch (component) {
    case S8:
        ((__global char *)pixel)[channel] = (char)weft_signed(value, 127);
        break;
    case S16:
        ((__global short *)pixel)[channel] = (short)weft_signed(value, 32767);
        break;
    case U8:
        pixel[channel] = (uchar)(value < 255 ? value : 255);
        break;
    case U16:
        ((__global ushort *)pixel)[channel] = (ushort)(value < 65535 ? value : 65535);
        break;
    case S32:
    case U32:
        ((__global uint *)pixel)[channel] = value;
        break;
    default:
        break;
    }
}

WEFT_SLOW void weft_put_any_u(weft_image_t image, weft_pixel pixel, uint4 v) {
    uint component = image->texel & 255, channels = image->texel >> 8 & 255;
    v = weft_map_u(v, image->write_map);
    weft_put_channel_u(component, pixel, 0, v.x);
    if (channels > 1)
        weft_put_channel_u(component, pixel, 1, v.y);
    if (channels > 2) {
        weft_put_channel_u(component, pixel, 2, v.z);
        weft_put_channel_u(component, pixel, 3, v.w);
    }
}

WEFT_HELPER void weft_put_u(weft_image_t image, weft_pixel row, int x, uint4 v, int is_signed) {
    uint texel = image->texel;
    if (!is_signed && WEFT_OFTEN(texel == TEXEL(U8, 4), 0.33))
        weft_join(weft_at(row, x, 4), v < 255u ? v : (uint4)255u);
    else if (WEFT_OFTEN(texel == TEXEL(is_signed ? S32 : U32, 4), 0.5))
        AS_PIXEL(weft_words4, weft_at(row, x, 16)) = v;
    else if (WEFT_OFTEN(texel == TEXEL(is_signed ? S32 : U32, 1), 0.97))
        AS_PIXEL(uint, weft_at(row, x, 4)) = v.x;
    else
        weft_put_any_u(image, weft_at(row, x, image->element_bytes), v);
}

#endif
