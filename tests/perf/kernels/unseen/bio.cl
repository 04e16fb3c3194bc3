// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bioinformatics.

#define K    6
#define BINS 4096

uint base_code(uchar base)
{
    switch (base) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    default: return 3;
    }
}

// How often each word of six bases occurs in the group's share of the sequence.
kernel void count_kmers(global const uchar *bases, global uint *counts, int share)
{
    local uint bins[BINS];
    int l = get_local_id(0), n = get_local_size(0), group = get_group_id(0);
    for (int i = l; i < BINS; i += n)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < share; i += n) {
        uint code = 0;
        for (int k = 0; k < K; k++)
            code = code << 2 | base_code(bases[group * share + i + k]);
        atomic_inc(&bins[code]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < BINS; i += n)
        counts[group * BINS + i] = bins[i];
}

#define QUERY    32
#define SEQUENCE 64

// Score of the best local alignment of the query with each item's sequence.
kernel void smith_waterman(constant uchar *query, global const uchar *sequences,
                           global short *scores)
{
    size_t item = get_global_id(0);
    global const uchar *sequence = sequences + item * SEQUENCE;
    short row[QUERY + 1];
    for (int j = 0; j <= QUERY; j++)
        row[j] = 0;
    short best = 0;
    for (int i = 0; i < SEQUENCE; i++) {
        short diagonal = 0;
        for (int j = 1; j <= QUERY; j++) {
            short above = row[j];
            short score = diagonal + (sequence[i] == query[j - 1] ? 3 : -2);
            score = max(score, (short)(max(above, row[j - 1]) - 1));
            score = max(score, (short)0);
            row[j] = score;
            diagonal = above;
            best = max(best, score);
        }
    }
    scores[item] = best;
}
