// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each work-item goes along a row of its own, which loops over several elements at once load as
// vectors and transpose (vector/unroll_rows.cc, transpose.cc). Buffers end where the last row ends.

// launch int_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i4s i4s v0
// launch int_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i192s i4s v1
// launch int_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i1344s i28s v7
// launch int_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i1536s i32s v8
// launch int_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i1728s i36s v9
// launch int_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i4032s i84s v21
// launch int_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i7680s i160s v40
kernel void int_rows(global int *out, global const int *a, global const int *x, int n) {
    int row = get_global_id(0), sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * x[k];
    out[row] = sum;
}

// launch float_rows 1 global 35 1 1 offset 0 0 0 local 35 1 1 arguments o140z i4f i4f v0
// launch float_rows 1 global 35 1 1 offset 0 0 0 local 35 1 1 arguments o140z i140f i4f v1
// launch float_rows 1 global 35 1 1 offset 0 0 0 local 35 1 1 arguments o140z i980f i28f v7
// launch float_rows 1 global 35 1 1 offset 0 0 0 local 35 1 1 arguments o140z i1120f i32f v8
// launch float_rows 1 global 35 1 1 offset 0 0 0 local 35 1 1 arguments o140z i1260f i36f v9
// launch float_rows 1 global 35 1 1 offset 0 0 0 local 35 1 1 arguments o140z i2940f i84f v21
// launch float_rows 1 global 35 1 1 offset 0 0 0 local 35 1 1 arguments o140z i5600f i160f v40
kernel void float_rows(global float *out, global const float *a, global const float *x, int n) {
    int row = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * x[k];
    out[row] = sum;
}

// launch double_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o256z i4d i4d v0
// launch double_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o256z i256d i8d v1
// launch double_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o256z i1792d i56d v7
// launch double_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o256z i2048d i64d v8
// launch double_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o256z i2304d i72d v9
// launch double_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o256z i5376d i168d v21
// launch double_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o256z i10240d i320d v40
kernel void double_rows(global double *out, global const double *a, global const double *x, int n) {
    int row = get_global_id(0);
    double sum = 1;
    for (int k = 0; k < n; k++)
        sum = fma(a[row * n + k], x[k], sum);
    out[row] = sum;
}

// launch char_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o48z i4u i4u v0
// launch char_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o48z i48u i4u v1
// launch char_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o48z i720u i15u v15
// launch char_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o48z i768u i16u v16
// launch char_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o48z i816u i17u v17
// launch char_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o48z i1584u i33u v33
// launch char_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o48z i2400u i50u v50
kernel void char_rows(global char *out, global const char *a, global const char *x, int n) {
    int row = get_global_id(0), sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * x[k];
    out[row] = sum ^ sum >> 8;
}

// launch short_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o96z i4u i4u v0
// launch short_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o96z i96u i4u v1
// launch short_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o96z i672u i14u v7
// launch short_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o96z i768u i16u v8
// launch short_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o96z i864u i18u v9
// launch short_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o96z i2016u i42u v21
// launch short_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o96z i3840u i80u v40
kernel void short_rows(global ushort *out, global const ushort *a, global const ushort *x, int n) {
    int row = get_global_id(0);
    uint sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * (uint)x[k];
    out[row] = sum ^ sum >> 16;
}

// launch some_rows 1 global 64 1 1 offset 0 0 0 local 16 1 1 arguments o256z i444s v3 v37
// launch some_rows 1 global 64 1 1 offset 0 0 0 local 16 1 1 arguments o256z i1184s v8 v37
// launch some_rows 1 global 64 1 1 offset 0 0 0 local 16 1 1 arguments o256z i2812s v19 v37
kernel void some_rows(global int *out, global const int *a, int n, int rows) {
    int row = get_global_id(0);
    if (row < rows && row % 3 != 1) {
        int most = -1000;
        for (int k = 0; k < n; k++)
            most = max(most, a[row * n + k] ^ k);
        out[row] = most;
    }
}

// launch rows_by_table 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i192u i320s v5
// launch rows_by_table 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i192u i512s v8
// launch rows_by_table 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i192u i1088s v17
kernel void rows_by_table(global int *out, global const uint *table, global const int *a, int n) {
    int item = get_global_id(0);
    global const int *row = a + (table[item] & 15) * n;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum = sum * 3 + row[k];
    out[item] = sum;
}

// launch unsigned_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i960s v5
// launch unsigned_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i1536s v8
// launch unsigned_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i3264s v17
kernel void unsigned_rows(global uint *out, global const uint *a, uint n) {
    uint row = get_global_id(0), sum = 0;
    for (uint k = 0; k < n; k++)
        sum = sum * 5 + a[row * n + k];
    out[row] = sum;
}

