// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * exhaust-random [--points N | --cases FOLDER] [--state FILE] [NAME...]: maths functions of
 * doubles, and those of floats with several arguments or a second result, at N random points
 * (10^9), one scalar and one vector of each level of x86-64 that this processor has, and their
 * worst errors with the arguments. One in eight of the points of powers is aimed at the ends of the
 * range. All levels are run at once, as it is long double, with which all results are compared,
 * that takes the time. With FOLDER the points are not random but the hard cases that its files have
 * of each function, and the same with the first argument's sign turned; functions without a file
 * are left out.
 *
 * FILE keeps the lines of finished functions: what is in it is not run again.
 */
#include "../level.h"
#include "exhaust.h"
#include "exhaust_cases.h"
#include "exhaust_random.h"
#include "points.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 48 * 32, LEVELS = 4, FORMS = 2 * LEVELS };

/** A function of one level and width. */
typedef struct weft_form {
    weft_maths_loop *loop;
    int level, width;
    double worst;
    uint64_t wrong; /* results that no error bound covers: NaN, infinity, sign of zero */
    weft_maths_case at, wrong_at;
} weft_form;

/** What a run is about. */
typedef struct weft_plan {
    uint64_t wanted;            /* points of each function */
    const char *folder, *state; /* NULL: random; none */
    weft_exhaust_cases cases;   /* of the function at hand, out of the folder */
} weft_plan;

static const weft_maths_table *const tables[LEVELS] = {&weft_maths_table_v1, &weft_maths_table_v2,
                                                       &weft_maths_table_v3, &weft_maths_table_v4};

/** One scalar and one vector of each level. */
static int forms_of(size_t row, int type, weft_form *forms) {
    static const int widths[6] = {1, 2, 3, 4, 8, 16};
    int count = 0;
    for (int level = 1; level <= LEVELS; level++)
        for (int w = 0; w < 6 && weft_level_is_here(level); w++) {
            weft_maths_loop *loop = tables[level - 1]->functions[row].loops[type][w];
            if (loop)
                forms[count++] = (weft_form){.loop = loop, .level = level, .width = widths[w]};
        }
    return count;
}

/** Hard cases from the done-th on; what is too much are repetitions of the last. */
static void fill_cases(const weft_exhaust_cases *cases, uint64_t done, weft_points *points) {
    for (size_t i = 0; i < points->n; i++) {
        uint64_t at = done + i < 2 * cases->count ? done + i : 2 * cases->count - 1;
        const double *arguments = cases->arguments[at / 2];
        weft_points_put(points->a, points->type, i, at % 2 ? -arguments[0] : arguments[0]);
        weft_points_put(points->b, points->type, i, arguments[1]);
    }
}

static void fill(uint64_t *state, weft_points *points, const weft_maths_function *f) {
    char *arrays[3] = {points->a, points->b, points->c};
    for (size_t k = 0; k < strspn(f->kind + 1, "gi"); k++)
        for (size_t i = 0; i < points->n; i++)
            if (f->kind[1 + k] == 'i')
                ((int *)arrays[k])[i] = weft_random_integer(state);
            else
                weft_points_put_random(state, arrays[k], points->type, i);
    weft_points_aim(state, points, f);
}

/** Whether a result is right beyond doubt, or less wrong than `worst`; quickly. */
static bool is_near(int type, long double exact, double value, double worst) {
    double high = type == WEFT_DOUBLE ? (double)exact : (double)(float)exact;
    if (isnan(value) || isnan(high) || isinf(high) || value == high)
        return (isnan(value) && isnan(high)) ||
               (value == high && !signbit(value) == !signbit(high) &&
                (worst >= 0.5 || isinf(high)));
    high = (double)exact;
    double unit = fabs(high) * (type == WEFT_DOUBLE ? 0x1p-53 : 0x1p-24); /* or up to twice that */
    double least = type == WEFT_DOUBLE ? 0x1p-1000 : 0x1p-125;
    double error = fabs((value - high) - (double)(exact - (long double)high));
    return fabs(high) > least && error < (worst - 0x1p-9) * unit;
}

