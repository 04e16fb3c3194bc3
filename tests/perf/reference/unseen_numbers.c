// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finance, learning, colours, points.
#include "unseen.h"

#include <math.h>

static inline float next_uniform(uint32_t *state) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    *state = x ^= x << 5;
    return (float)(x >> 8) / 16777216.0f;
}

void ref_monte_carlo(void *const b[]) {
    enum { STEPS = 8 };
    const float *spots = b[0], rate = 0.03f, volatility = 0.2f, strike = 10;
    float *prices = b[1];
    const float drift = (rate - 0.5f * volatility * volatility) / STEPS;
    const float spread = volatility * sqrtf(1.0f / STEPS);
#pragma omp parallel for
    for (long item = 0; item < MONTE_N; item++) {
        uint32_t state = 2654435761u * (uint32_t)(item + 1);
        float sum = 0;
        for (int path = 0; path < MONTE_PATHS; path++) {
            float price = spots[item], total = 0;
            for (int step = 0; step < STEPS; step += 2) {
                const float u = next_uniform(&state) + 1e-8f, v = next_uniform(&state);
                const float radius = sqrtf(-2 * logf(u)), angle = 6.2831853f * v;
                price *= expf(drift + spread * radius * cosf(angle));
                total += price;
                price *= expf(drift + spread * radius * sinf(angle));
                total += price;
            }
            sum += fmaxf(total / STEPS - strike, 0);
        }
        prices[item] = expf(-rate) * sum / MONTE_PATHS;
    }
}

void ref_binomial(void *const b[]) {
    enum { STEPS = BINOMIAL_STEPS };
    const double *spots = b[0], *strikes = b[1], rate = 0.03, dt = 1.0 / STEPS;
    const double up = exp(0.25 * sqrt(dt)), down = 1 / up;
    const double p = (exp(rate * dt) - down) / (up - down), discount = exp(-rate * dt);
    double *prices = b[2];
#pragma omp parallel for
    for (long item = 0; item < BINOMIAL_N; item++) {
        double values[STEPS + 2] = {0};
        for (int step = STEPS; step >= 0; step--) {
            double price = spots[item] * pow(down, step);
            for (int k = 0; k <= step; k++, price *= up * up) {
                const double hold = discount * (p * values[k + 1] + (1 - p) * values[k]);
                values[k] = fmax(step == STEPS ? 0 : hold, strikes[item] - price);
            }
        }
        prices[item] = values[0];
    }
}

// The price of a bond by the sum of a geometric series, and its yield by halving an interval: not
// Newton's way, so that the check is of another kind.
static double bond_price(double coupon, int periods, double yield) {
    const double last = pow(1 + yield, -periods);
    return coupon * (1 - last) / yield + 100 * last;
}

void ref_bond(void *const b[]) {
    const double *prices = b[0], *coupons = b[1];
    const int *periods = b[2];
    double *yields = b[3];
#pragma omp parallel for
    for (long item = 0; item < BOND_N; item++) {
        double low = -0.9, high = 1;
        for (int turn = 0; turn < 50; turn++) {
            const double middle = (low + high) / 2;
            if (bond_price(coupons[item], periods[item], middle) > prices[item])
                low = middle;
            else
                high = middle;
        }
        yields[item] = low;
    }
}

void ref_hsv(void *const b[]) {
    const float *in = b[0];
    float *out = b[1];
#pragma omp parallel for
    for (long i = 0; i < HSV_N; i++) {
        const float red = in[3 * i], green = in[3 * i + 1], blue = in[3 * i + 2];
        const float most = fmaxf(red, fmaxf(green, blue));
        const float chroma = most - fminf(red, fminf(green, blue));
        float hue = 0;
        if (chroma > 0 && most == red)
            hue = 60 * (green - blue) / chroma;
        else if (chroma > 0 && most == green)
            hue = 120 + 60 * (blue - red) / chroma;
        else if (chroma > 0)
            hue = 240 + 60 * (red - green) / chroma;
        out[3 * i] = hue < 0 ? hue + 360 : hue;
        out[3 * i + 1] = most > 0 ? chroma / most : 0;
        out[3 * i + 2] = most;
    }
}

