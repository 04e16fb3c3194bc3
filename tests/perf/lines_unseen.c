// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section "unseen": kernels of many domains, written from the OpenCL specification alone by
// somebody who did not know how the compiler works, and not touched since: what users get.
#include "compute.h"
#include "reference/unseen.h"

#include <math.h>

static void fill_bases(const struct array *array, void *data, uint32_t seed) {
    for (size_t i = 0; i < array->count; i++)
        ((uint8_t *)data)[i] = (uint8_t)"ACGT"[random_next(&seed) & 3];
}

// Half precision, 0.0625 to 8 of both signs.
static void fill_halves(const struct array *array, void *data, uint32_t seed) {
    for (size_t i = 0; i < array->count; i++) {
        const uint32_t word = random_next(&seed);
        ((uint16_t *)data)[i] = (uint16_t)((word & 0x83ff) | (11 + (word >> 16) % 7) << 10);
    }
}

// The inverse in AES's field by trying, then the affine map.
static uint8_t multiply(uint8_t a, uint8_t b) {
    uint8_t product = 0;
    for (; b; b >>= 1) {
        product ^= b & 1 ? a : 0;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
    }
    return product;
}

static void fill_sbox(const struct array *array, void *data, uint32_t seed) {
    (void)array, (void)seed;
    for (int i = 0; i < 256; i++) {
        int inverse = 0;
        while (i && multiply((uint8_t)i, (uint8_t)inverse) != 1)
            inverse++;
        const int twice = inverse << 8 | inverse;
        ((uint8_t *)data)[i] =
            (uint8_t)(inverse ^ twice >> 7 ^ twice >> 6 ^ twice >> 5 ^ twice >> 4 ^ 0x63);
    }
}

static void fill_aes_tables(const struct array *array, void *data, uint32_t seed) {
    uint8_t sbox[256];
    fill_sbox(array, sbox, seed);
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t one = sbox[i], two = multiply(sbox[i], 2);
        const uint32_t word = two << 24 | one << 16 | one << 8 | (one ^ two);
        for (uint32_t k = 0; k < 4; k++)
            ((uint32_t *)data)[256 * k + i] = k ? word >> 8 * k | word << (32 - 8 * k) : word;
    }
}

// Symmetric, and large on the diagonal.
static void fill_definite(const struct array *array, void *data, uint32_t seed) {
    fill_uniform(array, data, seed);
    for (size_t i = 0; i < array->count; i++)
        if (i % SQUARE(CHOLESKY) % (CHOLESKY + 1) == 0)
            ((double *)data)[i] += 20;
}

// Lists of 1 to 15 elements, 8 on average, of which the last ends where all do.
static int32_t list_start(size_t i, size_t lists) {
    uint32_t seed = (uint32_t)i;
    const int32_t start = (int32_t)i * 8;
    return i == 0 || i == lists ? start : start + (int32_t)(random_next(&seed) % 8);
}

static void fill_list_starts(const struct array *array, void *data, uint32_t seed) {
    (void)seed;
    for (size_t i = 0; i < array->count; i++)
        ((int32_t *)data)[i] = list_start(i, array->count - 1);
}

static void fill_particles(const struct array *array, void *data, uint32_t seed) {
    float *to = data;
    (void)array;
    for (size_t cell = 0; cell < SQUARE(SPH_CELLS); cell++)
        for (int i = list_start(cell, SQUARE(SPH_CELLS));
             i < list_start(cell + 1, SQUARE(SPH_CELLS)); i++) {
            to[2 * i] = (float)(cell % SPH_CELLS) + (float)(random_next(&seed) % 1024) / 1024;
            to[2 * i + 1] = (float)(cell / SPH_CELLS) + (float)(random_next(&seed) % 1024) / 1024;
        }
}

// Spheres side by side in x, anywhere between 0 and 1 in y and z.
static void fill_spheres(const struct array *array, void *data, uint32_t seed) {
    (void)seed;
    float *to = data;
    uint32_t same = 99;
    for (size_t i = 0; i < array->count / 4; i++) {
        to[4 * i] = (float)i / TRACE_LEAVES;
        to[4 * i + 1] = (float)(random_next(&same) % 1024) / 1024;
        to[4 * i + 2] = (float)(random_next(&same) % 1024) / 1024;
        to[4 * i + 3] = 0.02f;
    }
}

