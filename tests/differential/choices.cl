// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels in which an argument chooses where lanes access memory (compiler/vector/choices.cc): along
// which axis, in which order, in which of several buffers.

// launch along_axis 2 global 24 10 1 offset 0 0 0 local 8 5 1 arguments i11000i o960z v0 v7 v24 v10
// launch along_axis 2 global 24 10 1 offset 0 0 0 local 24 1 1 arguments i11000i o960z v1 v7 v24 v10
// launch along_axis 2 global 24 10 1 offset 0 0 0 local 3 10 1 arguments i11000i o960z v2 v7 v24 v10
// launch along_axis 2 global 24 10 1 offset 0 0 0 local 8 5 1 arguments i11000i o960z v3 v7 v24 v10
kernel void along_axis(global const int *in, global int *out, int axis, int n, int w, int h) {
    int id0 = get_global_id(0), id1 = get_global_id(1), result = -1000000;
    for (int i = 0; i < n; i++) {
        int x = axis == 0 ? i : id0;
        int y = axis == 0 ? id0 : axis == 1 ? i : id1;
        int z = axis == 2 ? i : id1;
        result = max(result, in[x + y * w + z * w * h] ^ i);
    }
    out[id0 + id1 * w] = result;
}

// launch maybe_transposed 2 global 20 12 1 offset 0 0 0 local 10 4 1 arguments i4000i i4000i o960z v20 v0 v0
// launch maybe_transposed 2 global 20 12 1 offset 0 0 0 local 10 4 1 arguments i4000i i4000i o960z v20 v1 v0
// launch maybe_transposed 2 global 20 12 1 offset 0 0 0 local 20 1 1 arguments i4000i i4000i o960z v20 v0 v1
// launch maybe_transposed 2 global 20 12 1 offset 0 0 0 local 7 3 1 arguments i4000i i4000i o960z v20 v1 v1
kernel void maybe_transposed(global const int *a, global const int *b, global int *c, int n, int ta, int tb) {
    int col = get_global_id(0), row = get_global_id(1), sum = 0;
    for (int k = 0; k < n; k++) {
        int x = a[ta ? k * n + row : row * n + k];
        int y = b[tb ? col * n + k : k * n + col];
        sum += x * y;
    }
    c[row * n + col] = sum;
}

