// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Geometry.

typedef struct {
    float4 low, high;
} Box;

bool hits_box(Box box, float4 origin, float4 inverse, float nearest)
{
    float4 a = (box.low - origin) * inverse, b = (box.high - origin) * inverse;
    float4 enter = fmin(a, b), leave = fmax(a, b);
    float from = fmax(fmax(enter.x, enter.y), fmax(enter.z, 0.0f));
    float to = fmin(fmin(leave.x, leave.y), fmin(leave.z, nearest));
    return from <= to;
}

// Nearest hit of each ray with a tree of boxes over spheres: node n has the children 2n and 2n + 1,
// the leaves come last.
kernel void trace(global const Box *boxes, global const float4 *spheres,
                  global const float4 *origins, global const float4 *directions, global float *hits,
                  int leaves)
{
    size_t item = get_global_id(0);
    float4 origin = origins[item], direction = normalize(directions[item]);
    float4 inverse = 1.0f / direction;
    float nearest = 1000.0f;
    int stack[32], top = 0;
    stack[top++] = 1;
    while (top > 0) {
        int node = stack[--top];
        if (!hits_box(boxes[node], origin, inverse, nearest))
            continue;
        if (node < leaves) {
            stack[top++] = 2 * node;
            stack[top++] = 2 * node + 1;
            continue;
        }
        float4 sphere = spheres[node - leaves];
        float3 offset = sphere.xyz - origin.xyz;
        float along = dot(offset, direction.xyz);
        float inside = sphere.w * sphere.w - dot(offset, offset) + along * along;
        if (inside > 0) {
            float t = along - sqrt(inside);
            if (t > 0 && t < nearest)
                nearest = t;
        }
    }
    hits[item] = nearest;
}

// Whether points lie in a polygon.
kernel void point_in_polygon(global const double2 *points, constant double2 *corners,
                             global int *inside, int count)
{
    size_t item = get_global_id(0);
    double2 p = points[item];
    int crossings = 0;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        double2 a = corners[i], b = corners[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
            crossings++;
    }
    inside[item] = crossings & 1;
}

#define NEAREST 8

// The eight nearest of the points to each query, nearest first.
kernel void nearest(global const float2 *queries, global const float2 *points, global int *found,
                    int count)
{
    size_t item = get_global_id(0);
    float2 q = queries[item];
    float distances[NEAREST];
    int indices[NEAREST];
    for (int k = 0; k < NEAREST; k++) {
        distances[k] = INFINITY;
        indices[k] = -1;
    }
    for (int i = 0; i < count; i++) {
        float2 d = points[i] - q;
        float distance = d.x * d.x + d.y * d.y;
        if (distance >= distances[NEAREST - 1])
            continue;
        int k = NEAREST - 1;
        while (k > 0 && distances[k - 1] > distance) {
            distances[k] = distances[k - 1];
            indices[k] = indices[k - 1];
            k--;
        }
        distances[k] = distance;
        indices[k] = i;
    }
    for (int k = 0; k < NEAREST; k++)
        found[item * NEAREST + k] = indices[k];
}
