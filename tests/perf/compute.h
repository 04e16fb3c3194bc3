// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with its data: the row behind each line of the sections "kernels" and "maths".
#ifndef WEFT_BENCH_COMPUTE_H
#define WEFT_BENCH_COMPUTE_H

#include "bench.h"
#include "reference/reference.h"

enum element { NONE, F16, F32, F64, I32, I16, U8 };
enum { MAX_ARRAYS = 6 };

struct array {
    enum element type;
    size_t count;
    size_t width; // of the image made of it: R of floats, RGBA of bytes
    // How it begins; NULL for zeroes. low and high are for fill_uniform.
    void (*fill)(const struct array *, void *data, uint32_t seed);
    double low, high;
    bool out;         // compared with what the reference makes of it
    size_t unordered; // of an output: each so many elements may be in any order
};

struct compute {
    const char *file, *kernel, *options;
    // One word for each argument: bN array N, mN an image with the pixels of array N, lN N bytes of
    // local memory, iN int, fX float.
    const char *arguments;
    size_t global[3], local[3]; // local 0: left to the implementation
    struct array arrays[MAX_ARRAYS];
    reference_fn *reference;
    double tolerance; // of floating-point elements: relative for large, absolute for small ones
    double odd_ones;  // share of elements that may differ all the same (chaotic iterations)
    const struct maths *maths; // has the reference, and is checked by ULP instead
};

extern const struct probe compute_probe;

void fill_uniform(const struct array *array, void *data, uint32_t seed);
void fill_random(const struct array *array, void *data, uint32_t seed); // all bits

uint32_t random_next(uint32_t *state);

// Short forms of the arrays and numbers in the rows.
#define IN(TYPE, COUNT, LOW, HIGH)                                                                 \
    {.type = TYPE, .count = COUNT, .fill = fill_uniform, .low = LOW, .high = HIGH}
#define FILLED(TYPE, COUNT, FILL) {.type = TYPE, .count = COUNT, .fill = FILL}
#define OUT(TYPE, COUNT)          {.type = TYPE, .count = COUNT, .out = true}
#define COMPUTE(ID, TITLE, ...)                                                                    \
    {                                                                                              \
        ID, TITLE, UNIT_MS, &compute_probe, 0, &(const struct compute) {                           \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define SQUARE(N) ((size_t)(N) * (N))

#endif
