// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Results of jobs by the content that decides them, the least recently used leave first. Not
 * thread-safe: the caller holds its lock; all functions but weft_cache_key take microseconds.
 */
#ifndef WEFT_CLIENT_CACHE_H
#define WEFT_CLIENT_CACHE_H

#include "compiler/client/client.h"

/** 128 bits of XXH3: where to look. Anybody can make two contents of one key, so what is found
 * there counts only if its content is the same. */
typedef struct weft_cache_key {
    uint64_t low, high;
} weft_cache_key;

/** What a job is known by. */
typedef struct weft_cache_keys {
    weft_cache_key inputs; /* inputs, ISA, extensions: what a program is before it is built */
    weft_cache_key job;    /* and kind and options: everything that decides the result */
    weft_blob *content;    /* what `job` is the key of; NULL: nothing, as in tests */
} weft_cache_keys;

/** False: out of memory. The caller releases keys->content. */
bool weft_cache_keys_of(const weft_job *job, weft_cache_keys *keys);
/** Of one job, not only of one key? */
bool weft_cache_same_content(const weft_blob *a, const weft_blob *b);

typedef struct weft_cache_entry weft_cache_entry;

typedef struct weft_cache {
    size_t limit, bytes;
    size_t bucket_count, entry_count; /* bucket_count: a power of two, or 0 */
    weft_cache_entry **buckets;
    weft_cache_entry *newest, *oldest;
} weft_cache;

/** No memory is taken before the first entry. limit 0: never holds anything. */
void weft_cache_init(weft_cache *cache, size_t limit);
void weft_cache_finish(weft_cache *cache);

/** True if found: *result is filled in and holds its blobs. */
bool weft_cache_find(weft_cache *cache, const weft_cache_keys *keys, weft_job_result *result);
/** True if there is a job of these inputs, whatever its kind and options. */
bool weft_cache_has_inputs(const weft_cache *cache, const weft_cache_keys *keys);
/** Remembers a successful result (retains its blobs). Out of memory or too large: does nothing. */
void weft_cache_add(weft_cache *cache, const weft_cache_keys *keys, const weft_job_result *result);

#endif
