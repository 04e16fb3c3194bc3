// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Integer, common, relational, geometric, conversion, half and shuffle functions of the kernel
 * library: every type, width and overload against reference.c, at limits, special values and random
 * points.
 */
#include "builtins.h"
#include "../random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include WEFT_TABLE

enum { POINTS = 48 * 40, ROOM = POINTS * 16 };

static _Alignas(128) char a[ROOM], b[ROOM], c[ROOM], out[ROOM];
static uint64_t state;

static weft_value get(const char *array, const weft_element *t, size_t i) {
    weft_value v = {0, 0};
    const char *p = array + i * t->bits / 8;
    if (t->is_float) {
        float f;
        double d;
        uint16_t half;
        if (t->bits == 16)
            memcpy(&half, p, 2), v.f = weft_half_value(half);
        else if (t->bits == 32)
            memcpy(&f, p, 4), v.f = f;
        else
            memcpy(&d, p, 8), v.f = d;
        return v;
    }
    uint64_t bits = 0;
    memcpy(&bits, p, t->bits / 8);
    unsigned up = 64 - t->bits;
    v.i = t->is_signed ? (weft_i128)((int64_t)(bits << up) >> up) : (weft_i128)bits;
    return v;
}

static uint64_t integer_point(const weft_element *t) {
    uint64_t r = weft_random(&state), bits = weft_random(&state),
             top = (uint64_t)1 << (t->bits - 1);
    const uint64_t edges[] = {0,   1,       2,       (uint64_t)-1, (uint64_t)-2,
                              top, top - 1, top + 1, t->bits,      100};
    if (r % 3 == 0)
        return edges[(r >> 8) % (sizeof edges / sizeof edges[0])];
    return r % 3 == 1 ? bits : bits >> (r >> 8 & 63);
}

static double float_point(const weft_element *t) {
    static const double edges[] = {
        0,           -0.0,         0.5,         -0.5,     1,        -1,        1.5,
        2.5,         -2.5,         127,         127.5,    128,      255,       255.5,
        256,         32767.5,      65535.5,     65536,    65520,    65519,     2147483647,
        2147483648., 4294967295.,  4294967296., 0x1p63,   0x1p64,   -128.5,    -129,
        -32769,      -2147483649., -0x1p63,     1e30,     1e-30,    0x1p-24,   0x1p-25,
        0x1.8p-25,   0x1p-14,      3e38,        0x1p-149, INFINITY, -INFINITY, NAN};
    uint64_t r = weft_random(&state), bits = weft_random(&state);
    double x;
    float f;
    if (r % 4 == 0)
        return edges[(r >> 8) % (sizeof edges / sizeof edges[0])];
    if (r % 4 == 1) {
        memcpy(&x, &bits, 8);
        memcpy(&f, &bits, 4);
        return t->bits == 16   ? (double)weft_half_value((uint16_t)bits)
               : t->bits == 32 ? (double)f
                               : x;
    }
    return ldexp((double)(int64_t)bits, (int)(r >> 8) % (r % 4 == 2 ? 100 : 40) - 63);
}

static void fill(char *array, const weft_element *t) {
    for (size_t i = 0; i < POINTS; i++) {
        char *p = array + i * t->bits / 8;
        double x = float_point(t);
        float f = (float)x;
        uint16_t half = weft_half_reference(x, "");
        uint64_t bits = integer_point(t);
        const void *point = !t->is_float    ? (void *)&bits
                            : t->bits == 16 ? (void *)&half
                            : t->bits == 32 ? (void *)&f
                                            : (void *)&x;
        memcpy(p, point, t->bits / 8);
    }
}

/** The element type that a letter of a kind stands for. */
static const weft_element *letter_type(const weft_builtin *f, char letter) {
    static const char *const names[2][4] = {{"uchar", "ushort", "uint", "ulong"},
                                            {"char", "short", "int", "long"}};
    const weft_element *t = weft_element_of(f->type);
    int size = t->bits == 8 ? 0 : t->bits == 16 ? 1 : t->bits == 32 ? 2 : 3;
    switch (letter) {
    case 'u':
        return weft_element_of(names[0][size]);
    case 'i':
        return weft_element_of(names[1][size]);
    case 'r':
        return weft_element_of(f->width == 1 ? "int" : names[1][size]);
    case 'w':
        return weft_element_of(names[t->is_signed][size + 1]);
    case 'n':
        return weft_element_of("int");
    default:
        return t;
    }
}

/** Both wrapped to the type's bits. */
static bool same_bits(const weft_element *t, weft_i128 x, weft_i128 y) {
    unsigned __int128 mask = ((unsigned __int128)1 << t->bits) - 1;
    return (((unsigned __int128)x ^ (unsigned __int128)y) & mask) == 0;
}

