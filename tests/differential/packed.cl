// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Members that lie side by side, of lanes that do so as well as far as anybody can tell before the kernel
// runs: indices of 32 bits without a sign, with offsets that the launch brings, cut at edges, up and
// down. Code asks, and moves all lanes' members at once; what is stored must be what single items store
// wherever the answer is no, and nothing else may be written.

#define ARGS global uchar *out, global const uchar *in, int n
#define X ((int)get_global_id(0))
#define Y ((int)get_global_id(1))
#define COLUMNS ((int)get_global_size(0))

// A pixel of three bytes each, from and to rows that begin anywhere.
// launch copies_pixels 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o228p i236u v2
// launch copies_pixels 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o892p i952u v1
// launch copies_pixels 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o576p i608u v3
// launch copies_pixels 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o384p i404u v7
// launch copies_pixels 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o48p i68u v4
// launch copies_pixels 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o2252p i2276u v9
kernel void copies_pixels(ARGS) {
    int from = mad24(Y, COLUMNS * 3 + n % 7, mad24(X, 3, n % 5));
    int to = mad24(Y, COLUMNS * 3, X * 3);
    vstore3(vload3(0, in + from), 0, out + to);
}

// From the row's other end.
// launch mirrors_pixels 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o228p i228u v2
// launch mirrors_pixels 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o892p i892u v1
// launch mirrors_pixels 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o576p i576u v3
// launch mirrors_pixels 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o384p i384u v7
// launch mirrors_pixels 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o48p i48u v4
// launch mirrors_pixels 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o2252p i2252u v9
kernel void mirrors_pixels(ARGS) {
    int row = Y * COLUMNS * 3;
    vstore3(vload3(0, in + row + (COLUMNS - X - 1) * 3), 0, out + row + X * 3);
}

// To the row's other end: stores go downwards.
// launch writes_backwards 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o228p i228u v2
// launch writes_backwards 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o892p i892u v1
// launch writes_backwards 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o576p i576u v3
// launch writes_backwards 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o384p i384u v7
// launch writes_backwards 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o48p i48u v4
// launch writes_backwards 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o2252p i2252u v9
kernel void writes_backwards(ARGS) {
    int row = Y * COLUMNS * 3;
    vstore3(vload3(0, in + row + X * 3), 0, out + row + (COLUMNS + ~X) * 3);
}

// Every second pixel, under a mask with gaps.
// launch some_pixels 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o228p i228u v2
// launch some_pixels 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o892p i896u v1
// launch some_pixels 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o576p i580u v3
// launch some_pixels 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o384p i388u v7
// launch some_pixels 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o48p i48u v4
// launch some_pixels 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o2252p i2256u v9
kernel void some_pixels(ARGS) {
    int at = (Y * COLUMNS + X) * 3;
    uchar3 pixel = vload3(0, in + at + n % 3);
    if (pixel.x & 1)
        vstore3(pixel.zxy, 0, out + at);
}

// Only the first lanes, only the last ones, none.
// launch ends_of_rows 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o228p i228u v2
// launch ends_of_rows 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o892p i892u v1
// launch ends_of_rows 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o576p i576u v3
// launch ends_of_rows 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o384p i384u v7
// launch ends_of_rows 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o48p i48u v4
// launch ends_of_rows 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o2252p i2252u v9
kernel void ends_of_rows(ARGS) {
    int at = mad24(Y, COLUMNS * 3, X * 3);
    if (X < n % 11)
        vstore3(vload3(0, in + at), 0, out + at);
    if (X >= COLUMNS - n % 5)
        vstore3(vload3(0, in + at) + (uchar3)(1), 0, out + at);
}

