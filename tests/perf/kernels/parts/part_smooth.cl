// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part $ID: weighted neighbours with clamped edges.
int clamped_$ID(int i, int n)
{
    if (i < 0)
        return 0;
    if (i >= n)
        return n - 1;
    return i;
}

float limited_$ID(float x, float limit)
{
    float size = fabs(x);
    if (size > limit)
        x = x * limit / size;
    return x;
}

kernel void k_$ID(global const float *in, global float *out)
{
    int i = get_global_id(0);
    int n = get_global_size(0);
    float centre = in[i];
    float sum = 0.0f;
    float weights = 0.0f;
    for (int k = -3; k <= 3; k++) {
        float weight = $F / (1.0f + (float)(k * k));
        float value = in[clamped_$ID(i + k, n)];
        sum += weight * value;
        weights += weight;
    }
    float mean = sum / weights;
    float detail = limited_$ID(centre - mean, 0.25f);
    float result = mean + 1.5f * detail;
    if (result < 0.0f)
        result = 0.0f;
    out[i] = result + (float)($A & 255u);
}

