// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Training for lay_out.py: integers, bytes and ways that part.

uint stirred(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    return x * 0x846ca68bu ^ x >> 16;
}

kernel void random_walk(global uint *state, global int *out, int steps) {
    size_t i = get_global_id(0);
    uint s = state[i];
    int at = 0;
    for (int k = 0; k < steps; k++) {
        s = stirred(s + k);
        if (s & 1)
            at += popcount(s);
        else if (s & 2)
            at -= clz(s);
        else
            at ^= s >> 24;
        if (at > 1000)
            break;
    }
    state[i] = s;
    out[i] = at;
}

kernel void dispatched(global const int *codes, global int *values, int n) {
    size_t i = get_global_id(0);
    int value = values[i];
    for (int k = 0; k < n; k++)
        switch ((codes[k] + (int)i) & 7) {
        case 0: value += 3; break;
        case 1: value *= 5; break;
        case 2: value -= 11; break;
        case 3: value /= 3; break;
        case 4: value ^= value << 7; break;
        case 5: value = max(value, -value); break;
        case 6: value %= 1013; break;
        default: value = rotate(value, 5);
        }
    values[i] = value;
}

kernel void blended(global const uchar4 *a, global const uchar4 *b, global uchar4 *out, uchar weight) {
    size_t i = get_global_id(0);
    ushort4 sum = convert_ushort4(a[i]) * (ushort)weight + convert_ushort4(b[i]) * (ushort)(255 - weight);
    out[i] = convert_uchar4(sum / (ushort)255);
}

kernel void dots(global const char *a, global const char *b, global int *out, int n) {
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[get_global_id(0) * n + k] * b[k];
    out[get_global_id(0)] = sum;
}

kernel void saturated(global const short8 *a, global const short8 *b, global short8 *out, global long *wide) {
    size_t i = get_global_id(0);
    short8 sum = add_sat(a[i], b[i]);
    out[i] = select(sum, sub_sat(a[i], b[i]), a[i] > b[i]);
    wide[i] = mul_hi((long)sum.s0, wide[i]) + upsample(sum.s1, (ushort)sum.s2);
}

kernel void searched(global const int *keys, global const int *wanted, global int *found, int n) {
    int low = 0, high = n, key = wanted[get_global_id(0)];
    while (low < high) {
        int middle = (low + high) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    found[get_global_id(0)] = low < n && keys[low] == key ? low : -1;
}