// launch longs_and_chars 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o384z i1920u i240u v5
// launch longs_and_chars 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o384z i6144u i768u v16
// launch longs_and_chars 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o384z i8064u i1008u v21
kernel void longs_and_chars(global ulong *out, global const ulong *a, global const uchar *b, int n) {
    int row = get_global_id(0);
    ulong sum = 0;
    for (int k = 0; k < n; k++)
        sum = sum * 7 + a[row * n + k] * b[row * n + k];
    out[row] = sum;
}

// launch rows_of_tiles 2 global 24 6 1 offset 0 0 0 local 8 2 1 arguments o576z i384s i96s v4
// launch rows_of_tiles 2 global 24 6 1 offset 0 0 0 local 8 2 1 arguments o576z i768s i192s v8
// launch rows_of_tiles 2 global 24 6 1 offset 0 0 0 local 8 2 1 arguments o576z i1248s i312s v13
kernel void rows_of_tiles(global int *out, global const int *a, global const int *b, int n) {
    local int tile[16];
    int x = get_global_id(0), y = get_global_id(1), at = get_local_id(1) * 8 + get_local_id(0);
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[x * n + k] * b[y * n + k];
    tile[at] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * get_global_size(0) + x] = tile[at ^ 1];
}

// launch rows_in_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o128z i3456s v3 v9
// launch rows_in_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o128z i2048s v2 v8
// launch rows_in_rows 1 global 32 1 1 offset 0 0 0 local 16 1 1 arguments o128z i2560s v4 v5
kernel void rows_in_rows(global int *out, global const int *a, int m, int n) {
    int item = get_global_id(0), sum = 0;
    for (int j = 0; j < m; j++) {
        int part = 1;
        for (int k = 0; k < n; k++)
            part = part * 3 + a[(item * m + j) * n + k];
        sum ^= part;
    }
    out[item] = sum;
}

// launch own_lengths 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i192u i1536s
kernel void own_lengths(global int *out, global const uint *lengths, global const int *a) {
    int item = get_global_id(0), sum = 0;
    uint n = lengths[item] & 7;
    for (uint k = 0; k < n; k++)
        sum = sum * 3 + a[item * 8 + k];
    out[item] = sum;
}

// launch vectors_of_some 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o768z i2304u v3 v40
kernel void vectors_of_some(global uint4 *out, global const uint4 *a, int n, int rows) {
    int item = get_global_id(0);
    if (item < rows && item % 5)
        out[item] = a[item * n] + a[item * n + 2].wzyx;
}

// launch threes_of_some 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i960s v5 v47
kernel void threes_of_some(global int *out, global const int *a, int n, int rows) {
    int item = get_global_id(0);
    if (item < rows) {
        int3 v = vload3(0, a + item * n);
        out[item] = v.x * 3 + v.y * 5 + v.z;
    }
}

