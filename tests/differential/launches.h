// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * How kernels are launched, for run.c. A file may say it in lines
 *
 *   // launch KERNEL DIMENSIONS global X Y Z offset X Y Z local X Y Z arguments WORD...
 *
 * one per launch, with a word per argument:
 *
 *   o4096u   a buffer of 4096 bytes whose contents are compared
 *   i64f     a buffer that is only read
 *   l256     local memory
 *   b48u     48 bytes by value
 *   v-3      an int
 *   I8x4i    an image of 8 x 4 pixels that is read, J8x4i one that is written and compared: four
 * ints; u: four uints, f: four floats, b: four uchars each R40      a pipe of 40 packets, all of
 * them an int of 5, W40 one that is written and compared in any order
 *
 * The last letter says what the bytes are to begin with: u any bits, s small ints, f floats, d
 * doubles, h halves, z zeros, p and q what tests/kernels know. Behind it, /16:0-12 says that of
 * each 16 bytes only the first 12 count (a 3-vector's last element may be anything); several ranges
 * are separated by commas. Kernels without such lines are launched over the table `shapes`.
 */
#ifndef WEFT_TESTS_DIFFERENTIAL_LAUNCHES_H
#define WEFT_TESTS_DIFFERENTIAL_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GUARD_BYTE = 0xa5 };

typedef struct launch {
    unsigned dimensions;
    size_t global[3], offset[3], local[3];
    int number;
    char words[2048];
} launch;

typedef struct launch_argument {
    char kind, contents;
    size_t bytes;   /* of a pipe: packets */
    size_t size[3]; /* of an image */
    unsigned dimensions;
    int value;
    unsigned seed;
    size_t period;      /* 0: all bytes count */
    const char *counts; /* the ranges that do */
} launch_argument;

/** The launch of this number, of a kernel with so many arguments; false if there is none. */
bool find_launch(const char *source, const char *kernel, unsigned arguments, int number,
                 launch *result);

/** Reads the words of a launch; returns how many there are. */
unsigned launch_arguments(const launch *how, launch_argument *list, unsigned most);

/** Bytes of a pixel. */
size_t pixel_bytes(const launch_argument *argument);

/** Makes zeros of the bytes that do not count. */
void drop_uncounted(unsigned char *bytes, const launch_argument *argument);

/** What memory holds before the launch. */
void fill(unsigned char *bytes, const launch_argument *argument);

#endif
