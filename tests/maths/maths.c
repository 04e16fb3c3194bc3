// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Every maths function of the kernel library, in float, double and half and every width, against
 * long double, at special values, their combinations, known hard cases, and random points of every
 * magnitude; of half and one argument at every half. The bounds are builtins.def's, which are the
 * specification's.
 *
 * maths [POINTS [NAME]]: random points per function, one function only.
 */
#include "../level.h"
#include "half.h"
#include "hard.h"
#include "points.h"

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
enum { SPECIALS = sizeof specials / sizeof specials[0] };

static void put_special(char *array, int type, size_t i, size_t which) {
    double x = specials[which / 2 % SPECIALS];
    weft_points_put(array, type, i, which & 1 ? -x : x);
}

/** In each 48 elements the first everywhere. */
static void spread(char *array, size_t size, size_t n) {
    for (size_t i = 0; i < n; i++)
        memmove(array + i * size, array + i / 48 * 48 * size, size);
}

static void fill(uint64_t *state, weft_points *points, const char *kind) {
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
                ((int *)arrays[k])[i] = weft_random_integer(state);
            else if (kind[1 + k] == 'u' ||
                     (arguments > 2
                          ? i % 4 != 0
                          : i >= (k + 1 == arguments ? step : step * 2 * SPECIALS) * 2 * SPECIALS))
                weft_points_put_random(state, arrays[k], points->type, i);
            else
                put_special(arrays[k], points->type, i,
                            arguments > 2 ? weft_random(state) % (2 * SPECIALS) : i / step);
        }
        if (strchr("sn", kind[1 + k])) /* one for whole vectors, however wide */
            spread(arrays[k],
                   kind[1 + k] == 'n' ? sizeof(int) : weft_maths_types[points->type].size,
                   points->n);
    }
}

/** In place of the last random ones, and once more with the first argument's sign turned. */
static void put_hard(weft_points *points, const char *name) {
    const double (*hard)[2] = points->type == WEFT_DOUBLE ? weft_maths_hard(name) : NULL;
    for (size_t i = points->n; hard && (*hard)[0] != 0; hard++)
        for (int sign = -1; sign <= 1; sign += 2) {
            weft_points_put(points->a, points->type, --i, sign * (*hard)[0]);
            weft_points_put(points->b, points->type, i, (*hard)[1]);
        }
}

static void describe(const weft_maths_function *f, const weft_maths_case *c, int width, size_t lane,
                     long double value, double error) {
    printf("# %s %s%d lane %zu: (%La, %La, %La, %d): %.20Lg (%La) is not %.20Lg (%La): %.3g ULP\n",
           f->name, weft_maths_types[c->type].name, width, lane, c->x, c->y, c->z, c->n, value,
           value, c->result, c->result, error);
}

/** Returns the largest error of all widths, or the first unbearable one, which it prints; adds the
 * widths to *overloads. */
static bool check(const weft_maths_function *f, uint64_t state, weft_points *points, double *worst,
                  size_t *overloads) {
    bool good = true;
    weft_maths_case *cases = malloc(points->n * sizeof *cases);
    fill(&state, points, f->kind);
    weft_points_aim(&state, points, f);
    put_hard(points, f->name);
    *worst = 0;
    for (size_t i = 0; i < points->n; i++) {
        weft_points_case(f, points, i, &cases[i]);
        if (!weft_maths_reference(f->name, &cases[i])) {
            printf("# no reference for %s\n", f->name);
            free(cases);
            return false;
        }
        weft_points_round(f, &cases[i]);
    }
    double bound = weft_points_bound(f, points->type);
    for (int w = 0; w < 6; w++) {
        int printed = 0;
        if (!f->loops[points->type][w])
            continue;
        ++*overloads;
        f->loops[points->type][w](points->a, points->b, points->c, points->out, points->out2,
                                  points->n);
        for (size_t i = 0; i < points->n; i++) {
            long double value;
            double error = weft_points_check(f, points, i, &cases[i], &value);
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

int main(int argc, char **argv) {
    if (!weft_level_is_here(WEFT_LEVEL)) {
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
            points.n = (points.type == WEFT_HALF && room < 65568 ? 65568 : room) / 48 * 48;
            bool good = check(f, i, &points, &worst, &overloads);
            failed += !good;
            printf("%sok %zu - %s %s%s: %.4g ULP, bound %g\n", good ? "" : "not ", ++number,
                   f->name, weft_maths_types[points.type].name,
                   strpbrk(f->kind, "sn") ? ", scalar" : "", worst, f->ulp[points.type]);
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
