// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Names of compiled code for perf: a map of symbols, or a jitdump with code and source lines. */
#ifndef WEFT_PERF_H
#define WEFT_PERF_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/** What one device tells perf. No descriptor stays open: applications close and reuse them. */
typedef struct weft_perf {
    uint32_t kind;        /* WEFT_PERF_*; OFF also when the files cannot be written */
    const char *sources;  /* the folder of source text, as in weft_cpu_settings */
    pthread_mutex_t lock; /* guards what follows, and the order of records */
    char path[64];        /* of the jitdump; "": not begun */
    void *marker;         /* an executable mapping of its first page: perf record notes it */
    uint64_t code_index;
} weft_perf;

void weft_perf_init(weft_perf *perf, uint32_t kind, const char *sources);
void weft_perf_finish(weft_perf *perf);

/** Tells the functions of an image that is mapped at `base`. Failures are silent: names are not
 *  worth an error. Thread-safe. */
void weft_perf_add(weft_perf *perf, const void *bytes, size_t size, const unsigned char *base);

#endif
