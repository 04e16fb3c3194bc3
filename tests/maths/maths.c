// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Every maths function of the kernel library, in float, double and half and every width, against
 * long double, at special values, their combinations, and random points of every magnitude; of half
 * and one argument at every half. The bounds are builtins.def's, which are the specification's.
 *
 * maths [POINTS [NAME]]: random points per function, one function only.
 */
#include "half.h"
#include "maths.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include WEFT_TABLE

static const int widths[6] = {1, 2, 3, 4, 8, 16};

static const double specials[] = {0.0,
                                  0.5,
                                  1.0,
                                  1.5,
                                  2.0,
                                  2.5,
                                  3.0,
                                  4.0,
                                  7.0,
                                  9.0,
                                  0.25,
                                  0.75,
                                  1e-3,
                                  10.0,
                                  16.0,
                                  31.5,
                                  32.0,
                                  63.0,
                                  64.0,
                                  88.7,
                                  89.0,
                                  103.9,
                                  104.5,
                                  127.0,
                                  128.0,
                                  149.0,
                                  150.0,
                                  170.6,
                                  171.7,
                                  709.7,
                                  710.0,
                                  745.1,
                                  746.0,
                                  1023.0,
                                  1024.0,
                                  1074.0,
                                  1075.0,
                                  4096.5,
                                  65535.,
                                  65536.0,
                                  8388607.5,
                                  8388608.0,
                                  16777216.,
                                  2147483648.,
                                  4294967296.,
                                  4503599627370495.5,
                                  9007199254740992.,
                                  1e22,
                                  1e30,
                                  3.4e38,
                                  1e-30,
                                  1e-38,
                                  1e-44,
                                  11.1,
                                  17.4,
                                  65504.,
                                  0x1p-14,
                                  0x1p-24,
                                  0x1p-25,
                                  3.14159265358979,
                                  1.5707963267948966,
                                  0.7853981633974483,
                                  0.99999994,
                                  1.0000001,
                                  0.9999999999999999,
                                  1.0000000000000002,
                                  INFINITY,
                                  NAN};
/** What error_ulp() must know of a type, and its name. */
static const struct {
    const char *name;
    int digits, lowest, highest; /* exponents of the smallest number, and above the largest */
    long double largest;
    size_t size;
} types[WEFT_TYPES] = {{"float", 24, -149, 128, (long double)FLT_MAX, 4},
                       {"double", 53, -1074, 1024, (long double)DBL_MAX, 8},
                       {"half", 11, -24, 16, 65504, 2}};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

/** Arrays of one function's arguments and results, as its type has them. */
typedef struct weft_points {
    size_t n; /* a multiple of 48 */
    int type;
    char *a, *b, *c, *out, *out2;
} weft_points;

static uint64_t state;

