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

/** Products with a rounded reciprocal: within 1 ULP of c / 255, exact for 0 and the largest c;
 *  tests/builtins compares all values. */
WEFT_HELPER float4 weft_unorm8(weft_pixel pixel) {
    return __builtin_convertvector(WEFT_AS(int4, weft_split(pixel)), float4) * (1.0f / 255.0f);
}

WEFT_HELPER float weft_snorm(float value, float scale) {
    value = value / scale;
    return value > -1.0f ? value : -1.0f; /* "-128 must convert to -1.0f" */
}

WEFT_HELPER float weft_channel_f(uint component, weft_pixel pixel, uint channel) {
    switch (component) {
    case UNORM8:
        return pixel[channel] / 255.0f;
    case UNORM16:
        return ((__global ushort *)pixel)[channel] / 65535.0f;
    case SNORM8:
        return weft_snorm(((__global char *)pixel)[channel], 127.0f);
    case SNORM16:
        return weft_snorm(((__global short *)pixel)[channel], 32767.0f);
    case HALF:
        return (float)((__global half *)pixel)[channel];
    case FLOAT:
        return ((__global float *)pixel)[channel];
    case SRGB8:
        return channel == 3 ? pixel[3] / 255.0f : weft_srgb_linear[pixel[channel]];
    default: /* integers: "the values returned are undefined" */
        return 0;
    }
}

WEFT_HELPER float4 weft_packed_f(uint component, weft_pixel pixel) {
    uint value;
    switch (component) {
    case P565:
        value = *(__global ushort *)pixel;
        return (float4)((value >> 11) / 31.0f, (value >> 5 & 63) / 63.0f, (value & 31) / 31.0f, 0);
    case P555:
        value = *(__global ushort *)pixel;
        return (float4)((value >> 10 & 31) / 31.0f, (value >> 5 & 31) / 31.0f, (value & 31) / 31.0f,
                        0);
    case P101010:
        value = *(__global uint *)pixel;
        return (float4)((value >> 20 & 1023) / 1023.0f, (value >> 10 & 1023) / 1023.0f,
                        (value & 1023) / 1023.0f, 0);
    default:
        value = *(__global uint *)pixel;
        return (float4)((value >> 22) / 1023.0f, (value >> 12 & 1023) / 1023.0f,
                        (value >> 2 & 1023) / 1023.0f, (value & 3) / 3.0f);
    }
}

/** What read_map asks for: a channel, 0 or 1. */
WEFT_HELPER float weft_pick_f(float4 channels, uint map) {
    return map == 0   ? channels.x
           : map == 1 ? channels.y
           : map == 2 ? channels.z
           : map == 3 ? channels.w
           : map == 4 ? 0.0f
                      : 1.0f;
}

WEFT_HELPER uint weft_pick_u(uint4 channels, uint map) {
    return map == 0   ? channels.x
           : map == 1 ? channels.y
           : map == 2 ? channels.z
           : map == 3 ? channels.w
                      : map - 4;
}

/** Any format. */
WEFT_SLOW float4 weft_any_texel_f(weft_image_t image, weft_pixel pixel) {
    uint component = image->texel & 255, channels = image->texel >> 8 & 255, map = image->read_map;
    float4 raw = 0;
    if (component >= P565) {
        raw = weft_packed_f(component, pixel);
    } else {
        raw.x = weft_channel_f(component, pixel, 0);
        if (channels > 1)
            raw.y = weft_channel_f(component, pixel, 1);
        if (channels > 2) {
            raw.z = weft_channel_f(component, pixel, 2);
            raw.w = weft_channel_f(component, pixel, 3);
        }
    }
    return (float4)(weft_pick_f(raw, map & 15), weft_pick_f(raw, map >> 4 & 15),
                    weft_pick_f(raw, map >> 8 & 15), weft_pick_f(raw, map >> 12 & 15));
}

/** Pixel x of a row. */
WEFT_HELPER float4 weft_texel_f(weft_image_t image, weft_pixel row, int x) {
    uint texel = image->texel;
    if (WEFT_OFTEN(texel == TEXEL(UNORM8, 4), 0.33))
        return weft_unorm8(weft_at(row, x, 4));
    if (WEFT_OFTEN(texel == TEXEL(FLOAT, 4), 0.5))
        return AS_PIXEL(weft_floats4, weft_at(row, x, 16));
    if (WEFT_OFTEN(texel == TEXEL(FLOAT, 1), 0.97))
        return (float4)(AS_PIXEL(float, weft_at(row, x, 4)), 0, 0, 1);
    return weft_any_texel_f(image, weft_at(row, x, image->element_bytes));
}

WEFT_HELPER uint weft_channel_u(uint component, weft_pixel pixel, uint channel) {
    switch (component) {
    case S8:
        return (uint)(int)((__global char *)pixel)[channel];
    case S16:
        return (uint)(int)((__global short *)pixel)[channel];
    case U8:
        return pixel[channel];
    case U16:
        return ((__global ushort *)pixel)[channel];
    case S32:
    case U32:
        return ((__global uint *)pixel)[channel];
    default: /* not integers: "the values returned are undefined" */
        return 0;
    }
}

WEFT_SLOW uint4 weft_any_texel_u(weft_image_t image, weft_pixel pixel) {
    uint component = image->texel & 255, channels = image->texel >> 8 & 255, map = image->read_map;
    uint4 raw = 0;
    raw.x = weft_channel_u(component, pixel, 0);
    if (channels > 1)
        raw.y = weft_channel_u(component, pixel, 1);
    if (channels > 2) {
        raw.z = weft_channel_u(component, pixel, 2);
        raw.w = weft_channel_u(component, pixel, 3);
    }
    return (uint4)(weft_pick_u(raw, map & 15), weft_pick_u(raw, map >> 4 & 15),
                   weft_pick_u(raw, map >> 8 & 15), weft_pick_u(raw, map >> 12 & 15));
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
    uint component = image->texel & 255, channels = image->texel >> 8 & 255, map = image->write_map;
    if (component >= P565) {
        weft_put_packed(component, pixel, v);
        return;
    }
    weft_put_channel_f(component, pixel, 0, weft_pick_f(v, map & 3));
    if (channels > 1)
        weft_put_channel_f(component, pixel, 1, weft_pick_f(v, map >> 4 & 3));
    if (channels > 2) {
        weft_put_channel_f(component, pixel, 2, weft_pick_f(v, map >> 8 & 3));
        weft_put_channel_f(component, pixel, 3, weft_pick_f(v, map >> 12 & 3));
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
    uint component = image->texel & 255, channels = image->texel >> 8 & 255, map = image->write_map;
    weft_put_channel_u(component, pixel, 0, weft_pick_u(v, map & 3));
    if (channels > 1)
        weft_put_channel_u(component, pixel, 1, weft_pick_u(v, map >> 4 & 3));
    if (channels > 2) {
        weft_put_channel_u(component, pixel, 2, weft_pick_u(v, map >> 8 & 3));
        weft_put_channel_u(component, pixel, 3, weft_pick_u(v, map >> 12 & 3));
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
