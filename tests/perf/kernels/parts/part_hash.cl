// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part $ID: integer mixing, a loop with a condition inside.
uint mix_$ID(uint x, uint key)
{
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= key;
    x ^= x >> 12;
    x *= 0x297a2d39u;
    x ^= x >> 15;
    return x;
}

uint rotated_$ID(uint x, uint by)
{
    return (x << (by & 31)) | (x >> ((32 - by) & 31));
}

kernel void k_$ID(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    uint x = (uint)(in[i] * 65536.0f) + $A;
    uint sum = 0;
    for (uint round = 1; round <= 12; round++) {
        x = mix_$ID(x, $B + round);
        if (x & 1u) {
            sum += rotated_$ID(x, round);
        } else if (x & 2u) {
            sum ^= rotated_$ID(x, round + 7);
        } else {
            sum = sum * 33u + x;
        }
        if ((sum & 0xffu) == 0u) {
            sum += round;
        }
    }
    sum ^= sum >> 16;
    out[i] = (float)(sum & 0xffffu);
}

