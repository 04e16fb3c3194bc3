// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Pixels: from memory to four components and back. Included by image.h. */
#ifndef WEFT_IMAGE_TEXEL_H
#define WEFT_IMAGE_TEXEL_H

/* ---- reading --------------------------------------------------------------------------------- */

/** Maps of RGBA and of R: which channel each component is, or 0 (4) or 1 (5). */
enum { MAP_RGBA = 0x3210, MAP_R = 0x5440 };

/** The four bytes of a word in the order of a map of four channels. Of one word a vector of pixels
 *  is one gather and some shifts, not 64 bytes apart. */
WEFT_HELPER uint4 weft_split8(uint word, uint map) {
    return (uint4)(word >> ((map & 3) << 3) & 255, word >> ((map >> 4 & 3) << 3) & 255,
                   word >> ((map >> 8 & 3) << 3) & 255, word >> ((map >> 12 & 3) << 3) & 255);
}

/** Products with a rounded reciprocal: within 1 ULP of c / 255, exact for 0 and the largest c;
 *  tests/builtins compares all values. */
WEFT_HELPER float4 weft_unorm8(weft_pixel pixel, uint map) {
    return __builtin_convertvector(WEFT_AS(int4, weft_split8(AS_PIXEL(weft_word, pixel), map)),
                                   float4) *
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

/** Channels of 16 bits. */
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
    return weft_quotient(WEFT_AS(int4, weft_split8(words.x, MAP_RGBA)), 255.0f);
}

WEFT_HELPER float4 weft_from_unorm16(uint4 words) {
    return weft_quotient(WEFT_AS(int4, weft_split16(words)), 65535.0f);
}