// Neighbours beyond the edge are those at it: the guess is wrong there.
// launch clamps_at_edges 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o228p i228u v2
// launch clamps_at_edges 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o892p i892u v1
// launch clamps_at_edges 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o576p i576u v3
// launch clamps_at_edges 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o384p i384u v7
// launch clamps_at_edges 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o48p i48u v4
// launch clamps_at_edges 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o2252p i2252u v9
kernel void clamps_at_edges(ARGS) {
    int row = Y * COLUMNS, left = max(X - 2, 0), right = min(X + 2, COLUMNS - 1);
    uchar3 sum = vload3(row + left, in) / (uchar3)(2) + vload3(row + right, in) / (uchar3)(2);
    vstore3(sum, row + X, out);
}

// Wraps around within a vector: as unsigned numbers of 8 and 16 bits, and within a table.
// launch wraps_around 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o228p i1032u v2
// launch wraps_around 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o892p i1032u v1
// launch wraps_around 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o576p i1032u v3
// launch wraps_around 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o384p i1032u v7
// launch wraps_around 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o48p i1032u v4
// launch wraps_around 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o2252p i1032u v9
kernel void wraps_around(ARGS) {
    uchar near = (uchar)(X * 3 + n);
    ushort far = (ushort)(X * 3 + 65530);
    uint table = ((uint)X * 3u + (uint)n) & 255u;
    uchar3 sum = vload3(0, in + near) + vload3(0, in + (far & 1023)) + vload3(0, in + table);
    vstore3(sum, 0, out + (Y * COLUMNS + X) * 3);
}

// Indices that are far below zero for lanes that are off.
// launch off_below_zero 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o228p i228u v2
// launch off_below_zero 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o892p i892u v1
// launch off_below_zero 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o576p i576u v3
// launch off_below_zero 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o384p i384u v7
// launch off_below_zero 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o48p i48u v4
// launch off_below_zero 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o2252p i2252u v9
kernel void off_below_zero(ARGS) {
    int at = X * 3 - (n > 3 ? 24 : 21);
    if (at >= 0 && Y == 0)
        vstore3(vload3(0, in + at), 0, out + at);
}

// Two of three, and one of two: what lies between is not written.
// launch leaves_gaps 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o228p i228u v2
// launch leaves_gaps 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o892p i892u v1
// launch leaves_gaps 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o576p i576u v3
// launch leaves_gaps 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o384p i384u v7
// launch leaves_gaps 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o48p i48u v4
// launch leaves_gaps 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o2252p i2252u v9
kernel void leaves_gaps(ARGS) {
    int at = mad24(Y, COLUMNS * 3, mad24(X, 3, 0));
    out[at] = in[at + 1];
    out[at + 1] = in[at];
}

// Words of 16 and 32 bits and doubles, in groups of two, three and four.
// launch pairs_of_shorts 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o300p i304u v2
// launch pairs_of_shorts 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o1188p i1192u v1
// launch pairs_of_shorts 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o768p i768u v3
// launch pairs_of_shorts 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o512p i512u v7
// launch pairs_of_shorts 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o60p i64u v4
// launch pairs_of_shorts 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o3000p i3000u v9
kernel void pairs_of_shorts(global ushort *out, global const ushort *in, int n) {
    int at = (int)(Y * COLUMNS + X) * 2, from = Y * COLUMNS * 2 + (COLUMNS - 1 - X) * 2;
    ushort a = in[from], b = in[from + 1];
    out[at] = b;
    out[at + 1] = a;
}

// launch floats_downwards 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o300p i300f v2
// launch floats_downwards 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o1188p i1188f v1
// launch floats_downwards 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o768p i768f v3
// launch floats_downwards 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o512p i512f v7
// launch floats_downwards 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o60p i60f v4
// launch floats_downwards 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o3000p i3000f v9
kernel void floats_downwards(global float *out, global const float *in, int n) {
    int row = Y * COLUMNS;
    out[row + COLUMNS - 1 - X] = in[row + X] + in[row + COLUMNS - 1 - X];
}

