// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part $ID: the group's sum and maximum through local memory.
#define GROUP_$ID 64

float weighted_$ID(float x, int l)
{
    float weight = $F + 0.01f * (float)l;
    return x * weight;
}

kernel void k_$ID(global const float *in, global float *out)
{
    local float sums[GROUP_$ID];
    local float most[GROUP_$ID];
    int l = get_local_id(0);
    size_t i = get_global_id(0);
    float x = weighted_$ID(in[i], l);
    sums[l] = x;
    most[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = GROUP_$ID / 2; step > 0; step /= 2) {
        float other_sum = 0.0f;
        float other_most = 0.0f;
        if (l < step) {
            other_sum = sums[l + step];
            other_most = most[l + step];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step) {
            sums[l] += other_sum;
            most[l] = fmax(most[l], other_most);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = (float)($A & 15u) + 1.0f;
    out[i] = x * scale + sums[0] + most[0];
}

