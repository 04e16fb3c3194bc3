// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Rounding to integers (instructions from SSE4.1 on), and to C's integer types. */
#include "bits.h"

/*
 * Adding and subtracting 2^p leaves the nearest integer, ties to even; larger numbers are integers
 * already. The sign is put back: -0.25 becomes -0. NaNs fail the comparison and become quiet.
 */
#define WEFT_ROUNDING(T, suffix, limit, bits, from_bits, sign_bit)                                 \
    T rint##suffix(T x);                                                                           \
    T nearbyint##suffix(T x);                                                                      \
    T roundeven##suffix(T x);                                                                      \
    T floor##suffix(T x);                                                                          \
    T ceil##suffix(T x);                                                                           \
    T trunc##suffix(T x);                                                                          \
    T round##suffix(T x);                                                                          \
    long lrint##suffix(T x);                                                                       \
    long long llrint##suffix(T x);                                                                 \
    long lround##suffix(T x);                                                                      \
    long long llround##suffix(T x);                                                                \
    static inline T weft_sign_of##suffix(T magnitude, T x) {                                       \
        return from_bits((bits(magnitude) & ~sign_bit) | (bits(x) & sign_bit));                    \
    }                                                                                              \
    static inline T weft_rint##suffix(T x) {                                                       \
        T magnitude = from_bits(bits(x) & ~sign_bit);                                              \
        if (!(magnitude < limit))                                                                  \
            return magnitude >= limit ? x : x + x;                                                 \
        T sum = magnitude + limit;                                                                 \
        __asm__("" : "+x"(sum)); /* no algebra across this */                                      \
        return weft_sign_of##suffix(sum - limit, x);                                               \
    }                                                                                              \
    T rint##suffix(T x) {                                                                          \
        return weft_rint##suffix(x);                                                               \
    }                                                                                              \
    T nearbyint##suffix(T x) {                                                                     \
        return weft_rint##suffix(x);                                                               \
    }                                                                                              \
    T roundeven##suffix(T x) {                                                                     \
        return weft_rint##suffix(x);                                                               \
    }                                                                                              \
    T floor##suffix(T x) {                                                                         \
        T r = weft_rint##suffix(x);                                                                \
        return r > x ? weft_sign_of##suffix(r - 1, x) : r;                                         \
    }                                                                                              \
    T ceil##suffix(T x) {                                                                          \
        T r = weft_rint##suffix(x);                                                                \
        return r < x ? weft_sign_of##suffix(r + 1, x) : r;                                         \
    }                                                                                              \
    static inline T weft_trunc##suffix(T x) {                                                      \
        T r = weft_rint##suffix(x), m = weft_sign_of##suffix(r, 1),                                \
          a = weft_sign_of##suffix(x, 1);                                                          \
        return m > a ? weft_sign_of##suffix(m - 1, x) : r;                                         \
    }                                                                                              \
    T trunc##suffix(T x) {                                                                         \
        return weft_trunc##suffix(x);                                                              \
    }                                                                                              \
    static inline T weft_half_away##suffix(T x) {                                                  \
        T r = weft_trunc##suffix(x), rest = x - r;                                                 \
        rest = weft_sign_of##suffix(rest, 1);                                                      \
        return rest >= (T)0.5 ? weft_sign_of##suffix(weft_sign_of##suffix(r, 1) + 1, x) : r;       \
    }                                                                                              \
    T round##suffix(T x) {                                                                         \
        return weft_half_away##suffix(x);                                                          \
    }                                                                                              \
    long lrint##suffix(T x) {                                                                      \
        return (long)weft_rint##suffix(x);                                                         \
    }                                                                                              \
    long long llrint##suffix(T x) {                                                                \
        return (long long)weft_rint##suffix(x);                                                    \
    }                                                                                              \
    long lround##suffix(T x) {                                                                     \
        return (long)weft_half_away##suffix(x);                                                    \
    }                                                                                              \
    long long llround##suffix(T x) {                                                               \
        return (long long)weft_half_away##suffix(x);                                               \
    }

WEFT_ROUNDING(double, , 0x1p52, weft_bits64, weft_double, ((uint64_t)1 << 63))
WEFT_ROUNDING(float, f, 0x1p23f, weft_bits32, weft_float, ((uint32_t)1 << 31))
