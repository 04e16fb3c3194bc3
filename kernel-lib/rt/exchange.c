// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "exchange.h"

#include "bits.h"

/* Numbers of norm/sub_groups.h and norm/group_arith.h; the compiler checks that they agree. */
enum { BROADCAST, SHUFFLE, REDUCE, CLUSTER, INCLUSIVE, EXCLUSIVE };
enum { ADD, MUL, S_MIN, U_MIN, S_MAX, U_MAX, AND, OR, XOR, F_ADD, F_MUL, F_MIN, F_MAX };

static uint64_t weft_low_bits(uint64_t value, unsigned bits) {
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static int64_t weft_signed(uint64_t value, unsigned bits) {
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static uint64_t weft_combine_floats(unsigned arith, uint64_t before, uint64_t value) {
    float a = weft_float((uint32_t)before), b = weft_float((uint32_t)value);
    return weft_bits32(arith == F_ADD   ? a + b
                       : arith == F_MUL ? a * b
                       : arith == F_MIN ? (b < a ? b : a)
                                        : (b > a ? b : a));
}

static uint64_t weft_combine_doubles(unsigned arith, uint64_t before, uint64_t value) {
    double a = weft_double(before), b = weft_double(value);
    return weft_bits64(arith == F_ADD   ? a + b
                       : arith == F_MUL ? a * b
                       : arith == F_MIN ? (b < a ? b : a)
                                        : (b > a ? b : a));
}

static float weft_half_value(uint64_t bits) {
    return (float)__builtin_bit_cast(_Float16, (uint16_t)bits);
}

/** In float, where each operation on halves is right but for the last rounding. */
static uint64_t weft_combine_halves(unsigned arith, uint64_t before, uint64_t value) {
    float a = weft_half_value(before), b = weft_half_value(value);
    float made = arith == F_ADD   ? a + b
                 : arith == F_MUL ? a * b
                 : arith == F_MIN ? (b < a ? b : a)
                                  : (b > a ? b : a);
    return __builtin_bit_cast(uint16_t, (_Float16)made);
}

static uint64_t weft_combine_integers(unsigned arith, unsigned bits, uint64_t a, uint64_t b) {
    int64_t x = weft_signed(a, bits), y = weft_signed(b, bits);
    switch (arith) {
    case ADD:
        return a + b;
    case MUL:
        return a * b;
    case S_MIN:
        return y < x ? b : a;
    case U_MIN:
        return b < a ? b : a;
    case S_MAX:
        return y > x ? b : a;
    case U_MAX:
        return b > a ? b : a;
    case AND:
        return a & b;
    case OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint64_t weft_combine(unsigned arith, unsigned bits, uint64_t before, uint64_t value) {
    if (arith >= F_ADD)
        return bits == 16   ? weft_combine_halves(arith, before, value)
               : bits == 32 ? weft_combine_floats(arith, before, value)
                            : weft_combine_doubles(arith, before, value);
    return weft_low_bits(weft_combine_integers(arith, bits, before, value), bits);
}

/** What changes nothing. */
static uint64_t weft_identity(unsigned arith, unsigned bits) {
    switch (arith) {
    case MUL:
        return 1;
    case U_MIN:
    case AND:
        return weft_low_bits(UINT64_MAX, bits);
    case S_MIN:
        return weft_low_bits(UINT64_MAX, bits) >> 1;
    case S_MAX:
        return UINT64_C(1) << (bits - 1);
    case F_MUL:
        return bits == 16 ? 0x3c00 : bits == 32 ? weft_bits32(1.0f) : weft_bits64(1.0);
    case F_MIN:
        return bits == 16   ? 0x7c00
               : bits == 32 ? weft_bits32(__builtin_inff())
                            : weft_bits64(__builtin_inf());
    case F_MAX:
        return bits == 16   ? 0xfc00
               : bits == 32 ? weft_bits32(-__builtin_inff())
                            : weft_bits64(-__builtin_inf());
    default:
        return 0;
    }
}

/** Sums of floats depend on the order: neighbours first, then pairs with pairs, and so on. */
static uint64_t weft_combine_all(const uint64_t *own, uint64_t width, uint64_t size, uint64_t lane,
                                 unsigned arith, unsigned bits) {
    uint64_t value[64], before[64];
    for (uint64_t at = 0; at < width; at++)
        value[at] = own[at];
    for (uint64_t distance = 1; distance < size && distance < width; distance *= 2) {
        for (uint64_t at = 0; at < width; at++)
            before[at] = value[at];
        for (uint64_t at = 0; at < width; at++)
            value[at] = weft_combine(arith, bits, before[at], before[at ^ distance]);
    }
    return value[lane];
}

/** Likewise: each lane takes up the one in front, then the pair in front of that, and so on. */
static uint64_t weft_scan(const uint64_t *own, uint64_t width, uint64_t lane, unsigned arith,
                          unsigned bits) {
    uint64_t value[64], none = weft_identity(arith, bits);
    for (uint64_t at = 0; at < width; at++)
        value[at] = own[at];
    for (uint64_t distance = 1; distance < width; distance *= 2)
        for (uint64_t at = width; at-- > 0;)
            value[at] =
                weft_combine(arith, bits, at < distance ? none : value[at - distance], value[at]);
    return value[lane];
}

uint64_t weft_rt_exchange(const weft_rt_values *values, uint32_t what, uint64_t lane) {
    unsigned exchange = what & 255, arith = what >> 8 & 255, bits = what >> 16;
    uint64_t own[64], width = values->width, other = values->other[lane];
    if (exchange == BROADCAST || exchange == SHUFFLE)
        return values->value[other % width];
    for (uint64_t at = 0; at < width; at++)
        own[at] = values->present >> at & 1 ? values->value[at] : weft_identity(arith, bits);
    if (exchange == REDUCE || exchange == CLUSTER)
        return weft_combine_all(own, width, exchange == REDUCE ? width : other,
                                exchange == REDUCE ? 0 : lane, arith, bits);
    if (exchange == EXCLUSIVE && lane == 0)
        return weft_identity(arith, bits);
    return weft_scan(own, width, exchange == EXCLUSIVE ? lane - 1 : lane, arith, bits);
}
