// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The quick references of exhaust.c, compiled for the C library's vector functions. */
#ifndef WEFT_TESTS_EXHAUST_H
#define WEFT_TESTS_EXHAUST_H

typedef void weft_exhaust_loop(const float *x, double *out, int n);

/** A function in double, to within 2^-27 of a float's last place; NULL: there is none. */
weft_exhaust_loop *weft_exhaust_quick(const char *name);

/** The same of two arguments, the first of which is the same for all; exhaust_half.c. */
typedef void weft_exhaust_pairs(double x, const double *y, double *out, int n);
weft_exhaust_pairs *weft_exhaust_pairs_of(const char *name);

/** |is - exact| in units of a float's last place at `exact`; NaN where either is not finite or they
 * have not the same sign, but 0 where an infinity or a NaN is plainly right. */
void weft_exhaust_errors(const float *is, const double *exact, double *error, int n);

#endif
