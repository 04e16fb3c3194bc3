// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that cannot ask how their items are grouped: without local memory, they may have their
// rows cut anew, and several registers for each value where that pays (docs/vectoriser.md).

#define ARGS global int *out, global const int *in, int n
#define GID get_global_linear_id()

// A divergent loop: two registers for a value.
kernel void leave_at_different_times(ARGS) {
    int x = in[GID], turns = 0;
    uint a = (uint)x * 2654435761u, b = (uint)GID;
    while ((a & 15) != 3 && turns < 40) {
        a = a * 1664525u + b;
        b = rotate(b, 5u) ^ a;
        turns++;
    }
    out[GID] = (int)(a + b) ^ turns;
}

// All leave together, and load the same: four.
kernel void sum_of_all(ARGS) {
    int x = in[GID], sum = 0;
    for (int i = 0; i < 64 + n; i++)
        sum += (in[i] ^ x) * (i + 1);
    out[GID] = sum;
}

// No loop, but a long way from the input to the output.
kernel void long_way(ARGS) {
    uint a = (uint)in[GID], b = (uint)n;
    a = (a ^ b) * 0x85ebca6bu, b += a >> 13;
    a = (a ^ b) * 0xc2b2ae35u, b += a >> 16;
    a = (a ^ b) * 0x27d4eb2fu, b += a >> 15;
    a = (a ^ b) * 0x165667b1u, b += a >> 11;
    a = (a ^ b) * 0x9e3779b1u, b += a >> 17;
    a = (a ^ b) * 0x85ebca77u, b += a >> 12;
    a = (a ^ b) * 0xc2b2ae3du, b += a >> 14;
    out[GID] = (int)(a ^ b);
}

kernel void doubles(ARGS) {
    double x = in[GID] * 0.25, sum = 0;
    for (int i = 0; i < 20; i++) {
        sum += x;
        x *= 0.5 + (double)(i & 1);
    }
    out[GID] = (int)(sum * 16);
}

// Ids along all dimensions, with and without the offset, and what a launch has one of.
kernel void ids_of_the_launch(ARGS) {
    ulong hash = get_global_id(0);
    for (uint d = 0; d < 3; d++)
        hash = hash * 31 + get_global_id(d) * 7 + get_global_offset(d) * 3 + get_global_size(d);
    out[GID] = (int)(hash * 31 + get_work_dim()) + n;
}

// Neighbours write far apart.
kernel void transpose(ARGS) {
    size_t columns = get_global_size(0), rows = get_global_size(1);
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    out[(z * columns + x) * rows + y] = in[GID] + n;
}

// Not flat: whatever the rest is like, it asks for its place in the group.
kernel void place_in_group(ARGS) {
    out[GID] = in[GID] * 64 + (int)get_local_id(0);
}
