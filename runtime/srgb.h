// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Linear values to 8-bit sRGB codes. */
#ifndef WEFT_SRGB_H
#define WEFT_SRGB_H

#include <stdint.h>

/**
 * Bits of the least float of which round(255 * sRGB(x)) is the index, with sRGB(x) = 12.92 * x
 * below 0.0031308, else 1.055 * x^(1 / 2.4) - 0.055 (OpenCL C 2.0, "Conversion rules for sRGBA and
 * sBGRA images").
 */
extern const uint32_t weft_srgb_least[256];

#endif
