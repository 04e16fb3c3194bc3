// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section "kernels": about forty kernels of different nature, each with its twin in C.
#include "child.h"
#include "compute.h"

#include <math.h>

static void fill_row_starts(const struct array *array, void *data, uint32_t seed) {
    // Rows of 9 to 23 elements; the ends are where they would be with 16 in each.
    int32_t *starts = data;
    for (size_t i = 0; i < array->count; i++)
        starts[i] = (int32_t)i * SPMV_PER_ROW + (int32_t)(random_next(&seed) % 8);
    starts[0] = 0;
    starts[array->count - 1] = (int32_t)(array->count - 1) * SPMV_PER_ROW;
}

static void fill_crc_table(const struct array *array, void *data, uint32_t seed) {
    (void)seed;
    uint32_t *table = data;
    for (uint32_t i = 0; i < array->count; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        table[i] = crc;
    }
}

static void fill_twiddles(const struct array *array, void *data, uint32_t seed) {
    (void)seed;
    float *twiddle = data;
    for (size_t k = 0; k < array->count / 2; k++) {
        const double angle = -2 * 3.14159265358979323846 * (double)k / (4 * FFT_STRIDE);
        twiddle[2 * k] = (float)cos(angle);
        twiddle[2 * k + 1] = (float)sin(angle);
    }
}

#define IMAGE(TYPE, COUNT, WIDTH)                                                                  \
    {.type = TYPE,                                                                                 \
     .count = COUNT,                                                                               \
     .width = WIDTH,                                                                               \
     .fill = TYPE == U8 ? fill_random : fill_uniform,                                              \
     .low = -1,                                                                                    \
     .high = 1}
#define KERNEL(ID, ...) COMPUTE("kernel/" ID, __VA_ARGS__)

