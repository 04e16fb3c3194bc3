// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Checks of kernels: work-items, integers, floating point, vectors, structs, local memory,
 * barriers, atomics, printf. */
#include "runtime/tool/selftest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { COUNT = 1024 };

/** Compares two arrays of equal element type. */
#define SAME(got, wanted, count, what, format)                                                     \
    do {                                                                                           \
        for (size_t selftest_i = 0; selftest_i < (count); selftest_i++)                            \
            REQUIRE((got)[selftest_i] == (wanted)[selftest_i],                                     \
                    "%s [%zu]: " format ", not " format, what, selftest_i, (got)[selftest_i],      \
                    (wanted)[selftest_i]);                                                         \
    } while (0)

static const size_t *line(size_t n, size_t size[3]) {
    size[0] = n;
    size[1] = size[2] = 0;
    return size;
}

/* ---- work-items ----------------------------------------------------------------------------- */

/** One shape of ND-range; sizes that no group divides make smaller groups at the edges. */
static bool work_items_of(selftest *test, const size_t global[3], const size_t local[3]) {
    static uint64_t out[8 * 4096];
    size_t g[3] = {global[0], global[1] ? global[1] : 1, global[2] ? global[2] : 1};
    const selftest_argument arguments[] = {BUFFER(out)};
    memset(out, 0xff, sizeof out);
    if (!selftest_run(test, "work_items", global, local, 1, arguments))
        return false;
    for (size_t i = 0; i < g[0] * g[1] * g[2]; i++) {
        const uint64_t *mine = out + 8 * i;
        size_t id[3] = {i % g[0], i / g[0] % g[1], i / (g[0] * g[1])}, size[3], groups[3], in[3];
        for (int d = 0; d < 3; d++) {
            size_t l = local[d] ? local[d] : 1, first = id[d] / l * l;
            size[d] = first + l > g[d] ? g[d] - first : l;
            groups[d] = (g[d] + l - 1) / l;
            in[d] = id[d] - first;
        }
        const uint64_t wanted[8] = {id[0],
                                    id[1],
                                    id[2],
                                    id[0],
                                    id[1],
                                    size[0] * 10000 + size[1] * 100 + size[2],
                                    groups[0] * 10000 + groups[1] * 100 + groups[2],
                                    (in[2] * size[1] + in[1]) * size[0] + in[0]};
        for (int k = 0; k < 8; k++)
            REQUIRE(mine[k] == wanted[k], "item %zu, value %d: %llu, not %llu", i, k,
                    (unsigned long long)mine[k], (unsigned long long)wanted[k]);
    }
    return true;
}

