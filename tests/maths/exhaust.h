// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the exhaust programs share; the quick references, compiled for the C library's vector
 * functions. */
#ifndef WEFT_TESTS_EXHAUST_H
#define WEFT_TESTS_EXHAUST_H

#include <stdbool.h>
#include <stdint.h>

/** Whether the file `state` has a line that begins so; NULL: no file. One of something wrong makes
 * `*good` false, now as when it was written. */
bool weft_exhaust_is_done(const char *state, const char *head, bool *good);
/** Whether one of the arguments from `first` on is the name, or there are none. */
bool weft_exhaust_is_named(const char *name, int argc, char **argv, int first);
/** Prints a line, and adds it to the file. */
void weft_exhaust_say(const char *state, const char *line);

typedef void weft_exhaust_loop(const float *x, double *out, int n);

/** A function in double, to within 2^-26 of a float's last place; NULL: there is none. */
weft_exhaust_loop *weft_exhaust_quick(const char *name);

/** The same of two halves, the first of which is the same for all; exhaust_half.c. */
typedef void weft_exhaust_pairs(double x, const double *y, double *out, int n);
weft_exhaust_pairs *weft_exhaust_pairs_of(const char *name);

/** |is - exact| in units of a float's last place at `exact`; NaN where either is not finite or they
 * have not the same sign, but 0 where an infinity or a NaN is plainly right. */
void weft_exhaust_errors(const float *is, const double *exact, double *error, int n);

/** The same in units of a half's last place, of results that are halves. */
void weft_exhaust_half_errors(const uint16_t *is, const double *exact, double *error, int n);

/** Of a function's results at neighbouring arguments, upwards. */
typedef struct weft_exhaust_shape {
    uint64_t not_even, not_odd;
    uint64_t falls, rises; /* neighbours with a smaller or a larger result */
    float last[2];         /* before the next block, of positive and of negative arguments */
} weft_exhaust_shape;

/** Adds a block: the results at n positive arguments, away from zero, then at their opposites. */
void weft_exhaust_see_shape(weft_exhaust_shape *shape, const float *is, int n);

#endif