static bool same_float(long double x, long double y, long double tolerance) {
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    return x == y || fabsl(x - y) <= tolerance;
}

static bool fail(const weft_builtin *f, size_t i, const weft_value v[3], weft_value got,
                 weft_value wanted) {
    printf(
        "# %s %s %s%u %s element %zu: (%Lg %lld, %Lg %lld, %Lg %lld) gives %.20Lg %lld, not %.20Lg "
        "%lld\n",
        f->family, f->name, f->type, f->width, f->kind, i, v[0].f, (long long)v[0].i, v[1].f,
        (long long)v[1].i, v[2].f, (long long)v[2].i, got.f, (long long)got.i, wanted.f,
        (long long)wanted.i);
    return false;
}

/* ---- families ------------------------------------------------------------------------------- */

static bool check_lanes(const weft_builtin *f) {
    const char *arrays[3] = {a, b, c};
    const weft_element *t = weft_element_of(f->type), *result = letter_type(f, f->kind[0]);
    bool compares = f->kind[0] == 'r';
    for (size_t i = 0; i < POINTS; i++) {
        weft_value v[3] = {{0, 0}}, got = get(out, result, i), wanted = {0, 0};
        long double tolerance = 0;
        for (size_t k = 0; f->kind[1 + k]; k++)
            v[k] = get(arrays[k], letter_type(f, f->kind[1 + k]),
                       f->kind[1 + k] == 's' ? i / f->width * f->width : i);
        bool by_bits = !strcmp(f->name, "bitselect") || !strcmp(f->name, "select");
        if (t->is_float && by_bits) { /* on the bits of floats */
            const weft_element *bits = letter_type(f, 'u');
            for (size_t k = 0; k < 3; k++)
                v[k] = get(arrays[k], bits, i);
            weft_integer_reference(f->name, bits, f->width, v, &wanted.i);
            if (!same_bits(bits, get(out, bits, i).i, wanted.i))
                return fail(f, i, v, got, wanted);
        } else if (t->is_float) {
            if (!weft_float_reference(f->name, t, v, &wanted.f, &tolerance))
                return false;
            if (compares)
                got.f = got.i == (f->width == 1 ? 1 : -1) ? 1 : got.i == 0 ? 0 : 9;
            bool open = !compares &&
                        (!isfinite(v[0].f) || !isfinite(v[1].f) || !isfinite(v[2].f) ||
                         !isfinite(wanted.f) || fabsl(wanted.f) > 1e38L) &&
                        (tolerance != 0 || isnan(v[1].f) || isnan(v[2].f) || isnan(v[0].f));
            open |= t->bits == 16 && tolerance != 0 && fabsl(wanted.f) > 65504;
            open |= !strcmp(f->name, "smoothstep") && !(v[0].f < v[1].f);
            open |= !strcmp(f->name, "clamp") && !(v[1].f <= v[2].f);
            if (!open && !same_float(got.f, wanted.f, tolerance))
                return fail(f, i, v, got, wanted);
        } else {
            if (!weft_integer_reference(f->name, t, f->width, v, &wanted.i))
                return false;
            bool open = !strcmp(f->name, "clamp") && v[1].i > v[2].i;
            if (!open && !same_bits(result, got.i, wanted.i))
                return fail(f, i, v, got, wanted);
        }
    }
    return true;
}

/* ---- bit-fields ------------------------------------------------------------------------------ */

/** Fields of all places and sizes that an element has: "If count or offset or offset + count is
 *  greater than number of bits in gentype ... the result is undefined". */
static void fill_fields(char *array, const weft_element *t) {
    for (size_t i = 0; i < POINTS; i++) {
        uint64_t r = weft_random(&state);
        uint32_t count = r % 4 == 0 ? 0 : (uint32_t)(r >> 8) % (t->bits + 1);
        if (r % 16 == 1)
            count = t->bits;
        uint32_t offset = (uint32_t)(r >> 32) % (t->bits - count + 1);
        uint32_t field = offset | count << 8;
        memcpy(array + i * sizeof field, &field, sizeof field);
    }
}

static bool check_field(const weft_builtin *f) {
    const weft_element *t = weft_element_of(f->type), *result = letter_type(f, f->kind[0]);
    const weft_element *word = weft_element_of("uint");
    for (size_t i = 0; i < POINTS; i++) {
        weft_value v[3] = {get(a, t, i), get(b, t, i), get(c, word, i / f->width * f->width)};
        weft_value got = get(out, result, i), wanted = {0, 0};
        if (!weft_field_reference(f->name, t, v[0], v[1], v[2].i & 255, v[2].i >> 8, &wanted.i))
            return false;
        if (!same_bits(result, got.i, wanted.i))
            return fail(f, i, v, got, wanted);
    }
    return true;
}

