// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel files, as embed.py puts them into the program.
#ifndef WEFT_BENCH_EMBEDDED_H
#define WEFT_BENCH_EMBEDDED_H

struct embedded {
    const char *name; // file name without .cl
    const char *text;
};

extern const struct embedded embedded_files[];
extern const int embedded_count;

#endif