static bool work_items(selftest *test) {
    static const size_t shapes[][2][3] = {
        {{1, 0, 0}, {1, 0, 0}},   {{64, 0, 0}, {64, 0, 0}}, {{1024, 0, 0}, {16, 0, 0}},
        {{32, 16, 0}, {8, 4, 0}}, {{16, 8, 4}, {4, 4, 2}},  {{3, 5, 7}, {3, 5, 1}},
        {{1, 64, 0}, {1, 16, 0}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!work_items_of(test, shapes[i][0], shapes[i][1]))
            return false;
    return true;
}

static bool non_uniform_groups(selftest *test) {
    static const size_t shapes[][2][3] = {
        {{1000, 0, 0}, {64, 0, 0}}, {{7, 0, 0}, {16, 0, 0}},  {{37, 19, 0}, {8, 8, 0}},
        {{13, 11, 9}, {4, 4, 4}},   {{97, 0, 0}, {96, 0, 0}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!work_items_of(test, shapes[i][0], shapes[i][1]))
            return false;
    return true;
}

static bool global_offset(selftest *test) {
    cl_int status;
    uint32_t out[64];
    size_t offset = 12345, global = 64, local = 16;
    cl_kernel kernel = test->api->clCreateKernel(test->program, "offsets", &status);
    SUCCEED(status);
    cl_mem buffer =
        test->api->clCreateBuffer(test->context, CL_MEM_WRITE_ONLY, sizeof out, NULL, &status);
    SUCCEED(status);
    SUCCEED(test->api->clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    SUCCEED(test->api->clEnqueueNDRangeKernel(test->queue, kernel, 1, &offset, &global, &local, 0,
                                              NULL, NULL));
    SUCCEED(test->api->clEnqueueReadBuffer(test->queue, buffer, CL_TRUE, 0, sizeof out, out, 0,
                                           NULL, NULL));
    for (uint32_t i = 0; i < 64; i++)
        REQUIRE(out[i] == 12345 + i + 1000 * (i % 16), "[%u]: %u", i, out[i]);
    test->api->clReleaseMemObject(buffer);
    test->api->clReleaseKernel(kernel);
    return true;
}

/* ---- integers ------------------------------------------------------------------------------- */

/** Numbers of all sizes; among the first 100 of two such arrays, one of them by tens, all pairs of
 *  extreme ones. */
static void fill_integers(int64_t *data, size_t count, unsigned bits, bool tens, uint64_t seed) {
    const int64_t top = (int64_t)(UINT64_C(1) << (bits - 1)) - 1;
    const int64_t special[] = {0, 1, -1, 2, top, -top - 1, top - 1, 31, 32, -32};
    for (size_t i = 0; i < count; i++) {
        unsigned shift = 64 - bits + (unsigned)(selftest_random(&seed) % bits);
        data[i] = (int64_t)selftest_random(&seed) >> shift;
        if (i < 100)
            data[i] = special[tens ? i / 10 : i % 10];
    }
}

static int32_t saturate(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

static void integer_results(int32_t x, int32_t y, int32_t out[12]) {
    bool divides = y != 0 && !(x == INT32_MIN && y == -1);
    uint32_t u = (uint32_t)x, by = (uint32_t)y & 31;
    int64_t difference = (int64_t)x - y;
    out[0] = (int32_t)(u + (uint32_t)y);
    out[1] = (int32_t)(u - (uint32_t)y);
    out[2] = (int32_t)(u * (uint32_t)y);
    out[3] = divides ? x / y : 0;
    out[4] = divides ? x % y : 0;
    out[5] = (int32_t)(u << by);
    out[6] = x >> by;
    out[7] = (int32_t)(((int64_t)x * y) >> 32);
    out[8] = saturate((int64_t)x + y);
    out[9] = __builtin_popcount(u) * 100 + (u ? __builtin_clz(u) : 32);
    out[10] = (int32_t)(by ? u << by | u >> (32 - by) : u);
    out[11] = (int32_t)(uint32_t)(difference < 0 ? -difference : difference);
}

static bool integers(selftest *test) {
    static int64_t wide[2][COUNT];
    static int32_t a[COUNT], b[COUNT], out[12 * COUNT];
    int32_t count = COUNT;
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(b), BUFFER(out), VALUE(count)};
    fill_integers(wide[0], COUNT, 32, true, 2);
    fill_integers(wide[1], COUNT, 32, false, 3);
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = (int32_t)wide[0][i];
        b[i] = (int32_t)wide[1][i];
    }
    if (!selftest_run(test, "integers", line(COUNT, global), NULL, 4, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++) {
        int32_t wanted[12];
        integer_results(a[i], b[i], wanted);
        for (size_t k = 0; k < 12; k++)
            REQUIRE(out[k * COUNT + i] == wanted[k], "result %zu of (%d, %d): %d, not %d", k, a[i],
                    b[i], out[k * COUNT + i], wanted[k]);
    }
    return true;
}

static bool longs(selftest *test) {
    static int64_t a[COUNT], b[COUNT], out[5 * COUNT];
    int32_t count = COUNT;
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(b), BUFFER(out), VALUE(count)};
    fill_integers(a, COUNT, 64, true, 4);
    fill_integers(b, COUNT, 64, false, 5);
    if (!selftest_run(test, "longs", line(COUNT, global), NULL, 4, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++) {
        int64_t x = a[i], y = b[i], difference;
        bool divides = y != 0 && !(x == INT64_MIN && y == -1);
        bool over = __builtin_sub_overflow(x, y, &difference);
        const int64_t wanted[5] = {(int64_t)((uint64_t)x * (uint64_t)y), divides ? x / y : 0,
                                   (int64_t)((uint64_t)x / ((uint64_t)y | 1)),
                                   over ? (x < 0 ? INT64_MIN : INT64_MAX) : difference,
                                   (int64_t)(((__int128)x * y) >> 64)};
        for (size_t k = 0; k < 5; k++)
            REQUIRE(out[k * COUNT + i] == wanted[k], "result %zu of (%lld, %lld): %lld, not %lld",
                    k, (long long)x, (long long)y, (long long)out[k * COUNT + i],
                    (long long)wanted[k]);
    }
    return true;
}

/** Integer division by zero, and of the smallest number by -1, must not end the process; good
 *  divisions beside it stay right. */
static bool division_by_zero(selftest *test) {
    static int32_t a[COUNT], b[COUNT], out[2 * COUNT];
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(b), BUFFER(out)};
    for (int32_t i = 0; i < COUNT; i++) {
        a[i] = i % 5 ? i * 77 - 9999 : INT32_MIN;
        b[i] = i % 7 - 3 + (i % 11 == 0);
    }
    if (!selftest_run(test, "divide", line(COUNT, global), NULL, 3, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++)
        if (b[i] != 0 && !(a[i] == INT32_MIN && b[i] == -1))
            REQUIRE(out[2 * i] == a[i] / b[i], "%d / %d: %d", a[i], b[i], out[2 * i]);
    return true;
}

/* ---- floating point ------------------------------------------------------------------------- */

static double random_real(uint64_t *seed) {
    return ldexp((double)(int64_t)selftest_random(seed), -63) *
           ldexp(1, (int)(selftest_random(seed) % 40) - 20);
}

/** Basic arithmetic is correctly rounded: bit for bit what C gives. */
static bool floats(selftest *test) {
    static float a[COUNT], b[COUNT], out[8 * COUNT];
    int32_t count = COUNT;
    uint64_t seed = 6;
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(b), BUFFER(out), VALUE(count)};
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = (float)random_real(&seed);
        b[i] = (float)random_real(&seed);
    }
    if (!selftest_run(test, "floats", line(COUNT, global), NULL, 4, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++) {
        float x = a[i], y = b[i];
        const float wanted[8] = {x + y,
                                 x - y,
                                 x * y,
                                 fmaf(x, y, x),
                                 rintf(x),
                                 floorf(x) + ceilf(y),
                                 fmaxf(x, y) - fminf(x, y),
                                 0};
        for (size_t k = 0; k < 7; k++)
            REQUIRE(out[k * COUNT + i] == wanted[k], "result %zu of (%a, %a): %a, not %a", k, x, y,
                    out[k * COUNT + i], wanted[k]);
        double scaled = rint((double)(x * 4.0f));
        REQUIRE(fabs(scaled) >= 0x1p24 || out[7 * COUNT + i] == (float)scaled,
                "conversion of %a: %a, not %a", x * 4.0f, out[7 * COUNT + i], scaled);
    }
    return true;
}

static bool doubles(selftest *test) {
    static double a[COUNT], b[COUNT], out[6 * COUNT];
    int32_t count = COUNT;
    uint64_t seed = 7;
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(b), BUFFER(out), VALUE(count)};
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = random_real(&seed);
        b[i] = random_real(&seed);
    }
    if (!selftest_run(test, "doubles", line(COUNT, global), NULL, 4, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++) {
        double x = a[i], y = b[i];
        const double wanted[6] = {x + y,         x * y,         x / y,
                                  sqrt(fabs(x)), fma(x, y, -x), (double)(float)x};
        for (size_t k = 0; k < 6; k++)
            REQUIRE(out[k * COUNT + i] == wanted[k], "result %zu of (%a, %a): %a, not %a", k, x, y,
                    out[k * COUNT + i], wanted[k]);
    }
    return true;
}

static int32_t clamp_int(double value, double low, double high) {
    return (int32_t)(value < low ? low : value > high ? high : value);
}

static bool conversions(selftest *test) {
    static float a[COUNT];
    static int32_t out[6 * COUNT];
    int32_t count = COUNT;
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(out), VALUE(count)};
    for (size_t i = 0; i < COUNT; i++)
        a[i] = i % 3 ? (float)((int)i - 512) * 0.5f : (float)((int)i - 500) * 123.25f;
    if (!selftest_run(test, "conversions", line(COUNT, global), NULL, 3, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++) {
        float x = a[i], half;
        int32_t bits, half_bits;
        memcpy(&bits, &x, 4);
        /* To 11 bits, halfway cases to even; all values here are normal in half, or too large. */
        half = fabsf(x) >= 65520 ? copysignf(INFINITY, x)
               : x == 0
                   ? x
                   : (float)(rint(ldexp((double)x, 10 - ilogbf(x))) * ldexp(1, ilogbf(x) - 10));
        memcpy(&half_bits, &half, 4);
        const int32_t wanted[6] = {clamp_int(rint((double)x), 0, 255),
                                   clamp_int(trunc((double)x), -32768, 32767),
                                   (int32_t)floorf(x),
                                   (int32_t)ceilf(x),
                                   bits,
                                   half_bits};
        for (size_t k = 0; k < 6; k++)
            REQUIRE(out[k * COUNT + i] == wanted[k], "conversion %zu of %g: %d, not %d", k,
                    (double)x, out[k * COUNT + i], wanted[k]);
    }
    return true;
}

static bool relations(selftest *test) {
    static const float values[] = {0, -0.0f, 1, -1, 2.5f, INFINITY, -INFINITY, NAN};
    static float a[64], b[64];
    static int32_t out[4 * 64];
    int32_t count = 64;
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(b), BUFFER(out), VALUE(count)};
    for (size_t i = 0; i < 64; i++) {
        a[i] = values[i % 8];
        b[i] = values[i / 8];
    }
    if (!selftest_run(test, "relations", line(64, global), NULL, 4, arguments))
        return false;
    for (size_t i = 0; i < 64; i++) {
        float x = a[i], y = b[i];
        bool nan = isnan(x) || isnan(y), finite = isfinite(x) && isfinite(y);
        float chosen = x < y ? y : x;
        const int32_t wanted[4] = {(x < y) | (y < x) << 1 | 8, nan * 2 + finite,
                                   isfinite(chosen) ? (int32_t)chosen : 0,
                                   (x > y) + 2 * nan + 4 * (signbit(x) != 0)};
        for (size_t k = 0; k < 4; k++)
            if (k != 2 || isfinite(chosen))
                REQUIRE(out[k * 64 + i] == wanted[k], "relation %zu of (%g, %g): %d, not %d", k,
                        (double)x, (double)y, out[k * 64 + i], wanted[k]);
    }
    return true;
}

