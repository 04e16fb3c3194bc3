// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Training for lay_out.py: the library's functions.

kernel void waves(global const float *in, global float *out) {
    size_t i = get_global_id(0);
    float x = in[i];
    out[i] = sin(x) * cos(x) + tan(x * 0.25f) + exp(-x * x) + log(1.0f + x * x) + pow(fabs(x), 1.5f) + sqrt(fabs(x));
}

kernel void priced(global const float *spot, global float *call, float rate, float spread, float time) {
    size_t i = get_global_id(0);
    float root = spread * sqrt(time);
    float d = (log(spot[i]) + (rate + 0.5f * spread * spread) * time) / root;
    float near = 0.5f * erfc(-d * M_SQRT1_2_F), far = 0.5f * erfc((root - d) * M_SQRT1_2_F);
    call[i] = spot[i] * near - exp(-rate * time) * far;
}

kernel void exact(global const double *in, global double *out) {
    size_t i = get_global_id(0);
    double x = in[i], whole;
    double part = fract(x, &whole);
    out[i] = fma(x, part, floor(whole)) + exp2(part) - log2(1.0 + fabs(x)) + atan2(x, 2.0) + hypot(x, part);
}

kernel void turned(global float3 *points, float angle) {
    float c = native_cos(angle), s = native_sin(angle);
    float3 p = vload3(get_global_id(0), (global float *)points);
    float3 q = (float3)(c * p.x - s * p.y, s * p.x + c * p.y, p.z);
    vstore3(normalize(cross(q, p) + q), get_global_id(0), (global float *)points);
}

kernel void escaped(global uchar *out, int width, float scale, int most) {
    float x0 = get_global_id(0) * scale - 2.0f, y0 = get_global_id(1) * scale - 1.5f, x = 0, y = 0;
    int steps = 0;
    while (x * x + y * y < 4.0f && steps < most) {
        float next = x * x - y * y + x0;
        y = 2 * x * y + y0;
        x = next;
        steps++;
    }
    out[get_global_id(1) * width + get_global_id(0)] = convert_uchar_sat(steps);
}

kernel void butterflies(global float2 *data, int span) {
    uint i = get_global_id(0), low = i & (span - 1), at = ((i - low) << 1) + low;
    float2 a = data[at], b = data[at + span];
    float turn = -M_PI_F * low / span, c = cos(turn), s = sin(turn);
    float2 t = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
    data[at] = a + t;
    data[at + span] = a - t;
}
