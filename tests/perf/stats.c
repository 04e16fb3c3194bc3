// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Between the two neighbours when the place is between them.
static double quantile(const double *sorted, int count, double share) {
    const double place = share * (count - 1);
    const int below = (int)place;
    const double rest = place - below;
    return below + 1 < count ? sorted[below] * (1 - rest) + sorted[below + 1] * rest
                             : sorted[below];
}

struct summary summarise(const double *values, int count) {
    struct summary summary = {0};
    if (count < 1)
        return summary;
    double *sorted = malloc((size_t)count * sizeof *sorted);
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    summary.median = quantile(sorted, count, 0.5);
    summary.low = quantile(sorted, count, 0.25);
    summary.high = quantile(sorted, count, 0.75);
    summary.least = sorted[0];
    summary.most = sorted[count - 1];
    free(sorted);
    return summary;
}

double geometric_mean(const double *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += log(values[i]);
    return count ? exp(sum / count) : 0;
}