/* ---- vectors, structs, private memory ------------------------------------------------------- */

static void vector_result(const int32_t *v, int32_t out[8]) {
    int32_t w[8] = {v[2], v[1], v[0], v[0], v[1], v[2], 7, 8};
    const int32_t s[4] = {w[3], w[2], w[1], w[0]};
    w[0] += 100;
    w[7] += 200;
    const int32_t wide[16] = {w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7],
                              w[4], w[5], w[6], w[7], s[0], s[1], s[2], s[3]};
    const int order[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    for (int k = 0; k < 8; k++)
        out[k] = wide[2 * k] + wide[2 * order[k] + 1];
}

static bool vectors(selftest *test) {
    static int32_t a[3 * COUNT], out[8 * COUNT];
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(a), BUFFER(out)};
    for (int32_t i = 0; i < 3 * COUNT; i++)
        a[i] = i * i - 1000;
    if (!selftest_run(test, "vectors", line(COUNT, global), NULL, 2, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++) {
        int32_t wanted[8];
        vector_result(a + 3 * i, wanted);
        SAME(out + 8 * i, wanted, 8, "vector", "%d");
    }
    return true;
}

/* As in selftest.cl: the compilers must agree on the layout. */
typedef struct inner {
    char tag;
    double value;
    int16_t three[4] __attribute__((aligned(8)));
} inner;