WEFT_HELPER float4 weft_from_snorm8(uint4 words) {
    return weft_snorm(weft_sign(weft_split8(words.x, MAP_RGBA), 8), 127.0f);
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
    uint4 bytes = weft_split8(words.x, MAP_RGBA);
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

/** What a map asks for: channels, 0 or `one`. Rarer ones by way of memory, since no branch can be
 *  foretold that is another for each component. */
WEFT_HELPER uint4 weft_map_u(uint4 channels, uint map, uint one) {
    const uint from[8] = {channels.x, channels.y, channels.z, channels.w, 0, one};
    map &= 65535;
    if (map == MAP_RGBA)
        return channels;
    if (map == MAP_R)
        return (uint4)(channels.x, 0, 0, one);
    return (uint4)(from[map & 7], from[map >> 4 & 7], from[map >> 8 & 7], from[map >> 12 & 7]);
}

WEFT_HELPER float4 weft_map_f(float4 channels, uint map) {
    return WEFT_AS(float4, weft_map_u(WEFT_AS(uint4, channels), map, as_uint(1.0f)));
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
        return WEFT_AS(uint4, weft_sign(weft_split8(words.x, MAP_RGBA), 8));
    case S16:
        return WEFT_AS(uint4, weft_sign(weft_split16(words), 16));
    case U8:
        return weft_split8(words.x, MAP_RGBA);
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
    return weft_map_u(weft_channels_u(image->texel & 255, words), image->read_map, 1);
}

/** Integers of both kinds, as their bits. */
WEFT_HELPER uint4 weft_texel_u(weft_image_t image, weft_pixel row, int x, int is_signed) {
    uint texel = image->texel;
    if (!is_signed && WEFT_OFTEN(texel == TEXEL(U8, 4), 0.25))
        return weft_split8(AS_PIXEL(weft_word, weft_at(row, x, 4)), MAP_RGBA);
    if (!is_signed && WEFT_OFTEN(texel == TEXEL(U8, 1), 0.33))
        return (uint4)(*weft_at(row, x, 1), 0, 0, 1);
    if (WEFT_OFTEN(texel == TEXEL(is_signed ? S32 : U32, 4), 0.5))
        return AS_PIXEL(weft_words4, weft_at(row, x, 16));
    if (WEFT_OFTEN(texel == TEXEL(is_signed ? S32 : U32, 1), 0.97))
        return (uint4)(AS_PIXEL(uint, weft_at(row, x, 4)), 0, 0, 1);
    return weft_any_texel_u(image, weft_at(row, x, image->element_bytes));
}

/* ---- writing --------------------------------------------------------------------------------- */

/** The bytes of a pixel, of which there are 1, 2, 4, 8 or 16. */
WEFT_HELPER void weft_put_bytes(weft_pixel pixel, uint4 words, uint count) {
    switch (count) {
    case 1:
        *pixel = (uchar)words.x;
        break;
    case 2:
        AS_PIXEL(weft_short_word, pixel) = (ushort)words.x;
        break;
    case 4:
        AS_PIXEL(weft_word, pixel) = words.x;
        break;
    case 8:
        AS_PIXEL(weft_words2, pixel) = words.xy;
        break;
    default:
        AS_PIXEL(weft_words4, pixel) = words;
        break;
    }
}

WEFT_HELPER uint4 weft_join8(uint4 v) {
    v &= 255u;
    return (uint4)(v.x | v.y << 8 | v.z << 16 | v.w << 24, 0, 0, 0);
}

WEFT_HELPER uint4 weft_join16(uint4 v) {
    v &= 65535u;
    return (uint4)(v.x | v.y << 16, v.z | v.w << 16, 0, 0);
}

/** 1.5 * 2^23: a sum with it is rounded to nearest even, and its lower bits are the integer. No
 *  instruction above SSE2, and no conversion that could overflow. */
WEFT_HELPER uint4 weft_rounded(float4 value) {
    return WEFT_AS(uint4, value + 12582912.0f) - 0x4b400000u;
}

/** Rounded value * scale, clamped to [0, 1] first; NaN gives 0. */
WEFT_HELPER uint4 weft_unsigned_normal(float4 value, float4 scale) {
    value = value > 0.0f ? value : (float4)0.0f;
    value = value < 1.0f ? value : (float4)1.0f;
    return weft_rounded(value * scale);
}

/** The same in [-1, 1]. */
WEFT_HELPER uint4 weft_signed_normal(float4 value, float4 scale) {
    value = value == value ? value : (float4)0.0f;
    value = value > -1.0f ? value : (float4)-1.0f;
    value = value < 1.0f ? value : (float4)1.0f;
    return weft_rounded(value * scale);
}

WEFT_HELPER uint4 weft_to_half(float4 v) {
    ushort4 bits = WEFT_AS(ushort4, __builtin_convertvector(v, half4));
    return weft_join16((uint4)(bits.x, bits.y, bits.z, bits.w));
}

WEFT_HELPER uint4 weft_to_565(float4 v) {
    uint4 n = weft_unsigned_normal(v, (float4)(31, 63, 31, 1));
    return (uint4)(n.x << 11 | n.y << 5 | n.z, 0, 0, 0);
}

WEFT_HELPER uint4 weft_to_555(float4 v) {
    uint4 n = weft_unsigned_normal(v, 31.0f);
    return (uint4)(n.x << 10 | n.y << 5 | n.z, 0, 0, 0);
}

WEFT_HELPER uint4 weft_to_101010(float4 v) {
    uint4 n = weft_unsigned_normal(v, 1023.0f);
    return (uint4)(n.x << 20 | n.y << 10 | n.z, 0, 0, 0);
}

WEFT_HELPER uint4 weft_to_1010102(float4 v) {
    uint4 n = weft_unsigned_normal(v, (float4)(1023, 1023, 1023, 3));
    return (uint4)(n.x << 22 | n.y << 12 | n.z << 2 | n.w, 0, 0, 0);
}

/** Channels as a pixel's bytes. */
WEFT_HELPER uint4 weft_bytes_of_f(uint component, float4 v) {
    switch (component) {
    case UNORM8:
        return weft_join8(weft_unsigned_normal(v, 255.0f));
    case UNORM16:
        return weft_join16(weft_unsigned_normal(v, 65535.0f));
    case SNORM8:
        return weft_join8(weft_signed_normal(v, 127.0f));
    case SNORM16:
        return weft_join16(weft_signed_normal(v, 32767.0f));
    case HALF:
        return weft_to_half(v);
    case P565:
        return weft_to_565(v);
    case P555:
        return weft_to_555(v);
    case P101010:
        return weft_to_101010(v);
    case P1010102:
        return weft_to_1010102(v);
    default:
        return WEFT_AS(uint4, v);
    }
}

/** write_map of formats of one channel. */
enum { MAP_FIRST = 0 };

/** Any format. */
WEFT_SLOW void weft_put_any_f(weft_image_t image, weft_pixel pixel, float4 v) {
    const uint component = image->texel & 255;
    if ((component > SNORM16 && component < HALF) || component == SRGB8)
        return; /* integers, and what can only be read */
    if (image->write_map != MAP_FIRST)
        v = weft_map_f(v, image->write_map);
    weft_put_bytes(pixel, weft_bytes_of_f(component, v), image->element_bytes);
}

/** Four bytes in the order that read_map finds them in. */
WEFT_HELPER void weft_join_by(weft_pixel pixel, uint4 v, uint map) {
    AS_PIXEL(weft_word, pixel) = v.x << ((map & 3) << 3) | v.y << ((map >> 4 & 3) << 3) |
                                 v.z << ((map >> 8 & 3) << 3) | v.w << ((map >> 12 & 3) << 3);
}

WEFT_HELPER void weft_put_f(weft_image_t image, weft_pixel row, int x, float4 v) {
    uint texel = image->texel;
    if (WEFT_OFTEN(weft_is_unorm8x4(texel), 0.25))
        weft_join_by(weft_at(row, x, 4), weft_unsigned_normal(v, 255.0f), image->read_map);
    else if (WEFT_OFTEN(texel == TEXEL(FLOAT, 4), 0.33))
        AS_PIXEL(weft_floats4, weft_at(row, x, 16)) = v;
    else if (WEFT_OFTEN(texel == TEXEL(UNORM8, 1), 0.5))
        *weft_at(row, x, 1) = (uchar)weft_unsigned_normal(v, 255.0f).x;
    else if (WEFT_OFTEN(texel == TEXEL(FLOAT, 1), 0.97))
        AS_PIXEL(float, weft_at(row, x, 4)) = v.x;
    else
        weft_put_any_f(image, weft_at(row, x, image->element_bytes), v);
}

WEFT_HELPER uint4 weft_signed(uint4 value, int most) {
    int4 v = WEFT_AS(int4, value);
    v = v > most ? (int4)most : v;
    v = v < -most - 1 ? (int4)(-most - 1) : v;
    return WEFT_AS(uint4, v);
}

WEFT_HELPER uint4 weft_least(uint4 value, uint most) {
    return value < most ? value : (uint4)most;
}

WEFT_HELPER uint4 weft_bytes_of_u(uint component, uint4 v) {
    switch (component) {
    case S8:
        return weft_join8(weft_signed(v, 127));
    case S16:
        return weft_join16(weft_signed(v, 32767));
    case U8:
        return weft_join8(weft_least(v, 255));
    case U16:
        return weft_join16(weft_least(v, 65535));
    default:
        return v;
    }
}

WEFT_SLOW void weft_put_any_u(weft_image_t image, weft_pixel pixel, uint4 v) {
    const uint component = image->texel & 255;
    if (component < S8 || component > U32)
        return;
    if (image->write_map != MAP_FIRST)
        v = weft_map_u(v, image->write_map, 1);
    weft_put_bytes(pixel, weft_bytes_of_u(component, v), image->element_bytes);
}

WEFT_HELPER void weft_put_u(weft_image_t image, weft_pixel row, int x, uint4 v, int is_signed) {
    uint texel = image->texel;
    if (!is_signed && WEFT_OFTEN(texel == TEXEL(U8, 4), 0.33))
        AS_PIXEL(weft_word, weft_at(row, x, 4)) = weft_join8(weft_least(v, 255)).x;
    else if (WEFT_OFTEN(texel == TEXEL(is_signed ? S32 : U32, 4), 0.5))
        AS_PIXEL(weft_words4, weft_at(row, x, 16)) = v;
    else if (WEFT_OFTEN(texel == TEXEL(is_signed ? S32 : U32, 1), 0.97))
        AS_PIXEL(uint, weft_at(row, x, 4)) = v.x;
    else
        weft_put_any_u(image, weft_at(row, x, image->element_bytes), v);
}

#endif
