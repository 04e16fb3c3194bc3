// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * A Mandelbulb over a chequered floor, by sphere tracing. One work-item a pixel: divergent loops,
 * geometric and transcendental built-ins, vectors, and a struct by value.
 */

typedef struct {
    float3 eye, right, up, forward;
    float zoom;
    int width, height;
} Camera;

typedef struct {
    float distance;
    float trap; /* how close the orbit came to the axes: colours the bulb */
} Hit;

/* Distance estimate of the eighth-power bulb (Hart et al. 1989, White and Nylander 2009). */
Hit bulb(float3 p) {
    float3 z = p;
    float dr = 1.0f, r = length(z), trap = 1e9f;

    for (int i = 0; i < 7 && r < 2.0f; i++) {
        float theta = acos(z.z / r) * 8.0f;
        float phi = atan2(z.y, z.x) * 8.0f;
        float r7 = pown(r, 7);
        dr = fma(r7 * 8.0f, dr, 1.0f);
        z = r7 * r * (float3)(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)) + p;
        r = length(z);
        trap = min(trap, dot(z.xy, z.xy));
    }
    return (Hit){0.5f * log(r) * r / dr, trap};
}

Hit scene(float3 p) {
    Hit hit = bulb(p);
    float floor_distance = p.z + 1.25f;

    if (floor_distance < hit.distance)
        hit = (Hit){floor_distance, -1.0f};
    return hit;
}

float3 normal_at(float3 p) {
    const float e = 5e-4f;
    const float3 x = (float3)(e, 0.0f, 0.0f), y = (float3)(0.0f, e, 0.0f), z = (float3)(0.0f, 0.0f, e);

    return normalize((float3)(scene(p + x).distance - scene(p - x).distance,
                              scene(p + y).distance - scene(p - y).distance,
                              scene(p + z).distance - scene(p - z).distance));
}

/* Distance along the ray, or a negative number where it leaves the scene. */
float march(float3 from, float3 ray, float *trap) {
    float t = 0.0f;

    for (int i = 0; i < 160 && t < 14.0f; i++) {
        Hit hit = scene(fma(t, ray, from));
        if (hit.distance < 4e-4f * (1.0f + t)) {
            *trap = hit.trap;
            return t;
        }
        t += hit.distance;
    }
    return -1.0f;
}

float shadow(float3 from, float3 to_light) {
    float light = 1.0f, t = 0.02f;

    for (int i = 0; i < 48 && t < 6.0f && light > 0.004f; i++) {
        float distance = scene(fma(t, to_light, from)).distance;
        light = min(light, 10.0f * distance / t);
        t += clamp(distance, 0.01f, 0.3f);
    }
    return smoothstep(0.0f, 1.0f, clamp(light, 0.0f, 1.0f));
}

float occlusion(float3 p, float3 n) {
    float dark = 0.0f, weight = 1.0f;

    for (int i = 1; i <= 5; i++) {
        float reach = 0.035f * i;
        dark += weight * (reach - scene(fma(reach, n, p)).distance);
        weight *= 0.7f;
    }
    return clamp(1.0f - 2.2f * dark, 0.0f, 1.0f);
}

float3 sky(float3 ray) {
    float height = clamp(ray.z * 0.9f + 0.15f, 0.0f, 1.0f);
    float sun = max(dot(ray, normalize((float3)(0.6f, -0.7f, 0.55f))), 0.0f);

    return mix((float3)(0.92f, 0.74f, 0.58f), (float3)(0.18f, 0.33f, 0.62f), sqrt(height)) +
           (float3)(1.0f, 0.8f, 0.5f) * powr(sun, 160.0f);
}

float3 surface_colour(float3 p, float trap) {
    if (trap < 0.0f) {
        float3 cell = floor(p * 1.4f);
        int odd = ((int)cell.x + (int)cell.y) & 1;
        return odd ? (float3)(0.62f, 0.60f, 0.57f) : (float3)(0.23f, 0.25f, 0.29f);
    }
    return mix((float3)(0.95f, 0.42f, 0.16f), (float3)(0.13f, 0.34f, 0.52f),
               smoothstep(0.0f, 0.55f, sqrt(trap)));
}

float3 shade(float3 p, float3 ray, float trap) {
    const float3 to_light = normalize((float3)(0.6f, -0.7f, 0.55f));
    float3 n = normal_at(p);
    float3 above = fma(2e-3f, n, p);
    float lit = max(dot(n, to_light), 0.0f) * shadow(above, to_light);
    float ambient = occlusion(p, n) * (0.55f + 0.45f * n.z);
    float3 half_way = normalize(to_light - ray);
    float gloss = powr(max(dot(n, half_way), 0.0f), 48.0f) * lit;

    return surface_colour(p, trap) *
               (lit * (float3)(1.35f, 1.15f, 0.9f) + ambient * (float3)(0.32f, 0.42f, 0.58f)) +
           gloss * 0.5f;
}

float3 trace(float3 eye, float3 ray) {
    float trap = 0.0f;
    float t = march(eye, ray, &trap);
    float3 colour;

    if (t < 0.0f)
        return sky(ray);
    colour = shade(fma(t, ray, eye), ray, trap);
    return mix(sky(ray), colour, exp(-0.012f * t * t));
}

__kernel void render(__global uchar4 *pixels, Camera camera, int first_row) {
    int x = get_global_id(0), y = get_global_id(1) + first_row;
    float3 colour = (float3)(0.0f);

    for (int sample = 0; sample < 2; sample++) {
        float2 at = (float2)(x + 0.25f + 0.5f * sample, y + 0.25f + 0.5f * sample);
        float2 screen = (2.0f * at - (float2)(camera.width, camera.height)) / camera.height;
        float3 ray = normalize(camera.forward * camera.zoom + screen.x * camera.right -
                               screen.y * camera.up);
        colour += trace(camera.eye, ray);
    }
    colour = sqrt(clamp(colour * 0.5f, 0.0f, 1.0f)); /* gamma 2 */
    pixels[(size_t)y * camera.width + x] =
        (uchar4)(convert_uchar3_sat_rte(colour * 255.0f), (uchar)255);
}
