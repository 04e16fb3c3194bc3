// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * c = alpha a b + beta c in single precision: the part of c that one group owns, in tiles. A strip
 * of b that the tile needs is packed into local memory, so that the inner loop reads b in order;
 * some rows of two vectors of c stay in registers. Three times the same code: for AVX-512, for AVX2
 * with FMA, for SSE.
 */
#include "kernels.h"

#include <string.h>

/* Columns of a tile, and so many rows of b at a time: what fits local memory. */
enum { COLUMNS = 64, DEPTH = WEFT_SGEMM_LOCAL / COLUMNS / 4 };

/* What a tile works on. */
typedef struct part {
    const float *a, *b; /* b: packed, COLUMNS wide */
    float *c;
    size_t a_pitch, c_pitch, rows, columns, depth;
    float alpha, beta;
} part;

static float *row_of(const part *p, size_t row) {
    return p->c + row * p->c_pitch;
}

/* One element, for what is left over. */
static void finish_element(const part *p, size_t row, size_t column, float sum) {
    float *c = row_of(p, row) + column;

    /* "beta 0: c is not read" as in BLAS: it may hold anything. */
    *c = p->alpha * sum + (p->beta == 0 ? 0 : p->beta * *c);
}

static void small_block(const part *p, size_t row, size_t rows, size_t column, size_t columns) {
    for (size_t r = row; r < row + rows; r++)
        for (size_t x = column; x < column + columns; x++) {
            float sum = 0;
            for (size_t k = 0; k < p->depth; k++)
                sum += p->a[r * p->a_pitch + k] * p->b[k * COLUMNS + x];
            finish_element(p, r, x, sum);
        }
}

#define SGEMM_BYTES  64
#define SGEMM_ROWS   8
#define SGEMM_NAME   tile_512
#define SGEMM_TARGET "avx512f,fma"
#include "sgemm_tile.h"

#define SGEMM_BYTES  32
#define SGEMM_ROWS   4
#define SGEMM_NAME   tile_256
#define SGEMM_TARGET "avx2,fma"
#include "sgemm_tile.h"

#define SGEMM_BYTES  16
#define SGEMM_ROWS   4
#define SGEMM_NAME   tile_128
#define SGEMM_TARGET "sse2"
#include "sgemm_tile.h"

static void run_tile(const part *p, cl_uint vector_bytes) {
    if (vector_bytes >= 64)
        tile_512(p);
    else if (vector_bytes >= 32)
        tile_256(p);
    else
        tile_128(p);
}

static void pack(float *to, const float *b, size_t pitch, size_t depth, size_t columns) {
    for (size_t k = 0; k < depth; k++) {
        memcpy(to + k * COLUMNS, b + k * pitch, columns * sizeof(*b));
        memset(to + k * COLUMNS + columns, 0, (COLUMNS - columns) * sizeof(*b));
    }
}

/* Nothing to add up: only the factor beta. */
static void scale(const cl_built_in_group_weft *group, float beta, float *c, size_t pitch) {
    for (size_t y = 0; y < group->local_size[1]; y++)
        for (size_t x = 0; x < group->local_size[0]; x++) {
            float *at = c + y * pitch + x;
            *at = beta == 0 ? 0 : beta * *at;
        }
}

void weft_kernel_sgemm(const cl_built_in_group_weft *group, cl_uint k, float alpha, const float *a,
                       cl_uint a_pitch, const float *b, cl_uint b_pitch, float beta, float *c,
                       cl_uint c_pitch) {
    size_t left = group->first_item[0], top = group->first_item[1];
    size_t width = group->local_size[0];

    c += top * c_pitch + left;
    if (!k)
        scale(group, beta, c, c_pitch);
    for (size_t at = 0; at < k; at += DEPTH) {
        part p = {.a = a + top * a_pitch + at,
                  .b = group->local_memory,
                  .a_pitch = a_pitch,
                  .c_pitch = c_pitch,
                  .rows = group->local_size[1],
                  .depth = k - at < DEPTH ? k - at : DEPTH,
                  .alpha = alpha,
                  .beta = at ? 1 : beta};
        for (size_t x = 0; x < width; x += COLUMNS) {
            p.columns = width - x < COLUMNS ? width - x : COLUMNS;
            p.c = c + x;
            pack(group->local_memory, b + at * b_pitch + left + x, b_pitch, p.depth, p.columns);
            run_tile(&p, group->vector_bytes);
        }
    }
}
