// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape {
    unsigned dimensions;
    size_t global[3], offset[3], local[3];
    int n;
} shape;

/* At most MAX_TOTAL items. */
static const shape shapes[] = {
    {1, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 0},      {1, {64, 1, 1}, {0, 0, 0}, {16, 1, 1}, 1},
    {1, {75, 1, 1}, {0, 0, 0}, {16, 1, 1}, 2},    {1, {30, 1, 1}, {3, 0, 0}, {7, 1, 1}, 3},
    {1, {200, 1, 1}, {0, 0, 0}, {64, 1, 1}, 4},   {1, {40, 1, 1}, {5, 0, 0}, {1, 1, 1}, 5},
    {1, {1000, 1, 1}, {0, 0, 0}, {250, 1, 1}, 6}, {2, {17, 4, 1}, {0, 0, 0}, {16, 4, 1}, 2},
    {2, {10, 11, 1}, {1, 2, 0}, {3, 5, 1}, 3},    {2, {33, 9, 1}, {0, 0, 0}, {32, 2, 1}, 1},
    {3, {9, 7, 5}, {1, 2, 3}, {4, 4, 2}, 4},      {3, {15, 3, 7}, {0, 0, 0}, {7, 2, 3}, 5},
};
enum { SHAPES = sizeof(shapes) / sizeof(*shapes), MAX_TOTAL = 1024, ATOMICS = 64 };
enum { OUT_COUNT = MAX_TOTAL * 4 + ATOMICS, IN_COUNT = MAX_TOTAL + 64, SCRATCH_PER_ITEM = 8 };

static bool from_table(unsigned arguments, int number, launch *result) {
    if (number >= SHAPES)
        return false;
    const shape *s = &shapes[number];
    char scratch[32] = "";
    result->dimensions = s->dimensions;
    memcpy(result->global, s->global, sizeof(s->global));
    memcpy(result->offset, s->offset, sizeof(s->offset));
    memcpy(result->local, s->local, sizeof(s->local));
    if (arguments == 4)
        snprintf(scratch, sizeof(scratch), "l%zu ",
                 s->local[0] * s->local[1] * s->local[2] * SCRATCH_PER_ITEM * sizeof(int));
    snprintf(result->words, sizeof(result->words), "o%zup i%zuq %sv%d", OUT_COUNT * sizeof(int),
             IN_COUNT * sizeof(int), scratch, s->n);
    return true;
}

/** The next line about this kernel behind `at`, behind its name. */
static const char *next_line(const char *at, const char *kernel) {
    char start[300];
    int length = snprintf(start, sizeof(start), "// launch %s ", kernel);
    const char *found = strstr(at, start);
    return found ? found + length : NULL;
}

static void bad(const char *line) {
    fprintf(stderr, "bad launch: %.200s\n", line);
    exit(3);
}

bool find_launch(const char *source, const char *kernel, unsigned arguments, int number,
                 launch *result) {
    memset(result, 0, sizeof(*result));
    result->number = number;
    const char *line = next_line(source, kernel);
    if (!line) /* in a file with launches, others are only called by kernels */
        return !strstr(source, "// launch ") && from_table(arguments, number, result);
    for (int i = 0; i < number && line; i++)
        line = next_line(line, kernel);
    if (!line)
        return false;
    size_t *g = result->global, *o = result->offset, *l = result->local;
    if (sscanf(line,
               "%u global %zu %zu %zu offset %zu %zu %zu local %zu %zu %zu arguments %2047[^\n]",
               &result->dimensions, g, g + 1, g + 2, o, o + 1, o + 2, l, l + 1, l + 2,
               result->words) != 11)
        bad(line);
    return true;
}

size_t pixel_bytes(const launch_argument *argument) {
    return argument->contents == 'b' ? 4 : 16;
}

