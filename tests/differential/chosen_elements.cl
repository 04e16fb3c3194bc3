// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Short private arrays that are filled and then read at places that are no constants: of pointers
// and of all element sizes, in loops, behind barriers, and where it matters that some element was
// stored again or not yet.

#define ARGS global int *out, global const int *in, local int *scratch, int n
#define GID get_global_linear_id()

kernel void pointers(ARGS) {
    global const int *from[4] = {in, in + 1, in + 2, in + 3};
    uint k = in[GID];
    local int *there[2] = {scratch, scratch + get_local_linear_id()};
    scratch[get_local_linear_id()] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int d = 0; d < 3 + (n & 1); d++)
        sum = sum * 5 + from[d ^ (n & 1)][GID] - there[d & 1][0];
    out[GID * 2] = sum;
    out[GID * 2 + 1] = from[k & 3][GID] * 3 + from[k >> 2 & 3][n & 7];
}

kernel void kinds(ARGS) {
    int x = in[GID], y = in[GID + 1];
    uint k = in[GID + 2];
    char bytes[8] = {x, y, n, 3, x >> 8, y >> 8, -1, x ^ y};
    short words[3] = {x, y, n};
    long longs[5] = {x, (long)y << 33, -x, n, 1L << 62};
    float floats[6] = {x, y, .5f, n, -0.f, x * .25f};
    double doubles[2] = {x * 1e9, y};
    bool flags[4] = {x > y, x & 1, n > 3, false};
    long sum = bytes[k & 7] + words[k % 3] * 3 + longs[k % 5];
    sum = sum * 7 + as_int(floats[k % 6]) + as_long(doubles[k >> 5 & 1]) + flags[k & 3] * 11;
    out[GID * 2] = (int)sum;
    out[GID * 2 + 1] = (int)(sum >> 32) + flags[n & 3] + bytes[n & 7];
}

kernel void shapes(ARGS) {
    int x = in[GID], y = in[GID + 1];
    uint k = in[GID + 2];
    int square[2][3] = {{x, y, 1}, {n, x + y, -y}};
    struct { int a, b, c; } three = {x, y, x - y};
    int *middle = &square[0][2], *of = &three.a;
    out[GID * 3] = square[k & 1][k % 3] - square[n & 1][x & 1];
    out[GID * 3 + 1] = middle[(int)(k % 6) - 2] * 3 + middle[-(n & 1)];
    out[GID * 3 + 2] = of[k % 3] + ((short *)square)[k % 12];
}

kernel void turns(ARGS) {
    int x = in[GID], sum = 0;
    for (int t = 0; t < (x & 3) + 2; t++) {
        int y = in[GID + t], both[3] = {t, x, sum}, kept[2];
        kept[0] = both[(y + t) & 1];
        kept[1] = both[y % 3 < 0 ? 0 : y % 3];
        for (int u = 0; u < (y & 3); u++)
            sum = sum * 3 + kept[(sum + u) & 1] + both[(u ^ n) & 1];
    }
    out[GID] = sum;
}

kernel void again(ARGS) {
    int x = in[GID], y = in[GID + 1], v[3] = {x, y, n}, w[2];
    v[1] = x - 3; /* once more */
    int before = v[(x & 0x7fff) % 3];
    w[0] = y;
    if (x & 1)
        w[1] = x;
    else
        w[1] = before; /* by either */
    int late[2] = {x, y};
    int sum = late[y & 1];
    if (y & 2)
        late[x & 1] = n; /* who knows which */
    out[GID * 2] = before * 3 + w[y & 1];
    out[GID * 2 + 1] = sum + late[y >> 3 & 1];
}

kernel void some(ARGS) {
    int x = in[GID], y = in[GID + 1], sum = n;
    if (x & 1) {
        int v[4] = {x, y, sum, 5};
        while (y > 0) {
            sum += v[y & 3];
            y = (y >> 3) - (sum & 1);
        }
        if (x & 2)
            sum ^= v[(n + sum) & 3];
    }
    out[GID] = sum;
}

kernel void behind_barriers(ARGS) {
    int x = in[GID], v[4] = {x, n, (int)get_local_id(0), x >> 3};
    uint l = get_local_linear_id();
    scratch[l] = v[x & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = scratch[l ? l - 1 : 0];
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[l] = v[other & 3] + v[n & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[GID] = scratch[0] * 5 + scratch[l] + v[(x + other) & 3];
}

kernel void among_each_other(ARGS) {
    int x = in[GID], y = in[GID + 1];
    uint k = in[GID + 2];
    int first[4] = {x & 3, 3, 1, y & 3};
    int second[4] = {first[k & 3], first[k >> 2 & 3], 2, first[x & 3]};
    out[GID * 2] = second[first[second[k >> 4 & 3] & 3] & 3] * 5 + first[second[y & 3]];
    /* More choices than such an array is worth. */
    int many[8] = {x, 1, 2, y, 4, n, 6, x ^ y}, sum = 0;
#define READ sum = sum * 3 + many[k & 7], k = k * 5 + 1;
#define FOUR(text) text text text text
    FOUR(FOUR(FOUR(READ)))
    out[GID * 2 + 1] = sum;
}