static bool is_plain(const weft_points *points, const weft_maths_function *f, size_t i,
                     const weft_maths_case *c, double worst) {
    const int *out = (const int *)points->out, *out2 = (const int *)points->out2;
    const bool is_double = points->type == WEFT_DOUBLE;
    /* What is exact may differ by nothing. */
    const double most = f->ulp[points->type] == 0 ? 0.5 : worst;
    double value =
        is_double ? ((const double *)points->out)[i] : (double)((const float *)points->out)[i];
    double second =
        is_double ? ((const double *)points->out2)[i] : (double)((const float *)points->out2)[i];
    int low = out2[i] < 0 ? -(-out2[i] & 7) : out2[i] & 7;
    bool is_integer = strchr(f->kind, 'I') != NULL;
    if (f->kind[0] == 'i' ? out[i] != (int)c->result
                          : !is_near(points->type, c->result, value, most))
        return false;
    return c->check_second == 0   ? true
           : c->check_second == 2 ? low == (int)c->second
           : is_integer           ? out2[i] == (int)c->second
                                  : is_near(points->type, c->second, second, most);
}

static void check_block(weft_form *form, const weft_maths_function *f, const weft_points *points,
                        const weft_maths_case *cases) {
    form->loop(points->a, points->b, points->c, points->out, points->out2, points->n);
    for (size_t i = 0; i < points->n; i++) {
        long double value;
        if (is_plain(points, f, i, &cases[i], form->worst))
            continue;
        double error = weft_points_check(f, points, i, &cases[i], &value);
        if (isinf(error)) {
            form->wrong++;
            form->wrong_at = cases[i];
        } else if (error > form->worst) {
            form->worst = error;
            form->at = cases[i];
        }
    }
}

static void run(const weft_plan *plan, weft_form *forms, int count, size_t row,
                weft_points *points) {
    static weft_maths_case cases[BLOCK];
    const weft_maths_function *f = &tables[0]->functions[row];
    uint64_t state = row * WEFT_TYPES + (uint64_t)points->type;
    for (uint64_t done = 0; count > 0 && done < plan->wanted; done += BLOCK) {
        if (plan->folder)
            fill_cases(&plan->cases, done, points);
        else
            fill(&state, points, f);
        for (size_t i = 0; i < BLOCK; i++) {
            weft_points_case(f, points, i, &cases[i]);
            weft_maths_reference(f->name, &cases[i]);
            weft_points_round(f, &cases[i]);
        }
        for (weft_form *form = forms; form < forms + count; form++)
            check_block(form, f, points, cases);
    }
}

static void write_arguments(char *text, size_t size, const weft_maths_function *f,
                            const weft_maths_case *c) {
    const long double reals[3] = {c->x, c->y, c->z};
    int length = snprintf(text, size, "(");
    for (size_t k = 0; k < strspn(f->kind + 1, "gi") && length < (int)size; k++)
        length += f->kind[1 + k] == 'i'
                      ? snprintf(text + length, size - (size_t)length, "%s%d", k ? ", " : "", c->n)
                      : snprintf(text + length, size - (size_t)length, "%s%a", k ? ", " : "",
                                 (double)reals[k]);
    snprintf(text + length, size - (size_t)length, ")");
}

/** The beginning of a form's line, up to its error. */
static void write_head(char *text, size_t size, const weft_plan *plan, const weft_form *form,
                       const char *name, int type) {
    snprintf(text, size, "%s %s v%d x%d %c%llu: ", name, weft_maths_types[type].name, form->level,
             form->width, plan->folder ? '=' : '*', (unsigned long long)plan->wanted);
}

