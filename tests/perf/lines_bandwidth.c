// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section "bandwidth": transfers of 64 MiB against C loops over memcpy and memset.
#include "child.h"
#include "reference/reference.h"

#include <stdlib.h>
#include <string.h>

enum {
    BYTES = 64 << 20,
    RECT_ROW = 8 << 10,
    RECT_ROWS = BYTES / RECT_ROW,
    RECT_FROM = 10 << 10, // pitches
    RECT_TO = 12 << 10,
};

enum what { COPY, FILL, RECT, READ, WRITE };

struct transfer {
    enum what what;
    size_t pattern_size;
};

static const uint8_t pattern[16] = {7, 91, 33, 4, 250, 6, 17, 88, 9, 100, 211, 12, 13, 144, 5, 66};

struct work {
    const struct transfer *row;
    struct cl cl;
    size_t from_bytes, to_bytes;
    uint8_t *from, *to;            // in host memory
    cl_mem from_buffer, to_buffer; // of the device; whichever the transfer needs
};

static void transfer(void *context) {
    struct work *work = context;
    cl_command_queue queue = work->cl.queue;
    const size_t origin[3] = {0}, region[3] = {RECT_ROW, RECT_ROWS, 1};
    switch (work->row->what) {
    case COPY:
        CL(clEnqueueCopyBuffer(queue, work->from_buffer, work->to_buffer, 0, 0, BYTES, 0, NULL,
                               NULL));
        break;
    case FILL:
        CL(clEnqueueFillBuffer(queue, work->to_buffer, pattern, work->row->pattern_size, 0, BYTES,
                               0, NULL, NULL));
        break;
    case RECT:
        CL(clEnqueueCopyBufferRect(queue, work->from_buffer, work->to_buffer, origin, origin,
                                   region, RECT_FROM, 0, RECT_TO, 0, 0, NULL, NULL));
        break;
    case READ:
        CL(clEnqueueReadBuffer(queue, work->from_buffer, CL_TRUE, 0, BYTES, work->to, 0, NULL,
                               NULL));
        return;
    case WRITE:
        CL(clEnqueueWriteBuffer(queue, work->to_buffer, CL_TRUE, 0, BYTES, work->from, 0, NULL,
                                NULL));
        return;
    }
    CL(clFinish(queue));
}

static void reference(void *context) {
    struct work *work = context;
    if (work->row->what == FILL)
        ref_memory_fill(work->to, pattern, work->row->pattern_size, BYTES);
    else if (work->row->what == RECT)
        ref_memory_rect(work->to, RECT_TO, work->from, RECT_FROM, RECT_ROW, RECT_ROWS);
    else
        ref_memory_copy(work->to, work->from, BYTES);
}

// The bytes that the transfer left, against those that the reference leaves.
static void bandwidth_check(struct job *job) {
    struct work *work = job->state;
    uint8_t *out = work->to;
    if (work->row->what != READ) {
        out = allocate(work->to_bytes);
        cl_read(work->cl.queue, work->to_buffer, work->to_bytes, out);
    }
    struct work should = *work;
    should.to = allocate(work->to_bytes);
    reference(&should);
    if (memcmp(out, should.to, work->to_bytes) != 0) {
        size_t at = 0;
        while (out[at] == should.to[at])
            at++;
        child_wrong("byte %zu is %d, should be %d", at, out[at], should.to[at]);
    }
    free(should.to);
    if (out != work->to)
        free(out);
}

static void bandwidth_open(struct job *job) {
    struct work *work = job->state = allocate(sizeof *work);
    work->row = job->line->data;
    const bool rect = work->row->what == RECT;
    work->from_bytes = rect ? (size_t)RECT_FROM * RECT_ROWS : BYTES;
    work->to_bytes = rect ? (size_t)RECT_TO * RECT_ROWS : BYTES;
    work->from = allocate(work->from_bytes);
    work->to = allocate(work->to_bytes);
    for (size_t i = 0; i < work->from_bytes; i++)
        work->from[i] = (uint8_t)(i * 2654435761u >> 13);
    if (job->reference) {
        reference(work);
        return;
    }
    cl_open(&work->cl, 0);
    work->from_buffer = cl_new_buffer(&work->cl, work->from_bytes, work->from);
    work->to_buffer = cl_new_buffer(&work->cl, work->to_bytes, work->to);
    transfer(work);
    bandwidth_check(job);
}

static void bandwidth_run(struct job *job, double values[MAX_VALUES]) {
    struct work *work = job->state;
    void (*once)(void *) = job->reference ? reference : transfer;
    once(work);
    values[0] = BYTES / best_ms(once, work) * 1e-6;
}

static const struct probe bandwidth_probe = {
    .has_reference = true, .open = bandwidth_open, .run = bandwidth_run, .check = bandwidth_check};

#define TRANSFER(ID, TITLE, ...)                                                                   \
    {                                                                                              \
        "bandwidth/" ID, TITLE, UNIT_GB_S, &bandwidth_probe, 0, &(const struct transfer) {         \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

const struct line bandwidth_lines[] = {
    TRANSFER("copy", "copy 64 MiB", .what = COPY),
    TRANSFER("fill1", "fill 64 MiB, pattern of 1 byte", .what = FILL, .pattern_size = 1),
    TRANSFER("fill4", "fill 64 MiB, pattern of 4 bytes", .what = FILL, .pattern_size = 4),
    TRANSFER("fill16", "fill 64 MiB, pattern of 16 bytes", .what = FILL, .pattern_size = 16),
    TRANSFER("rect", "copy a rectangle of 8192 rows of 8 KiB", .what = RECT),
    TRANSFER("read", "read 64 MiB to the host", .what = READ),
    TRANSFER("write", "write 64 MiB from the host", .what = WRITE),
};
const size_t bandwidth_line_count = sizeof bandwidth_lines / sizeof *bandwidth_lines;
