// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices.

uint next_random(uint *state)
{
    uint x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

// Mean pay-off of an Asian option over random paths.
kernel void monte_carlo(global const float *spots, global float *prices, float strike, float rate,
                        float volatility, int paths)
{
    const int steps = 8;
    size_t item = get_global_id(0);
    uint state = 2654435761u * (uint)(item + 1);
    float dt = 1.0f / steps, sum = 0;
    float drift = (rate - 0.5f * volatility * volatility) * dt, spread = volatility * sqrt(dt);
    for (int path = 0; path < paths; path++) {
        float price = spots[item], total = 0;
        for (int step = 0; step < steps; step += 2) {
            float u = (float)(next_random(&state) >> 8) / 16777216.0f + 1e-8f;
            float v = (float)(next_random(&state) >> 8) / 16777216.0f;
            float radius = sqrt(-2 * log(u)), angle = 6.2831853f * v;
            price *= exp(drift + spread * radius * cos(angle));
            total += price;
            price *= exp(drift + spread * radius * sin(angle));
            total += price;
        }
        sum += fmax(total / steps - strike, 0.0f);
    }
    prices[item] = exp(-rate) * sum / paths;
}

#define STEPS 64

// An American put, by a tree of 64 steps.
kernel void binomial(global const double *spots, global const double *strikes,
                     global double *prices)
{
    const double rate = 0.03, volatility = 0.25, dt = 1.0 / STEPS;
    size_t item = get_global_id(0);
    double spot = spots[item], strike = strikes[item];
    double up = exp(volatility * sqrt(dt)), down = 1 / up;
    double p = (exp(rate * dt) - down) / (up - down), discount = exp(-rate * dt);
    double values[STEPS + 1];
    double price = spot * pown(down, STEPS);
    for (int k = 0; k <= STEPS; k++) {
        values[k] = fmax(strike - price, 0.0);
        price *= up * up;
    }
    for (int step = STEPS - 1; step >= 0; step--) {
        price = spot * pown(down, step);
        for (int k = 0; k <= step; k++) {
            double hold = discount * (p * values[k + 1] + (1 - p) * values[k]);
            values[k] = fmax(hold, strike - price);
            price *= up * up;
        }
    }
    prices[item] = values[0];
}

// The yield of a bond from its price, by Newton's method.
kernel void bond_yield(global const double *prices, global const double *coupons,
                       global const int *periods, global double *yields)
{
    size_t item = get_global_id(0);
    double price = prices[item], coupon = coupons[item], yield = 0.05;
    int n = periods[item];
    for (int turn = 0; turn < 50; turn++) {
        double d = 1 / (1 + yield), factor = 1, value = 0, slope = 0;
        for (int t = 1; t <= n; t++) {
            factor *= d;
            double cash = t == n ? coupon + 100 : coupon;
            value += cash * factor;
            slope -= t * cash * factor * d;
        }
        double change = (value - price) / slope;
        yield -= change;
        if (fabs(change) < 1e-12)
            break;
    }
    yields[item] = yield;
}
