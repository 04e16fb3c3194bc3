// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Hard cases out of files, for exhaust-random --cases. */
#ifndef WEFT_TESTS_EXHAUST_CASES_H
#define WEFT_TESTS_EXHAUST_CASES_H

#include <stdbool.h>
#include <stddef.h>

/** Of one function: arguments that are hard to round, or at the ends of what is finite. */
typedef struct weft_exhaust_cases {
    size_t count;
    double (*arguments)[2]; /* the second is 0 where there is none */
} weft_exhaust_cases;

/** Reads FOLDER/NAME.wc, of a float's function FOLDER/NAMEf.wc, as CORE-MATH has them
 * (https://core-math.gitlabpages.inria.fr): a line is a number, or two with a comma between, as
 * strtod() reads them; # begins a comment; others (a signalling NaN) are left out. Returns false
 * where there is no such file, or nothing in it. The arguments are the caller's to free. */
bool weft_exhaust_cases_read(const char *folder, const char *name, bool is_float, bool has_two,
                             weft_exhaust_cases *cases);

#endif
