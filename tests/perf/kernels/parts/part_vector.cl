// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part $ID: vectors of four, normalised and crossed.
float4 normal_$ID(float4 v)
{
    float length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z + 0.001f);
    return (float4)(v.xyz / length, 0.0f);
}

float4 crossed_$ID(float4 a, float4 b)
{
    return (float4)(a.y * b.z - a.z * b.y,
                    a.z * b.x - a.x * b.z,
                    a.x * b.y - a.y * b.x,
                    0.0f);
}

kernel void k_$ID(global const float *in, global float *out)
{
    int i = get_global_id(0);
    int n = get_global_size(0);
    float4 a = (float4)(in[i], in[(i + 1) % n], in[(i + 2) % n], 0.0f);
    float4 b = (float4)($F, 1.0f - in[i], 0.5f, 0.0f);
    float4 sum = (float4)(0.0f);
    for (int k = 0; k < 8; k++) {
        float4 side = normal_$ID(crossed_$ID(a, b));
        float4 up = normal_$ID(crossed_$ID(b, side));
        float along = a.x * up.x + a.y * up.y + a.z * up.z;
        if (along < 0.0f) {
            up = -up;
            along = -along;
        }
        sum += along * up;
        b = b.yzxw + 0.125f * up;
    }
    out[i] = sum.x + sum.y + sum.z + (float)($A & 31u);
}

