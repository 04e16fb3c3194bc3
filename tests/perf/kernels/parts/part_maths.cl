// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part $ID: built-in functions of several families.
float wave_$ID(float x, float phase)
{
    float s = sin(x + phase);
    float c = cos(x - phase);
    return s * c + 0.5f;
}

float bump_$ID(float x, float width)
{
    float d = x / width;
    return exp(-d * d);
}

kernel void k_$ID(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    float y = wave_$ID(x * 3.0f, $F);
    float z = bump_$ID(x - 0.5f, 0.25f + 0.1f * $F);
    float sum = 0.0f;
    for (int k = 1; k <= 4; k++) {
        float t = (float)k;
        sum += pow(x + 1.0f, 0.5f * t) / t;
        sum += log(1.0f + y * y * t);
        sum -= sqrt(z + t) * 0.1f;
    }
    float rest = fmod(sum * 8.0f, 3.0f);
    float bent = atan2(y, z + 1.0f);
    float result = mix(sum, bent, 0.25f);
    result = clamp(result, -50.0f, 50.0f);
    if (isnan(result))
        result = 0.0f;
    rest = rest > 10.0f ? 10.0f : 0.0f;
    out[i] = result + rest + (float)($A & 7u);
}