static bool report(const weft_plan *plan, const weft_form *form, const weft_maths_function *f,
                   int type) {
    char line[1024], head[128], at[128], wrong_at[128], wrong[192] = "";
    double bound = f->ulp[type];
    bool good = form->wrong == 0 && (bound < 0 || form->worst <= bound);
    write_arguments(at, sizeof at, f, &form->at);
    write_arguments(wrong_at, sizeof wrong_at, f, &form->wrong_at);
    if (form->wrong)
        snprintf(wrong, sizeof wrong, ", %llu WRONG, as at %s", (unsigned long long)form->wrong,
                 wrong_at);
    write_head(head, sizeof head, plan, form, f->name, type);
    snprintf(line, sizeof line, "%s%.4f ULP at %s, bound %g%s%s\n", head, form->worst, at, bound,
             wrong, good ? "" : ", TOO MUCH");
    weft_exhaust_say(plan->state, line);
    return good;
}

/** Of doubles, or of floats that exhaust.c has not; whose errors have a bound. */
static bool is_wanted(const weft_maths_function *f, int type, int argc, char **argv, int first) {
    if (type == WEFT_HALF || f->ulp[type] < 0 || strpbrk(f->kind, "sun") ||
        (type == WEFT_FLOAT && strcmp(f->kind, "gg") == 0))
        return false;
    return weft_exhaust_is_named(f->name, argc, argv, first);
}

static bool is_done(const weft_plan *plan, const weft_form *form, const char *name, int type,
                    bool *good) {
    char head[128];
    write_head(head, sizeof head, plan, form, name, type);
    return weft_exhaust_is_done(plan->state, head, good);
}

static bool run_function(weft_plan *plan, size_t row, weft_points *points) {
    const weft_maths_function *f = &tables[0]->functions[row];
    const int type = points->type;
    weft_form forms[FORMS];
    bool good = true;
    int count = forms_of(row, type, forms);
    if (plan->folder) {
        if (strchr(f->kind, 'i') ||
            !weft_exhaust_cases_read(plan->folder, f->name, type == WEFT_FLOAT,
                                     strspn(f->kind + 1, "g") == 2, &plan->cases))
            return true;
        plan->wanted = 2 * plan->cases.count;
    }
    if (count > 0 && is_done(plan, &forms[0], f->name, type, &good)) { /* and all before it */
        for (int i = 1; i < count; i++)
            is_done(plan, &forms[i], f->name, type, &good);
    } else {
        run(plan, forms, count, row, points);
        for (int i = count; i-- > 0;) /* v1's scalar last: it says that the function is done */
            good &= report(plan, &forms[i], f, type);
    }
    if (plan->folder)
        free(plan->cases.arguments);
    return good;
}

int main(int argc, char **argv) {
    weft_plan plan = {.wanted = 1000000000};
    int first = 1;
    for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
        if (strcmp(argv[first], "--points") == 0)
            plan.wanted = strtoull(argv[first + 1], NULL, 10);
        else if (strcmp(argv[first], "--cases") == 0)
            plan.folder = argv[first + 1];
        else if (strcmp(argv[first], "--state") == 0)
            plan.state = argv[first + 1];
        else
            plan.wanted = 0;
    }
    if (plan.wanted == 0) {
        fprintf(stderr,
                "usage: exhaust-random [--points N | --cases FOLDER] [--state FILE] [NAME...]\n");
        return 2;
    }
    static _Alignas(64) char room[5][BLOCK * 8];
    weft_points points = {
        .n = BLOCK, .a = room[0], .b = room[1], .c = room[2], .out = room[3], .out2 = room[4]};
    bool good = true;
    for (size_t row = 0; row < tables[0]->count; row++)
        for (points.type = WEFT_FLOAT; points.type < WEFT_HALF; points.type++)
            if (is_wanted(&tables[0]->functions[row], points.type, argc, argv, first))
                good &= run_function(&plan, row, &points);
    return !good;
}