/* any and all: the sign bits of a whole vector. */
static bool check_reduction(const weft_builtin *f) {
    const weft_element *t = weft_element_of(f->type), *result = weft_element_of("int");
    for (size_t i = 0; i < POINTS; i += f->width) {
        bool any = false, all = true;
        for (size_t k = 0; k < f->width; k++) {
            bool set = get(a, t, i + k).i < 0;
            any |= set;
            all &= set;
        }
        weft_value got = get(out, result, i), wanted = {!strcmp(f->name, "any") ? any : all, 0};
        if (got.i != wanted.i)
            return fail(f, i, (weft_value[3]){{0, 0}}, got, wanted);
    }
    return true;
}

/** The exact value of a geometric function's lane k, and the size of what was summed for it. */
static long double geometric(const weft_builtin *f, const long double *x, const long double *y,
                             size_t k, long double *size) {
    long double sum = 0, magnitude = 0;
    unsigned n = f->width;
    if (!strcmp(f->name, "cross")) {
        size_t p = (k + 1) % 3, q = (k + 2) % 3;
        *size = fabsl(x[p] * y[q]) + fabsl(x[q] * y[p]);
        return k == 3 ? 0 : x[p] * y[q] - x[q] * y[p];
    }
    bool dot = !strcmp(f->name, "dot"), distance = strstr(f->name, "distance") != NULL;
    for (unsigned i = 0; i < n; i++) {
        long double d = distance ? x[i] - y[i] : x[i];
        sum += dot ? x[i] * y[i] : d * d;
        magnitude += fabsl(dot ? x[i] * y[i] : d * d);
    }
    *size = dot ? magnitude : sqrtl(magnitude);
    if (dot)
        return sum;
    if (strstr(f->name, "normalize") == NULL)
        return sqrtl(sum);
    *size = 1;
    return sum == 0 ? x[k] : x[k] / sqrtl(sum);
}

static bool check_geometric(const weft_builtin *f) {
    const weft_element *t = weft_element_of(f->type);
    bool fast = strncmp(f->name, "fast", 4) == 0, lanes = f->kind[0] == 'g';
    /* those of half are rounded once, which is less than the specification's bounds */
    long double epsilon =
        t->bits == 16 ? 0.51L * 0x1p-10L : ldexpl(1, t->bits == 32 ? -23 : -52) * (fast ? 8192 : 4);
    for (size_t i = 0; i < POINTS; i += f->width) {
        long double x[4] = {0}, y[4] = {0}, largest = 0, least = INFINITY;
        for (size_t k = 0; k < f->width; k++) {
            x[k] = get(a, t, i + k).f;
            y[k] = get(b, t, i + k).f;
            largest = fmaxl(largest, fmaxl(fabsl(x[k]), f->kind[2] ? fabsl(y[k]) : 0));
            least = fminl(least, x[k] == 0 ? INFINITY : fabsl(x[k]));
            least = fminl(least, y[k] == 0 || !f->kind[2] ? INFINITY : fabsl(y[k]));
            if (isnan(x[k]) || (f->kind[2] && isnan(y[k])))
                largest = NAN;
        }
        bool squares = strcmp(f->name, "dot") == 0 || strcmp(f->name, "cross") == 0;
        if (!(largest < 1e300L) || ((fast || squares) && (largest > 1e15L || least < 1e-10L)))
            continue;
        for (size_t k = 0; k < (lanes ? f->width : 1); k++) {
            weft_value v[3] = {{0, x[k]}, {0, y[k]}, {0, 0}}, got = get(out, t, i + k),
                       wanted = {0, 0};
            long double size;
            wanted.f = geometric(f, x, y, k, &size);
            long double range = t->bits == 16   ? 65504
                                : t->bits == 32 ? 3.4e38L
                                                : 1e308L,
                        lowest = t->bits == 16   ? 0.51L * 0x1p-24L
                                 : t->bits == 32 ? 1e-44L
                                                 : 0;
            if (t->bits == 16 && !squares)
                size = fabsl(wanted.f);
            if (fabsl(wanted.f) > range && t->bits == 16)
                continue;
            if (wanted.f < range && !same_float(got.f, wanted.f, epsilon * size + lowest))
                return fail(f, i + k, v, got, wanted);
        }
    }
    return true;
}

static bool check_convert(const weft_builtin *f) {
    char name[16] = "";
    strncpy(name, f->name, strcspn(f->name, "_"));
    const weft_element *from = weft_element_of(f->type), *to = weft_element_of(name);
    for (size_t i = 0; i < POINTS; i++) {
        bool any;
        weft_value v[3] = {get(a, from, i)}, got = get(out, to, i);
        weft_value wanted = weft_convert_reference(f->name, from, v[0], &any);
        bool good = to->is_float
                        ? same_float(got.f, wanted.f, 0) && (wanted.f != 0 || !from->is_float ||
                                                             signbit(got.f) == signbit(wanted.f))
                        : same_bits(to, got.i, wanted.i);
        if (!any && !good)
            return fail(f, i, v, got, wanted);
    }
    return true;
}

