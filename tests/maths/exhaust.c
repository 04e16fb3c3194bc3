// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * exhaust [--stride N] [--state FILE] [--width W] [NAME...]: maths functions of one float at every
 * float (or every N-th), in each width of the table or in one scalar and one vector, 1 and W, and
 * the worst error in units of the last place with its argument. The results are compared with the C
 * library's vector functions in double first, which are within 8 units of the last place of a
 * double (2^-26 of a float's): whatever comes near the worst so far, or is odd in any way, is
 * judged with long double (reference.c). Says also whether the function is even or odd to the last
 * bit, and in how many places neighbours are not in order.
 *
 * FILE keeps the lines of finished functions: what is in it is not run again.
 */
#include "exhaust.h"
#include "maths.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include WEFT_TABLE

static const int widths[6] = {1, 2, 3, 4, 8, 16};

enum { BLOCK = 48 * 128 }; /* half of it from each sign */

typedef struct weft_exhaust {
    const weft_maths_function *function;
    weft_exhaust_loop *quick; /* NULL: long double for all */
    double worst;
    float argument;
    weft_maths_loop *loop; /* of one width */
    uint64_t wrong;        /* results that no error bound covers: NaN, infinity, sign of zero */
    float wrong_argument;
    weft_exhaust_shape shape;
} weft_exhaust;

static float of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

/** The error by long double; INFINITY where it is none of rounding. */
static double judge(const weft_maths_function *f, float x, float is) {
    weft_maths_case c = {.type = WEFT_FLOAT, .x = (long double)x};
    if (!weft_maths_reference(f->name, &c))
        return INFINITY;
    if (c.any)
        return 0;
    if (f->ulp[WEFT_FLOAT] == 0) /* nothing but the nearest */
        c.result = (long double)(float)c.result;
    if (isnan(c.result) || isnan(is))
        return isnan(c.result) && isnan(is) ? 0 : INFINITY;
    if (c.result == 0 && is == 0)
        return !signbit(c.result) == !signbit(is) ? 0 : INFINITY;
    if (c.result == (long double)is)
        return 0;
    if (isinf(c.result) || f->ulp[WEFT_FLOAT] == 0)
        return INFINITY;
    int exponent = c.result == 0 ? -149 : ilogbl(c.result) - 23;
    long double value = isinf(is) ? copysignl(0x1p128L, is) : (long double)is;
    if (isinf(is) && fabsl(c.result) >= 0x1.ffffffp127L)
        return 0;
    return (double)fabsl(ldexpl(value - c.result, -(exponent < -149 ? -149 : exponent)));
}

static void take(weft_exhaust *e, float x, float is) {
    double error = judge(e->function, x, is);
    if (isinf(error)) {
        e->wrong++;
        e->wrong_argument = x;
    } else if (error > e->worst) {
        e->worst = error;
        e->argument = x;
    }
}

static void check_block(weft_exhaust *e, const float *x, const float *is, const double *exact) {
    double error[BLOCK];
    if (!e->quick) {
        for (int i = 0; i < BLOCK; i++)
            take(e, x[i], is[i]);
        return;
    }
    /* NaN, and so no, where anything is not finite */
    weft_exhaust_errors(is, exact, error, BLOCK);
    double most = e->worst > 0x1p-19 ? e->worst - 0x1p-20 : 0x1p-20;
    for (int at = 0; at < BLOCK; at += 64) {
        bool all = true;
        for (int i = at; i < at + 64; i++)
            all &= error[i] < most;
        for (int i = at; !all && i < at + 64; i++)
            if (!(error[i] < most))
                take(e, x[i], is[i]);
    }
}

/** Half of a block from each sign, from the bits `at` upwards. */
static void fill(float *x, uint64_t at, uint32_t stride) {
    for (uint32_t i = 0; i < BLOCK / 2; i++) {
        uint64_t bits = at + (uint64_t)i * stride;
        if (bits > 0x7fffffffu)
            bits = 0x7fffffffu;
        x[i] = of_bits((uint32_t)bits);
        x[i + BLOCK / 2] = of_bits((uint32_t)bits | 0x80000000u);
    }
}

/** All widths of one function at once, whose exact results are the same. */
static void go_over(weft_exhaust *all, int count, uint32_t stride) {
    static float x[BLOCK], is[BLOCK];
    static double exact[BLOCK];
    const uint64_t step = (uint64_t)stride * (BLOCK / 2);
    for (uint64_t at = 0; count > 0 && at < 0x80000000u; at += step) {
        fill(x, at, stride);
        if (all->quick)
            all->quick(x, exact, BLOCK);
        for (weft_exhaust *e = all; e < all + count; e++) {
            e->loop(x, NULL, NULL, is, NULL, BLOCK);
            check_block(e, x, is, exact);
            weft_exhaust_see_shape(&e->shape, is, BLOCK / 2);
        }
    }
}

/** A few floats first: judged are then only those near the worst of all, and not each of a slope.
 */
static void run(weft_exhaust *all, int count, uint32_t stride) {
    go_over(all, count, stride * 1021);
    for (weft_exhaust *e = all; e < all + count; e++) {
        e->wrong = 0;
        e->shape = (weft_exhaust_shape){.last = {NAN, NAN}};
    }
    go_over(all, count, stride);
}

static bool report(const weft_exhaust *e, const char *head, const char *state) {
    char line[1024], wrong[96] = "";
    double bound = e->function->ulp[WEFT_FLOAT];
    bool monotone = e->shape.falls == 0 || e->shape.rises == 0;
    if (e->wrong)
        snprintf(wrong, sizeof wrong, ", %llu WRONG, as at %a", (unsigned long long)e->wrong,
                 (double)e->wrong_argument);
    snprintf(line, sizeof line, "%s%.4f ULP at %a (%.9g), bound %g%s%s%s%s\n", head, e->worst,
             (double)e->argument, (double)e->argument, bound, wrong,
             e->shape.not_even == 0  ? ", even"
             : e->shape.not_odd == 0 ? ", odd"
                                     : "",
             monotone ? ", monotone" : "",
             bound >= 0 && e->worst > (bound > 0 ? bound : 0.5) ? ", TOO MUCH" : "");
    weft_exhaust_say(state, line);
    if (!monotone)
        printf("# %llu falls, %llu rises\n", (unsigned long long)e->shape.falls,
               (unsigned long long)e->shape.rises);
    return e->wrong == 0 && (bound < 0 || e->worst <= (bound > 0 ? bound : 0.5));
}

/** All widths of one function that are asked for and not in `state`; whether all is well. */
static bool run_function(const weft_maths_function *f, int only, uint32_t stride,
                         const char *state) {
    weft_exhaust all[6];
    char heads[6][128];
    int count = 0;
    bool good = true;
    for (int width = 0; width < 6; width++) {
        char *head = heads[count];
        snprintf(head, sizeof heads[count], "%s v%d x%d /%u: ", f->name, WEFT_LEVEL, widths[width],
                 stride);
        bool asked = only == 0 || width == 0 || widths[width] == only;
        if (!asked || !f->loops[WEFT_FLOAT][width] || weft_exhaust_is_done(state, head, &good))
            continue;
        all[count++] = (weft_exhaust){.function = f,
                                      .loop = f->loops[WEFT_FLOAT][width],
                                      .quick = weft_exhaust_quick(f->name)};
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
    int first = 1;
    for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
        if (strcmp(argv[first], "--stride") == 0)
            stride = (uint32_t)strtoul(argv[first + 1], NULL, 10);
        else if (strcmp(argv[first], "--state") == 0)
            state = argv[first + 1];
        else if (strcmp(argv[first], "--width") == 0)
            only = (int)strtoul(argv[first + 1], NULL, 10);
        else
            stride = 0;
    }
    if (stride == 0 || stride > 1u << 20 || only < 0 || only > 16) {
        fprintf(stderr,
                "usage: exhaust [--stride 1..2^20] [--state FILE] [--width 2..16] [NAME...]\n");
        return 2;
    }
    bool good = true;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].kind, "gg") == 0 &&
            weft_exhaust_is_named(functions[i].name, argc, argv, first))
            good &= run_function(&functions[i], only, stride, state);
    return !good;
}