typedef struct outer {
    uint8_t first;
    inner parts[2];
    int64_t last;
} outer;

static bool structs(selftest *test) {
    static outer in[COUNT], out[COUNT];
    static int32_t sizes[COUNT];
    outer value = {.first = 0x5a,
                   .parts = {{'a', 1.5, {1, 2, 3, 0}}, {'b', 2.5, {4, 5, 6, 0}}},
                   .last = INT64_C(1) << 40};
    size_t global[3];
    const selftest_argument arguments[] = {VALUE(value), BUFFER(in), BUFFER(out), BUFFER(sizes)};
    for (size_t i = 0; i < COUNT; i++)
        in[i] = (outer){
            (uint8_t)i, {{'x', 1, {7, 8, 9, 0}}, {'y', (double)i, {1, 1, 1, 0}}}, (int64_t)i};
    if (!selftest_run(test, "structs", line(COUNT, global), NULL, 4, arguments))
        return false;
    for (size_t i = 0; i < COUNT; i++) {
        const inner *first = &out[i].parts[0], *from = &value.parts[i & 1];
        REQUIRE(sizes[i] == (int32_t)(sizeof(outer) * 1000 + sizeof(inner)), "sizes: %d", sizes[i]);
        REQUIRE(out[i].first == ((uint8_t)i ^ 0x5a) && out[i].last == (int64_t)i - value.last,
                "ends of struct %zu", i);
        REQUIRE(first->tag == from->tag && first->value == from->value &&
                    memcmp(first->three, from->three, 6) == 0,
                "first part of struct %zu", i);
        REQUIRE(out[i].parts[1].tag == 'y' && out[i].parts[1].value == (double)i + 1.5 * 6,
                "second part of struct %zu: %g", i, out[i].parts[1].value);
    }
    return true;
}

