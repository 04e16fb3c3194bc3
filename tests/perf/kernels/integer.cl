// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic, bytes and tables.

// Sixteen rounds of MurmurHash3's finaliser.
kernel void hash(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint x = in[i];
    for (int round = 0; round < 16; round++) {
        x ^= x >> 16;
        x *= 0x85ebca6bu;
        x ^= x >> 13;
        x *= 0xc2b2ae35u;
        x ^= x >> 16;
    }
    out[i] = x;
}

// A row of signed bytes times a vector of signed bytes, for each item.
kernel void dot_i8(global const char *rows, global const char *vector, global int *out, int length)
{
    size_t i = get_global_id(0);
    global const char *row = rows + i * length;
    int sum = 0;
    for (int k = 0; k < length; k++)
        sum += (int)row[k] * (int)vector[k];
    out[i] = sum;
}

// CRC-32 of 64 bytes for each item, with the table in constant memory.
kernel void crc32(global const uchar *in, constant uint *table, global uint *out)
{
    size_t i = get_global_id(0);
    uint crc = 0xffffffffu;
    for (int k = 0; k < 64; k++)
        crc = (crc >> 8) ^ table[(crc ^ in[i * 64 + k]) & 255];
    out[i] = ~crc;
}

constant uint sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROTR(x, n) rotate((uint)(x), (uint)(32 - (n)))

// SHA-256 of one block that holds the item's number: what miners and crackers do all day.
kernel void sha256(global uint *out)
{
    size_t i = get_global_id(0);
    uint w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    for (int k = 0; k < 16; k++)
        w[k] = 0;
    w[0] = (uint)i;
    w[1] = 0x80000000u;
    w[15] = 32;
    for (int k = 0; k < 64; k++) {
        if (k >= 16) {
            uint a = w[(k + 1) & 15], b = w[(k + 14) & 15];
            w[k & 15] += w[(k + 9) & 15] + (ROTR(a, 7) ^ ROTR(a, 18) ^ (a >> 3)) +
                         (ROTR(b, 17) ^ ROTR(b, 19) ^ (b >> 10));
        }
        uint t1 = s[7] + (ROTR(s[4], 6) ^ ROTR(s[4], 11) ^ ROTR(s[4], 25)) +
                  ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha_k[k] + w[k & 15];
        uint t2 = (ROTR(s[0], 2) ^ ROTR(s[0], 13) ^ ROTR(s[0], 22)) +
                  ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int m = 7; m > 0; m--)
            s[m] = s[m - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    out[i] = s[0] + 0x6a09e667;
}

// Sparse matrix times vector, rows in compressed form, one row for each item.
kernel void spmv(global const int *starts, global const int *columns, global const float *values,
                 global const float *x, global float *y)
{
    size_t row = get_global_id(0);
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

// One radix-4 pass of a Stockham FFT; twiddle holds exp(-2 pi i k / (4 stride)).
kernel void fft4(global const float2 *in, global const float2 *twiddle, global float2 *out,
                 int stride)
{
    int i = get_global_id(0), quarter = get_global_size(0), k = i & (stride - 1);
    float2 v[4];
    for (int r = 0; r < 4; r++) {
        float2 x = in[i + r * quarter], w = twiddle[k * r];
        v[r] = (float2)(x.x * w.x - x.y * w.y, x.x * w.y + x.y * w.x);
    }
    float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
    global float2 *to = out + (i - k) * 4 + k;
    to[0] = a + c;
    to[stride] = (float2)(b.x + d.y, b.y - d.x);
    to[2 * stride] = a - c;
    to[3 * stride] = (float2)(b.x - d.y, b.y + d.x);
}
