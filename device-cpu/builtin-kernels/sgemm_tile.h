// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Included by sgemm.c once per vector size: SGEMM_BYTES, SGEMM_ROWS, SGEMM_NAME,
 * SGEMM_TARGET. No guard. */

#define SGEMM_JOIN_(a, b) a##_##b
#define SGEMM_JOIN(a, b)  SGEMM_JOIN_(a, b)
#define SGEMM_VECTOR      SGEMM_JOIN(SGEMM_NAME, vector)
#define SGEMM_BLOCK       SGEMM_JOIN(SGEMM_NAME, block)

typedef float SGEMM_VECTOR
    __attribute__((vector_size(SGEMM_BYTES), aligned(sizeof(float)), may_alias));

/* SGEMM_ROWS rows of two vectors: they stay in registers. */
__attribute__((target(SGEMM_TARGET))) static void SGEMM_BLOCK(const part *p, size_t row,
                                                              size_t column) {
    enum { LANES = SGEMM_BYTES / sizeof(float), ROWS = SGEMM_ROWS };
    SGEMM_VECTOR sum[ROWS][2] = {{{0}}};
    const float *a = p->a + row * p->a_pitch, *b = p->b + column;

    for (size_t k = 0; k < p->depth; k++, b += COLUMNS) {
        SGEMM_VECTOR left = *(const SGEMM_VECTOR *)b, right = *(const SGEMM_VECTOR *)(b + LANES);
#pragma GCC unroll 8
        for (int r = 0; r < ROWS; r++) {
            float factor = a[(size_t)r * p->a_pitch + k];
            sum[r][0] += factor * left;
            sum[r][1] += factor * right;
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; r++) {
        float *c = row_of(p, row + (size_t)r) + column;
        for (int i = 0; i < 2; i++) {
            SGEMM_VECTOR *to = (SGEMM_VECTOR *)(c + i * LANES);
            *to = p->beta == 0 ? p->alpha * sum[r][i] : p->alpha * sum[r][i] + p->beta * *to;
        }
    }
}

__attribute__((target(SGEMM_TARGET))) static void SGEMM_NAME(const part *p) {
    enum { WIDE = 2 * SGEMM_BYTES / sizeof(float), ROWS = SGEMM_ROWS };
    size_t wide = p->columns / WIDE * WIDE, tall = p->rows / ROWS * ROWS;

    for (size_t column = 0; column < wide; column += WIDE)
        for (size_t row = 0; row < tall; row += ROWS)
            SGEMM_BLOCK(p, row, column);
    small_block(p, 0, tall, wide, p->columns - wide);
    small_block(p, tall, p->rows - tall, 0, p->columns);
}

#undef SGEMM_JOIN_
#undef SGEMM_JOIN
#undef SGEMM_VECTOR
#undef SGEMM_BLOCK
#undef SGEMM_BYTES
#undef SGEMM_ROWS
#undef SGEMM_NAME
#undef SGEMM_TARGET