/** An image's sizes behind the first one; `bytes` becomes the number of pixels. */
static char *read_size(launch_argument *a, char *at) {
    a->size[0] = a->bytes;
    a->size[1] = a->size[2] = 1;
    for (a->dimensions = 1; *at == 'x' && a->dimensions < 3; a->dimensions++) {
        a->size[a->dimensions] = strtoul(at + 1, &at, 10);
        a->bytes *= a->size[a->dimensions];
    }
    return at;
}

unsigned launch_arguments(const launch *how, launch_argument *list, unsigned most) {
    unsigned count = 0;
    const char *at = how->words;
    for (; *at && count < most; count++) {
        launch_argument *a = &list[count];
        char *end;
        *a = (launch_argument){.kind = *at};
        if (!strchr("oilbvIJRW", a->kind))
            bad(how->words);
        if (a->kind == 'v')
            a->value = (int)strtol(at + 1, &end, 10);
        else
            a->bytes = strtoul(at + 1, &end, 10);
        if (a->kind == 'I' || a->kind == 'J')
            end = read_size(a, end);
        if (*end && *end != ' ')
            a->contents = *end++;
        if (a->dimensions)
            a->bytes *= pixel_bytes(a);
        if (*end == '/') {
            a->period = strtoul(end + 1, &end, 10);
            a->counts = end + 1;
            end += strcspn(end, " ");
        }
        at = end + strspn(end, " ");
    }
    return count;
}

static void drop_of_element(unsigned char *element, const launch_argument *argument) {
    size_t from = 0;
    const char *at = argument->counts;
    while (from < argument->period) {
        char *end = NULL;
        size_t to = argument->period;
        if (at)
            to = strtoul(at, &end, 10);
        memset(element + from, 0, to - from);
        if (!at)
            return;
        from = strtoul(end + 1, &end, 10);
        at = *end == ',' ? end + 1 : NULL;
    }
}

void drop_uncounted(unsigned char *bytes, const launch_argument *argument) {
    size_t period = argument->period;
    for (size_t i = 0; period && i + period <= argument->bytes; i += period)
        drop_of_element(bytes + i, argument);
}

static uint32_t next(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8 ^ *state << 13;
}

/** The next four or eight bytes: returns how many. */
static size_t word(unsigned char *at, char contents, uint32_t *state) {
    uint32_t bits = next(state);
    double real = (double)(bits % 2001) * 0.25 - 100.0;
    float single = (float)real;
    uint16_t halves[2] = {(uint16_t)(0x3400u + (bits & 0x1fff)), (uint16_t)(bits >> 16)};
    switch (contents) {
    case 'd':
        memcpy(at, &real, sizeof(real));
        return sizeof(real);
    case 'f':
        memcpy(at, &single, sizeof(single));
        return sizeof(single);
    case 'h':
        halves[1] = (uint16_t)(0xb400u + (halves[1] & 0x1fff));
        memcpy(at, halves, sizeof(halves));
        return sizeof(halves);
    case 's':
        bits %= 251;
        break;
    case 'z':
        bits = 0;
        break;
    case 'p':
        bits = 0x1234567;
        break;
    default:
        break;
    }
    memcpy(at, &bits, sizeof(bits));
    return sizeof(bits);
}

static void fill_known(unsigned char *bytes, size_t count) {
    uint32_t state = 12345;
    for (size_t i = 0; i + sizeof(int) <= count; i += sizeof(int)) {
        state = state * 1664525u + 1013904223u;
        int value = (int)(state >> 8) % 251;
        memcpy(bytes + i, &value, sizeof(value));
    }
}

void fill(unsigned char *bytes, const launch_argument *argument) {
    uint32_t state = argument->seed;
    unsigned char some[8];
    if (argument->contents == 'q') {
        fill_known(bytes, argument->bytes);
        return;
    }
    for (size_t i = 0; i < argument->bytes;) {
        size_t size = word(some, argument->contents, &state), left = argument->bytes - i;
        size = size < left ? size : left;
        memcpy(bytes + i, some, size);
        i += size;
    }
}
