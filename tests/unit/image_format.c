// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Colours to pixels, against the formulas of the specification in floating point. */

#include "harness.h"
#include "runtime/image_format.h"
#include "runtime/srgb.h"

#include <math.h>

static float of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static double srgb(double x) {
    return x <= 0 ? 0 : x < 0.0031308 ? 12.92 * x : x >= 1 ? 1 : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

TEST(srgb_table) {
    CHECK_EQ(weft_srgb_least[0], 0);
    for (uint32_t i = 1; i < 256; i++) {
        /* at the limit the code is reached, one float below it is not */
        CHECK(srgb(of_bits(weft_srgb_least[i])) * 255 > i - 0.5 - 1e-5);
        CHECK(srgb(of_bits(weft_srgb_least[i] - 1)) * 255 < i - 0.5 + 1e-5);
        CHECK(weft_srgb_least[i] > weft_srgb_least[i - 1]);
    }
}

static uint32_t packed(cl_channel_order order, cl_channel_type type, float value) {
    cl_image_format format = {order, type};
    weft_format found;
    weft_image_desc desc = {0};
    float color[4] = {value, value, value, value};
    unsigned char pixel[16] = {0};
    uint32_t result;
    CHECK(weft_format_find(&format, CL_MEM_OBJECT_IMAGE2D, &found));
    desc.texel = found.texel;
    desc.write_map = found.write_map;
    desc.element_bytes = found.element_bytes;
    CHECK_EQ(weft_format_pack(&desc, color, pixel), found.element_bytes);
    memcpy(&result, pixel, sizeof(result));
    return result;
}

static double clamped(float x, double least) {
    return !(x > least) ? (isnan(x) ? 0 : least) : x > 1 ? 1 : x;
}

static const float special[] = {0,       -0.0f,      1,          -1,    2,        -2,
                                0.5f,    -0.5f,      1e-30f,     1e30f, INFINITY, -INFINITY,
                                NAN,     1.0f / 510, 3.0f / 510, 6e-8f, 3e-8f,    2.9e-8f,
                                6.1e-5f, 65504,      65519,      65520, 1e-40f};
enum { SPECIAL = sizeof(special) / sizeof(special[0]) };

static void check(float x) {
    CHECK_EQ(packed(CL_R, CL_UNORM_INT8, x), (uint32_t)nearbyint(clamped(x, 0) * 255));
    CHECK_EQ(packed(CL_R, CL_UNORM_INT16, x), (uint32_t)nearbyint(clamped(x, 0) * 65535));
    CHECK_EQ((int8_t)packed(CL_R, CL_SNORM_INT8, x), (int)nearbyint(clamped(x, -1) * 127));
    CHECK_EQ((int16_t)packed(CL_R, CL_SNORM_INT16, x), (int)nearbyint(clamped(x, -1) * 32767));
    CHECK_EQ(packed(CL_sRGBA, CL_UNORM_INT8, x) & 255,
             isnan(x) ? 0 : (uint32_t)nearbyint(srgb(x) * 255));
}

TEST(normalized) {
    for (int i = 0; i < SPECIAL; i++)
        check(special[i]);
    for (uint32_t i = 0; i < 100000; i++)
        check(of_bits(0x38000000u + i * 1373u));
}

#ifdef __FLT16_MAX__
TEST(half) {
    for (uint32_t i = 0; i < 4000000; i++) {
        uint32_t bits = i < SPECIAL ? 0 : i * 1073u;
        float x = i < SPECIAL ? special[i] : of_bits(bits);
        _Float16 half = (_Float16)x;
        uint16_t expected;
        memcpy(&expected, &half, sizeof(expected));
        uint32_t actual = packed(CL_R, CL_HALF_FLOAT, x);
        if (isnan(x))
            CHECK((actual & 0x7c00) == 0x7c00 && (actual & 0x3ff) != 0);
        else
            CHECK_EQ(actual, expected);
    }
}
#endif

TEST_MAIN()