static uint64_t next_random(void) { /* splitmix64 */
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static long double get(const char *array, int type, size_t i) {
    return type == WEFT_FLOAT    ? (long double)((const float *)array)[i]
           : type == WEFT_DOUBLE ? (long double)((const double *)array)[i]
                                 : weft_half_value(((const uint16_t *)array)[i]);
}

static void put(char *array, int type, size_t i, double x) {
    if (type == WEFT_FLOAT)
        ((float *)array)[i] = (float)x;
    else if (type == WEFT_DOUBLE)
        ((double *)array)[i] = x;
    else
        ((uint16_t *)array)[i] = weft_half_bits(x);
}

/* Any bit pattern; near 1; within +-20; within +-1000; within +-2^18; tiny. */
static void put_random(char *array, int type, size_t i) {
    uint64_t r = next_random(), bits = next_random();
    double unit = (double)(bits >> 11) * 0x1p-53, sign = r >> 60 & 1 ? -1 : 1;
    switch (r % 6) {
    case 0:
        memcpy(array + types[type].size * i, &bits, types[type].size);
        return;
    case 1:
        put(array, type, i, sign * ldexp(1 + unit, (int)(r >> 8 & 3) - 2));
        return;
    case 2:
        put(array, type, i, sign * 20 * unit);
        return;
    case 3:
        put(array, type, i, sign * 1000 * unit);
        return;
    case 4:
        put(array, type, i, sign * 0x1p18 * unit);
        return;
    default:
        put(array, type, i, sign * ldexp(unit, -(int)(r >> 8 & 63)));
    }
}

static void put_special(char *array, int type, size_t i, size_t which) {
    double x = specials[which / 2 % SPECIALS];
    put(array, type, i, which & 1 ? -x : x);
}

static int random_integer(void) {
    static const int edges[] = {0, 1, -1, 2, -2, 3, -3, 5, 1024, -1074, 149, INT_MAX, INT_MIN};
    uint64_t r = next_random();
    switch (r % 4) {
    case 0:
        return edges[(r >> 8) % (sizeof edges / sizeof edges[0])];
    case 1:
        return (int)(r >> 8 & 31) - 16;
    case 2:
        return (int)(r >> 8 & 4095) - 2048;
    default:
        return (int)(r >> 32);
    }
}

/** In each 48 elements the first everywhere. */
static void spread(char *array, size_t size, size_t n) {
    for (size_t i = 0; i < n; i++)
        memmove(array + i * size, array + i / 48 * 48 * size, size);
}

static void fill(weft_points *points, const char *kind) {
    size_t arguments = strspn(kind + 1, "giusn");
    char *arrays[3] = {points->a, points->b, points->c};
    if (points->type == WEFT_HALF && arguments == 1) { /* all there are */
        for (size_t i = 0; i < points->n; i++)
            ((uint16_t *)points->a)[i] = (uint16_t)i;
        return;
    }
    for (size_t k = 0; k < arguments; k++) {
        size_t step = 1;
        for (size_t j = 0; j < k; j++)
            step *= 2 * SPECIALS;
        for (size_t i = 0; i < points->n; i++) {
            if (kind[1 + k] == 'i' || kind[1 + k] == 'n')
                ((int *)arrays[k])[i] = random_integer();
            else if (kind[1 + k] == 'u' ||
                     (arguments > 2
                          ? i % 4 != 0
                          : i >= (k + 1 == arguments ? step : step * 2 * SPECIALS) * 2 * SPECIALS))
                put_random(arrays[k], points->type, i);
            else
                put_special(arrays[k], points->type, i,
                            arguments > 2 ? next_random() % (2 * SPECIALS) : i / step);
        }
        if (strchr("sn", kind[1 + k])) /* one for whole vectors, however wide */
            spread(arrays[k], kind[1 + k] == 'n' ? sizeof(int) : types[points->type].size,
                   points->n);
    }
}

/** |value - exact| in units of the last place of the type at `exact`. */
static double error_ulp(int type, long double exact, long double value) {
    if (isnan(exact) || isnan(value))
        return isnan(exact) && isnan(value) ? 0 : INFINITY;
    long double largest = types[type].largest;
    int digits = types[type].digits, lowest = types[type].lowest;
    if (isinf(value) && fabsl(exact) > largest && signbit(value) == signbit(exact))
        return 0; /* overflow; whether it was near enough is the rounding's affair */
    if (isinf(exact) || isinf(value)) {
        if (isinf(exact) || fabsl(exact) < largest / 2)
            return exact == value ? 0 : INFINITY;
        value = copysignl(ldexpl(1, types[type].highest), value);
    }
    if (exact == value)
        return 0;
    int exponent = exact == 0 ? lowest : ilogbl(exact) - digits + 1;
    return (double)fabsl(ldexpl(value - exact, -(exponent < lowest ? lowest : exponent)));
}

static void describe(const weft_maths_function *f, const weft_maths_case *c, int width, size_t lane,
                     long double value, double error) {
    printf("# %s %s%d lane %zu: (%La, %La, %La, %d): %.20Lg (%La) is not %.20Lg (%La): %.3g ULP\n",
           f->name, types[c->type].name, width, lane, c->x, c->y, c->z, c->n, value, value,
           c->result, c->result, error);
}

/** Zero's sign matters where the result is exact. */
static bool wrong_zero(const weft_maths_function *f, const weft_maths_case *c, long double value) {
    static const char *const free_sign[] = {"fmax", "fmin", "maxmag", "minmag", "native_"};
    for (size_t i = 0; i < sizeof free_sign / sizeof free_sign[0]; i++)
        if (strncmp(f->name, free_sign[i], strlen(free_sign[i])) == 0)
            return false;
    return !c->any && c->result == 0 && value == 0 && signbit(c->result) != signbit(value) &&
           f->ulp[c->type] >= 0;
}

static void load_case(const weft_maths_function *f, const weft_points *points, size_t i,
                      weft_maths_case *c) {
    const char *arrays[3] = {points->a, points->b, points->c};
    long double *reals[3] = {&c->x, &c->y, &c->z};
    *c = (weft_maths_case){.type = points->type};
    for (size_t k = 0; f->kind[1 + k] && k < 3; k++)
        if (f->kind[1 + k] == 'g' || f->kind[1 + k] == 's')
            *reals[k] = get(arrays[k], points->type, i);
        else if (f->kind[1 + k] == 'i' || f->kind[1 + k] == 'n')
            c->n = ((const int *)arrays[k])[i];
}

/** native_ functions have none; they are to be as right as half_ ones where that is usual. */
static double bound_of(const weft_maths_function *f, int type) {
    if (strcmp(f->name, "native_sin") == 0 || strcmp(f->name, "native_cos") == 0)
        return 64; /* of results of 2^-6 and more: 2^-23, or transforms' twiddles are bad */
    if (strncmp(f->name, "native_", 7) == 0)
        return 8192;
    if (strncmp(f->name, "lgamma", 6) == 0) /* of negative numbers, see check_case() */
        return 0x1p20;
    return f->ulp[type] > 0 ? f->ulp[type] : f->ulp[type] < 0 ? INFINITY : 0.5000001;
}

static double check_case(const weft_maths_function *f, const weft_points *points, size_t i,
                         const weft_maths_case *c, long double *value) {
    double bound = bound_of(f, c->type);
    *value = f->kind[0] == 'i' ? (long double)((const int *)points->out)[i]
                               : get(points->out, c->type, i);
    bool is_free = c->any || bound == (double)INFINITY;
    double error = is_free ? 0 : error_ulp(c->type, c->result, *value);
    if (wrong_zero(f, c, *value))
        error = INFINITY;
    if (f->kind[0] == 'i' && error != 0)
        error = INFINITY;
    /* Between two poles it goes through 0 somewhere, and relative errors have no bound; at 1 and 2
     * it is right. */
    if (strncmp(f->name, "lgamma", 6) == 0 && c->x > 0 && error > 6)
        error = INFINITY;
    if (c->check_second) {
        bool is_integer = strchr(f->kind, 'I') != NULL;
        int quotient = ((const int *)points->out2)[i];
        long double second = is_integer ? quotient : get(points->out2, c->type, i);
        if (c->check_second == 2)
            second = quotient < 0 ? -(-quotient & 7) : quotient & 7;
        double other = is_integer ? (second == c->second ? 0 : INFINITY)
                                  : error_ulp(c->type, c->second, second);
        if (other > bound) {
            *value = second;
            error = other;
        }
    }
    return error;
}

/**
 * Powers whose results are about where subnormal numbers, 0 or infinity begin: chance hardly ever
 * finds them. (powr(0.839f, 499.49f), 2^-126.1, was built of an exponent that floats do not have.)
 */
static void aim_at_borders(weft_points *points, const weft_maths_function *f) {
    if (!strstr(f->name, "pow") || points->type == WEFT_HALF)
        return;
    int lowest = types[points->type].lowest, digits = types[points->type].digits;
    const int borders[] = {lowest, lowest + digits - 1, types[points->type].highest};
    for (size_t i = 7; i < points->n; i += 8) {
        uint64_t r = next_random();
        double unit = (double)(next_random() >> 11) * 0x1p-53;
        put(points->a, points->type, i, ldexp(1 + unit, (int)(r >> 8 & 1) - 1));
        double y = borders[r % 3] + ((double)(r >> 12 & 1023) - 512) / 2048;
        y /= log2((double)get(points->a, points->type, i));
        if (f->kind[2] == 'i')
            ((int *)points->b)[i] = (int)fmax(fmin(y, 0x1p30), -0x1p30);
        else
            put(points->b, points->type, i, y);
    }
}

/** Returns the largest error of all widths, or the first unbearable one, which it prints; adds the
 * widths to *overloads. */
static bool check(const weft_maths_function *f, weft_points *points, double *worst,
                  size_t *overloads) {
    bool good = true;
    weft_maths_case *cases = malloc(points->n * sizeof *cases);
    fill(points, f->kind);
    aim_at_borders(points, f);
    *worst = 0;
    for (size_t i = 0; i < points->n; i++) {
        load_case(f, points, i, &cases[i]);
        if (!weft_maths_reference(f->name, &cases[i])) {
            printf("# no reference for %s\n", f->name);
            free(cases);
            return false;
        }
        if (points->type == WEFT_HALF && f->ulp[WEFT_HALF] == 0 && f->kind[0] == 'g')
            cases[i].result = weft_half_value(weft_half_bits(cases[i].result));
    }
    double bound = bound_of(f, points->type);
    for (int w = 0; w < 6; w++) {
        int printed = 0;
        if (!f->loops[points->type][w])
            continue;
        ++*overloads;
        f->loops[points->type][w](points->a, points->b, points->c, points->out, points->out2,
                                  points->n);
        for (size_t i = 0; i < points->n; i++) {
            long double value;
            double error = check_case(f, points, i, &cases[i], &value);
            if (error > *worst)
                *worst = error;
            if (error > bound) {
                good = false;
                if (printed++ < 4)
                    describe(f, &cases[i], widths[w], i % (size_t)widths[w], value, error);
            }
        }
    }
    free(cases);
    return good;
}

static bool level_is_here(void) {
    switch (WEFT_LEVEL) {
    case 1:
        return true;
    case 2:
        return __builtin_cpu_supports("x86-64-v2");
    case 3:
        return __builtin_cpu_supports("x86-64-v3");
    default:
        return __builtin_cpu_supports("x86-64-v4");
    }
}

int main(int argc, char **argv) {
    if (!level_is_here()) {
        printf("1..0 # SKIP this processor has no x86-64-v%d\n", WEFT_LEVEL);
        return 77;
    }
    size_t random_points = argc > 1 ? strtoul(argv[1], NULL, 10) : 24000;
    size_t room = random_points + 4 * SPECIALS * SPECIALS + 48;
    weft_points points = {.n = 0};
    char **arrays[5] = {&points.a, &points.b, &points.c, &points.out, &points.out2};
    for (int i = 0; i < 5; i++)
        *arrays[i] = calloc(room < 65568 ? 65568 : room, 8);
    size_t number = 0, failed = 0, overloads = 0;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        for (points.type = WEFT_FLOAT; points.type < WEFT_TYPES; points.type++) {
            const weft_maths_function *f = &functions[i];
            double worst;
            if (f->ulp[points.type] == -2 || (argc > 2 && strcmp(argv[2], f->name) != 0))
                continue;
            state = i;
            points.n = (points.type == WEFT_HALF && room < 65568 ? 65568 : room) / 48 * 48;
            bool good = check(f, &points, &worst, &overloads);
            failed += !good;
            printf("%sok %zu - %s %s%s: %.4g ULP, bound %g\n", good ? "" : "not ", ++number,
                   f->name, types[points.type].name, strpbrk(f->kind, "sn") ? ", scalar" : "",
                   worst, f->ulp[points.type]);
        }
    if (argc <= 2) {
        bool all = overloads == overloads_in_table;
        failed += !all;
        printf("%sok %zu - %zu overloads, %zu in builtins.def\n", all ? "" : "not ", ++number,
               overloads, overloads_in_table);
    }
    printf("1..%zu\n", number);
    for (int i = 0; i < 5; i++)
        free(*arrays[i]);
    return failed != 0;
}