// launch tile_of_either 2 global 16 16 1 offset 0 0 0 local 8 8 1 arguments i1024i o1024z l512 v16 v1
// launch tile_of_either 2 global 16 16 1 offset 0 0 0 local 8 8 1 arguments i1024i o1024z l512 v16 v0
kernel void tile_of_either(global const int *in, global int *out, local int *tile, int n, int across) {
    int lx = get_local_id(0), ly = get_local_id(1), sum = 0;
    int x = get_global_id(0), y = get_global_id(1);
    for (int k = 0; k < n; k += 8) {
        tile[ly * 8 + lx] = in[across ? (k + lx) * n + y : y * n + k + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 8; i++)
            sum = sum * 3 + tile[ly * 8 + i] + tile[i * 8 + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[y * n + x] = sum;
}

// The ways end at different places, and one of them early.
// launch ways_that_end 1 global 100 1 1 offset 0 0 0 local 25 1 1 arguments i400i o400z v0 v90
// launch ways_that_end 1 global 100 1 1 offset 0 0 0 local 25 1 1 arguments i400i o400z v5 v90
kernel void ways_that_end(global const int *in, global int *out, int mode, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    int at;
    if (mode > 3) {
        at = (i * 37) % n;
        if (in[at] < 0) return;
    } else {
        at = i;
        out[i] = 5;
    }
    out[i] += in[mode > 3 ? at * 7 % n : at] + in[mode > 3 ? i : n - 1 - i * 3 % n];
}

// What decides is computed, and chosen again behind it; a buffer is chosen as well.
// launch chosen_buffer 1 global 77 1 1 offset 3 0 0 local 11 1 1 arguments i400i i400i o400z v4 v3
// launch chosen_buffer 1 global 77 1 1 offset 3 0 0 local 11 1 1 arguments i400i i400i o400z v-3 v5
kernel void chosen_buffer(global const int *a, global const int *b, global int *out, int p, int q) {
    int i = get_global_id(0);
    int turned = (p * q & 7) > q - p ? 79 - i : (i * q + 1 & 63);
    global const int *from = (p ^ q) < 0 ? a + turned : b + i;
    out[i] = *from + ((p ^ q) < 0 ? i : turned);
}

// launch three_ways 1 global 64 1 1 offset 0 0 0 local 16 1 1 arguments i4096u o256z v0 v1
// launch three_ways 1 global 64 1 1 offset 0 0 0 local 16 1 1 arguments i4096u o256z v1 v0
// launch three_ways 1 global 64 1 1 offset 0 0 0 local 16 1 1 arguments i4096u o256z v1 v1
// launch three_ways 1 global 64 1 1 offset 0 0 0 local 16 1 1 arguments i4096u o256z v0 v0
kernel void three_ways(global const uint *in, global uint *out, uint f, uint g) {
    uint i = get_global_id(0), sum = 0;
    for (uint k = 0; k < 16; k++) {
        sum = sum * 5 + in[f ? i * 16 + k : k * 64 + i];
        sum ^= in[g ? k * 64 + i : i * 16 + k] >> 3;
        sum += in[f != g ? (i ^ k) * 16 : 1023 - i];
    }
    out[i] = sum;
}

// Clamped indices along columns: asked once whether lanes lie side by side (compiler/vector/expect.cc),
// which does not hold at the edges.
// launch clamped_columns 2 global 40 6 1 offset 0 0 0 local 20 3 1 arguments i4000i o960z v0 v33 v7
// launch clamped_columns 2 global 40 6 1 offset 0 0 0 local 40 1 1 arguments i4000i o960z v-3 v25 v-1
kernel void clamped_columns(global const int *in, global int *out, int shift, int w, int turns) {
    int id = get_global_id(0), row = get_global_id(1), sum = 0;
    int x = clamp(id + shift, 0, w - 1);
    int up = 900 - x;
    for (int k = 0; k <= turns + 9; k++) {
        sum = sum * 3 + in[x + k * w] + in[k * w + clamp(id - k, 0, w - 1)];
        sum ^= in[up - k * 13] + in[(uint)x + row * w - k % 2u * row];
    }
    out[row * 40 + id] = sum;
}

// Sums in 32 bits that wrap around on their way to the index, in all lanes alike.
// launch wrapping_sums 1 global 64 1 1 offset 0 0 0 local 16 1 1 arguments i1024i o256z v5 v2147483000
kernel void wrapping_sums(global const int *in, global int *out, int n, int far) {
    int id = get_global_id(0), sum = 0;
    uint x = (uint)clamp(id - 3, 0, 60) + (uint)far + (uint)far;
    for (int k = 0; k < n; k++)
        sum = sum * 3 + in[(int)(x + 1296u + k * 16u) & 255];
    for (int k = 0; k < n; k++)
        sum = sum * 3 + in[(int)(x + 1296u + k * 16u)];
    out[id] = sum;
}

// Unsigned indices, and indices of 16 bits, that wrap around between lanes in some turns.
// launch unsigned_columns 1 global 60 1 1 offset 0 0 0 local 20 1 1 arguments i262144i o240z v31 v9 v4294967290
// launch unsigned_columns 1 global 60 1 1 offset 0 0 0 local 60 1 1 arguments i262144i o240z v90 v700 v30
kernel void unsigned_columns(global const int *in, global int *out, uint w, uint turns, uint from) {
    uint id = get_global_id(0), x = min(id, w - 1);
    ushort y = min((ushort)id, (ushort)50);
    uchar z = max((uchar)(id * 2), (uchar)3);
    int sum = 0;
    for (uint k = 0; k < turns; k++) {
        sum = sum * 3 + in[(x + k * w) & 0xffff] + in[(ushort)(y + 65500 + k * 7)] + in[(uchar)(z + k)];
        sum ^= in[(ulong)(x + from + k * 3) & 0xffff] + in[x + k];
    }
    out[id] = sum;
}

// Places times sizes in bytes, as images are read: whether lanes are side by side is asked of the places.
// launch byte_columns 1 global 60 1 1 offset 0 0 0 local 20 1 1 arguments i1048576i o240z v31 v9 v4294967290
// launch byte_columns 1 global 60 1 1 offset 0 0 0 local 60 1 1 arguments i1048576i o240z v50 v700 v65500
kernel void byte_columns(global const int *in, global int *out, uint w, uint turns, uint from) {
    uint id = get_global_id(0), x = min(id, w - 1);
    global const char *bytes = (global const char *)in;
    int sum = 0;
    for (uint k = 0; k < turns; k++) {
        ulong place = (x + from + k * 3) & 0xffff;
        sum = sum * 3 + *(global const int *)(bytes + place * 4);
        sum ^= *(global const int *)(bytes + (place * 4 + k * 8)) + *(global const int *)(bytes + place * 12);
        if (x & 1)
            sum += *(global const short *)(bytes + (ulong)(ushort)(x + k + 65520) * 2);
        sum += *(global const int *)(bytes + (ulong)((w - x + from) & 0xffff) * 4);
    }
    out[id] = sum;
}
