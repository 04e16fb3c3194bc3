// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/client/cache.h"

#include "compiler/protocol.h"
#include "version.h"
#include "weft/abi.h"
#include "weft/shim.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct weft_cache_entry {
    weft_cache_keys keys;
    weft_job_result result;
    size_t bytes;
    weft_cache_entry *next_in_bucket, *newer, *older;
};

/* ---- key ------------------------------------------------------------------------------------ */

/** Length first, so that no two lists of strings look alike. NULL differs from "". */
static void hash_bytes(XXH3_state_t *state, const void *data, size_t bytes) {
    uint64_t length = data ? bytes : UINT64_MAX;
    XXH3_128bits_update(state, &length, sizeof length);
    if (data && bytes)
        XXH3_128bits_update(state, data, bytes);
}

static void hash_text(XXH3_state_t *state, const char *text) {
    hash_bytes(state, text, text ? strlen(text) : 0);
}

static weft_cache_key digest(XXH3_state_t *state) {
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    return (weft_cache_key){hash.low64, hash.high64};
}

weft_cache_keys weft_cache_keys_of(const weft_job *job) {
    XXH3_state_t state; /* 576 bytes */
    weft_cache_keys keys;
    uint64_t header[3] = {WEFT_WIRE_VERSION, WEFT_ABI_VERSION, job->input_count};
    uint64_t kind = job->kind;
    XXH3_128bits_reset(&state);
    hash_text(&state, WEFT_VERSION);
    XXH3_128bits_update(&state, header, sizeof header);
    hash_text(&state, job->isa);
    hash_text(&state, job->extensions);
    for (size_t i = 0; i < job->input_count; i++) {
        const weft_job_input *input = &job->inputs[i];
        uint64_t input_kind = input->kind;
        XXH3_128bits_update(&state, &input_kind, sizeof input_kind);
        hash_text(&state, input->name);
        hash_bytes(&state, input->data ? input->data : "", input->bytes);
    }
    keys.inputs = digest(&state);
    XXH3_128bits_update(&state, &kind, sizeof kind);
    hash_text(&state, job->options ? job->options : "");
    hash_text(&state, job->switches ? job->switches : "");
    keys.job = digest(&state);
    return keys;
}

static bool same(weft_cache_key a, weft_cache_key b) {
    return a.low == b.low && a.high == b.high;
}

/* ---- table ---------------------------------------------------------------------------------- */

void weft_cache_init(weft_cache *cache, size_t limit) {
    *cache = (weft_cache){.limit = limit};
}

static weft_cache_entry **bucket_of(const weft_cache *cache, weft_cache_key key) {
    return &cache->buckets[key.low & (cache->bucket_count - 1)];
}

static weft_cache_entry *find(const weft_cache *cache, weft_cache_key key) {
    if (!cache->bucket_count)
        return NULL;
    weft_cache_entry *entry = *bucket_of(cache, key);
    while (entry && !same(entry->keys.job, key))
        entry = entry->next_in_bucket;
    return entry;
}

static void unlink_age(weft_cache *cache, weft_cache_entry *entry) {
    *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
    entry->newer = entry->older = NULL;
}

static void link_newest(weft_cache *cache, weft_cache_entry *entry) {
    entry->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
    cache->newest = entry;
}

static void drop(weft_cache *cache, weft_cache_entry *entry) {
    weft_cache_entry **link = bucket_of(cache, entry->keys.job);
    while (*link != entry)
        link = &(*link)->next_in_bucket;
    *link = entry->next_in_bucket;
    unlink_age(cache, entry);
    cache->bytes -= entry->bytes;
    cache->entry_count--;
    weft_job_result_finish(&entry->result);
    weft_free(entry);
}

void weft_cache_finish(weft_cache *cache) {
    while (cache->oldest)
        drop(cache, cache->oldest);
    weft_free(cache->buckets);
    weft_cache_init(cache, cache->limit);
}

/** Doubles the table when it is full. False: out of memory and no table at all. */
static bool grow(weft_cache *cache) {
    if (cache->entry_count < cache->bucket_count)
        return true;
    size_t count = cache->bucket_count ? cache->bucket_count * 2 : 64;
    weft_cache_entry **buckets = weft_calloc(count, sizeof *buckets);
    if (!buckets)
        return cache->bucket_count != 0;
    weft_free(cache->buckets);
    cache->buckets = buckets;
    cache->bucket_count = count;
    for (weft_cache_entry *entry = cache->newest; entry; entry = entry->older) {
        weft_cache_entry **bucket = bucket_of(cache, entry->keys.job);
        entry->next_in_bucket = *bucket;
        *bucket = entry;
    }
    return true;
}

static weft_job_result share(const weft_job_result *result) {
    weft_job_result copy = *result;
    weft_blob_retain(copy.log);
    weft_blob_retain(copy.ir);
    weft_blob_retain(copy.image);
    return copy;
}

bool weft_cache_find(weft_cache *cache, const weft_cache_keys *keys, weft_job_result *result) {
    weft_cache_entry *entry = find(cache, keys->job);
    if (!entry)
        return false;
    unlink_age(cache, entry);
    link_newest(cache, entry);
    *result = share(&entry->result);
    result->cached = true;
    return true;
}

bool weft_cache_has_inputs(const weft_cache *cache, const weft_cache_keys *keys) {
    for (weft_cache_entry *entry = cache->newest; entry; entry = entry->older)
        if (same(entry->keys.inputs, keys->inputs))
            return true;
    return false;
}

void weft_cache_add(weft_cache *cache, const weft_cache_keys *keys, const weft_job_result *result) {
    size_t bytes = sizeof(weft_cache_entry) + (result->log ? result->log->bytes : 0) +
                   (result->ir ? result->ir->bytes : 0) +
                   (result->image ? result->image->bytes : 0);
    if (bytes > cache->limit || find(cache, keys->job))
        return; /* too large, or another thread built the same meanwhile */
    weft_cache_entry *entry = weft_calloc(1, sizeof *entry);
    if (!entry || !grow(cache)) {
        weft_free(entry);
        return;
    }
    while (cache->bytes + bytes > cache->limit)
        drop(cache, cache->oldest);
    entry->keys = *keys;
    entry->bytes = bytes;
    entry->result = share(result);
    weft_cache_entry **bucket = bucket_of(cache, keys->job);
    entry->next_in_bucket = *bucket;
    *bucket = entry;
    link_newest(cache, entry);
    cache->bytes += bytes;
    cache->entry_count++;
}
