// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** C's fmin and fmax, which code generation calls for half. */
#include "bits.h"

float fminf(float x, float y);
float fmaxf(float x, float y);
double fmin(double x, double y);
double fmax(double x, double y);

/* "If just one argument is a NaN, the other one"; a NaN fails every comparison. */
float fminf(float x, float y) {
    return x != x || y < x ? y : x;
}

float fmaxf(float x, float y) {
    return x != x || y > x ? y : x;
}

double fmin(double x, double y) {
    return x != x || y < x ? y : x;
}

double fmax(double x, double y) {
    return x != x || y > x ? y : x;
}