static bool check_half(const weft_builtin *f) {
    const weft_element *t = weft_element_of(f->type), *half = weft_element_of("ushort");
    for (size_t i = 0; i < POINTS; i++) {
        if (f->kind[0] == 'l') {
            weft_value v[3] = {get(a, half, i)}, got = get(out, t, i), wanted = {0, 0};
            wanted.f = weft_half_value((uint16_t)v[0].i);
            if (!same_float(got.f, wanted.f, 0))
                return fail(f, i, v, got, wanted);
            continue;
        }
        weft_value v[3] = {get(a, t, i)}, got = get(out, half, i), wanted = {0, 0};
        wanted.i = weft_half_reference(v[0].f, f->name);
        bool nan = wanted.i == 0x7e00 && (got.i & 0x7fff) > 0x7c00;
        if (!nan && got.i != wanted.i)
            return fail(f, i, v, got, wanted);
    }
    return true;
}

static bool check_shuffle(const weft_builtin *f) {
    const weft_element *t = weft_element_of(f->type), *mask = letter_type(f, 'u');
    size_t m = strtoul(strchr(f->name, ' '), NULL, 10), bytes = t->bits / 8;
    for (size_t i = 0; i < POINTS; i++) {
        weft_value v[3] = {{0, 0}, {0, 0}, get(c, mask, i)}, got = {0, 0}, wanted = {0, 0};
        size_t lane = (size_t)v[2].i & (m - 1);
        const char *source = f->kind[0] == 'M' && ((size_t)v[2].i & m) ? b : a;
        if (memcmp(out + i * bytes, source + lane * bytes, bytes) != 0)
            return fail(f, i, v, got, wanted);
    }
    return true;
}

static bool check(const weft_builtin *f) {
    const weft_element *t = weft_element_of(f->type);
    const char *kind = f->kind;
    state = strlen(f->name) * 131 + f->width;
    fill(a, kind[0] == 'l' ? weft_element_of("ushort") : t);
    fill(b, strlen(kind) > 2 ? letter_type(f, kind[2]) : t);
    fill(c, strlen(kind) > 3 ? letter_type(f, kind[3])
                             : letter_type(f, kind[0] == 'm' || kind[0] == 'M' ? 'u' : 'g'));
    bool field = strchr(kind, 'k') != NULL;
    if (field)
        fill_fields(c, t);
    f->loop(a, b, c, out, POINTS);
    return field                                 ? check_field(f)
           : kind[0] == 'c'                      ? check_convert(f)
           : kind[0] == 'h' || kind[0] == 'l'    ? check_half(f)
           : kind[0] == 'm' || kind[0] == 'M'    ? check_shuffle(f)
           : kind[0] == 'n'                      ? check_reduction(f)
           : strcmp(f->family, "geometric") == 0 ? check_geometric(f)
                                                 : check_lanes(f);
}

/** Checks all overloads of the function that row `first` names; returns how many are wrong. */
static size_t check_function(size_t first, size_t count, size_t *overloads) {
    size_t bad = 0;
    *overloads = 0;
    for (size_t i = first; i < count; i++)
        if (strcmp(functions[i].family, functions[first].family) == 0 &&
            strcmp(functions[i].name, functions[first].name) == 0) {
            bad += !check(&functions[i]);
            ++*overloads;
        }
    return bad;
}

static bool seen_before(size_t row) {
    for (size_t i = 0; i < row; i++)
        if (strcmp(functions[i].family, functions[row].family) == 0 &&
            strcmp(functions[i].name, functions[row].name) == 0)
            return true;
    return false;
}

/* One TAP line per function: thousands of overloads are too many to read. */
int main(void) {
    size_t count = sizeof functions / sizeof functions[0], number = 0, failures = 0, overloads;
    bool runs = WEFT_LEVEL == 1   ? true
                : WEFT_LEVEL == 2 ? __builtin_cpu_supports("x86-64-v2")
                : WEFT_LEVEL == 3 ? __builtin_cpu_supports("x86-64-v3")
                                  : __builtin_cpu_supports("x86-64-v4");
    if (!runs) {
        printf("1..0 # SKIP this processor has no x86-64-v%d\n", WEFT_LEVEL);
        return 77;
    }
    for (size_t i = 0; i < count; i++) {
        if (seen_before(i))
            continue;
        size_t bad = check_function(i, count, &overloads);
        failures += bad;
        printf("%sok %zu - %s %s, %zu overloads\n", bad ? "not " : "", ++number,
               functions[i].family, functions[i].name, overloads);
    }
    printf("1..%zu\n", number);
    return failures != 0;
}
