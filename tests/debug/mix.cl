// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
float square(float x) {
    float y = x * x;
    return y + 1;
}
kernel void mix_items(global const float *a, global const float *b, global float *c, int n) {
    int i = get_global_id(0);
    local float t[16];
    float table[4] = {1, 2, 3, 4};
    float s = a[i] + square(b[i]);
    t[get_local_id(0)] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    float q = t[get_local_id(0) ^ 1];
    for (int k = 0; k < n; k++)
        q += table[(i + k) & 3] * s;
    c[i] = s + q;
}
