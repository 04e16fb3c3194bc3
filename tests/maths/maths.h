// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The table of maths functions under test and their references. */
#ifndef WEFT_TESTS_MATHS_H
#define WEFT_TESTS_MATHS_H

#include <stddef.h>
#include <stdint.h>

/** A loop over n elements (a multiple of 48) in vectors of one width: generate.py. */
typedef void weft_maths_loop(const void *a, const void *b, const void *c, void *out, void *out2,
                             size_t n);

enum { WEFT_FLOAT, WEFT_DOUBLE, WEFT_HALF, WEFT_TYPES };

typedef struct weft_maths_function {
    const char *name;
    const char *kind;       /* result and parameters: g gentype, i intn, u ugentype; s and n: one
                              element of g and i for all lanes; capital: pointer */
    double ulp[WEFT_TYPES]; /* bound; 0: as exact as can be, -1: free, -2: no such */
    weft_maths_loop *loops[WEFT_TYPES][6]; /* per type: widths 1 2 3 4 8 16 */
} weft_maths_function;

/** Arguments of one call and what should come back, all exactly or to 64 bits of mantissa. */
typedef struct weft_maths_case {
    int type;
    long double x, y, z;
    int n;         /* the intn argument */
    uint64_t code; /* nan's argument */
    long double result, second;
    int check_second; /* 1: second is a value, 2: low seven bits of a quotient, 0: anything */
    int any;          /* the specification leaves the result open */
} weft_maths_case;

/** Fills in the results; returns 0 for a function it does not know. */
int weft_maths_reference(const char *name, weft_maths_case *c);

#endif
