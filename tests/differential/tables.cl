// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constant tables of all element sizes, some small enough for registers, looked up at places that
// each item chooses; what lies behind their ends must not matter, nor what lanes have that are off.

#define ARGS global int *out, global const int *in, local int *scratch, int n
#define GID get_global_linear_id()

constant char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constant uchar sbox[256] = {
#define BYTE(k) (uchar)(k)
#define ROW(k)                                                                                     \
    BYTE((k) * 37 + 11), BYTE((k) * 91 ^ 5), 255 - (k), (k) ^ 0x5a, (k) * 3, BYTE((k) * 70 + 1),   \
        BYTE((k) * (k)), 200
#define ROWS(k) ROW(k), ROW(k + 1), ROW(k + 2), ROW(k + 3)
    ROWS(0), ROWS(4), ROWS(8), ROWS(12), ROWS(16), ROWS(20), ROWS(24), ROWS(28)};
constant short steps[89] = {7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41,
                            45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130, 143, -157, -173, 190};
constant int eleven[11] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5};
constant uint forty[40] = {1u << 31, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597,
                           2584, 4181, 6765, 10946, 17711, 28657, 46368, 75025, 121393, 196418,
                           317811, 514229, 832040, 1346269, 2178309, 3524578, 5702887, 9227465};
constant float weights[16] = {1, .5f, .25f, .125f, 3, -1.5f, 7, 9, 11, 13, -17, 19, 23, 29, 31, 37};
constant double exact[20] = {1, 2, 3.5, -4, 5e10, 6, 7.25, 8, 9, 10, 11, 12, -13, 14, 15, 16, 17, 18};
constant long wide[8] = {1L << 40, -1, 2, 3, 1L << 62, 5, 6, -7L << 33};
constant float4 colours[4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {-1, -2, -3, -4}};
constant struct { int place; uchar kind; short by; } rules[6] = {
    {3, 1, -4}, {-9, 2, 300}, {1 << 30, 255, 7}, {0, 0, 0}, {8, 128, -32768}, {77, 5, 1}};
constant int square[5][7] = {{1, 2, 3, 4, 5, 6, 7}, {8, 9}, {10, 11, 12}, {-1, -2, -3}, {0, 0, 0, 5, 6, 99, 7}};

kernel void bytes(ARGS) {
    uint x = in[GID];
    uint text = digits[x & 63] | digits[x >> 6 & 63] << 8 | digits[x % 65] << 16;
    out[GID * 4] = text;
    out[GID * 4 + 1] = sbox[x & 255] ^ sbox[x >> 8 & 255] << 8 ^ sbox[x % 200] << 16;
    out[GID * 4 + 2] = steps[x % 89] * 3 + steps[x & 15];
    out[GID * 4 + 3] = sbox[255 - (x & 127)];
}

kernel void words(ARGS) {
    uint x = in[GID];
    out[GID * 4] = eleven[x % 11] + eleven[10 - x % 7];
    out[GID * 4 + 1] = forty[x % 40];
    out[GID * 4 + 2] = (int)(weights[x & 15] * 8) + as_int(weights[x >> 3 & 7]);
    out[GID * 4 + 3] = square[x % 5][x % 7] + square[(uint)n % 5][x & 3] + square[x & 3][(uint)n % 7];
}

kernel void doubles(ARGS) {
    uint x = in[GID];
    double sum = exact[x % 20] - exact[x & 7];
    long bits = wide[x & 7] ^ as_long(exact[x >> 4 & 15]);
    out[GID * 4] = (int)sum;
    out[GID * 4 + 1] = (int)(bits >> 32);
    out[GID * 4 + 2] = (int)bits;
    out[GID * 4 + 3] = (int)(wide[x % 5] >> 30);
}

kernel void members(ARGS) {
    uint x = in[GID];
    float4 colour = colours[x & 3] + colours[x >> 2 & 3];
    out[GID * 4] = (int)(colour.x * 1000 + colour.y * 100 + colour.z * 10 + colour.w);
    out[GID * 4 + 1] = rules[x % 6].place;
    out[GID * 4 + 2] = rules[x % 6].kind + rules[x & 3].by;
    out[GID * 4 + 3] = ((constant uchar *)forty)[x % 160];
}

// Lanes that are off have places that no table has.
kernel void some(ARGS) {
    int x = in[GID], sum = 0;
    if (x >= 0 && x < 11)
        sum = eleven[x];
    else if (x < 40)
        sum = forty[x & 31];
    for (int k = x & 15; k < 16; k += 3)
        sum = sum * 5 + (int)weights[k] + digits[k * 4];
    out[GID] = sum;
}

// Found again in each turn, at what the turn before found.
kernel void walk(ARGS) {
    uint at = in[GID] & 255;
    for (int k = 0; k < (n & 31) + 3; k++)
        at = sbox[at] ^ k;
    out[GID] = at;
}
