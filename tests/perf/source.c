// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generated sources: the parts in kernels/parts with names and constants filled in, and each part's
// twin in C.
#include "source.h"
#include "compute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct constants {
    uint32_t a, b;
    float f; // a multiple of 1/64 between 1 and 2: its decimal form is exact
};

typedef float twin(const float *in, int i, const struct constants *c);

static uint32_t mixed(uint32_t x, uint32_t key) {
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= key;
    x ^= x >> 12;
    x *= 0x297a2d39u;
    return x ^ x >> 15;
}

static uint32_t rotated(uint32_t x, uint32_t by) {
    return x << (by & 31) | x >> ((32 - by) & 31);
}

static float hash_twin(const float *in, int i, const struct constants *c) {
    uint32_t x = (uint32_t)(in[i] * 65536.0f) + c->a, sum = 0;
    for (uint32_t round = 1; round <= 12; round++) {
        x = mixed(x, c->b + round);
        if (x & 1)
            sum += rotated(x, round);
        else if (x & 2)
            sum ^= rotated(x, round + 7);
        else
            sum = sum * 33 + x;
        if ((sum & 0xff) == 0)
            sum += round;
    }
    sum ^= sum >> 16;
    return (float)(sum & 0xffff);
}

static float smooth_twin(const float *in, int i, const struct constants *c) {
    float sum = 0, weights = 0;
    for (int k = -3; k <= 3; k++) {
        const int at = i + k < 0 ? 0 : i + k >= SOURCE_ITEMS ? SOURCE_ITEMS - 1 : i + k;
        const float weight = c->f / (1.0f + (float)(k * k));
        sum += weight * in[at];
        weights += weight;
    }
    const float mean = sum / weights;
    const float detail = fmaxf(-0.25f, fminf(0.25f, in[i] - mean));
    return fmaxf(0, mean + 1.5f * detail) + (float)(c->a & 255);
}

static float group_twin(const float *in, int i, const struct constants *c) {
    const int first = i / SOURCE_GROUP * SOURCE_GROUP;
    float sum = 0, most = 0, mine = 0;
    for (int l = 0; l < SOURCE_GROUP; l++) {
        const float x = in[first + l] * (c->f + 0.01f * (float)l);
        sum += x;
        most = fmaxf(most, x);
        if (first + l == i)
            mine = x;
    }
    return mine * ((float)(c->a & 15) + 1) + sum + most;
}

static void normalise(float v[3]) {
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + 0.001f);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

