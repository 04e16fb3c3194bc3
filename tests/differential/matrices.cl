// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Small matrices in private memory that functions are given: their loops are unrolled until each
// element is a value (compiler/vector/unroll_arrays.cc). The functions' pointers are generic, as in any
// program of OpenCL C 2.0 (compiler/vector/inline_library.cc).

#define ARGS global int *out, global const int *in, int n
#define N 4

typedef struct {
    int state[N];
    int cov[N * N];
} filter;

void product(const int *a, const int *b, int *c, int rows, int inner, int columns) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            int sum = 0;
            for (int k = 0; k < inner; k++)
                sum += a[i * inner + k] * b[k * columns + j];
            c[i * columns + j] = sum;
        }
}

bool step(filter *f, int z) {
    int turn[N * N] = {1, 0, z, 3, 0, 1, -z, 2, 0, 0, 1, 0, 5, 0, 0, 1}, next[N * N], state[N];
    product(turn, f->cov, next, N, N, N);
    product(turn, f->state, state, N, N, 1);
    if ((state[0] & 7) == 3)
        return false;
    for (int i = 0; i < N; i++) {
        f->state[i] = state[i] + next[i * N + i];
        for (int j = 0; j < i; j++)
            f->cov[i * N + j] = f->cov[j * N + i] = next[i * N + j] ^ next[j * N + i];
    }
    return true;
}

// Structures are copied whole, from memory and to it; some items leave some steps out.
// launch filters 1 global 100 1 1 offset 0 0 0 local 50 1 1 arguments o8400z i8192s v7
// launch filters 1 global 19 1 1 offset 0 0 0 local 19 1 1 arguments o8400z i8192s v3
kernel void filters(ARGS) {
    int i = get_global_id(0), refused = 0;
    filter f = *(global const filter *)(in + i * 20);
    for (int t = 0; t < n; t++) {
        int z = in[i + t];
        if (z & 1)
            continue;
        if (!step(&f, z >> 3))
            refused++;
    }
    *(global filter *)(out + i * 21) = f;
    out[i * 21 + 20] = refused;
}

// More than registers hold, from turn to turn.
// launch row_of_scores 1 global 64 1 1 offset 0 0 0 local 32 1 1 arguments o256z i4096s v9
kernel void row_of_scores(ARGS) {
    int i = get_global_id(0), best = 0, row[49];
    for (int k = 0; k < 49; k++)
        row[k] = k;
    for (int t = 0; t < n; t++) {
        int diagonal = t;
        for (int k = 1; k < 49; k++) {
            int above = row[k];
            row[k] = max(diagonal + (in[i + t] & 15), max(above, row[k - 1]) - 3);
            diagonal = above;
            best = max(best, row[k]);
        }
    }
    out[i] = best;
}