// clang-format off
const struct line kernel_lines[] = {
    KERNEL("copy", "copy", .file = "stream", .kernel = "copy", .arguments = "b0 b1",
           .global = {STREAM_N}, .local = {256}, .reference = ref_copy,
           .arrays = {IN(F32, STREAM_N, -1, 1), OUT(F32, STREAM_N)}),
    KERNEL("triad", "triad a + s·b", .file = "stream", .kernel = "triad",
           .arguments = "b0 b1 b2 f0.5", .global = {STREAM_N}, .local = {256},
           .reference = ref_triad, .tolerance = 1e-6,
           .arrays = {IN(F32, STREAM_N, -1, 1), IN(F32, STREAM_N, -1, 1), OUT(F32, STREAM_N)}),
    KERNEL("triad_f64", "triad, double", .file = "stream", .kernel = "triad",
           .options = "-DDOUBLE", .arguments = "b0 b1 b2 f0.5", .global = {STREAM_N / 2},
           .local = {256}, .reference = ref_triad_f64, .tolerance = 1e-14,
           .arrays = {IN(F64, STREAM_N / 2, -1, 1), IN(F64, STREAM_N / 2, -1, 1),
                      OUT(F64, STREAM_N / 2)}),
    KERNEL("saxpy_stride", "saxpy, loop with a stride of the global size", .file = "stream",
           .kernel = "saxpy_stride", .arguments = "b0 b1 b2 f0.5 i16777216", .global = {16384},
           .local = {256}, .reference = ref_saxpy, .tolerance = 1e-6,
           .arrays = {IN(F32, STREAM_N, -1, 1), IN(F32, STREAM_N, -1, 1), OUT(F32, STREAM_N)}),
    KERNEL("particles", "particles, struct of float4", .file = "stream", .kernel = "particles",
           .arguments = "b0 b1 f0.01", .global = {PARTICLES_N}, .local = {128},
           .reference = ref_particles, .tolerance = 1e-6,
           .arrays = {IN(F32, PARTICLES_N * 8, -1.01, 1.01), OUT(F32, PARTICLES_N * 8)}),
    KERNEL("luma", "luma of RGBA bytes, uchar4", .file = "stream", .kernel = "luma",
           .arguments = "b0 b1", .global = {LUMA_N}, .local = {256}, .reference = ref_luma,
           .arrays = {FILLED(U8, LUMA_N * 4, fill_random), OUT(U8, LUMA_N)}),
    KERNEL("polynomial", "polynomial of degree 15", .file = "stream", .kernel = "polynomial",
           .arguments = "b0 b1", .global = {POLYNOMIAL_N}, .local = {256},
           .reference = ref_polynomial, .tolerance = 1e-5,
           .arrays = {IN(F32, POLYNOMIAL_N, -1, 1), OUT(F32, POLYNOMIAL_N)}),
    KERNEL("local_one", "polynomial, local size 1", .file = "stream", .kernel = "polynomial",
           .arguments = "b0 b1", .global = {LOCAL_ONE_N}, .local = {1},
           .reference = ref_local_one, .tolerance = 1e-5,
           .arrays = {IN(F32, LOCAL_ONE_N, -1, 1), OUT(F32, LOCAL_ONE_N)}),
    KERNEL("prime", "polynomial, prime global size, no local size", .file = "stream",
           .kernel = "polynomial", .arguments = "b0 b1", .global = {PRIME_N},
           .reference = ref_prime, .tolerance = 1e-5,
           .arrays = {IN(F32, PRIME_N, -1, 1), OUT(F32, PRIME_N)}),

    KERNEL("matmul", "matrix product, naive", .file = "dense", .kernel = "matmul",
           .arguments = "b0 b1 b2 i512", .global = {MATMUL_N, MATMUL_N}, .local = {16, 16},
           .reference = ref_matmul, .tolerance = 1e-4,
           .arrays = {IN(F32, SQUARE(MATMUL_N), -1, 1), IN(F32, SQUARE(MATMUL_N), -1, 1),
                      OUT(F32, SQUARE(MATMUL_N))}),
    KERNEL("matmul_tiled", "matrix product, tiles in local memory", .file = "dense",
           .kernel = "matmul_tiled", .arguments = "b0 b1 b2 i512",
           .global = {MATMUL_N, MATMUL_N}, .local = {16, 16}, .reference = ref_matmul,
           .tolerance = 1e-4,
           .arrays = {IN(F32, SQUARE(MATMUL_N), -1, 1), IN(F32, SQUARE(MATMUL_N), -1, 1),
                      OUT(F32, SQUARE(MATMUL_N))}),
    KERNEL("matmul_f64", "matrix product, tiles, double", .file = "dense",
           .kernel = "matmul_tiled", .options = "-DDOUBLE", .arguments = "b0 b1 b2 i512",
           .global = {MATMUL_N, MATMUL_N}, .local = {16, 16}, .reference = ref_matmul_f64,
           .tolerance = 1e-12,
           .arrays = {IN(F64, SQUARE(MATMUL_N), -1, 1), IN(F64, SQUARE(MATMUL_N), -1, 1),
                      OUT(F64, SQUARE(MATMUL_N))}),
    KERNEL("transpose", "transposition, naive", .file = "dense", .kernel = "transpose",
           .arguments = "b0 b1 i4096", .global = {TRANSPOSE_N, TRANSPOSE_N}, .local = {16, 16},
           .reference = ref_transpose,
           .arrays = {IN(F32, SQUARE(TRANSPOSE_N), -1, 1), OUT(F32, SQUARE(TRANSPOSE_N))}),
    KERNEL("transpose_tiled", "transposition, tiles in local memory", .file = "dense",
           .kernel = "transpose_tiled", .arguments = "b0 b1 i4096",
           .global = {TRANSPOSE_N, TRANSPOSE_N}, .local = {16, 16}, .reference = ref_transpose,
           .arrays = {IN(F32, SQUARE(TRANSPOSE_N), -1, 1), OUT(F32, SQUARE(TRANSPOSE_N))}),
    KERNEL("convolve", "convolution 7 x 7", .file = "dense", .kernel = "convolve",
           .arguments = "b0 b1 b2 i2054", .global = {CONVOLVE_N, CONVOLVE_N}, .local = {64, 4},
           .reference = ref_convolve, .tolerance = 1e-5,
           .arrays = {IN(F32, SQUARE(CONVOLVE_PITCH), -1, 1), IN(F32, 49, -1, 1),
                      OUT(F32, SQUARE(CONVOLVE_N))}),

    KERNEL("nbody", "n-body, all pairs", .file = "physics", .kernel = "nbody",
           .arguments = "b0 b1 i8192", .global = {NBODY_N}, .local = {64},
           .reference = ref_nbody, .tolerance = 1e-3,
           .arrays = {IN(F32, NBODY_N * 4, 0, 1), OUT(F32, NBODY_N * 4)}),
    KERNEL("nbody_f64", "n-body, all pairs, double", .file = "physics", .kernel = "nbody",
           .options = "-DDOUBLE", .arguments = "b0 b1 i4096", .global = {NBODY_F64_N},
           .local = {64}, .reference = ref_nbody_f64, .tolerance = 1e-10,
           .arrays = {IN(F64, NBODY_F64_N * 4, 0, 1), OUT(F64, NBODY_F64_N * 4)}),
    KERNEL("black_scholes", "Black-Scholes", .file = "physics", .kernel = "black_scholes",
           .arguments = "b0 b1 b2 b3 b4", .global = {OPTIONS_N}, .local = {256},
           .reference = ref_black_scholes, .tolerance = 2e-4,
           .arrays = {IN(F32, OPTIONS_N, 5, 30), IN(F32, OPTIONS_N, 1, 100),
                      IN(F32, OPTIONS_N, 0.25, 10), OUT(F32, OPTIONS_N), OUT(F32, OPTIONS_N)}),
    KERNEL("black_scholes_f64", "Black-Scholes, double", .file = "physics",
           .kernel = "black_scholes", .options = "-DDOUBLE", .arguments = "b0 b1 b2 b3 b4",
           .global = {OPTIONS_N / 2}, .local = {256}, .reference = ref_black_scholes_f64,
           .tolerance = 1e-11,
           .arrays = {IN(F64, OPTIONS_N / 2, 5, 30), IN(F64, OPTIONS_N / 2, 1, 100),
                      IN(F64, OPTIONS_N / 2, 0.25, 10), OUT(F64, OPTIONS_N / 2),
                      OUT(F64, OPTIONS_N / 2)}),
    KERNEL("stencil2d", "stencil, 5 points in 2D", .file = "physics", .kernel = "stencil2d",
           .arguments = "b0 b1", .global = {STENCIL2D_N, STENCIL2D_N}, .local = {64, 4},
           .reference = ref_stencil2d, .tolerance = 1e-6,
           .arrays = {IN(F32, SQUARE(STENCIL2D_N), -1, 1), OUT(F32, SQUARE(STENCIL2D_N))}),
    KERNEL("stencil3d", "stencil, 7 points in 3D", .file = "physics", .kernel = "stencil3d",
           .arguments = "b0 b1", .global = {STENCIL3D_N, STENCIL3D_N, STENCIL3D_N},
           .local = {32, 4, 2}, .reference = ref_stencil3d, .tolerance = 1e-6,
           .arrays = {IN(F32, SQUARE(STENCIL3D_N) * STENCIL3D_N, -1, 1),
                      OUT(F32, SQUARE(STENCIL3D_N) * STENCIL3D_N)}),

    KERNEL("mandelbrot", "Mandelbrot set, divergent loop", .file = "divergent",
           .kernel = "mandelbrot", .arguments = "b0 i256",
           .global = {MANDELBROT_W, MANDELBROT_H}, .local = {16, 16},
           .reference = ref_mandelbrot, .odd_ones = 0.01,
           .arrays = {OUT(I32, MANDELBROT_W * MANDELBROT_H)}),
    KERNEL("raymarch", "sphere tracing, divergent loop with break", .file = "divergent",
           .kernel = "raymarch", .arguments = "b0", .global = {RAYMARCH_N, RAYMARCH_N},
           .local = {16, 16}, .reference = ref_raymarch, .tolerance = 1e-2, .odd_ones = 0.02,
           .arrays = {OUT(F32, SQUARE(RAYMARCH_N))}),
    KERNEL("switch", "switch of eight ways, by data", .file = "divergent",
           .kernel = "switch_rounds", .arguments = "b0 b1", .global = {SWITCH_N},
           .local = {256}, .reference = ref_switch,
           .arrays = {FILLED(I32, SWITCH_N, fill_random), OUT(I32, SWITCH_N)}),
    KERNEL("collatz", "Collatz steps, long, divergent loop", .file = "divergent",
           .kernel = "collatz", .arguments = "b0", .global = {COLLATZ_N}, .local = {64},
           .reference = ref_collatz, .arrays = {OUT(I32, COLLATZ_N)}),
    KERNEL("sort16", "insertion sort in private memory", .file = "divergent",
           .kernel = "sort16", .arguments = "b0 b1", .global = {SORT_N}, .local = {64},
           .reference = ref_sort16,
           .arrays = {FILLED(I32, SORT_N * 16, fill_random), OUT(I32, SORT_N * 16)}),

    KERNEL("reduce", "sum of groups, tree in local memory", .file = "groups",
           .kernel = "reduce", .arguments = "b0 b1 l1024", .global = {REDUCE_N},
           .local = {GROUP}, .reference = ref_reduce, .tolerance = 1e-5,
           .arrays = {IN(F32, REDUCE_N, -1, 1), OUT(F32, REDUCE_N / GROUP)}),
    KERNEL("scan", "running sum of groups in local memory", .file = "groups",
           .kernel = "scan", .arguments = "b0 b1 l2048", .global = {SCAN_N},
           .local = {GROUP}, .reference = ref_scan,
           .arrays = {IN(I32, SCAN_N, -100, 100), OUT(I32, SCAN_N)}),
    KERNEL("histogram", "histogram, local atomics", .file = "groups", .kernel = "histogram",
           .arguments = "b0 b1 i131072", .global = {HISTOGRAM_GROUPS * GROUP},
           .local = {GROUP}, .reference = ref_histogram,
           .arrays = {FILLED(U8, HISTOGRAM_GROUPS * HISTOGRAM_SHARE, fill_random),
                      OUT(I32, HISTOGRAM_GROUPS * 256)}),
    KERNEL("bitonic", "bitonic sort of 512 keys in local memory", .file = "groups",
           .kernel = "bitonic", .arguments = "b0 b1", .global = {BITONIC_N / 2},
           .local = {GROUP}, .reference = ref_bitonic,
           .arrays = {FILLED(I32, BITONIC_N, fill_random), OUT(I32, BITONIC_N)}),
    KERNEL("smooth", "64 sweeps with a barrier in the loop", .file = "groups",
           .kernel = "smooth", .arguments = "b0 b1", .global = {SMOOTH_N}, .local = {GROUP},
           .reference = ref_smooth, .tolerance = 1e-5,
           .arrays = {IN(F32, SMOOTH_N, -1, 1), OUT(F32, SMOOTH_N)}),
    KERNEL("global_max", "maximum by global atomics", .file = "groups",
           .kernel = "global_max", .arguments = "b0 b1", .global = {GLOBAL_MAX_N},
           .local = {256}, .reference = ref_global_max,
           .arrays = {FILLED(I32, GLOBAL_MAX_N, fill_random), OUT(I32, 64)}),

    KERNEL("hash", "integer hash, 16 rounds", .file = "integer", .kernel = "hash",
           .arguments = "b0 b1", .global = {HASH_N}, .local = {256}, .reference = ref_hash,
           .arrays = {FILLED(I32, HASH_N, fill_random), OUT(I32, HASH_N)}),
    KERNEL("dot_i8", "dot products of signed bytes", .file = "integer", .kernel = "dot_i8",
           .arguments = "b0 b1 b2 i512", .global = {DOT_ROWS}, .local = {64},
           .reference = ref_dot_i8,
           .arrays = {FILLED(U8, DOT_ROWS * DOT_LENGTH, fill_random),
                      FILLED(U8, DOT_LENGTH, fill_random), OUT(I32, DOT_ROWS)}),
    KERNEL("crc32", "CRC-32, table in constant memory", .file = "integer", .kernel = "crc32",
           .arguments = "b0 b1 b2", .global = {CRC_N}, .local = {64}, .reference = ref_crc32,
           .arrays = {FILLED(U8, CRC_N * 64, fill_random), FILLED(I32, 256, fill_crc_table),
                      OUT(I32, CRC_N)}),
    KERNEL("sha256", "SHA-256 of one block", .file = "integer", .kernel = "sha256",
           .arguments = "b0", .global = {SHA_N}, .local = {64}, .reference = ref_sha256,
           .arrays = {OUT(I32, SHA_N)}),
    KERNEL("spmv", "sparse matrix times vector", .file = "integer", .kernel = "spmv",
           .arguments = "b0 b1 b2 b3 b4", .global = {SPMV_ROWS}, .local = {64},
           .reference = ref_spmv, .tolerance = 1e-5,
           .arrays = {FILLED(I32, SPMV_ROWS + 1, fill_row_starts),
                      IN(I32, SPMV_ROWS * SPMV_PER_ROW + 8, 0, SPMV_ROWS),
                      IN(F32, SPMV_ROWS * SPMV_PER_ROW + 8, -1, 1), IN(F32, SPMV_ROWS, -1, 1),
                      OUT(F32, SPMV_ROWS)}),
    KERNEL("fft4", "FFT, one radix-4 pass", .file = "integer", .kernel = "fft4",
           .arguments = "b0 b1 b2 i64", .global = {FFT_N / 4}, .local = {64},
           .reference = ref_fft4, .tolerance = 1e-5,
           .arrays = {IN(F32, FFT_N * 2, -1, 1), FILLED(F32, 3 * FFT_STRIDE * 2, fill_twiddles),
                      OUT(F32, FFT_N * 2)}),
    KERNEL("image_cross", "image, five nearest floats", .file = "image", .kernel = "image_cross",
           .arguments = "m0 b1", .global = {IMAGE_N, IMAGE_N}, .local = {64, 1},
           .reference = ref_image_cross, .tolerance = 1e-5,
           .arrays = {IMAGE(F32, SQUARE(IMAGE_N), IMAGE_N), OUT(F32, SQUARE(IMAGE_N))}),
    KERNEL("image_luma", "image, luma of nearest RGBA bytes", .file = "image",
           .kernel = "image_luma", .arguments = "m0 b1", .global = {IMAGE_N, IMAGE_N},
           .local = {64, 1}, .reference = ref_image_luma, .tolerance = 1e-5,
           .arrays = {IMAGE(U8, SQUARE(IMAGE_N) * 4, IMAGE_N), OUT(F32, SQUARE(IMAGE_N))}),
    KERNEL("image_scale", "image, linear, twice as large", .file = "image",
           .kernel = "image_scale", .arguments = "m0 b1", .global = {IMAGE_N, IMAGE_N},
           .local = {64, 1}, .reference = ref_image_scale, .tolerance = 1e-2,
           .arrays = {IMAGE(F32, SQUARE(IMAGE_N / 2), IMAGE_N / 2), OUT(F32, SQUARE(IMAGE_N))}),
};
// clang-format on
const size_t kernel_line_count = sizeof kernel_lines / sizeof *kernel_lines;
