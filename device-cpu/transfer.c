// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "transfer.h"

#include "cpu.h"
#include "scheduler.h"
#include "stream.h"

#include <string.h>

/* What takes less is not worth a second thread: it depends on where the bytes are, in a cache or in
 * memory, and so is judged by what the last transfers took. */
enum { SMALL_NS = 15000, SMALL_BYTES = 64 * 1024 };
/* From here on it pays to wake threads from another CPU (herald.h). */
enum { LONG_BYTES = 4 * 1024 * 1024 };
/* Picoseconds per byte, before anything is known, and at most. */
enum { RATE_UNKNOWN = 50, RATE_MOST = 1000 };
/* A transfer is cut into pieces, a multiple of a page each, so that patterns and cache lines start
 * anew in each of them; chunks are runs of up to PIECES_MOST pieces. */
enum { PIECE_BYTES = 128 * 1024, PIECES_MOST = 128 };
enum { PATTERN_ROOM = 128 };
/* Rows that are shorter are written through the caches. */
enum { STREAM_ROW = 2048 };
/* How far the source is read in advance: 8 KiB gained 10 % on 64 MiB, 1 KiB nothing. */
enum { AHEAD = 8 * 1024 };
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

static uint64_t choose_piece(weft_pool *pool, uint64_t bytes) {
    uint64_t rate = atomic_load_explicit(&pool->transfer_rate, memory_order_relaxed);

    if (bytes <= SMALL_BYTES || bytes / 1000 * (rate ? rate : RATE_UNKNOWN) <= SMALL_NS)
        return UINT64_MAX;
    return PIECE_BYTES;
}

static uint64_t count_all_pieces(const weft_work *work, uint64_t piece) {
    uint64_t pieces = 0;

    for (uint32_t i = 0; i < work->transfer.count; i++)
        pieces += count_pieces(shape_of(&work->transfer.items[i]), piece);
    return pieces;
}

/* Chunks of equal size: `chunks` of them from `piece` on, of `size` pieces each. */
typedef struct round {
    uint64_t piece, chunk, size, chunks;
} round;

/*
 * Chunks get smaller towards the end, so that threads end together and yet a long transfer is a
 * few long streams: each round of one chunk per thread takes half of what is left. Ends with
 * size 0.
 */
static void next_round(round *r, uint64_t pieces, uint32_t threads) {
    uint64_t most = (uint64_t)threads * PIECES_MOST, left;

    r->piece += r->size * r->chunks;
    r->chunk += r->chunks;
    left = pieces - r->piece;
    r->chunks = threads;
    r->size = left / (2 * (uint64_t)threads);
    if (r->size >= PIECES_MOST) {
        r->size = PIECES_MOST;
        r->chunks = (left - most) / most * threads;
    } else if (r->size <= 1) {
        r->size = left > 0;
        r->chunks = left;
    }
}

static uint64_t count_chunks(uint64_t pieces, uint32_t threads) {
    round r = {0};

    do
        next_round(&r, pieces, threads);
    while (r.size);
    return r.chunk;
}

/* First piece of a chunk, and how many there are. */
static uint64_t pieces_of_chunk(uint64_t pieces, uint32_t threads, uint64_t chunk,
                                uint64_t *count) {
    round r = {0};

    do
        next_round(&r, pieces, threads);
    while (r.size && chunk - r.chunk >= r.chunks);
    *count = r.size;
    return r.piece + (chunk - r.chunk) * r.size;
}

bool weft_transfer_is_small(weft_pool *pool, const weft_work *work) {
    uint64_t piece = choose_piece(pool, count_bytes(work));

    return piece == UINT64_MAX || count_all_pieces(work, piece) <= 1;
}

void weft_transfer_plan(weft_pool *pool, weft_work *work) {
    uint64_t bytes = count_bytes(work);
    uint64_t piece = choose_piece(pool, bytes);

    work->device.chunk_size = piece;
    work->device.chunks =
        piece == UINT64_MAX ? 1 : count_chunks(count_all_pieces(work, piece), pool->size);
    work->device.units = bytes;
    work->device.measure = bytes > SMALL_BYTES;
    work->device.is_long = bytes >= LONG_BYTES;
}

void weft_transfer_measured(weft_pool *pool, uint64_t bytes, uint64_t ns) {
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

/* Short rows are left behind soon: there the next row is read in advance. */
static size_t ahead_of(const weft_transfer *item) {
    bool near = item->rows > 1 && item->from_row_pitch <= 2 * AHEAD;

    return near ? item->from_row_pitch : AHEAD;
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
        weft_stream_copy(to, from, bytes, ahead_of(item));
    else
        memmove(to, from, bytes);
}

/* The pieces of one item from `piece` on, up to `count` of them. Returns how many it moved. */
static uint64_t move_run(const weft_transfer *item, shape s, uint64_t size, uint64_t piece,
                         uint64_t count, bool stream) {
    uint64_t rows = (uint64_t)s.rows * s.planes;
    uint64_t segments, bundle;

    if (s.row_bytes >= size) { /* pieces of one row side by side: in one go */
        segments = (s.row_bytes + size - 1) / size;
        uint64_t left = segments - piece % segments, run = count < left ? count : left;
        size_t at = piece % segments * size;
        move_row(item, s, piece / segments, at, run == left ? s.row_bytes - at : run * size,
                 stream);
        return run;
    }
    bundle = s.row_bytes ? size / s.row_bytes : rows;
    for (uint64_t row = piece * bundle; row < rows && row < (piece + 1) * bundle; row++)
        move_row(item, s, row, 0, s.row_bytes, stream);
    return 1;
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

/* Pieces are counted over all items. */
static void move_pieces(const weft_work *work, uint64_t first, uint64_t count, bool stream) {
    uint64_t size = work->device.chunk_size;

    for (uint32_t i = 0; i < work->transfer.count && count; i++) {
        const weft_transfer *item = &work->transfer.items[i];
        shape s = shape_of(item);
        uint64_t pieces = count_pieces(s, size), ran;
        for (; first < pieces && count; first += ran, count -= ran) {
            ran = pieces - first < count ? pieces - first : count;
            ran = move_run(item, s, size, first, ran, stream);
        }
        first -= pieces;
    }
}

uint64_t weft_transfer_chunk(weft_pool *pool, const weft_work *work, uint64_t chunk) {
    bool stream = is_streamed(pool, work);
    uint64_t first, count, all;

    if (work->device.chunk_size == UINT64_MAX) {
        for (uint32_t i = 0; i < work->transfer.count; i++)
            move_item(&work->transfer.items[i]);
        return work->device.units;
    }
    all = count_all_pieces(work, work->device.chunk_size);
    first = pieces_of_chunk(all, pool->size, chunk, &count);
    move_pieces(work, first, count, stream);
    if (stream)
        weft_stream_end();
    return work->device.units / all * count;
}
