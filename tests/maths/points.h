// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Random arguments of maths functions, and what is wrong with their results. */
#ifndef WEFT_TESTS_POINTS_H
#define WEFT_TESTS_POINTS_H

#include "../random.h"
#include "maths.h"

#include <stddef.h>
#include <stdint.h>

/** What must be known of a type to say how wrong a result is, and its name. */
typedef struct weft_maths_type {
    const char *name;
    int digits, lowest, highest; /* exponents of the smallest number, and above the largest */
    long double largest;
    size_t size;
} weft_maths_type;
extern const weft_maths_type weft_maths_types[WEFT_TYPES];

/** Arrays of one function's arguments and results, as its type has them. */
typedef struct weft_points {
    size_t n; /* a multiple of 48 */
    int type;
    char *a, *b, *c, *out, *out2;
} weft_points;

int weft_random_integer(uint64_t *state);

long double weft_points_get(const char *array, int type, size_t i);
void weft_points_put(char *array, int type, size_t i, double x);
/** Any bit pattern; near 1; within +-20; within +-1000; within +-2^18; tiny. */
void weft_points_put_random(uint64_t *state, char *array, int type, size_t i);
/** About one in eight points of a function that is a power becomes one whose result is about where
 * subnormal numbers, 0 or infinity begin: chance hardly ever finds them. */
void weft_points_aim(uint64_t *state, weft_points *points, const weft_maths_function *f);

/** The arguments of one call; the reference has not seen them yet. */
void weft_points_case(const weft_maths_function *f, const weft_points *points, size_t i,
                      weft_maths_case *c);
/** A result that has to be the nearest, or exact, becomes what it has to be. */
void weft_points_round(const weft_maths_function *f, weft_maths_case *c);
/** In units of the last place; INFINITY where there is none. */
double weft_points_bound(const weft_maths_function *f, int type);
/** The error of one result, in units of the last place, INFINITY where it is none of rounding; and
 *  the result, or the second one where that is what is wrong. */
double weft_points_check(const weft_maths_function *f, const weft_points *points, size_t i,
                         const weft_maths_case *c, long double *value);

#endif
