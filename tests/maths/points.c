// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points.h"
#include "half.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

const weft_maths_type weft_maths_types[WEFT_TYPES] = {
    {"float", 24, -149, 128, (long double)FLT_MAX, 4},
    {"double", 53, -1074, 1024, (long double)DBL_MAX, 8},
    {"half", 11, -24, 16, 65504, 2}};

static bool starts_with(const char *name, const char *beginning) {
    return name[0] == beginning[0] && strncmp(name, beginning, strlen(beginning)) == 0;
}

long double weft_points_get(const char *array, int type, size_t i) {
    return type == WEFT_FLOAT    ? (long double)((const float *)array)[i]
           : type == WEFT_DOUBLE ? (long double)((const double *)array)[i]
                                 : weft_half_value(((const uint16_t *)array)[i]);
}

void weft_points_put(char *array, int type, size_t i, double x) {
    if (type == WEFT_FLOAT)
        ((float *)array)[i] = (float)x;
    else if (type == WEFT_DOUBLE)
        ((double *)array)[i] = x;
    else
        ((uint16_t *)array)[i] = weft_half_bits(x);
}

void weft_points_put_random(uint64_t *state, char *array, int type, size_t i) {
    uint64_t r = weft_random(state), bits = weft_random(state);
    double unit = (double)(bits >> 11) * 0x1p-53, sign = r >> 60 & 1 ? -1 : 1;
    switch (r % 6) {
    case 0:
        memcpy(array + weft_maths_types[type].size * i, &bits, weft_maths_types[type].size);
        return;
    case 1:
        weft_points_put(array, type, i, sign * ldexp(1 + unit, (int)(r >> 8 & 3) - 2));
        return;
    case 2:
        weft_points_put(array, type, i, sign * 20 * unit);
        return;
    case 3:
        weft_points_put(array, type, i, sign * 1000 * unit);
        return;
    case 4:
        weft_points_put(array, type, i, sign * 0x1p18 * unit);
        return;
    default:
        weft_points_put(array, type, i, sign * ldexp(unit, -(int)(r >> 8 & 63)));
    }
}