static uint32_t private_result(uint32_t in, uint32_t rounds) {
    uint32_t table[64], sum = 0;
    for (uint32_t k = 0; k < 64; k++)
        table[k] = in * (k + 1);
    for (uint32_t k = 0; k < rounds; k++) {
        uint32_t from = table[k & 63] & 63, to = (from * 7 + k) & 63;
        int32_t n = (int32_t)k, depth = n % 3 == 0 ? n : n % 3 == 1 ? n * 2 : -n;
        table[to] += table[from] ^ (uint32_t)depth;
        if (table[to] % 11 == 3)
            continue;
        if (table[to] % 97 == 5)
            break;
        table[(to + 1) & 63]--;
    }
    for (uint32_t k = 0; k < 64; k++)
        sum = sum * 31 + table[k];
    return sum;
}

static bool private_arrays(selftest *test) {
    static uint32_t in[COUNT], out[COUNT], wanted[COUNT];
    uint32_t rounds = 200;
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(in), BUFFER(out), VALUE(rounds)};
    for (uint32_t i = 0; i < COUNT; i++) {
        in[i] = i * 2654435761u;
        wanted[i] = private_result(in[i], rounds);
    }
    if (!selftest_run(test, "private_arrays", line(COUNT, global), NULL, 3, arguments))
        return false;
    SAME(out, wanted, COUNT, "sum", "%u");
    return true;
}

static bool constants(selftest *test) {
    static int32_t weights[4] = {3, -5, 7, 11}, out[COUNT];
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(weights), BUFFER(out)};
    if (!selftest_run(test, "constants", line(COUNT, global), NULL, 2, arguments))
        return false;
    for (int32_t i = 0; i < COUNT; i++)
        REQUIRE(out[i] == (i & 7) * (i & 7) * weights[i & 3], "[%d]: %d", i, out[i]);
    return true;
}

/* ---- barriers and local memory -------------------------------------------------------------- */

static void fill_random(uint32_t *data, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++)
        data[i] = (uint32_t)selftest_random(&seed);
}

static bool reverse(selftest *test) {
    static uint32_t in[COUNT], out[COUNT];
    size_t global[3], local[3];
    fill_random(in, COUNT, 8);
    for (size_t n = 1; n <= 256; n *= 4) {
        const selftest_argument arguments[] = {BUFFER(in), BUFFER(out), LOCAL(n * 4)};
        if (!selftest_run(test, "reverse", line(COUNT, global), line(n, local), 3, arguments))
            return false;
        for (size_t i = 0; i < COUNT; i++)
            REQUIRE(out[i] == in[i / n * n + n - 1 - i % n], "local size %zu, [%zu]: %u", n, i,
                    out[i]);
    }
    return true;
}

