// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Items of one group that take different ways.

kernel void mandelbrot(global int *out, int limit)
{
    int px = get_global_id(0), py = get_global_id(1), w = get_global_size(0);
    float cx = (float)px / (float)w * 3.0f - 2.25f;
    float cy = (float)py / (float)w * 3.0f - 1.0f;
    float x = 0, y = 0;
    int count = 0;
    while (count < limit && x * x + y * y < 4.0f) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        count++;
    }
    out[py * w + px] = count;
}

float scene(float3 p)
{
    float3 cell = (float3)(p.x - floor(p.x) - 0.5f, p.y, p.z - floor(p.z) - 0.5f);
    float ball = sqrt(cell.x * cell.x + cell.y * cell.y + cell.z * cell.z) - 0.3f;
    return fmin(ball, p.y + 0.4f);
}

// Sphere tracing over a plane of balls: the number of steps differs from pixel to pixel.
kernel void raymarch(global float *out)
{
    int px = get_global_id(0), py = get_global_id(1), w = get_global_size(0);
    float dx = ((float)px - 0.5f * w) / w, dy = (0.5f * w - (float)py) / w;
    float scale = 1.0f / sqrt(dx * dx + dy * dy + 1.0f);
    float3 direction = (float3)(dx * scale, dy * scale, scale);
    float t = 0;
    for (int step = 0; step < 96; step++) {
        float distance = scene((float3)(0.3f, 0.6f, 0.0f) + t * direction);
        if (distance < 0.002f * t || t > 40.0f)
            break;
        t += 0.8f * distance;
    }
    out[py * w + px] = t;
}

// What to do next depends on the value: 16 rounds of one of eight operations.
kernel void switch_rounds(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint x = in[i];
    for (int round = 0; round < 16; round++) {
        switch (x & 7) {
        case 0: x = x * 2654435761u + 1; break;
        case 1: x ^= x >> 13; x += 0x9e3779b9u; break;
        case 2: x = (x << 7) | (x >> 25); break;
        case 3: x = x * 5 + (x >> 3); break;
        case 4: x = ~x - (x << 4); break;
        case 5: x = (x ^ 0x55555555u) + 12345; break;
        case 6: x = (x >> 1) | (x << 31); break;
        default: x = x / 3 + 0x80000001u; break;
        }
    }
    out[i] = x;
}

kernel void collatz(global int *out)
{
    size_t i = get_global_id(0);
    ulong n = i + 1;
    int steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    out[i] = steps;
}

// Sixteen numbers for each item, sorted by insertion in private memory.
kernel void sort16(global const int *in, global int *out)
{
    size_t base = get_global_id(0) * 16;
    int v[16];
    for (int k = 0; k < 16; k++) {
        int x = in[base + k], at = k;
        while (at > 0 && v[at - 1] > x) {
            v[at] = v[at - 1];
            at--;
        }
        v[at] = x;
    }
    for (int k = 0; k < 16; k++)
        out[base + k] = v[k];
}
