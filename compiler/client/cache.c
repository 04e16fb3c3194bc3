// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/client/cache.h"

#include "compiler/shared/protocol.h"
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

/** Writes a content, or counts its bytes. */
typedef struct writer {
    unsigned char *to; /* NULL: counts */
    size_t bytes;
} writer;

static void put(writer *writer, const void *data, size_t bytes) {
    if (writer->to && bytes)
        memcpy(writer->to + writer->bytes, data, bytes);
    writer->bytes += bytes;
}

/** Length first, so that no two lists of strings look alike. NULL differs from "". */
static void put_bytes(writer *writer, const void *data, size_t bytes) {
    uint64_t length = data ? bytes : UINT64_MAX;
    put(writer, &length, sizeof length);
    if (data)
        put(writer, data, bytes);
}

static void put_text(writer *writer, const char *text) {
    put_bytes(writer, text, text ? strlen(text) : 0);
}

/** Everything that decides the result. Returns the bytes of what a program is before it is built,
 *  which come first. */
static size_t put_job(writer *writer, const weft_job *job) {
    uint64_t header[3] = {WEFT_WIRE_VERSION, WEFT_ABI_VERSION, job->input_count};
    uint64_t how[2] = {job->kind, job->untrusted};
    put_text(writer, WEFT_VERSION);
    put(writer, header, sizeof header);
    put_text(writer, job->isa);
    put_text(writer, job->extensions);
    for (size_t i = 0; i < job->input_count; i++) {
        const weft_job_input *input = &job->inputs[i];
        uint64_t input_kind = input->kind;
        put(writer, &input_kind, sizeof input_kind);
        put_text(writer, input->name);
        put_bytes(writer, input->data ? input->data : "", input->bytes);
    }
    size_t inputs = writer->bytes;
    put(writer, how, sizeof how);
    put_text(writer, job->options ? job->options : "");
    put_text(writer, job->switches ? job->switches : "");
    return inputs;
}

static weft_cache_key key_of(const void *data, size_t bytes, uint64_t seed) {
    XXH128_hash_t hash = XXH3_128bits_withSeed(data, bytes, seed);
    return (weft_cache_key){hash.low64, hash.high64};
}

bool weft_cache_keys_of(const weft_job *job, weft_cache_keys *keys) {
    writer writer = {NULL, 0};
    size_t inputs = put_job(&writer, job);
    keys->content = weft_blob_create(NULL, writer.bytes);
    if (!keys->content)
        return false;
    writer.to = keys->content->data;
    writer.bytes = 0;
    put_job(&writer, job);
    keys->inputs = key_of(keys->content->data, inputs, 0);
    keys->job = key_of(keys->content->data + inputs, writer.bytes - inputs, keys->inputs.low);
    return true;
}

bool weft_cache_same_content(const weft_blob *a, const weft_blob *b) {
    if (!a || !b)
        return a == b;
    return a->bytes == b->bytes && memcmp(a->data, b->data, a->bytes) == 0;
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

static weft_cache_entry *find(const weft_cache *cache, const weft_cache_keys *keys) {
    if (!cache->bucket_count)
        return NULL;
    weft_cache_entry *entry = *bucket_of(cache, keys->job);
    while (entry && (!same(entry->keys.job, keys->job) ||
                     !weft_cache_same_content(entry->keys.content, keys->content)))
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
    weft_blob_release(&entry->keys.content);
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
    weft_cache_entry *entry = find(cache, keys);
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
    size_t bytes = sizeof(weft_cache_entry) + (keys->content ? keys->content->bytes : 0) +
                   (result->log ? result->log->bytes : 0) + (result->ir ? result->ir->bytes : 0) +
                   (result->image ? result->image->bytes : 0);
    if (bytes > cache->limit || find(cache, keys))
        return; /* too large, or another thread built the same meanwhile */
    weft_cache_entry *entry = weft_calloc(1, sizeof *entry);
    if (!entry || !grow(cache)) {
        weft_free(entry);
        return;
    }
    while (cache->bytes + bytes > cache->limit)
        drop(cache, cache->oldest);
    entry->keys = *keys;
    weft_blob_retain(entry->keys.content);
    entry->bytes = bytes;
    entry->result = share(result);
    weft_cache_entry **bucket = bucket_of(cache, keys->job);
    entry->next_in_bucket = *bucket;
    *bucket = entry;
    link_newest(cache, entry);
    cache->bytes += bytes;
    cache->entry_count++;
}