static bool reduce_and_scan(selftest *test) {
    static uint32_t in[COUNT], sums[COUNT], scans[COUNT];
    size_t global[3], local[3];
    fill_random(in, COUNT, 9);
    for (size_t n = 2; n <= 128; n *= 2) {
        const selftest_argument to_sums[] = {BUFFER(in), BUFFER(sums)};
        const selftest_argument to_scans[] = {BUFFER(in), BUFFER(scans)};
        uint32_t sum = 0;
        if (!selftest_run(test, "reduce", line(COUNT, global), line(n, local), 2, to_sums) ||
            !selftest_run(test, "scan", line(COUNT, global), line(n, local), 2, to_scans))
            return false;
        for (size_t i = 0; i < COUNT; i++) {
            sum = i % n ? sum + in[i] : in[i];
            REQUIRE(scans[i] == sum, "scan, local size %zu, [%zu]: %u, not %u", n, i, scans[i],
                    sum);
            REQUIRE(i % n != n - 1 || sums[i / n] == sum,
                    "sum, local size %zu, group %zu: %u, not %u", n, i / n, sums[i / n], sum);
        }
    }
    return true;
}

static bool conditional_barriers(selftest *test) {
    static uint32_t out[256];
    size_t global[3], local[3];
    for (int32_t twice = 0; twice < 2; twice++) {
        const selftest_argument arguments[] = {BUFFER(out), VALUE(twice)};
        if (!selftest_run(test, "conditional_barriers", line(256, global), line(64, local), 2,
                          arguments))
            return false;
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t l = i % 64, other = (l + 5) % 64;
            uint32_t mine = l * 3 + 1 + (twice ? (l + 1) % 64 * 3 + 1 : 0);
            uint32_t theirs = other * 3 + 1 + (twice ? (other + 1) % 64 * 3 + 1 : 0);
            REQUIRE(out[i] == theirs * 1000 + mine, "[%u]: %u, not %u", i, out[i],
                    theirs * 1000 + mine);
        }
    }
    return true;
}

static bool async_copies(selftest *test) {
    enum { N = 32, GROUPS = 32 };
    static float in[N * GROUPS], out[N * GROUPS];
    size_t global[3], local[3];
    const selftest_argument arguments[] = {BUFFER(in), BUFFER(out), LOCAL(2 * N * sizeof(float))};
    for (int i = 0; i < N * GROUPS; i++)
        in[i] = (float)i;
    if (!selftest_run(test, "async_copies", line(N * GROUPS, global), line(N, local), 3, arguments))
        return false;
    for (size_t i = 0; i < N * GROUPS; i++) {
        size_t group = i / N, l = i % N;
        float wanted = in[i] + 2 * in[group + (N - 1 - l) * GROUPS];
        REQUIRE(out[i] == wanted, "[%zu]: %g, not %g", i, (double)out[i], (double)wanted);
    }
    return true;
}

static bool transpose(selftest *test) {
    enum { WIDTH = 40, HEIGHT = 24 };
    static int32_t in[WIDTH * HEIGHT], out[WIDTH * HEIGHT];
    static const size_t global[3] = {WIDTH, HEIGHT, 0}, local[3] = {8, 8, 0};
    int32_t width = WIDTH, height = HEIGHT;
    const selftest_argument arguments[] = {BUFFER(in), BUFFER(out), VALUE(width), VALUE(height)};
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        in[i] = i;
    if (!selftest_run(test, "transpose", global, local, 4, arguments))
        return false;
    for (int32_t x = 0; x < WIDTH; x++)
        for (int32_t y = 0; y < HEIGHT; y++)
            REQUIRE(out[x * HEIGHT + y] == y * WIDTH + x, "(%d, %d): %d", x, y,
                    out[x * HEIGHT + y]);
    return true;
}

/* ---- atomics -------------------------------------------------------------------------------- */

static bool atomics(selftest *test) {
    enum { ITEMS = 64 * 1024 };
    static int32_t in[ITEMS];
    int32_t counters[7] = {0, 0, INT32_MIN, INT32_MAX, 0, 0, 0};
    int32_t wanted[7] = {0, ITEMS, INT32_MIN, INT32_MAX, 0, 0, 3 * ITEMS};
    size_t global[3];
    uint64_t seed = 10;
    const selftest_argument arguments[] = {BUFFER(counters), BUFFER(in)};
    for (size_t i = 0; i < ITEMS; i++) {
        in[i] = (int32_t)(selftest_random(&seed) >> 40);
        wanted[0] = (int32_t)((uint32_t)wanted[0] + (uint32_t)in[i]);
        wanted[2] = in[i] > wanted[2] ? in[i] : wanted[2];
        wanted[3] = in[i] < wanted[3] ? in[i] : wanted[3];
        wanted[4] |= 1 << (in[i] & 15);
        wanted[5] ^= in[i];
    }
    if (!selftest_run(test, "atomics", line(ITEMS, global), NULL, 2, arguments))
        return false;
    SAME(counters, wanted, 7, "counter", "%d");
    return true;
}

