// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "transfer.h"

#include <string.h>

/* Below this a second thread costs more than it brings. */
enum { SMALL_BYTES = 256 * 1024 };
enum { CHUNK_MIN = 128 * 1024, CHUNK_MAX = 2 * 1024 * 1024, CHUNKS_PER_THREAD = 8 };
enum { PATTERN_ROOM = 128 };

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
static uint64_t choose_chunk(uint64_t bytes, uint32_t threads) {
    uint64_t chunk = bytes / ((uint64_t)threads * CHUNKS_PER_THREAD);

    if (bytes <= SMALL_BYTES)
        return SMALL_BYTES;
    chunk = chunk < CHUNK_MIN ? CHUNK_MIN : chunk > CHUNK_MAX ? CHUNK_MAX : chunk;
    return chunk & ~(uint64_t)4095;
}

uint64_t weft_transfer_chunks(const weft_work *work, uint32_t threads) {
    uint64_t chunk = choose_chunk(count_bytes(work), threads), pieces = 0;

    for (uint32_t i = 0; i < work->transfer.count; i++)
        pieces += count_pieces(shape_of(&work->transfer.items[i]), chunk);
    return pieces;
}

void weft_transfer_plan(weft_work *work, uint32_t threads) {
    work->device.chunk_size = choose_chunk(count_bytes(work), threads);
    work->device.chunks = weft_transfer_chunks(work, threads);
    work->device.units = work->device.chunks;
    work->device.measure = false;
}

static void fill(unsigned char *to, size_t bytes, const weft_transfer *item) {
    unsigned char block[PATTERN_ROOM];
    bool same = true;

    for (uint32_t i = 0; i < PATTERN_ROOM; i++) {
        block[i] = item->pattern[i % item->pattern_bytes];
        same = same && block[i] == block[0];
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
static void move_row(const weft_transfer *item, shape s, uint64_t row, size_t at, size_t bytes) {
    size_t plane = row / s.rows, line = row % s.rows;
    unsigned char *to = (unsigned char *)item->to + plane * item->to_plane_pitch +
                        line * item->to_row_pitch + at;
    const unsigned char *from;

    if (!item->from) {
        fill(to, bytes, item);
        return;
    }
    from = (const unsigned char *)item->from + plane * item->from_plane_pitch +
           line * item->from_row_pitch + at;
    /* A buffer over host_ptr is read from and written to its own memory: nothing to do. */
    if (to != from)
        memmove(to, from, bytes);
}

static void move_piece(const weft_transfer *item, shape s, uint64_t chunk, uint64_t piece) {
    uint64_t rows = (uint64_t)s.rows * s.planes;
    uint64_t segments, bundle, row;

    if (s.row_bytes >= chunk) {
        segments = (s.row_bytes + chunk - 1) / chunk;
        size_t at = piece % segments * chunk;
        size_t bytes = s.row_bytes - at < chunk ? s.row_bytes - at : chunk;
        move_row(item, s, piece / segments, at, bytes);
        return;
    }
    bundle = s.row_bytes ? chunk / s.row_bytes : rows;
    for (row = piece * bundle; row < rows && row < (piece + 1) * bundle; row++)
        move_row(item, s, row, 0, s.row_bytes);
}

void weft_transfer_chunk(const weft_work *work, uint64_t chunk) {
    for (uint32_t i = 0; i < work->transfer.count; i++) {
        const weft_transfer *item = &work->transfer.items[i];
        shape s = shape_of(item);
        uint64_t pieces = count_pieces(s, work->device.chunk_size);

        if (chunk < pieces) {
            move_piece(item, s, work->device.chunk_size, chunk);
            return;
        }
        chunk -= pieces;
    }
}
