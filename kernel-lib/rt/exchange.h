// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What lanes of a sub-group give each other, for oracles of stages. */
#ifndef WEFT_RT_EXCHANGE_H
#define WEFT_RT_EXCHANGE_H

#include <stdint.h>

/** What all lanes of a vector have brought. */
typedef struct weft_rt_values {
    uint64_t width;
    uint64_t present; /* a bit for each lane that takes part */
    uint64_t
        value[64]; /* bits of the value, zeros above; of lanes that do not take part: garbage */
    uint64_t other[64];
} weft_rt_values;

/** What `lane` gets. `what`: see WEFT_RT_EXCHANGE. */
uint64_t weft_rt_exchange(const weft_rt_values *values, uint32_t what, uint64_t lane);

#endif
