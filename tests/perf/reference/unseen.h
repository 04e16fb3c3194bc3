// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and references of the section "unseen", as in reference.h. These loops are as somebody
// writes them at first: the section is about comparing implementations with each other.
#ifndef WEFT_BENCH_UNSEEN_H
#define WEFT_BENCH_UNSEEN_H

#include "reference.h"

enum {
    KMER = 6,
    KMER_BINS = 4096,
    KMER_GROUPS = 256,
    KMER_SHARE = 16384,
    SW_N = 16384,
    SW_QUERY = 32,
    SW_LENGTH = 64,
    CHACHA_N = 1 << 18,
    AES_N = 1 << 18,
    KECCAK_N = 1 << 17,
    MONTE_N = 16384,
    MONTE_PATHS = 64,
    BINOMIAL_N = 16384,
    BINOMIAL_STEPS = 64,
    BOND_N = 1 << 17,
    MEDIAN_N = 1024,
    TILE = 4096,
    EQUALISE_N = 1 << 22,
    HSV_N = 1 << 20,
    CHOLESKY = 16,
    CHOLESKY_N = 8192,
    JACOBI_N = 4096,
    LBM_W = 512,
    LBM_H = 512,
    SPH_CELLS = 128,
    SPH_PER_CELL = 8, // on average
    SPH_N = SPH_CELLS * SPH_CELLS * SPH_PER_CELL,
    BFS_N = 1 << 18,
    BFS_PER_NODE = 8, // on average
    COMPACT_N = 1 << 22,
    GROUP_SCAN_N = 1 << 23,
    SOFTMAX_ROWS = 4096,
    SOFTMAX_COLUMNS = 512,
    CONV_CHANNELS = 32,
    CONV_N = 128,
    BATCH_PLANE = 64 * 64,
    BATCH_CHANNELS = 64,
    BATCH_N = 16 * BATCH_CHANNELS * BATCH_PLANE,
    ATTENTION_DIM = 32,
    ATTENTION_LENGTH = 128,
    ATTENTION_N = 64 * ATTENTION_LENGTH,
    FIR_N = 1 << 23,
    FIR_TAPS = 32,
    IIR_CHANNELS = 2048,
    IIR_LENGTH = 1024,
    TRACE_LEAVES = 1024,
    TRACE_N = 1 << 16,
    POLYGON_N = 7 * 60000,
    POLYGON_CORNERS = 64,
    NEAREST = 8,
    NEAREST_N = 8192,
    NEAREST_POINTS = 1024,
    MATCH_N = 1 << 19,
    MATCH_WINDOW = 32,
    MATCH_LONGEST = 16,
    BASE64_N = 1 << 22,
    HAMMING_N = 1 << 21,
};

reference_fn ref_kmers, ref_smith_waterman, ref_median, ref_equalise, ref_compact, ref_group_scan,
    ref_find_match, ref_base64, ref_hamming, ref_bfs;
reference_fn ref_chacha20, ref_aes, ref_keccak;
reference_fn ref_cholesky, ref_jacobi, ref_lbm, ref_sph, ref_conv3x3, ref_fir, ref_iir, ref_trace;
reference_fn ref_monte_carlo, ref_binomial, ref_bond, ref_hsv, ref_softmax, ref_batch_norm,
    ref_attention, ref_polygon, ref_nearest;

#endif