static void fill_boxes(const struct array *array, void *data, uint32_t seed) {
    float *boxes = data, spheres[4 * TRACE_LEAVES];
    (void)array;
    fill_spheres(&(const struct array){.count = 4 * TRACE_LEAVES}, spheres, seed);
    for (size_t node = 2 * TRACE_LEAVES - 1; node > 0; node--)
        for (size_t k = 0; k < 3; k++) {
            const float *left = boxes + 16 * node + k, *right = left + 8;
            const float *sphere = spheres + 4 * (node - TRACE_LEAVES);
            const bool leaf = node >= TRACE_LEAVES;
            boxes[8 * node + k] = leaf ? sphere[k] - sphere[3] : fminf(left[0], right[0]);
            boxes[8 * node + 4 + k] = leaf ? sphere[k] + sphere[3] : fmaxf(left[4], right[4]);
        }
}

// Rays begin before the spheres and go towards them.
static void fill_origins(const struct array *array, void *data, uint32_t seed) {
    fill_uniform(array, data, seed);
    for (size_t i = 0; i < array->count; i += 4) {
        ((float *)data)[i + 2] = -1;
        ((float *)data)[i + 3] = 0;
    }
}

static void fill_directions(const struct array *array, void *data, uint32_t seed) {
    fill_uniform(array, data, seed);
    for (size_t i = 0; i < array->count; i += 4) {
        ((float *)data)[i + 2] = 1;
        ((float *)data)[i + 3] = 0;
    }
}

// A star.
static void fill_corners(const struct array *array, void *data, uint32_t seed) {
    (void)seed;
    for (size_t i = 0; i < array->count / 2; i++) {
        const double angle = 2 * 3.14159265358979323846 * ((double)i + 0.3) / POLYGON_CORNERS;
        const double radius = i & 1 ? 0.5 : 1;
        ((double *)data)[2 * i] = radius * cos(angle);
        ((double *)data)[2 * i + 1] = radius * sin(angle);
    }
}

#define UNSEEN(ID, ...) COMPUTE("unseen/" ID, __VA_ARGS__)

