// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "transfer.h"

#include "cpu.h"
#include "scheduler.h"
#include "stream.h"

#include <string.h>

/* What takes less is not worth a second thread: it depends on where the bytes are, in a cache or in
 * memory, and so is judged by what the last transfers took. */
enum { SMALL_NS = 15000, SMALL_BYTES = 64 * 1024 };
/* Picoseconds per byte, before anything is known, and at most. */
enum { RATE_UNKNOWN = 50, RATE_MOST = 1000 };
enum { CHUNK_MIN = 128 * 1024, CHUNK_MAX = 2 * 1024 * 1024, CHUNKS_PER_THREAD = 8 };
enum { PATTERN_ROOM = 128 };
/* Rows that are shorter are written through the caches. */
enum { STREAM_ROW = 2048 };
#define CACHE_UNKNOWN ((uint64_t)32 << 20)

/* An item with rows and planes joined where nothing lies between them. */
typedef struct shape {
    size_t row_bytes, rows, planes;
} shape;

static shape shape_of(const weft_transfer *item) {
    shape s = {item->row_bytes, item->rows, item->planes};
    bool fill = !item->from;

    if (s.rows > 1 && item->to_row_pitch == s.row_bytes &&
        (fill || item->from_row_pitch == s.row_bytes) &&
        (s.planes == 1 || (item->to_plane_pitch == s.row_bytes * s.rows &&
                           (fill || item->from_plane_pitch == s.row_bytes * s.rows))))
        return (shape){s.row_bytes * s.rows * s.planes, 1, 1};
    return s;
}

/* How an item is cut: long rows in segments, short rows in bundles. */
static uint64_t count_pieces(shape s, uint64_t chunk) {
    uint64_t rows = (uint64_t)s.rows * s.planes;
    uint64_t bundle;

    if (s.row_bytes >= chunk)
        return rows * ((s.row_bytes + chunk - 1) / chunk);
    bundle = s.row_bytes ? chunk / s.row_bytes : rows;
    return (rows + bundle - 1) / bundle;
}

static uint64_t count_bytes(const weft_work *work) {
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < work->transfer.count; i++) {
        const weft_transfer *item = &work->transfer.items[i];
        bytes += (uint64_t)item->row_bytes * item->rows * item->planes;
    }
    return bytes;
}

/* Multiples of a page, so that patterns and cache lines start anew in each piece. */
static uint64_t choose_chunk(weft_pool *pool, uint64_t bytes) {
    uint64_t chunk = bytes / ((uint64_t)pool->size * CHUNKS_PER_THREAD);
    uint64_t rate = atomic_load_explicit(&pool->transfer_rate, memory_order_relaxed);

    if (bytes <= SMALL_BYTES || bytes / 1000 * (rate ? rate : RATE_UNKNOWN) <= SMALL_NS)
        return UINT64_MAX;
    chunk = chunk < CHUNK_MIN ? CHUNK_MIN : chunk > CHUNK_MAX ? CHUNK_MAX : chunk;
    return chunk & ~(uint64_t)4095;
}

static uint64_t count_chunks(const weft_work *work, uint64_t chunk) {
    uint64_t pieces = 0;

    if (chunk == UINT64_MAX)
        return 1;
    for (uint32_t i = 0; i < work->transfer.count; i++)
        pieces += count_pieces(shape_of(&work->transfer.items[i]), chunk);
    return pieces;
}

bool weft_transfer_is_small(weft_pool *pool, const weft_work *work) {
    return count_chunks(work, choose_chunk(pool, count_bytes(work))) <= 1;
}

void weft_transfer_plan(weft_pool *pool, weft_work *work) {
    uint64_t bytes = count_bytes(work);

    work->device.chunk_size = choose_chunk(pool, bytes);
    work->device.chunks = count_chunks(work, work->device.chunk_size);
    work->device.units = bytes;
    work->device.measure = bytes > SMALL_BYTES;
}

