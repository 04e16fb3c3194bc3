// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ciphers and hashes.

#define QUARTER(a, b, c, d)                                                                        \
    a += b; d = rotate(d ^ a, 16u);                                                                \
    c += d; b = rotate(b ^ c, 12u);                                                                \
    a += b; d = rotate(d ^ a, 8u);                                                                 \
    c += d; b = rotate(b ^ c, 7u)

// Each item encrypts one block of 64 bytes.
kernel void chacha20(global const uint *in, global uint *out, constant uint *key, uint counter)
{
    size_t item = get_global_id(0);
    uint state[16], x[16];
    state[0] = 0x61707865;
    state[1] = 0x3320646e;
    state[2] = 0x79622d32;
    state[3] = 0x6b206574;
    for (int k = 0; k < 8; k++)
        state[4 + k] = key[k];
    state[12] = counter + (uint)item;
    for (int k = 0; k < 3; k++)
        state[13 + k] = key[8 + k];
    for (int k = 0; k < 16; k++)
        x[k] = state[k];
    for (int round = 0; round < 10; round++) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int k = 0; k < 16; k++)
        out[item * 16 + k] = in[item * 16 + k] ^ (x[k] + state[k]);
}

uint round_word(constant uint *tables, uint a, uint b, uint c, uint d)
{
    return tables[a >> 24] ^ tables[256 + (b >> 16 & 255)] ^ tables[512 + (c >> 8 & 255)] ^
           tables[768 + (d & 255)];
}

uint last_word(constant uchar *sbox, uint a, uint b, uint c, uint d)
{
    return (uint)sbox[a >> 24] << 24 | (uint)sbox[b >> 16 & 255] << 16 |
           (uint)sbox[c >> 8 & 255] << 8 | sbox[d & 255];
}

// Each item encrypts one block, with the four usual tables.
kernel void aes128(global const uint4 *in, global uint4 *out, constant uint *tables,
                   constant uchar *sbox, constant uint4 *keys)
{
    size_t item = get_global_id(0);
    uint4 s = in[item] ^ keys[0];
    for (int round = 1; round < 10; round++) {
        uint4 next;
        next.x = round_word(tables, s.x, s.y, s.z, s.w);
        next.y = round_word(tables, s.y, s.z, s.w, s.x);
        next.z = round_word(tables, s.z, s.w, s.x, s.y);
        next.w = round_word(tables, s.w, s.x, s.y, s.z);
        s = next ^ keys[round];
    }
    uint4 last;
    last.x = last_word(sbox, s.x, s.y, s.z, s.w);
    last.y = last_word(sbox, s.y, s.z, s.w, s.x);
    last.z = last_word(sbox, s.z, s.w, s.x, s.y);
    last.w = last_word(sbox, s.w, s.x, s.y, s.z);
    out[item] = last ^ keys[10];
}

constant ulong round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};
constant uint rotations[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                               27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
constant uint places[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                            15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};

// The permutation of SHA-3 over a message of one block for each item.
kernel void keccak(global const ulong *in, global ulong *out)
{
    size_t item = get_global_id(0);
    ulong s[25];
    for (int k = 0; k < 25; k++)
        s[k] = k < 8 ? in[item * 8 + k] : 0;
    for (int round = 0; round < 24; round++) {
        ulong c[5];
        for (int k = 0; k < 5; k++)
            c[k] = s[k] ^ s[k + 5] ^ s[k + 10] ^ s[k + 15] ^ s[k + 20];
        for (int k = 0; k < 5; k++) {
            ulong t = c[(k + 4) % 5] ^ rotate(c[(k + 1) % 5], 1ul);
            for (int j = 0; j < 25; j += 5)
                s[j + k] ^= t;
        }
        ulong t = s[1];
        for (int k = 0; k < 24; k++) {
            ulong kept = s[places[k]];
            s[places[k]] = rotate(t, (ulong)rotations[k]);
            t = kept;
        }
        for (int j = 0; j < 25; j += 5) {
            for (int k = 0; k < 5; k++)
                c[k] = s[j + k];
            for (int k = 0; k < 5; k++)
                s[j + k] = c[k] ^ (~c[(k + 1) % 5] & c[(k + 2) % 5]);
        }
        s[0] ^= round_constants[round];
    }
    for (int k = 0; k < 4; k++)
        out[item * 4 + k] = s[k];
}