void ref_softmax(void *const b[]) {
#pragma omp parallel for
    for (long row = 0; row < SOFTMAX_ROWS; row++) {
        const float *in = (const float *)b[0] + row * SOFTMAX_COLUMNS;
        float *out = (float *)b[1] + row * SOFTMAX_COLUMNS, most = in[0], sum = 0;
        for (int c = 1; c < SOFTMAX_COLUMNS; c++)
            most = in[c] > most ? in[c] : most;
        for (int c = 0; c < SOFTMAX_COLUMNS; c++)
            sum += out[c] = expf(in[c] - most);
        for (int c = 0; c < SOFTMAX_COLUMNS; c++)
            out[c] /= sum;
    }
}

void ref_batch_norm(void *const b[]) {
    const _Float16 *in = b[0];
    _Float16 *out = b[1];
    const float *scale = b[2], *shift = b[3];
#pragma omp parallel for
    for (long i = 0; i < BATCH_N; i++) {
        const long channel = i / BATCH_PLANE % BATCH_CHANNELS;
        const float y = (float)in[i] * scale[channel] + shift[channel];
        out[i] = (_Float16)(y > 0 ? y : 0);
    }
}

void ref_attention(void *const b[]) {
    enum { DIM = ATTENTION_DIM, LENGTH = ATTENTION_LENGTH };
    float *out = b[3];
#pragma omp parallel for
    for (long item = 0; item < ATTENTION_N; item++) {
        const float *query = (const float *)b[0] + item * DIM;
        const float *keys = (const float *)b[1] + item / LENGTH * LENGTH * DIM;
        const float *values = (const float *)b[2] + item / LENGTH * LENGTH * DIM;
        float sum[DIM] = {0}, total = 0;
        for (int k = 0; k < LENGTH; k++) { // scores are small: exp needs no maximum
            float score = 0;
            for (int d = 0; d < DIM; d++)
                score += query[d] * keys[k * DIM + d];
            const float weight = expf(score / sqrtf(DIM));
            for (int d = 0; d < DIM; d++)
                sum[d] += weight * values[k * DIM + d];
            total += weight;
        }
        for (int d = 0; d < DIM; d++)
            out[item * DIM + d] = sum[d] / total;
    }
}

void ref_polygon(void *const b[]) {
    const double *points = b[0], *corners = b[1];
    int *inside = b[2];
#pragma omp parallel for
    for (long item = 0; item < POLYGON_N; item++) {
        const double x = points[2 * item], y = points[2 * item + 1];
        int crossings = 0;
        for (int i = 0; i < POLYGON_CORNERS; i++) {
            const double *c = corners + 2 * i, *d = corners + 2 * ((i + 1) % POLYGON_CORNERS);
            if ((c[1] > y) != (d[1] > y))
                crossings += x < (d[0] - c[0]) * (y - c[1]) / (d[1] - c[1]) + c[0];
        }
        inside[item] = crossings & 1;
    }
}

void ref_nearest(void *const b[]) {
    const float *queries = b[0], *points = b[1];
    int *found = b[2];
#pragma omp parallel for
    for (long item = 0; item < NEAREST_N; item++) {
        float best[NEAREST];
        int *index = found + item * NEAREST, count = 0;
        for (int i = 0; i < NEAREST_POINTS; i++) {
            const float dx = points[2 * i] - queries[2 * item];
            const float dy = points[2 * i + 1] - queries[2 * item + 1];
            const float distance = dx * dx + dy * dy;
            int at = count;
            if (count < NEAREST)
                count++;
            else if (distance >= best[--at])
                continue;
            for (; at > 0 && best[at - 1] > distance; at--) {
                best[at] = best[at - 1];
                index[at] = index[at - 1];
            }
            best[at] = distance;
            index[at] = i;
        }
    }
}
