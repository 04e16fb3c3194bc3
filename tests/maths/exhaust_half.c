// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * exhaust-half [--stride N] [--state FILE] [--width W] [NAME...]: maths functions of two halves at
 * every pair of halves (or every N-th first argument), in each width of the table or in one scalar
 * and one vector, 1 and W, and the worst error in units of the last place with its arguments.
 * Results are compared with the C library's functions in double first; what comes near the worst so
 * far, or is odd in any way, is judged with long double (reference.c). Functions of one half are
 * run at every half by the tests.
 *
 * FILE keeps the lines of finished functions: what is in it is not run again.
 */
#include "exhaust.h"
#include "half.h"
#include "maths.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include WEFT_TABLE

static const int widths[6] = {1, 2, 3, 4, 8, 16};

enum { HALVES = 65536, ROOM = 65568 /* a multiple of 48 */ };

/** One width of a function. */
typedef struct weft_pairs {
    const weft_maths_function *function;
    weft_maths_loop *loop;
    double worst;
    uint64_t wrong; /* results that no error bound covers: NaN, infinity, sign of zero */
    uint16_t x, y, wrong_x, wrong_y;
} weft_pairs;

static uint16_t first[ROOM], second[ROOM], is[ROOM];
static double value_of_second[ROOM], exact[HALVES], error[HALVES];

/** "The sign of zero" is anyone's: fmax, fmin, maxmag, minmag. */
static bool may_swap_zeros(const char *name) {
    return strncmp(name, "fm", 2) == 0 ? strcmp(name, "fmod") != 0 : strstr(name, "mag") != NULL;
}

/** The error by long double; INFINITY where it is none of rounding. */
static double judge(const weft_maths_function *f, uint16_t x, uint16_t y, uint16_t result) {
    weft_maths_case c = {.type = WEFT_HALF, .x = weft_half_value(x), .y = weft_half_value(y)};
    if (!weft_maths_reference(f->name, &c))
        return INFINITY;
    bool rounded = f->ulp[WEFT_HALF] == 0;
    long double value = weft_half_value(result);
    long double wanted = rounded ? weft_half_value(weft_half_bits(c.result)) : c.result;
    if (c.any || (isnan(wanted) && isnan(value)))
        return 0;
    if (wanted == value)
        return value != 0 || !signbit(wanted) == !signbit(value) || may_swap_zeros(f->name)
                   ? 0
                   : INFINITY;
    if (isinf(value) && fabsl(wanted) >= 65520 && !signbit(wanted) == !signbit(value))
        return 0;
    if (rounded || isnan(wanted) || isnan(value) || isinf(wanted))
        return INFINITY;
    value = isinf(value) ? copysignl(65536, value) : value;
    return (double)(fabsl(value - wanted) / weft_half_ulp(wanted));
}

static void take(weft_pairs *p, uint16_t x, uint16_t y, uint16_t result) {
    double error = judge(p->function, x, y, result);
    if (isinf(error)) {
        p->wrong++;
        p->wrong_x = x;
        p->wrong_y = y;
    } else if (error > p->worst) {
        p->worst = error;
        p->x = x;
        p->y = y;
    }
}

/** `quick`: `exact` holds what the results are to be compared with. */
static void check_row(weft_pairs *p, uint16_t x, bool quick) {
    /* Of a function that is correctly rounded, what is nearer than a half is the nearest. */
    double most = (p->function->ulp[WEFT_HALF] == 0 ? 0.5 : p->worst) - 0x1p-20;
    if (quick)
        weft_exhaust_half_errors(is, exact, error, HALVES);
    for (int at = 0; at < HALVES; at += 64) {
        bool all = quick;
        for (int i = at; i < at + 64; i++)
            all &= error[i] < most || error[i] == 0;
        for (int i = at; i < at + 64 && !all; i++)
            if (!quick || !(error[i] < most || error[i] == 0))
                take(p, x, second[i], is[i]);
    }
}

/** All widths of one function at once, whose exact results are the same. */
static void run(weft_pairs *all, int count, uint32_t stride) {
    if (count == 0)
        return;
    weft_exhaust_pairs *quick = weft_exhaust_pairs_of(all->function->name);
    for (uint32_t x = 0; x < HALVES; x += stride) {
        for (int i = 0; i < ROOM; i++)
            first[i] = (uint16_t)x;
        if (quick)
            quick(value_of_second[x], value_of_second, exact, HALVES);
        for (weft_pairs *p = all; p < all + count; p++) {
            p->loop(first, second, NULL, is, NULL, ROOM);
            check_row(p, (uint16_t)x, quick != NULL);
        }
    }
}

static bool report(const weft_pairs *p, const char *head, const char *state) {
    char line[1024], wrong[128] = "";
    double bound = p->function->ulp[WEFT_HALF];
    bool good = p->wrong == 0 && p->worst <= (bound > 0 ? bound : 0.5);
    if (p->wrong)
        snprintf(wrong, sizeof wrong, ", %llu WRONG, as at (%a, %a)", (unsigned long long)p->wrong,
                 value_of_second[p->wrong_x], value_of_second[p->wrong_y]);
    snprintf(line, sizeof line, "%s%.4f ULP at (%a, %a), bound %g%s%s\n", head, p->worst,
             value_of_second[p->x], value_of_second[p->y], bound, wrong, good ? "" : ", TOO MUCH");
    weft_exhaust_say(state, line);
    return good;
}

/** All widths of one function that are asked for and not in `state`; whether all is well. */
static bool run_function(const weft_maths_function *f, int only, uint32_t stride,
                         const char *state) {
    weft_pairs all[6];
    char heads[6][128];
    int count = 0;
    bool good = true;
    for (int width = 0; width < 6; width++) {
        char *head = heads[count];
        snprintf(head, sizeof heads[count], "%s half v%d x%d /%u: ", f->name, WEFT_LEVEL,
                 widths[width], stride);
        bool asked = only == 0 || width == 0 || widths[width] == only;
        if (!asked || !f->loops[WEFT_HALF][width] || weft_exhaust_is_done(state, head, &good))
            continue;
        all[count++] = (weft_pairs){.function = f, .loop = f->loops[WEFT_HALF][width]};
    }
    run(all, count, stride);
    for (int i = 0; i < count; i++)
        good &= report(&all[i], heads[i], state);
    return good;
}

int main(int argc, char **argv) {
    uint32_t stride = 1;
    int only = 0;
    const char *state = NULL;
    int from = 1;
    for (; from + 1 < argc && argv[from][0] == '-'; from += 2) {
        if (strcmp(argv[from], "--stride") == 0)
            stride = (uint32_t)strtoul(argv[from + 1], NULL, 10);
        else if (strcmp(argv[from], "--state") == 0)
            state = argv[from + 1];
        else if (strcmp(argv[from], "--width") == 0)
            only = (int)strtoul(argv[from + 1], NULL, 10);
        else
            stride = 0;
    }
    if (stride == 0 || stride > HALVES || only < 0 || only > 16) {
        fprintf(stderr, "usage: exhaust-half [--stride 1..65536] [--state FILE] [--width 2..16] "
                        "[NAME...]\n");
        return 2;
    }
    for (int i = 0; i < ROOM; i++) {
        second[i] = (uint16_t)i;
        value_of_second[i] = (double)weft_half_value(second[i]);
    }
    bool good = true;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].kind, "ggg") == 0 &&
            weft_exhaust_is_named(functions[i].name, argc, argv, from))
            good &= run_function(&functions[i], only, stride, state);
    return !good;
}
