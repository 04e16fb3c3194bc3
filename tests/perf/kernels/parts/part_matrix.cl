// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part $ID: three by three matrices in private memory.
void multiply_$ID(const float a[9], const float b[9], float c[9])
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            float sum = 0.0f;
            for (int k = 0; k < 3; k++)
                sum += a[row * 3 + k] * b[k * 3 + column];
            c[row * 3 + column] = sum;
        }
    }
}

float trace_$ID(const float a[9])
{
    return a[0] + a[4] + a[8];
}

kernel void k_$ID(global const float *in, global float *out)
{
    int i = get_global_id(0);
    float a[9], b[9], c[9];
    for (int k = 0; k < 9; k++) {
        a[k] = in[i] * 0.1f * (float)(k % 4);
        b[k] = k % 4 == 0 ? 0.5f : 0.01f * $F;
    }
    for (int round = 0; round < 4; round++) {
        multiply_$ID(a, b, c);
        for (int k = 0; k < 9; k++)
            a[k] = 0.5f * a[k] + c[k];
    }
    float result = trace_$ID(a);
    result += c[2] - c[6];
    out[i] = result + (float)($A & 127u);
}

