// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same work as the kernels, written by hand in C: what the ratios compare with. Compiled by
// gcc -O2 -march=native -fopenmp; the loops are parallel and, where a programmer would say so,
// marked for vectors. b[] are the arrays in the order of the line's row.
#ifndef WEFT_BENCH_REFERENCE_H
#define WEFT_BENCH_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

// Problem sizes, so that a run takes about 1 to 30 ms on two cores.
enum {
    STREAM_N = 16 << 20,
    PARTICLES_N = 2 << 20,
    POLYNOMIAL_N = 8 << 20,
    LOCAL_ONE_N = 1 << 20,
    PRIME_N = 8388593, // a prime
    LUMA_N = 16 << 20,
    MATMUL_N = 512,
    TRANSPOSE_N = 4096,
    CONVOLVE_N = 2048,
    CONVOLVE_PITCH = CONVOLVE_N + 6,
    NBODY_N = 8192,
    NBODY_F64_N = 4096,
    OPTIONS_N = 1 << 19,
    STENCIL2D_N = 4096,
    STENCIL3D_N = 192,
    MANDELBROT_W = 768,
    MANDELBROT_H = 512,
    MANDELBROT_LIMIT = 256,
    RAYMARCH_N = 512,
    SWITCH_N = 1 << 19,
    COLLATZ_N = 1 << 17,
    SORT_N = 1 << 17,
    GROUP = 256,
    REDUCE_N = 16 << 20,
    SCAN_N = 8 << 20,
    HISTOGRAM_SHARE = 1 << 17,
    HISTOGRAM_GROUPS = 128,
    BITONIC_N = 1 << 20,
    SMOOTH_N = 1 << 20,
    GLOBAL_MAX_N = 1 << 20,
    HASH_N = 2 << 20,
    DOT_LENGTH = 512,
    DOT_ROWS = 1 << 17,
    CRC_N = 1 << 17,
    SHA_N = 1 << 16,
    SPMV_ROWS = 1 << 18,
    SPMV_PER_ROW = 16, // on average
    FFT_N = 1 << 22,
    FFT_STRIDE = 64,
    MATHS_N = 1 << 20,
    IMAGE_N = 2048,
};

typedef void reference_fn(void *const b[]);

reference_fn ref_copy, ref_triad, ref_triad_f64, ref_saxpy, ref_particles, ref_polynomial,
    ref_local_one, ref_prime, ref_luma;
reference_fn ref_image_cross, ref_image_luma, ref_image_scale;
reference_fn ref_matmul, ref_matmul_f64, ref_transpose, ref_convolve;
reference_fn ref_nbody, ref_nbody_f64, ref_black_scholes, ref_black_scholes_f64, ref_stencil2d,
    ref_stencil3d;
reference_fn ref_mandelbrot, ref_raymarch, ref_switch, ref_collatz, ref_sort16;
reference_fn ref_reduce, ref_scan, ref_histogram, ref_bitonic, ref_smooth, ref_global_max;
reference_fn ref_hash, ref_dot_i8, ref_crc32, ref_sha256, ref_spmv, ref_fft4;

// Memory, in parallel over memcpy and memset.
void ref_memory_copy(void *to, const void *from, size_t bytes);
void ref_memory_fill(void *to, const void *pattern, size_t pattern_size, size_t bytes);
void ref_memory_rect(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                     size_t row_bytes, size_t rows);

// The functions of maths.def and builtins.def, in their order.
struct maths {
    const char *function;            // of OpenCL C
    reference_fn *loop;              // over the C library's function
    double (*exact)(double, double); // in double
    int arguments;
    int bits;   // of its type
    double ulp; // the specification's bound
};

extern const struct maths maths_functions[], builtin_functions[];

const char *reference_compiler(void);

#endif
