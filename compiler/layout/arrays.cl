// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Training for lay_out.py: arrays in, arrays out.

kernel void axpy(global const float *x, global float *y, float a, uint n) {
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

kernel void add_double(global const double *restrict a, global const double *restrict b, global double *restrict c) {
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i] * 0.5;
}

kernel void product(global const float *a, global const float *b, global float *c, int n, int m) {
    int row = get_global_id(1), column = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < m; k++)
        sum = mad(a[row * m + k], b[k * n + column], sum);
    c[row * n + column] = sum;
}

kernel void five_points(global const float *in, global float *out, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    int at = y * width + x;
    out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
}

kernel void transposed(global const float *in, global float *out, int width, int height) {
    out[get_global_id(0) * height + get_global_id(1)] = in[get_global_id(1) * width + get_global_id(0)];
}

kernel void gathered(global const int *index, global const float *values, global float *out) {
    size_t i = get_global_id(0);
    int at = index[i];
    out[i] = at < 0 ? -1.0f : values[at];
}

typedef struct {
    float4 place, speed;
    float mass;
    int kind;
} body;

kernel void moved(global body *bodies, int count, float step) {
    size_t self = get_global_id(0);
    body mine = bodies[self];
    float4 force = 0;
    for (int i = 0; i < count; i++) {
        float4 way = bodies[i].place - mine.place;
        float distance = dot(way, way) + 0.01f;
        force += way * (bodies[i].mass * rsqrt(distance) / distance);
    }
    mine.speed += force * step;
    mine.place += mine.speed * step;
    bodies[self] = mine;
}

kernel void unpacked(global const uchar4 *pixels, global float *grey, float gamma) {
    size_t i = get_global_id(0);
    float3 colour = convert_float3(pixels[i].xyz) / 255.0f;
    grey[i] = clamp(dot(colour, (float3)(0.3f, 0.59f, 0.11f)) * gamma, 0.0f, 1.0f);
}

kernel void smoothed(read_only image2d_t from, write_only image2d_t to, sampler_t how) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(from, how, at + (int2)(x, y));
    write_imagef(to, at, sum / 9.0f);
}