static bool long_atomics(selftest *test) {
    enum { ITEMS = 10000 };
    uint64_t counters[2] = {0, UINT32_MAX};
    size_t global[3];
    const selftest_argument arguments[] = {BUFFER(counters)};
    if (!selftest_run(test, "long_atomics", line(ITEMS, global), NULL, 1, arguments))
        return false;
    REQUIRE(counters[0] == (uint64_t)ITEMS * (ITEMS - 1) / 2 << 20, "sum is %llu",
            (unsigned long long)counters[0]);
    REQUIRE(counters[1] == (uint64_t)UINT32_MAX + ITEMS, "count is %llu",
            (unsigned long long)counters[1]);
    return true;
}

static bool c11_atomics(selftest *test) {
    static int32_t out[4096];
    int32_t sum[1] = {0};
    size_t global[3], local[3];
    const selftest_argument arguments[] = {BUFFER(sum), BUFFER(out)};
    if (!selftest_run(test, "c11_atomics", line(4096, global), line(64, local), 2, arguments))
        return false;
    REQUIRE(sum[0] == 4096, "sum is %d", sum[0]);
    for (size_t i = 0; i < 4096; i++)
        REQUIRE(out[i] == 63 * 64 / 2, "[%zu]: %d", i, out[i]);
    return true;
}

/* ---- printf --------------------------------------------------------------------------------- */

/** What the kernel prints, caught from our standard output. */
static bool print_caught(selftest *test, int memory) {
    int32_t number = -42;
    float real = 3.14159f;
    size_t global[3];
    const selftest_argument arguments[] = {VALUE(number), VALUE(real)};
    fflush(stdout);
    int saved = dup(1);
    REQUIRE(saved >= 0 && dup2(memory, 1) == 1, "cannot catch the output");
    bool good = selftest_run(test, "print", line(64, global), NULL, 2, arguments);
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    return good;
}

static bool prints(selftest *test) {
    static const char wanted[] = "-42| 3.14|text|0xff|1,2,3,4|c|%\n";
    char got[200] = "";
    int memory = memfd_create("weft-selftest", MFD_CLOEXEC);
    REQUIRE(memory >= 0, "memfd_create fails");
    bool good = print_caught(test, memory);
    ssize_t bytes = pread(memory, got, sizeof got - 1, 0);
    close(memory);
    if (!good)
        return false;
    REQUIRE(bytes == (ssize_t)strlen(wanted) && strcmp(got, wanted) == 0, "printed: %s", got);
    return true;
}

const selftest_row selftest_kernels[] = {
    {"work-item functions in 1, 2 and 3 dimensions", work_items},
    {"groups of unequal size", non_uniform_groups},
    {"global offset", global_offset},
    {"int arithmetic", integers},
    {"long arithmetic", longs},
    {"division by zero does not trap", division_by_zero},
    {"float arithmetic, correctly rounded", floats},
    {"double arithmetic, correctly rounded", doubles},
    {"conversions with rounding and saturation", conversions},
    {"relational functions and select", relations},
    {"vectors: components, load, store, shuffle", vectors},
    {"structs by value and in buffers", structs},
    {"private arrays, loops with break and continue", private_arrays},
    {"constant memory", constants},
    {"local memory as an argument, barrier", reverse},
    {"barriers in loops: reduction, scan", reduce_and_scan},
    {"barriers below a uniform condition", conditional_barriers},
    {"async copies", async_copies},
    {"local memory in two dimensions", transpose},
    {"int atomics", atomics},
    {"long atomics", long_atomics},
    {"C11 atomics in global and local memory", c11_atomics},
    {"printf", prints},
    {NULL, NULL},
};
