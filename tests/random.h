// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Random numbers that are the same in each run. */
#ifndef WEFT_TESTS_RANDOM_H
#define WEFT_TESTS_RANDOM_H

#include <stdint.h>

/** The next of 2^64 (splitmix64: Steele, Lea and Flood, OOPSLA 2014). */
static inline uint64_t weft_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

#endif
