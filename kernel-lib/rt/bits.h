// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What the files of rt/ share. They are freestanding C for clang, compiled once per level of
 * x86-64: every function here may be called by code generation under the name and with the meaning
 * that it has in C or in libgcc; none refers to anything outside of rt/.
 */
#ifndef WEFT_RT_BITS_H
#define WEFT_RT_BITS_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned __int128 weft_u128;
typedef __int128 weft_i128;

static inline uint32_t weft_bits32(float x) {
    return __builtin_bit_cast(uint32_t, x);
}
static inline uint64_t weft_bits64(double x) {
    return __builtin_bit_cast(uint64_t, x);
}
static inline float weft_float(uint32_t x) {
    return __builtin_bit_cast(float, x);
}
static inline double weft_double(uint64_t x) {
    return __builtin_bit_cast(double, x);
}

/** x >> count with all lost bits or-ed into the lowest; any count. */
static inline weft_u128 weft_shift_jam(weft_u128 x, unsigned count) {
    if (count == 0)
        return x;
    if (count > 127)
        return x != 0;
    return x >> count | ((x << (128 - count)) != 0);
}

#endif