// clang-format off
const struct line unseen_lines[] = {
    UNSEEN("kmers", "words of six bases counted, in local memory", .file = "bio",
           .kernel = "count_kmers", .arguments = "b0 b1 i16384", .global = {KMER_GROUPS * 64},
           .local = {64}, .reference = ref_kmers,
           .arrays = {FILLED(U8, KMER_GROUPS * KMER_SHARE + KMER, fill_bases),
                      OUT(I32, KMER_GROUPS * KMER_BINS)}),
    UNSEEN("smith_waterman", "local alignment, a private row of short", .file = "bio",
           .kernel = "smith_waterman", .arguments = "b0 b1 b2", .global = {SW_N},
           .reference = ref_smith_waterman,
           .arrays = {FILLED(U8, SW_QUERY, fill_bases), FILLED(U8, SW_N * SW_LENGTH, fill_bases),
                      OUT(I16, SW_N)}),
    UNSEEN("chacha20", "ChaCha20", .file = "crypto", .kernel = "chacha20",
           .arguments = "b0 b1 b2 i7", .global = {CHACHA_N}, .local = {64},
           .reference = ref_chacha20,
           .arrays = {FILLED(I32, CHACHA_N * 16, fill_random), OUT(I32, CHACHA_N * 16),
                      FILLED(I32, 12, fill_random)}),
    UNSEEN("aes128", "AES with tables, uint4", .file = "crypto", .kernel = "aes128",
           .arguments = "b0 b1 b2 b3 b4", .global = {AES_N}, .local = {32}, .reference = ref_aes,
           .arrays = {FILLED(I32, AES_N * 4, fill_random), OUT(I32, AES_N * 4),
                      FILLED(I32, 1024, fill_aes_tables), FILLED(U8, 256, fill_sbox),
                      FILLED(I32, 44, fill_random)}),
    UNSEEN("keccak", "Keccak, ulong", .file = "crypto", .kernel = "keccak", .arguments = "b0 b1",
           .global = {KECCAK_N}, .reference = ref_keccak,
           .arrays = {FILLED(I32, KECCAK_N * 16, fill_random), OUT(I32, KECCAK_N * 8)}),
    UNSEEN("monte_carlo", "Asian option by Monte Carlo", .file = "finance",
           .kernel = "monte_carlo", .arguments = "b0 b1 f10 f0.03 f0.2 i64", .global = {MONTE_N},
           .local = {256}, .reference = ref_monte_carlo, .tolerance = 1e-3,
           .arrays = {IN(F32, MONTE_N, 5, 15), OUT(F32, MONTE_N)}),
    UNSEEN("binomial", "American option by a binomial tree, double", .file = "finance",
           .kernel = "binomial", .arguments = "b0 b1 b2", .global = {BINOMIAL_N}, .local = {32},
           .reference = ref_binomial, .tolerance = 1e-9,
           .arrays = {IN(F64, BINOMIAL_N, 5, 15), IN(F64, BINOMIAL_N, 5, 15),
                      OUT(F64, BINOMIAL_N)}),
    UNSEEN("bond_yield", "yield of bonds by Newton's method, double", .file = "finance",
           .kernel = "bond_yield", .arguments = "b0 b1 b2 b3", .global = {BOND_N}, .local = {64},
           .reference = ref_bond, .tolerance = 1e-9,
           .arrays = {IN(F64, BOND_N, 60, 140), IN(F64, BOND_N, 1, 8), IN(I32, BOND_N, 2, 60),
                      OUT(F64, BOND_N)}),
    UNSEEN("median", "median 3 x 3, uchar", .file = "imaging", .kernel = "median",
           .arguments = "b0 b1", .global = {MEDIAN_N, MEDIAN_N}, .local = {16, 16},
           .reference = ref_median,
           .arrays = {FILLED(U8, SQUARE(MEDIAN_N), fill_random), OUT(U8, SQUARE(MEDIAN_N))}),
    UNSEEN("equalise", "histogram equalisation, local memory", .file = "imaging",
           .kernel = "equalise", .arguments = "b0 b1", .global = {EQUALISE_N / TILE * 256},
           .local = {256}, .reference = ref_equalise,
           .arrays = {FILLED(U8, EQUALISE_N, fill_random), OUT(U8, EQUALISE_N)}),
    UNSEEN("rgb_to_hsv", "RGB to HSV, float3", .file = "imaging", .kernel = "rgb_to_hsv",
           .arguments = "b0 b1", .global = {HSV_N}, .reference = ref_hsv, .tolerance = 1e-4,
           .arrays = {IN(F32, HSV_N * 3, 0, 1), OUT(F32, HSV_N * 3)}),
    UNSEEN("cholesky", "Cholesky 16 x 16 by groups of 16, double", .file = "solvers",
           .kernel = "cholesky", .arguments = "b0 b1", .global = {CHOLESKY_N * CHOLESKY},
           .local = {CHOLESKY}, .reference = ref_cholesky, .tolerance = 1e-10,
           .arrays = {{.type = F64, .count = CHOLESKY_N * SQUARE(CHOLESKY), .fill = fill_definite,
                       .low = -1, .high = 1},
                      OUT(F64, CHOLESKY_N * SQUARE(CHOLESKY))}),
    UNSEEN("jacobi", "Jacobi sweep, tile with border in local memory", .file = "solvers",
           .kernel = "jacobi", .arguments = "b0 b1 i4096", .global = {JACOBI_N, JACOBI_N},
           .local = {16, 16}, .reference = ref_jacobi, .tolerance = 1e-6,
           .arrays = {IN(F32, SQUARE(JACOBI_N), -1, 1), OUT(F32, SQUARE(JACOBI_N))}),
    UNSEEN("lattice_boltzmann", "lattice Boltzmann, D2Q9", .file = "solvers",
           .kernel = "lattice_boltzmann", .arguments = "b0 b1 f1.2", .global = {LBM_W, LBM_H},
           .local = {32, 4}, .reference = ref_lbm, .tolerance = 1e-5,
           .arrays = {IN(F32, 9 * LBM_W * LBM_H, 0.05, 0.2), OUT(F32, 9 * LBM_W * LBM_H)}),
    UNSEEN("sph_density", "particles' density by cell lists, float2", .file = "solvers",
           .kernel = "sph_density", .arguments = "b0 b1 b2 i128", .global = {SPH_N},
           .reference = ref_sph, .tolerance = 1e-5,
           .arrays = {FILLED(F32, SPH_N * 2, fill_particles),
                      FILLED(I32, SQUARE(SPH_CELLS) + 1, fill_list_starts), OUT(F32, SPH_N)}),
    UNSEEN("bfs_level", "level of a breadth-first search", .file = "lists",
           .kernel = "bfs_level", .arguments = "b0 b1 b2 b3 i1", .global = {BFS_N},
           .local = {256}, .reference = ref_bfs,
           .arrays = {FILLED(I32, BFS_N + 1, fill_list_starts),
                      IN(I32, BFS_N * BFS_PER_NODE, 0, BFS_N), IN(I32, BFS_N, -1.99, 3),
                      OUT(I32, BFS_N)}),
    UNSEEN("compact", "stream compaction, local atomics", .file = "lists", .kernel = "compact",
           .arguments = "b0 b1 b2 f0.25", .global = {COMPACT_N}, .local = {GROUP},
           .reference = ref_compact,
           .arrays = {IN(F32, COMPACT_N, -1, 1),
                      {.type = F32, .count = COMPACT_N, .out = true, .unordered = GROUP},
                      OUT(I32, COMPACT_N / GROUP)}),
    UNSEEN("group_scan", "work_group_scan_exclusive_add", .file = "collective",
           .kernel = "group_scan", .options = "-cl-std=CL2.0", .arguments = "b0 b1",
           .global = {GROUP_SCAN_N}, .local = {GROUP}, .reference = ref_group_scan,
           .arrays = {IN(I32, GROUP_SCAN_N, -100, 100), OUT(I32, GROUP_SCAN_N)}),
    UNSEEN("softmax", "softmax of rows, work_group_reduce", .file = "collective",
           .kernel = "softmax", .options = "-cl-std=CL2.0", .arguments = "b0 b1 i512",
           .global = {SOFTMAX_ROWS * 64}, .local = {64}, .reference = ref_softmax,
           .tolerance = 1e-5,
           .arrays = {IN(F32, SOFTMAX_ROWS * SOFTMAX_COLUMNS, -5, 5),
                      OUT(F32, SOFTMAX_ROWS * SOFTMAX_COLUMNS)}),
    UNSEEN("conv3x3", "convolution 3 x 3 of 32 channels, NCHW", .file = "learning",
           .kernel = "conv3x3", .arguments = "b0 b1 b2 i32",
           .global = {CONV_N, CONV_N, CONV_CHANNELS}, .reference = ref_conv3x3,
           .tolerance = 1e-4,
           .arrays = {IN(F32, SQUARE(CONV_N) * CONV_CHANNELS, -1, 1),
                      IN(F32, SQUARE(CONV_CHANNELS) * 9, -1, 1),
                      OUT(F32, SQUARE(CONV_N) * CONV_CHANNELS)}),
    // Of bit patterns: one step of the last place.
    UNSEEN("batch_norm", "batch normalisation of halves", .file = "halves",
           .kernel = "batch_norm",
           .arguments = "b0 b1 b2 b3 i4096 i64", .global = {BATCH_N}, .local = {256},
           .reference = ref_batch_norm, .tolerance = 1e-4, .odd_ones = 1e-3,
           .arrays = {FILLED(I16, BATCH_N, fill_halves), OUT(I16, BATCH_N),
                      IN(F32, BATCH_CHANNELS, 0.5, 2), IN(F32, BATCH_CHANNELS, -1, 1)}),
    UNSEEN("attention", "attention with a running softmax, private arrays", .file = "learning",
           .kernel = "attention", .arguments = "b0 b1 b2 b3 i128",
           .global = {ATTENTION_N}, .local = {64}, .reference = ref_attention, .tolerance = 1e-4,
           .arrays = {IN(F32, ATTENTION_N * ATTENTION_DIM, -1, 1),
                      IN(F32, ATTENTION_N * ATTENTION_DIM, -1, 1),
                      IN(F32, ATTENTION_N * ATTENTION_DIM, -1, 1),
                      OUT(F32, ATTENTION_N * ATTENTION_DIM)}),
    UNSEEN("fir", "FIR filter with 32 taps, short", .file = "signal", .kernel = "fir",
           .arguments = "b0 b1 b2", .global = {FIR_N}, .local = {128}, .reference = ref_fir,
           .arrays = {IN(I16, FIR_N + FIR_TAPS, -32768, 32767), OUT(I16, FIR_N),
                      IN(I16, FIR_TAPS, -2000, 2000)}),
    UNSEEN("iir", "IIR filter for each channel, double", .file = "signal", .kernel = "iir",
           .arguments = "b0 b1 i1024", .global = {IIR_CHANNELS}, .reference = ref_iir,
           .tolerance = 1e-9,
           .arrays = {IN(F64, IIR_CHANNELS * IIR_LENGTH, -1, 1),
                      OUT(F64, IIR_CHANNELS * IIR_LENGTH)}),
    UNSEEN("trace", "rays through a tree of boxes, private stack", .file = "geometry",
           .kernel = "trace", .arguments = "b0 b1 b2 b3 b4 i1024", .global = {TRACE_N},
           .local = {64}, .reference = ref_trace, .tolerance = 1e-3, .odd_ones = 1e-3,
           .arrays = {FILLED(F32, TRACE_LEAVES * 16, fill_boxes),
                      FILLED(F32, TRACE_LEAVES * 4, fill_spheres),
                      {.type = F32, .count = TRACE_N * 4, .fill = fill_origins, .high = 1},
                      {.type = F32, .count = TRACE_N * 4, .fill = fill_directions, .low = -0.5,
                       .high = 0.5},
                      OUT(F32, TRACE_N)}),
    UNSEEN("point_in_polygon", "points in a polygon, double2, local size 7", .file = "geometry",
           .kernel = "point_in_polygon", .arguments = "b0 b1 b2 i64", .global = {POLYGON_N},
           .local = {7}, .reference = ref_polygon,
           .arrays = {IN(F64, POLYGON_N * 2, -1, 1),
                      FILLED(F64, POLYGON_CORNERS * 2, fill_corners), OUT(I32, POLYGON_N)}),
    UNSEEN("nearest", "eight nearest neighbours, private arrays", .file = "geometry",
           .kernel = "nearest", .arguments = "b0 b1 b2 i1024", .global = {NEAREST_N},
           .local = {32}, .reference = ref_nearest, .odd_ones = 1e-4,
           .arrays = {IN(F32, NEAREST_N * 2, 0, 1), IN(F32, NEAREST_POINTS * 2, 0, 1),
                      OUT(I32, NEAREST_N * NEAREST)}),
    UNSEEN("find_match", "longest match before, local size 1", .file = "text",
           .kernel = "find_match", .arguments = "b0 b1", .global = {MATCH_N}, .local = {1},
           .reference = ref_find_match,
           .arrays = {FILLED(U8, MATCH_WINDOW + MATCH_N + MATCH_LONGEST, fill_bases),
                      OUT(I32, MATCH_N)}),
    UNSEEN("base64", "base64, uchar3 and uchar4", .file = "text", .kernel = "base64",
           .arguments = "b0 b1", .global = {BASE64_N}, .reference = ref_base64,
           .arrays = {FILLED(U8, BASE64_N * 3, fill_random), OUT(U8, BASE64_N * 4)}),
    UNSEEN("hamming", "distances of fingerprints, uchar16", .file = "text", .kernel = "hamming",
           .arguments = "b0 b1 b2", .global = {HAMMING_N}, .local = {64},
           .reference = ref_hamming,
           .arrays = {FILLED(U8, HAMMING_N * 64, fill_random), FILLED(U8, 64, fill_random),
                      OUT(I32, HAMMING_N)}),
};
// clang-format on
const size_t unseen_line_count = sizeof unseen_lines / sizeof *unseen_lines;