// launch long_vectors_of_some 1 global 33 1 1 offset 0 0 0 local 33 1 1 arguments o132z i2244s v17 v32
kernel void long_vectors_of_some(global int *out, global const int *a, int n, int rows) {
    int item = get_global_id(0);
    if (item < rows) {
        int16 v = vload16(0, a + item * n) * (int16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
        int8 w = v.lo ^ v.hi;
        out[item] = w.s0 + w.s1 * 3 + w.s2 - w.s3 + w.s4 * 5 + w.s5 + w.s6 - w.s7;
    }
}

// launch bytes_of_some 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i912u v19 v47
kernel void bytes_of_some(global uint *out, global const uchar *a, int n, int rows) {
    int item = get_global_id(0);
    if (item < rows) {
        uchar16 v = vload16(0, a + item * n);
        uint4 w = convert_uint4(v.s0123) * 3 + convert_uint4(v.s4567) * 5 + convert_uint4(v.s89ab) * 7 +
                  convert_uint4(v.scdef) * 11;
        out[item] = w.x ^ w.y << 8 ^ w.z << 16 ^ w.w << 24;
    }
}

// Private arrays of OpenCL vectors, all lanes at one place: each element of all lanes is one access.
// launch private_vectors 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o768z i768s v5
// launch private_vectors 1 global 37 1 1 offset 0 0 0 local 37 1 1 arguments o592z i592s v8
kernel void private_vectors(global int4 *out, global const int4 *in, int n) {
    int4 a[8];
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        a[k] = in[i] * k;
    for (int k = 1; k < n; k++)
        if (in[i].x > k)
            a[k].y += a[k - 1].z ^ k;
    int4 sum = 0;
    for (int k = 0; k < n; k++)
        sum = sum * 3 + a[k];
    out[i] = sum;
}

// launch private_threes 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i768s v6
kernel void private_threes(global int *out, global const int4 *in, int n) {
    int3 a[6];
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        a[k] = in[i].xyz + k;
    int sum = 0;
    for (int k = n - 1; k >= 0; k--)
        if (in[i].w & 1 << k)
            sum = sum * 5 + a[k].x - a[k].y * a[k].z;
    out[i] = sum;
}

// launch private_mixed 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i384u v7
kernel void private_mixed(global uint *out, global const ulong *in, int n) {
    uchar8 a[8];
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        a[k] = as_uchar8(in[i] * (k + 1));
    uint sum = 0;
    for (int k = 0; k < n; k++)
        sum = sum * 7 + a[k].s3 + a[(k + i) & 3].s5 + as_uint2(a[k]).y;
    out[i] = sum;
}

// launch private_doubles 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o384z i768s v9
kernel void private_doubles(global double *out, global const int4 *in, int n) {
    double2 a[9];
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        a[k] = (double2)(in[i].x + k, in[i].y - k);
    for (int k = 0; k < n; k++) {
        a[k].x += a[n - 1 - k].y;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum = sum * 2 + a[k].x - a[k].y;
    out[i] = sum;
}

// Rows in a ring: indices of 16 and 8 bits wrap around within some of them.
// launch wrapping_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i262144f v21 v7001
// launch wrapping_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i262144f v8 v7001
kernel void wrapping_rows(global float *out, global const float *a, int n, int step) {
    int i = get_global_id(0);
    float sum = 0;
    for (ushort k = 0; k < n; k++)
        sum = fma(a[(ushort)(i * step + 65530 + k)], 0.75f, sum);
    out[i] = sum;
}

// Rows of which no lane ever goes further than a few elements: whole, or what #pragma unroll leaves.
// launch few_turns 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i65536f v7 v301
// launch few_turns 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i65536f v8 v301
kernel void few_turns(global float *out, global const float *a, int n, int step) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < (n & 7); k++)
        sum = fma(a[i * step + k], 0.75f, sum);
    out[i] = sum;
}

// launch turns_left 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i65536f v23 v301
kernel void turns_left(global float *out, global const float *a, int n, int step) {
    int i = get_global_id(0);
    float sum = 0;
#pragma unroll
    for (uint k = 0; k < n; k++)
        sum = fma(a[i * step + k], 0.75f, sum);
    out[i] = sum;
}

// launch short_ring 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i1024f v33 v37
kernel void short_ring(global float *out, global const float *a, int n, int step) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[(uchar)(i * step + k)] * k;
    out[i] = sum;
}

// launch mixed_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i4032f i4032f v21
kernel void mixed_rows(global float *out, global const float *a, global const float *b, uint n) {
    uint i = get_global_id(0);
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum = fma(a[i * n + k], b[(47 - i) * n + k], sum);
    if (i & 1)
        for (uint k = 3; k < n; k++)
            sum = fma(a[i * n + k], 0.5f, sum);
    out[i] = sum;
}

// Where a row begins comes from another one, which is summed up in one of two loops.
// launch rows_behind_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i4032s i5376s v21
// launch rows_behind_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i576s i768s v3
kernel void rows_behind_rows(global uint *out, global const uint *a, global const uint *b, uint n) {
    uint i = get_global_id(0), sum = 0, other = 0;
    for (uint k = 0; k < n; k++)
        sum = sum * 3 + a[i * n + k];
    for (uint k = 0; k < n; k++)
        other = other * 5 + b[(sum & 63) * n + k];
    out[i] = other;
}

// launch ring_behind_rows 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i4032s i262144s v21
kernel void ring_behind_rows(global uint *out, global const uint *a, global const uint *b, uint n) {
    uint i = get_global_id(0), sum = 0, other = 0;
    for (uint j = 0; j < 3; j++) {
        for (uint k = 0; k < n; k++)
            sum = sum * 3 + a[i * n + k];
        ushort first = sum;
        for (ushort k = 0; k < n; k++)
            other = other * 5 + b[(ushort)(first + k)];
        sum ^= other;
    }
    out[i] = other;
}

// A row in a small ring beside one whose indices may wrap: neither is said by the other.
// launch ring_beside_row 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i3072u i5760u v15
// launch ring_beside_row 1 global 48 1 1 offset 0 0 0 local 16 1 1 arguments o192z i3072u i3072u v8
kernel void ring_beside_row(global uint *out, global const ulong *ring, global const ulong *a, uint n) {
    uint i = get_global_id(0), sum = 1;
    for (uint k = 0; k < n; k++) {
        sum |= (uint)ring[(k & 7) + (size_t)i * 8] & 0x55;
        sum = sum * 5 ^ (uint)a[i * n + k];
    }
    out[i] = sum;
}
