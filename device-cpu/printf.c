// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Collecting. How records become text is in printf_format.c. */

#include "printf.h"

#include "fpenv.h"
#include "weft/shim.h"

#include <locale.h>
#include <stdatomic.h>

/* A thread's records beyond this are written early: nothing is lost and memory stays bounded. */
enum { FIRST_BYTES = 4096, SPILL_BYTES = 1 << 20, MAX_RECORD = 1 << 20 };

/** In front of each record in a buffer. */
struct entry {
    uint64_t order;
    uint64_t bytes; /* of the record */
};

struct buffer {
    struct buffer *next;
    const void *owner;
    unsigned char *bytes;
    size_t used, capacity;
    size_t pending; /* reserved, not yet committed */
};

struct weft_printf_sink {
    _Atomic(struct buffer *) buffers; /* only ever pushed to while the command runs */
    pthread_mutex_t writing;
    bool immediate;
};

weft_printf_sink *weft_printf_create(bool immediate) {
    weft_printf_sink *sink = weft_calloc(1, sizeof(*sink));

    if (sink) {
        atomic_init(&sink->buffers, NULL);
        pthread_mutex_init(&sink->writing, NULL);
        sink->immediate = immediate;
    }
    return sink;
}

static struct buffer *find_buffer(weft_printf_sink *sink, const void *owner) {
    struct buffer *buffer = atomic_load_explicit(&sink->buffers, memory_order_acquire);

    while (buffer && buffer->owner != owner)
        buffer = buffer->next;
    return buffer;
}

static struct buffer *add_buffer(weft_printf_sink *sink, const void *owner) {
    struct buffer *buffer = weft_calloc(1, sizeof(*buffer));

    if (!buffer)
        return NULL;
    buffer->owner = owner;
    buffer->next = atomic_load_explicit(&sink->buffers, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&sink->buffers, &buffer->next, buffer,
                                                  memory_order_release, memory_order_relaxed))
        ;
    return buffer;
}

static bool grow(struct buffer *buffer, size_t bytes) {
    size_t capacity = buffer->capacity ? buffer->capacity : FIRST_BYTES;
    unsigned char *moved;

    while (capacity - buffer->used < bytes)
        capacity *= 2;
    if (capacity == buffer->capacity)
        return true;
    moved = weft_realloc(buffer->bytes, capacity);
    if (!moved)
        return false;
    buffer->bytes = moved;
    buffer->capacity = capacity;
    return true;
}

/** What decides how the C library converts numbers and is the host's: rounding, flushed denormals,
 *  exceptions that are signals, the decimal point. */
struct surroundings {
    weft_fpenv arithmetic;
    locale_t locale;
};

static void surroundings_enter(struct surroundings *host) {
    weft_fpenv_enter(&host->arithmetic, false);
    /* The C locale is a constant of the C library: nothing is allocated, nothing is to be freed. */
    host->locale = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static void surroundings_leave(const struct surroundings *host) {
    uselocale(host->locale);
    weft_fpenv_leave(&host->arithmetic);
}

/** Writes one thread's records in their order and empties its buffer. */
static void write_buffer(weft_printf_sink *sink, struct buffer *buffer) {
    struct surroundings host;

    pthread_mutex_lock(&sink->writing);
    surroundings_enter(&host);
    for (size_t at = 0; at < buffer->used;) {
        const struct entry *entry = (const void *)(buffer->bytes + at);
        weft_printf_format(stdout, (const void *)(entry + 1));
        at += sizeof(*entry) + entry->bytes;
    }
    fflush(stdout);
    surroundings_leave(&host);
    buffer->used = 0;
    pthread_mutex_unlock(&sink->writing);
}

void *weft_printf_reserve(weft_printf_sink *sink, const void *owner, uint64_t order,
                          uint32_t bytes) {
    struct buffer *buffer = find_buffer(sink, owner);
    struct entry *entry;

    if (bytes < sizeof(weft_printf_record) || bytes > MAX_RECORD)
        return NULL;
    if (!buffer)
        buffer = add_buffer(sink, owner);
    if (!buffer)
        return NULL;
    bytes = (bytes + 7u) & ~7u;
    if (buffer->used + sizeof(*entry) + bytes > SPILL_BYTES && buffer->used)
        write_buffer(sink, buffer);
    if (!grow(buffer, sizeof(*entry) + bytes))
        return NULL;
    entry = (void *)(buffer->bytes + buffer->used);
    entry->order = order;
    entry->bytes = bytes;
    buffer->pending = sizeof(*entry) + bytes;
    return entry + 1;
}

void weft_printf_commit(weft_printf_sink *sink, const void *owner) {
    struct buffer *buffer = find_buffer(sink, owner);

    if (!buffer)
        return;
    buffer->used += buffer->pending;
    buffer->pending = 0;
    if (sink->immediate)
        write_buffer(sink, buffer);
}

struct sorted {
    const struct entry *entry;
    size_t position; /* keeps the order of records within one chunk: qsort is not stable */
};

static int compare_sorted(const void *left, const void *right) {
    const struct sorted *a = left, *b = right;

    if (a->entry->order != b->entry->order)
        return a->entry->order < b->entry->order ? -1 : 1;
    return a->position < b->position ? -1 : 1;
}

static size_t collect(struct buffer *buffers, struct sorted *sorted) {
    size_t count = 0;

    for (struct buffer *buffer = buffers; buffer; buffer = buffer->next) {
        for (size_t at = 0; at < buffer->used;) {
            const struct entry *entry = (const void *)(buffer->bytes + at);
            if (sorted)
                sorted[count] = (struct sorted){entry, count};
            count++;
            at += sizeof(*entry) + entry->bytes;
        }
    }
    return count;
}

static void write_sorted(weft_printf_sink *sink, struct buffer *buffers) {
    size_t count = collect(buffers, NULL);
    struct sorted *sorted = count ? weft_malloc(count * sizeof(*sorted)) : NULL;
    struct surroundings host;

    if (!sorted) { /* nothing to write, or no memory to sort: unsorted is better than lost */
        for (struct buffer *buffer = buffers; buffer; buffer = buffer->next)
            if (buffer->used)
                write_buffer(sink, buffer);
        return;
    }
    collect(buffers, sorted);
    qsort(sorted, count, sizeof(*sorted), compare_sorted);
    surroundings_enter(&host);
    flockfile(stdout);
    for (size_t i = 0; i < count; i++)
        weft_printf_format(stdout, (const void *)(sorted[i].entry + 1));
    fflush(stdout);
    funlockfile(stdout);
    surroundings_leave(&host);
    weft_free(sorted);
}

void weft_printf_finish(weft_printf_sink *sink) {
    struct buffer *buffers = atomic_load_explicit(&sink->buffers, memory_order_acquire);

    write_sorted(sink, buffers);
    while (buffers) {
        struct buffer *next = buffers->next;
        weft_free(buffers->bytes);
        weft_free(buffers);
        buffers = next;
    }
    pthread_mutex_destroy(&sink->writing);
    weft_free(sink);
}