void weft_transfer_measured(weft_pool *pool, const weft_work *work, uint64_t chunks, uint64_t ns) {
    uint64_t bytes = work->device.units / work->device.chunks * chunks;
    uint64_t before = atomic_load_explicit(&pool->transfer_rate, memory_order_relaxed);
    uint64_t rate = bytes ? ns * 1000 / bytes + 1 : 1;

    if (rate > RATE_MOST)
        rate = RATE_MOST; /* the thread was not running */
    atomic_store_explicit(&pool->transfer_rate, (uint32_t)(before ? (before + rate) / 2 : rate),
                          memory_order_relaxed);
}

static void fill(unsigned char *to, size_t bytes, const weft_transfer *item, bool stream) {
    unsigned char block[PATTERN_ROOM];
    bool same = true;

    for (uint32_t i = 0; i < PATTERN_ROOM; i++) {
        block[i] = item->pattern[i % item->pattern_bytes];
        same = same && block[i] == block[0];
    }
    if (stream) {
        weft_stream_fill(to, block, bytes);
        return;
    }
    if (same) {
        memset(to, block[0], bytes);
        return;
    }
    for (; bytes >= PATTERN_ROOM; bytes -= PATTERN_ROOM, to += PATTERN_ROOM)
        memcpy(to, block, PATTERN_ROOM);
    memcpy(to, block, bytes);
}

/* `bytes` of row `row` (counted over all planes), from byte `at` of the row on. */
static void move_row(const weft_transfer *item, shape s, uint64_t row, size_t at, size_t bytes,
                     bool stream) {
    size_t plane = row / s.rows, line = row % s.rows;
    unsigned char *to =
        (unsigned char *)item->to + plane * item->to_plane_pitch + line * item->to_row_pitch + at;
    const unsigned char *from;

    stream = stream && bytes >= STREAM_ROW;
    if (!item->from) {
        fill(to, bytes, item, stream);
        return;
    }
    from = (const unsigned char *)item->from + plane * item->from_plane_pitch +
           line * item->from_row_pitch + at;
    /* A buffer over host_ptr is read from and written to its own memory: nothing to do. */
    if (to == from)
        return;
    if (stream && (to + bytes <= from || from + bytes <= to))
        weft_stream_copy(to, from, bytes);
    else
        memmove(to, from, bytes);
}

static void move_piece(const weft_transfer *item, shape s, uint64_t chunk, uint64_t piece,
                       bool stream) {
    uint64_t rows = (uint64_t)s.rows * s.planes;
    uint64_t segments, bundle, row;

    if (s.row_bytes >= chunk) {
        segments = (s.row_bytes + chunk - 1) / chunk;
        size_t at = piece % segments * chunk;
        size_t bytes = s.row_bytes - at < chunk ? s.row_bytes - at : chunk;
        move_row(item, s, piece / segments, at, bytes, stream);
        return;
    }
    bundle = s.row_bytes ? chunk / s.row_bytes : rows;
    for (row = piece * bundle; row < rows && row < (piece + 1) * bundle; row++)
        move_row(item, s, row, 0, s.row_bytes, stream);
}

static void move_item(const weft_transfer *item) {
    shape s = shape_of(item);

    for (uint64_t row = 0; row < (uint64_t)s.rows * s.planes; row++)
        move_row(item, s, row, 0, s.row_bytes, false);
}

/* What is larger than the last cache does not stay there. */
static bool is_streamed(weft_pool *pool, const weft_work *work) {
    uint64_t cache = pool->device->caps.cache_bytes;

    return work->device.units >= (cache ? cache : CACHE_UNKNOWN);
}

void weft_transfer_chunk(weft_pool *pool, const weft_work *work, uint64_t chunk) {
    bool stream = is_streamed(pool, work);

    for (uint32_t i = 0; i < work->transfer.count; i++) {
        const weft_transfer *item = &work->transfer.items[i];
        if (work->device.chunk_size == UINT64_MAX) {
            move_item(item);
            continue;
        }
        shape s = shape_of(item);
        uint64_t pieces = count_pieces(s, work->device.chunk_size);
        if (chunk < pieces) {
            move_piece(item, s, work->device.chunk_size, chunk, stream);
            break;
        }
        chunk -= pieces;
    }
    if (stream)
        weft_stream_end();
}
