// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part $ID: a small machine that reads its program from a number.
enum { STEPS_$ID = 20 };

int step_$ID(uint code, int value)
{
    switch (code & 7u) {
    case 0:
        return value + 3;
    case 1:
        return value * 2;
    case 2:
        return value - 7;
    case 3:
        return value / 2;
    case 4:
        return value ^ 0x55;
    case 5:
        return -value;
    case 6:
        return value & 0xfff;
    default:
        return value > 100 ? value - 100 : value + 50;
    }
}

kernel void k_$ID(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    int value = (int)(in[i] * 1024.0f);
    uint code = $A ^ (uint)i;
    for (int k = 0; k < STEPS_$ID; k++) {
        value = step_$ID(code, value);
        code = code * 1664525u + $B;
        code ^= code >> 11;
        value = clamp(value, -100000, 100000);
    }
    out[i] = (float)value;
}

