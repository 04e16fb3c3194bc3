// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The table of built-ins under test (generate.py) and their references. */
#ifndef WEFT_TESTS_BUILTINS_H
#define WEFT_TESTS_BUILTINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef __int128 weft_i128;

typedef void weft_builtin_loop(const void *a, const void *b, const void *c, void *out, size_t n);

/**
 * One overload. Letters of `kind`: result, then parameters: g gentype, s its element, u, i unsigned
 * and signed integers of its size, r a comparison's result, w integers of twice the size, n int, o
 * and k offset and count of a bit-field (bits 0 to 7 and 8 to 15 of a word of the last array).
 * Alone: c conversion from `type` (name: destination), h to half, l from half, m and M shuffles.
 */
typedef struct weft_builtin {
    const char *family, *name, *type, *kind;
    unsigned width;
    weft_builtin_loop *loop;
} weft_builtin;

/** An element type. */
typedef struct weft_element {
    const char *name;
    unsigned bits;
    bool is_signed, is_float;
} weft_element;

/** A lane: integers as they are, floats exactly. */
typedef struct weft_value {
    weft_i128 i;
    long double f;
} weft_value;

const weft_element *weft_element_of(const char *name);

/** The bits of base with the field [offset, offset + count) from insert, or this field alone, bit
 * by bit; false for a function that is none of them. */
bool weft_field_reference(const char *name, const weft_element *type, weft_value base,
                          weft_value insert, unsigned offset, unsigned count, weft_i128 *result);

/** name(a, b, c) on integers of `type`, as the specification defines it, not yet wrapped to the
 *  result's type. `width` tells scalars from vectors. False for a function it does not know. */
bool weft_integer_reference(const char *name, const weft_element *type, unsigned width,
                            const weft_value v[3], weft_i128 *result);

/** The same on floats: the exact result and how far from it one may be (absolute). Comparisons give
 *  0 or 1 in `result`. */
bool weft_float_reference(const char *name, const weft_element *type, const weft_value v[3],
                          long double *result, long double *tolerance);

/** The conversion convert_<to>, `to` with suffixes: "char_sat_rte". */
weft_value weft_convert_reference(const char *to, const weft_element *from, weft_value x,
                                  bool *any);

/** Bits of x as a half, rounded as the suffix says ("" and "_rte": to nearest even). */
uint16_t weft_half_reference(long double x, const char *rounding);
long double weft_half_value(uint16_t bits);

#endif
