// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * exhaust-half [--stride N] [--state FILE] [NAME...]: maths functions of two halves at every pair
 * of halves (or every N-th first argument), in each width of the table, and the worst error in
 * units of the last place with its arguments. Results are compared with the C library's functions
 * in double first; what comes near the worst so far, or is odd in any way, is judged with long
 * double (reference.c). Functions of one half are run at every half by the tests.
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

typedef struct weft_pairs {
    const weft_maths_function *function;
    weft_exhaust_pairs *quick;
    double worst;
    uint64_t wrong; /* results that no error bound covers: NaN, infinity, sign of zero */
    uint16_t x, y, wrong_x, wrong_y;
} weft_pairs;

static double values[HALVES];
static uint16_t first[ROOM], second[ROOM], is[ROOM];
static double value_of_second[ROOM], exact[ROOM];

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

/** Whether the result is one that need not be judged: not worse than what was seen. */
static bool is_plain(double result, double wanted, double worst) {
    uint64_t bits;
    memcpy(&bits, &wanted, 8);
    int exponent = (int)(bits >> 52 & 0x7ff);
    exponent = exponent < 1023 - 14 ? 1023 - 14 : exponent;
    bits = (uint64_t)(2046 + 10 - exponent) << 52;
    double unit; /* one over the unit of the last place */
    memcpy(&unit, &bits, 8);
    bool near = fabs(result - wanted) * unit < worst - 0x1p-20;
    near &= (result != 0) | (wanted != 0);
    bool same = (result == wanted) & (!signbit(result) == !signbit(wanted));
    bool over = (result == INFINITY) & (wanted > 65520);
    over |= (result == -INFINITY) & (wanted < -65520);
    return near | same | over | ((result != result) & (wanted != wanted));
}

static void check_row(weft_pairs *p, uint16_t x) {
    for (int at = 0; at < HALVES; at += 64) {
        bool all = true;
        for (int i = at; i < at + 64 && p->quick; i++)
            all &= is_plain(values[is[i]], exact[i], p->worst);
        for (int i = at; i < at + 64; i++)
            if (!p->quick || (!all && !is_plain(values[is[i]], exact[i], p->worst)))
                take(p, x, second[i], is[i]);
    }
}

static void run(weft_pairs *p, int width, uint32_t stride) {
    weft_maths_loop *loop = p->function->loops[WEFT_HALF][width];
    for (uint32_t x = 0; x < HALVES; x += stride) {
        for (int i = 0; i < ROOM; i++)
            first[i] = (uint16_t)x;
        loop(first, second, NULL, is, NULL, ROOM);
        if (p->quick)
            p->quick(values[x], value_of_second, exact, HALVES);
        check_row(p, (uint16_t)x);
    }
}

static bool is_done(const char *state, const char *head) {
    FILE *file = state ? fopen(state, "r") : NULL;
    char line[512];
    bool found = false;
    while (file && fgets(line, sizeof line, file))
        found |= strncmp(line, head, strlen(head)) == 0;
    if (file)
        fclose(file);
    return found;
}

static bool report(const weft_pairs *p, const char *head, const char *state) {
    char line[512], wrong[128] = "";
    double bound = p->function->ulp[WEFT_HALF];
    bool good = p->wrong == 0 && p->worst <= (bound > 0 ? bound : 0.5);
    if (p->wrong)
        snprintf(wrong, sizeof wrong, ", %llu WRONG, as at (%a, %a)", (unsigned long long)p->wrong,
                 values[p->wrong_x], values[p->wrong_y]);
    snprintf(line, sizeof line, "%s%.4f ULP at (%a, %a), bound %g%s%s\n", head, p->worst,
             values[p->x], values[p->y], bound, wrong, good ? "" : ", TOO MUCH");
    fputs(line, stdout);
    fflush(stdout);
    FILE *file = state ? fopen(state, "a") : NULL;
    if (file) {
        fputs(line, file);
        fclose(file);
    }
    return good;
}

static bool is_wanted(const weft_maths_function *f, int argc, char **argv, int from) {
    if (strcmp(f->kind, "ggg") != 0)
        return false;
    for (int i = from; i < argc; i++)
        if (strcmp(argv[i], f->name) == 0)
            return true;
    return from >= argc;
}

int main(int argc, char **argv) {
    uint32_t stride = 1;
    const char *state = NULL;
    int from = 1;
    for (; from + 1 < argc && argv[from][0] == '-'; from += 2) {
        if (strcmp(argv[from], "--stride") == 0)
            stride = (uint32_t)strtoul(argv[from + 1], NULL, 10);
        else if (strcmp(argv[from], "--state") == 0)
            state = argv[from + 1];
        else
            stride = 0;
    }
    if (stride == 0 || stride > HALVES) {
        fprintf(stderr, "usage: exhaust-half [--stride 1..65536] [--state FILE] [NAME...]\n");
        return 2;
    }
    for (int i = 0; i < ROOM; i++) {
        values[i % HALVES] = (double)weft_half_value((uint16_t)i);
        second[i] = (uint16_t)i;
        value_of_second[i] = values[i % HALVES];
    }
    bool good = true;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        for (int width = 0; width < 6; width++) {
            const weft_maths_function *f = &functions[i];
            char head[128];
            if (!is_wanted(f, argc, argv, from) || !f->loops[WEFT_HALF][width])
                continue;
            snprintf(head, sizeof head, "%s half v%d x%d /%u: ", f->name, WEFT_LEVEL, widths[width],
                     stride);
            if (is_done(state, head))
                continue;
            weft_pairs p = {.function = f, .quick = weft_exhaust_pairs_of(f->name)};
            run(&p, width, stride);
            good &= report(&p, head, state);
        }
    return !good;
}