static void cross_product(const float a[3], const float b[3], float c[3]) {
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static float vector_twin(const float *in, int i, const struct constants *c) {
    const float a[3] = {in[i], in[(i + 1) % SOURCE_ITEMS], in[(i + 2) % SOURCE_ITEMS]};
    float b[3] = {c->f, 1.0f - in[i], 0.5f}, sum[3] = {0};
    for (int k = 0; k < 8; k++) {
        float side[3], up[3];
        cross_product(a, b, side);
        normalise(side);
        cross_product(b, side, up);
        normalise(up);
        float along = a[0] * up[0] + a[1] * up[1] + a[2] * up[2];
        const float sign = along < 0 ? -1.0f : 1.0f;
        along *= sign;
        const float turned[3] = {b[1], b[2], b[0]};
        for (int m = 0; m < 3; m++) {
            up[m] *= sign;
            sum[m] += along * up[m];
            b[m] = turned[m] + 0.125f * up[m];
        }
    }
    return sum[0] + sum[1] + sum[2] + (float)(c->a & 31);
}

static int machine_step(uint32_t code, int value) {
    switch (code & 7) {
    case 0:
        return value + 3;
    case 1:
        return value * 2;
    case 2:
        return value - 7;
    case 3:
        return value / 2;
    case 4:
        return value ^ 0x55;
    case 5:
        return -value;
    case 6:
        return value & 0xfff;
    default:
        return value > 100 ? value - 100 : value + 50;
    }
}

static float machine_twin(const float *in, int i, const struct constants *c) {
    int value = (int)(in[i] * 1024.0f);
    uint32_t code = c->a ^ (uint32_t)i;
    for (int k = 0; k < 20; k++) {
        value = machine_step(code, value);
        code = code * 1664525u + c->b;
        code ^= code >> 11;
        value = value < -100000 ? -100000 : value > 100000 ? 100000 : value;
    }
    return (float)value;
}

static float complex_twin(const float *in, int i, const struct constants *c) {
    float re = in[i] - 0.5f, im = 0.25f - in[i] * 0.5f;
    int steps = 0;
    for (; steps < 10; steps++) {
        const float next = re * re - im * im + 0.1f * c->f;
        im = 2 * re * im + 0.05f * c->f;
        re = next;
        if (re * re + im * im > 1.0e6f)
            break;
    }
    return sqrtf(re * re + im * im) + (float)steps + (float)(c->a & 63);
}

static float matrix_twin(const float *in, int i, const struct constants *c) {
    float a[9], b[9], product[9] = {0};
    for (int k = 0; k < 9; k++) {
        a[k] = in[i] * 0.1f * (float)(k % 4);
        b[k] = k % 4 == 0 ? 0.5f : 0.01f * c->f;
    }
    for (int round = 0; round < 4; round++) {
        for (int k = 0; k < 9; k++)
            product[k] = a[k / 3 * 3] * b[k % 3] + a[k / 3 * 3 + 1] * b[3 + k % 3] +
                         a[k / 3 * 3 + 2] * b[6 + k % 3];
        for (int k = 0; k < 9; k++)
            a[k] = 0.5f * a[k] + product[k];
    }
    return a[0] + a[4] + a[8] + product[2] - product[6] + (float)(c->a & 127);
}

static float maths_twin(const float *in, int i, const struct constants *c) {
    const float x = in[i], d = (x - 0.5f) / (0.25f + 0.1f * c->f);
    const float y = sinf(x * 3.0f + c->f) * cosf(x * 3.0f - c->f) + 0.5f;
    const float z = expf(-d * d);
    float sum = 0;
    for (int k = 1; k <= 4; k++) {
        const float t = (float)k;
        sum += powf(x + 1.0f, 0.5f * t) / t + logf(1.0f + y * y * t) - sqrtf(z + t) * 0.1f;
    }
    return 0.75f * sum + 0.25f * atan2f(y, z + 1.0f) + (float)(c->a & 7);
}

// The first four make the medium source.
static const struct {
    const char *file;
    twin *twin;
} parts[] = {
    {"part_hash", hash_twin},       {"part_group", group_twin},   {"part_smooth", smooth_twin},
    {"part_maths", maths_twin},     {"part_vector", vector_twin}, {"part_machine", machine_twin},
    {"part_complex", complex_twin}, {"part_matrix", matrix_twin},
};

static struct constants constants_of(const struct source *source, int index) {
    uint32_t state = (uint32_t)(source->nonce ^ source->nonce >> 32) + 7919u * (uint32_t)index;
    struct constants c = {.a = random_next(&state), .b = random_next(&state) | 1};
    c.f = 1.0f + (float)(random_next(&state) % 64) / 64.0f;
    return c;
}

// Appends the part with $ID, $A, $B, $F replaced; returns the new end.
static char *append_part(char *to, const char *part, const char *id, const struct constants *c) {
    const char *from = strchr(part, '\n') + 1; // the licence line stays here
    while (*from) {
        if (*from != '$') {
            *to++ = *from++;
            continue;
        }
        if (strncmp(from, "$ID", 3) == 0)
            to += sprintf(to, "%s", id);
        else if (from[1] == 'F')
            to += sprintf(to, "%ff", (double)c->f);
        else
            to += sprintf(to, "0x%08xu", from[1] == 'A' ? c->a : c->b);
        from += from[1] == 'I' ? 3 : 2;
    }
    *to = '\0';
    return to;
}

static void part_id(const struct source *source, int index, char id[48]) {
    snprintf(id, 48, "%llx_%d", (unsigned long long)source->nonce, index);
}

void source_kernel_name(const struct source *source, int index, char name[64]) {
    char id[48];
    part_id(source, index, id);
    snprintf(name, 64, "k_%s", id);
}

static char *append_tiny(char *to, const char *id, const struct constants *c) {
    return to + sprintf(to,
                        "kernel void k_%s(global const float *in, global float *out)\n"
                        "{\n"
                        "    size_t i = get_global_id(0);\n"
                        "    out[i] = in[i] * %ff + (float)(0x%08xu & 255u);\n"
                        "}\n",
                        id, (double)c->f, c->a);
}

static float tiny_twin(const float *in, int i, const struct constants *c) {
    return in[i] * c->f + (float)(c->a & 255);
}

struct source make_source(int kernels, uint64_t nonce) {
    enum { BYTES_PER_PART = 4096 };
    struct source source = {.kernels = kernels, .nonce = nonce};
    char *to = source.text = allocate((size_t)kernels * BYTES_PER_PART);
    for (int i = 0; i < kernels; i++) {
        char id[48];
        part_id(&source, i, id);
        const struct constants c = constants_of(&source, i);
        const char *file = parts[i % (int)(sizeof parts / sizeof *parts)].file;
        to = kernels == 1 ? append_tiny(to, id, &c) : append_part(to, kernel_text(file), id, &c);
    }
    return source;
}

void source_input(float in[SOURCE_ITEMS]) {
    uint32_t state = 4711;
    for (int i = 0; i < SOURCE_ITEMS; i++)
        in[i] = (float)(random_next(&state) & 0xffff) / 65536.0f;
}

void check_source(const struct source *source, int index, const float *in, const float *out) {
    const struct constants c = constants_of(source, index);
    const int part = index % (int)(sizeof parts / sizeof *parts);
    twin *expected = source->kernels == 1 ? tiny_twin : parts[part].twin;
    for (int i = 0; i < SOURCE_ITEMS; i++) {
        const float should = expected(in, i, &c);
        if (!(fabsf(out[i] - should) <= 1e-3f * (1 + fabsf(should))))
            child_wrong("kernel %d (%s) item %d is %.9g, should be %.9g", index,
                        source->kernels == 1 ? "tiny" : parts[part].file, i, (double)out[i],
                        (double)should);
    }
}