int weft_random_integer(uint64_t *state) {
    static const int edges[] = {0, 1, -1, 2, -2, 3, -3, 5, 1024, -1074, 149, INT_MAX, INT_MIN};
    uint64_t r = weft_random(state);
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

/** |value - exact| in units of the last place of the type at `exact`. */
static double error_ulp(int type, long double exact, long double value) {
    if (isnan(exact) || isnan(value))
        return isnan(exact) && isnan(value) ? 0 : INFINITY;
    long double largest = weft_maths_types[type].largest;
    int digits = weft_maths_types[type].digits, lowest = weft_maths_types[type].lowest;
    if (isinf(value) && fabsl(exact) > largest && signbit(value) == signbit(exact))
        return 0; /* overflow; whether it was near enough is the rounding's affair */
    if (isinf(exact) || isinf(value)) {
        if (isinf(exact) || fabsl(exact) < largest / 2)
            return exact == value ? 0 : INFINITY;
        value = copysignl(ldexpl(1, weft_maths_types[type].highest), value);
    }
    if (exact == value)
        return 0;
    int exponent = exact == 0 ? lowest : ilogbl(exact) - digits + 1;
    return (double)fabsl(ldexpl(value - exact, -(exponent < lowest ? lowest : exponent)));
}

/** Zero's sign matters where the result is exact. */
static bool wrong_zero(const weft_maths_function *f, const weft_maths_case *c, long double value) {
    static const char *const free_sign[] = {"fmax", "fmin", "maxmag", "minmag", "native_"};
    for (size_t i = 0; i < sizeof free_sign / sizeof free_sign[0]; i++)
        if (starts_with(f->name, free_sign[i]))
            return false;
    return !c->any && c->result == 0 && value == 0 && signbit(c->result) != signbit(value) &&
           f->ulp[c->type] >= 0;
}

void weft_points_case(const weft_maths_function *f, const weft_points *points, size_t i,
                      weft_maths_case *c) {
    const char *arrays[3] = {points->a, points->b, points->c};
    long double *reals[3] = {&c->x, &c->y, &c->z};
    *c = (weft_maths_case){.type = points->type};
    for (size_t k = 0; f->kind[1 + k] && k < 3; k++)
        if (f->kind[1 + k] == 'g' || f->kind[1 + k] == 's')
            *reals[k] = weft_points_get(arrays[k], points->type, i);
        else if (f->kind[1 + k] == 'i' || f->kind[1 + k] == 'n')
            c->n = ((const int *)arrays[k])[i];
}

/** native_ functions have none; they are to be as right as half_ ones where that is usual. */
void weft_points_round(const weft_maths_function *f, weft_maths_case *c) {
    if (f->ulp[c->type] != 0 || f->kind[0] != 'g')
        return;
    c->result = c->type == WEFT_FLOAT    ? (long double)(float)c->result
                : c->type == WEFT_DOUBLE ? (long double)(double)c->result
                                         : weft_half_value(weft_half_bits(c->result));
}

double weft_points_bound(const weft_maths_function *f, int type) {
    if (strcmp(f->name, "native_sin") == 0 || strcmp(f->name, "native_cos") == 0)
        return 64; /* of results of 2^-6 and more: 2^-23, or transforms' twiddles are bad */
    if (starts_with(f->name, "native_"))
        return 8192;
    if (starts_with(f->name, "lgamma")) /* of negative numbers, see weft_points_check() */
        return 0x1p20;
    return f->ulp[type] > 0 ? f->ulp[type] : f->ulp[type] < 0 ? INFINITY : 0;
}

double weft_points_check(const weft_maths_function *f, const weft_points *points, size_t i,
                         const weft_maths_case *c, long double *value) {
    double bound = weft_points_bound(f, c->type);
    *value = f->kind[0] == 'i' ? (long double)((const int *)points->out)[i]
                               : weft_points_get(points->out, c->type, i);
    bool is_free = c->any || bound == (double)INFINITY;
    double error = is_free ? 0 : error_ulp(c->type, c->result, *value);
    if (wrong_zero(f, c, *value))
        error = INFINITY;
    if (f->kind[0] == 'i' && error != 0)
        error = INFINITY;
    /* Between two poles it goes through 0 somewhere, and relative errors have no bound; at 1 and 2
     * it is right. */
    if (starts_with(f->name, "lgamma") && c->x > 0 && error > 6)
        error = INFINITY;
    if (c->check_second) {
        bool is_integer = strchr(f->kind, 'I') != NULL;
        int quotient = ((const int *)points->out2)[i];
        long double second = is_integer ? quotient : weft_points_get(points->out2, c->type, i);
        if (c->check_second == 2)
            second = quotient < 0 ? -(-quotient & 7) : quotient & 7;
        double other = is_integer ? (second == c->second ? 0 : INFINITY)
                                  : error_ulp(c->type, c->second, second);
        if (other > bound)
            *value = second;
        error = fmax(error, other);
    }
    return error;
}

/* (powr(0.839f, 499.49f), 2^-126.1, was built of an exponent that floats do not have.)
 */
void weft_points_aim(uint64_t *state, weft_points *points, const weft_maths_function *f) {
    if (!strstr(f->name, "pow") || points->type == WEFT_HALF)
        return;
    int lowest = weft_maths_types[points->type].lowest,
        digits = weft_maths_types[points->type].digits;
    const int borders[] = {lowest, lowest + digits - 1, weft_maths_types[points->type].highest};
    for (size_t i = 0; i < points->n; i++) {
        uint64_t r = weft_random(state);
        if (r >> 61) /* in any lane */
            continue;
        double unit = (double)(weft_random(state) >> 11) * 0x1p-53;
        weft_points_put(points->a, points->type, i, ldexp(1 + unit, (int)(r >> 8 & 1) - 1));
        double y = borders[r % 3] + ((double)(r >> 12 & 1023) - 512) / 2048;
        y /= log2((double)weft_points_get(points->a, points->type, i));
        if (f->kind[2] == 'i')
            ((int *)points->b)[i] = (int)fmax(fmin(y, 0x1p30), -0x1p30);
        else
            weft_points_put(points->b, points->type, i, y);
    }
}
