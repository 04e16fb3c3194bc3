// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes and text.

#define WINDOW  32
#define LONGEST 16

// The longest match of what begins at each place within the window before it: distance and length.
kernel void find_match(global const uchar *text, global int *matches)
{
    size_t at = get_global_id(0) + WINDOW;
    int best_length = 0, best_distance = 0;
    for (int distance = 1; distance <= WINDOW; distance++) {
        int length = 0;
        while (length < LONGEST && text[at + length] == text[at - distance + length])
            length++;
        if (length > best_length) {
            best_length = length;
            best_distance = distance;
        }
    }
    matches[at - WINDOW] = best_distance << 8 | best_length;
}

constant char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

kernel void base64(global const uchar *in, global uchar *out)
{
    size_t i = get_global_id(0);
    uchar3 bytes = vload3(i, in);
    uint word = (uint)bytes.x << 16 | (uint)bytes.y << 8 | bytes.z;
    uchar4 text;
    text.x = digits[word >> 18];
    text.y = digits[word >> 12 & 63];
    text.z = digits[word >> 6 & 63];
    text.w = digits[word & 63];
    vstore4(text, i, out);
}

// Number of bits in which a fingerprint of 64 bytes differs from the query's.
kernel void hamming(global const uchar16 *prints, constant uchar16 *query, global int *distances)
{
    size_t item = get_global_id(0);
    uchar16 bits = 0;
    for (int k = 0; k < 4; k++)
        bits += popcount(prints[item * 4 + k] ^ query[k]);
    ushort8 sum = convert_ushort8(bits.lo) + convert_ushort8(bits.hi);
    ushort4 four = sum.lo + sum.hi;
    distances[item] = four.x + four.y + four.z + four.w;
}