// launch triples_of_floats 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o900p i900f v2
// launch triples_of_floats 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o3564p i3564f v1
// launch triples_of_floats 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o2304p i2304f v3
// launch triples_of_floats 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o1536p i1536f v7
// launch triples_of_floats 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o180p i180f v4
// launch triples_of_floats 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o9000p i9000f v9
kernel void triples_of_floats(global float *out, global const float *in, int n) {
    int row = Y * COLUMNS * 3;
    float3 a = vload3(0, in + row + (COLUMNS - 1 - X) * 3), b = vload3(0, in + mad24(X, 3, row));
    vstore3(a.zyx + b, 0, out + mad24(X, 3, row));
}

// launch quads_downwards 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o1200p i1200u v2
// launch quads_downwards 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o4752p i4752u v1
// launch quads_downwards 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o3072p i3072u v3
// launch quads_downwards 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o2048p i2048u v7
// launch quads_downwards 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o240p i240u v4
// launch quads_downwards 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o12000p i12000u v9
kernel void quads_downwards(global uint *out, global const uint *in, int n) {
    int row = Y * COLUMNS;
    uint4 a = vload4(row + COLUMNS - 1 - X, in);
    vstore4(a.wzyx, row + X, out);
    if (a.x & 1)
        vstore4(a + (uint4)(1), row + X, out);
}

// launch triples_of_doubles 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o1800p i1800d v2
// launch triples_of_doubles 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o7128p i7128d v1
// launch triples_of_doubles 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o4608p i4608d v3
// launch triples_of_doubles 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o3072p i3072d v7
// launch triples_of_doubles 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o360p i360d v4
// launch triples_of_doubles 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o18000p i18000d v9
kernel void triples_of_doubles(global double *out, global const double *in, int n) {
    int row = Y * COLUMNS * 3;
    double3 a = vload3(0, in + row + (COLUMNS - 1 - X) * 3);
    vstore3(a.yzx, 0, out + mad24(X, 3, row));
}

// Across a barrier, tiles of triples in local memory: regions that are inlined once, with masks.
// launch tiles_of_triples 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o900p i900s l192 v2
// launch tiles_of_triples 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o3564p i3564s l768 v1
// launch tiles_of_triples 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o2304p i2304s l768 v3
// launch tiles_of_triples 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o1536p i1536s l768 v7
// launch tiles_of_triples 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o180p i180s l180 v4
// launch tiles_of_triples 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o9000p i9000s l1500 v9
kernel void tiles_of_triples(global int *out, global const int *in, local int *scratch, int n) {
    int x = get_local_id(0), size = get_local_size(0), row = get_local_id(1) * size;
    int at = (Y * COLUMNS + X) * 3;
    vstore3(vload3(0, in + at), row + x, scratch);
    barrier(CLK_LOCAL_MEM_FENCE);
    int3 a = vload3(row + size - 1 - x, scratch), b = vload3(row + max(x - 1, 0), scratch);
    if (a.x != n)
        vstore3(a * 3 + b, 0, out + at);
}

// Groups of five and six.
// launch fives_and_sixes 2 global 75 1 1 offset 0 0 0 local 16 1 1 arguments o1800p i1504s v2
// launch fives_and_sixes 2 global 33 9 1 offset 0 0 0 local 32 2 1 arguments o7128p i5944s v1
// launch fives_and_sixes 2 global 48 4 1 offset 0 0 0 local 16 4 1 arguments o4608p i3844s v3
// launch fives_and_sixes 2 global 64 2 1 offset 0 0 0 local 64 1 1 arguments o3072p i2564s v7
// launch fives_and_sixes 2 global 5 3 1 offset 0 0 0 local 5 3 1 arguments o360p i304s v4
// launch fives_and_sixes 2 global 250 3 1 offset 0 0 0 local 125 1 1 arguments o18000p i15004s v9
kernel void fives_and_sixes(global int *out, global const int *in, int n) {
    int from = mad24(Y * COLUMNS + X, 5, n & 1), to = (Y * COLUMNS + COLUMNS - 1 - X) * 6;
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += in[from + i];
    for (int i = 0; i < 6; i++)
        out[to + i] = sum + i;
}
