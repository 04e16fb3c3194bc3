// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Commands for buffers: linear, rectangles, fill, copy. */

#include "rows.h"

/* ---- what several share ---------------------------------------------------------------------- */

typedef struct range {
    size_t offset, size;
} range;

static range draw_range(world *w, const object *buffer) {
    size_t size = buffer ? buffer->size : 64, offset = draw(w, 4) ? 0 : draw(w, size);
    range r = {offset, draw_size(w, size - offset)};
    if (odd(w))
        r.offset = draw_garbage(w);
    if (odd(w))
        r.size = draw(w, 2) ? size + 1 : SIZE_MAX - draw(w, 3);
    return r;
}

static bool fits(const object *buffer, size_t offset, size_t size) {
    return offset <= buffer->size && size <= buffer->size - offset;
}

/* "CL_INVALID_OPERATION if ... buffer which has been created with CL_MEM_HOST_WRITE_ONLY or
 * CL_MEM_HOST_NO_ACCESS", and so on. */
void fault_of_access(world *w, const object *mem, bool read) {
    cl_mem_flags no =
        CL_MEM_HOST_NO_ACCESS | (read ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY);
    fault(w, mem && mem->flags & no, CL_INVALID_OPERATION);
}

bool draw_blocking(world *w, object *queue, const waits *list) {
    bool blocking = draw(w, 3) == 0 && (w->must_fail || !is_held_back(queue, list));
    if (blocking && queue)
        fault_of_blocking(w, list);
    return blocking;
}

/* Behind the command by its event, or by the queue's order. */
void read_back(world *w, object *queue, const waits *of, const object *buffer, size_t at,
               size_t size) {
    waits list = {0};
    if (!w->valid || draw(w, 2) || !(of->event || queue->in_order) ||
        buffer->flags & (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY))
        return;
    if (of->event) {
        list.count = 1, list.list = list.events;
        list.events[0] = of->out;
        list.objects[0] = w->objects[w->count - 1];
    }
    size_t before = at < 40 ? at : draw(w, 40), behind = buffer->size - at - size;
    behind = behind < 40 ? behind : draw(w, 40);
    unsigned char *host = fresh_memory(w, before + size + behind);
    bool blocking = draw(w, 4) == 0 && !is_held_back(queue, &list);
    expect_nothing(w);
    if (blocking)
        fault_of_blocking(w, &list);
    w->function = "clEnqueueReadBuffer";
    SAY("queue%u, mem%u, %d, %zu, %zu, %p, %s", queue->name, buffer->name, blocking, at - before,
        before + size + behind, (void *)host, waits_text(&list));
    if (!judge(w,
               cl.clEnqueueReadBuffer(queue->handle, buffer->handle, blocking, at - before,
                                      before + size + behind, host, list.count, list.list, NULL)))
        return;
    command *c = enqueued(w, queue, &list, CL_COMMAND_READ_BUFFER, ORDER_PLAIN, false);
    touch_read(w, c, buffer, at - before, before + size + behind, host);
    if (blocking)
        seen_done(w, c);
}

/* ---- linear ---------------------------------------------------------------------------------- */

static void row_access(world *w, bool read) {
    waits list;
    arg queue = draw_queue(w), buffer = draw_mem(w, queue.o, is_buffer);
    const range r = draw_range(w, IS(buffer, is_buffer) ? buffer.o : NULL);
    const size_t bytes = r.size > HOST_BYTES ? 0 : r.size;
    void *host = odd(w) ? NULL : read ? fresh_memory(w, bytes) : draw_host(w, bytes, false);
    fault(w, !host, CL_INVALID_VALUE);
    fault(w, IS(buffer, is_buffer) && !fits(buffer.o, r.offset, r.size), CL_INVALID_VALUE);
    may(w, !IS(buffer, is_buffer), CL_INVALID_VALUE);
    if (IS(buffer, is_buffer))
        fault_of_access(w, buffer.o, read);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    bool blocking = draw_blocking(w, queue.o, &list);
    SAY("%s, %s, %d, %zu, %zu, %p, %s", name_of(&queue), name_of(&buffer), blocking, r.offset,
        r.size, host, waits_text(&list));
    cl_int status = read ? cl.clEnqueueReadBuffer(queue.handle, buffer.handle, blocking, r.offset,
                                                  r.size, host, list.count, list.list, list.event)
                         : cl.clEnqueueWriteBuffer(queue.handle, buffer.handle, blocking, r.offset,
                                                   r.size, host, list.count, list.list, list.event);
    if (!judge(w, status))
        return;
    command *c =
        enqueued(w, queue.o, &list, read ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER,
                 ORDER_PLAIN, false);
    if (read)
        touch_read(w, c, buffer.o, r.offset, r.size, host);
    else
        touch_write(w, c, buffer.o, r.offset, r.size, host);
    if (blocking)
        seen_done(w, c);
    if (!read)
        read_back(w, queue.o, &list, buffer.o, r.offset, r.size);
}

void row_clEnqueueReadBuffer(world *w) {
    row_access(w, true);
}

void row_clEnqueueWriteBuffer(world *w) {
    row_access(w, false);
}

static const object *whole(const object *o) {
    return o->is_sub_buffer ? o->parent : o;
}

/* "the same buffer or sub-buffer object", or "different sub-buffers of the same associated buffer
 * object and they overlap" */
static bool overlap(const object *a, size_t a_at, const object *b, size_t b_at, size_t size) {
    if (whole(a) != whole(b))
        return false;
    a_at += a->origin, b_at += b->origin;
    return a_at < b_at + size && b_at < a_at + size;
}

void row_clEnqueueCopyBuffer(world *w) {
    waits list;
    arg queue = draw_queue(w), from = draw_mem(w, queue.o, is_buffer),
        to = draw_mem(w, queue.o, is_buffer);
    bool both = IS(from, is_buffer) && IS(to, is_buffer);
    size_t least = both ? (from.o->size < to.o->size ? from.o->size : to.o->size) : 64;
    const range r = draw_range(w, both ? (from.o->size < to.o->size ? from.o : to.o) : NULL);
    size_t to_at = r.size <= least ? draw(w, least - r.size + 1) : 0;
    if (odd(w))
        to_at = draw_garbage(w);
    fault(w, both && !(fits(from.o, r.offset, r.size) && fits(to.o, to_at, r.size)),
          CL_INVALID_VALUE);
    bool inside = both && fits(from.o, r.offset, r.size) && fits(to.o, to_at, r.size);
    fault(w, inside && overlap(from.o, r.offset, to.o, to_at, r.size), CL_MEM_COPY_OVERLAP);
    may(w, both && !inside, CL_MEM_COPY_OVERLAP);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %s, %zu, %zu, %zu, %s", name_of(&queue), name_of(&from), name_of(&to), r.offset,
        to_at, r.size, waits_text(&list));
    if (!judge(w, cl.clEnqueueCopyBuffer(queue.handle, from.handle, to.handle, r.offset, to_at,
                                         r.size, list.count, list.list, list.event)))
        return;
    touch_copy(w, enqueued(w, queue.o, &list, CL_COMMAND_COPY_BUFFER, ORDER_PLAIN, false), from.o,
               r.offset, to.o, to_at, r.size);
    read_back(w, queue.o, &list, to.o, to_at, r.size);
}

void row_clEnqueueFillBuffer(world *w) {
    waits list;
    arg queue = draw_queue(w), buffer = draw_mem(w, queue.o, is_buffer);
    const object *o = IS(buffer, is_buffer) ? buffer.o : NULL;
    size_t pattern = (size_t)1 << draw(w, 8), size = o ? o->size : 64;
    size_t units = size / pattern;
    size_t at = units ? draw(w, units) : 0, count = units ? draw(w, units - at + 1) : 0;
    range r = {at * pattern, count * pattern};
    if (odd(w)) {
        pattern = draw(w, 2) ? draw_garbage(w) : 3 + draw(w, 300);
        bool power = pattern && pattern <= 128 && !(pattern & (pattern - 1));
        fault(w, !power || r.offset % pattern || r.size % pattern, CL_INVALID_VALUE);
    }
    if (odd(w)) {
        r.size = SIZE_MAX - 127;
        fault(w, true, CL_INVALID_VALUE);
    }
    const void *data = odd(w) ? NULL : draw_host(w, 128, false);
    fault(w, !data, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %p, %zu, %zu, %zu, %s", name_of(&queue), name_of(&buffer), data, pattern, r.offset,
        r.size, waits_text(&list));
    if (!judge(w, cl.clEnqueueFillBuffer(queue.handle, buffer.handle, data, pattern, r.offset,
                                         r.size, list.count, list.list, list.event)))
        return;
    touch_fill(w, enqueued(w, queue.o, &list, CL_COMMAND_FILL_BUFFER, ORDER_PLAIN, false), buffer.o,
               r.offset, r.size, data, pattern);
    read_back(w, queue.o, &list, buffer.o, r.offset, r.size);
}

/* ---- rectangles ------------------------------------------------------------------------------ */

typedef struct box {
    size_t origin[3], region[3], row, slice;
} box;

/* The first byte behind the box; 0 with *overflow set where it has none. */
static size_t end_of(const box *b, bool *overflow) {
    size_t row = b->row ? b->row : b->region[0];
    size_t slice = b->slice ? b->slice : row * b->region[1], end, part;
    *overflow |= __builtin_mul_overflow(b->origin[2] + b->region[2] - 1, slice, &end);
    *overflow |= __builtin_mul_overflow(b->origin[1] + b->region[1] - 1, row, &part);
    *overflow |= __builtin_add_overflow(end, part, &end);
    *overflow |= __builtin_add_overflow(end, b->origin[0] + b->region[0], &end);
    return end;
}

/* Where the box's n-th row begins. */
static size_t row_of(const box *b, size_t n) {
    size_t row = b->row ? b->row : b->region[0];
    size_t slice = b->slice ? b->slice : row * b->region[1];
    return (b->origin[2] + n / b->region[1]) * slice + (b->origin[1] + n % b->region[1]) * row +
           b->origin[0];
}

static void draw_region3(world *w, size_t size, size_t *region) {
    region[0] = 1 + draw(w, size < 64 ? size : 64);
    region[1] = 1 + draw(w, 4);
    region[2] = 1 + draw(w, 3);
    while (region[0] * region[1] * region[2] > size)
        for (int i = 2; i >= 0; i--)
            region[i] = (region[i] + 1) / 2;
}

/* A box of this region in `size` bytes, of a buffer or of the host's memory, whose bounds nobody
 * but the application knows. */
static void draw_box(world *w, size_t size, const size_t *region, bool host, box *b) {
    bool overflow = false;
    memset(b, 0, sizeof(*b));
    memcpy(b->region, region, sizeof(b->region));
    for (int i = 0; i < 3; i++)
        b->origin[i] = draw(w, 3) ? 0 : draw(w, 8);
    b->row = draw(w, 2) ? 0 : region[0] + draw(w, 8);
    b->slice = draw(w, 2) ? 0 : (b->row ? b->row : region[0]) * (region[1] + draw(w, 3));
    if (end_of(b, &overflow) > size) { /* the smallest there is */
        memset(b->origin, 0, sizeof(b->origin));
        b->row = b->slice = 0;
    }
    if (!host && odd(w))
        b->origin[draw(w, 3)] += 1 + draw(w, 2) * size;
    if (odd(w)) /* "must be greater than or equal to region[0]", slices "a multiple of" rows */
        *(draw(w, 2) ? &b->row : &b->slice) = region[0] > 1 ? region[0] - 1 : 1;
    size_t row = b->row ? b->row : region[0];
    fault(w, b->row && b->row < region[0], CL_INVALID_VALUE);
    fault(w, b->slice && (b->slice < region[1] * row || b->slice % row), CL_INVALID_VALUE);
    fault(w, !host && (end_of(b, &overflow) > size || overflow), CL_INVALID_VALUE);
}

static void row_access_rect(world *w, bool read) {
    waits list;
    size_t region[3];
    box in, out;
    arg queue = draw_queue(w), buffer = draw_mem(w, queue.o, is_buffer);
    const object *o = IS(buffer, is_buffer) ? buffer.o : NULL;
    draw_region3(w, o ? o->size : 64, region);
    draw_box(w, o ? o->size : 64, region, false, &in);
    draw_box(w, HOST_BYTES, region, true, &out);
    bool empty = odd(w);
    if (empty)
        region[draw(w, 3)] = 0;
    bool ignored = false;
    unsigned char *host = odd(w) ? NULL
                          : read ? fresh_memory(w, end_of(&out, &ignored))
                                 : w->host_in;
    fault(w, !host || empty, CL_INVALID_VALUE);
    if (o)
        fault_of_access(w, o, read);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    bool blocking = draw_blocking(w, queue.o, &list);
    SAY("%s, %s, %d, {%zu, %zu, %zu}, {%zu, %zu, %zu}, {%zu, %zu, %zu}, %zu, %zu, %zu, %zu, %p, %s",
        name_of(&queue), name_of(&buffer), blocking, in.origin[0], in.origin[1], in.origin[2],
        out.origin[0], out.origin[1], out.origin[2], region[0], region[1], region[2], in.row,
        in.slice, out.row, out.slice, host, waits_text(&list));
    cl_int status =
        read ? cl.clEnqueueReadBufferRect(queue.handle, buffer.handle, blocking, in.origin,
                                          out.origin, region, in.row, in.slice, out.row, out.slice,
                                          host, list.count, list.list, list.event)
             : cl.clEnqueueWriteBufferRect(queue.handle, buffer.handle, blocking, in.origin,
                                           out.origin, region, in.row, in.slice, out.row, out.slice,
                                           host, list.count, list.list, list.event);
    if (!judge(w, status))
        return;
    command *c = enqueued(w, queue.o, &list,
                          read ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT,
                          ORDER_PLAIN, false);
    for (size_t i = 0; i < region[1] * region[2]; i++) {
        const size_t at = row_of(&in, i), host_at = row_of(&out, i);
        if (read)
            touch_read(w, c, buffer.o, at, region[0], host + host_at);
        else
            touch_write(w, c, buffer.o, at, region[0], host + host_at);
    }
    if (blocking)
        seen_done(w, c);
    if (!read)
        read_back(w, queue.o, &list, buffer.o, row_of(&in, 0),
                  end_of(&in, &ignored) - row_of(&in, 0));
}

void row_clEnqueueReadBufferRect(world *w) {
    row_access_rect(w, true);
}

void row_clEnqueueWriteBufferRect(world *w) {
    row_access_rect(w, false);
}

void row_clEnqueueCopyBufferRect(world *w) {
    waits list;
    size_t region[3];
    box in, out;
    arg queue = draw_queue(w), from = draw_mem(w, queue.o, is_buffer),
        to = draw_mem(w, queue.o, is_buffer);
    bool both = IS(from, is_buffer) && IS(to, is_buffer);
    size_t least = both ? (from.o->size < to.o->size ? from.o->size : to.o->size) : 64;
    draw_region3(w, least, region);
    draw_box(w, both ? from.o->size : 64, region, false, &in);
    draw_box(w, both ? to.o->size : 64, region, false, &out);
    bool same = both && from.o == to.o;
    if (same) { /* "src_row_pitch must equal dst_row_pitch and src_slice_pitch ... " */
        size_t row_in = in.row ? in.row : region[0], row_out = out.row ? out.row : region[0];
        size_t slice_in = in.slice ? in.slice : row_in * region[1];
        size_t slice_out = out.slice ? out.slice : row_out * region[1];
        fault(w, row_in != row_out || slice_in != slice_out, CL_INVALID_VALUE);
    }
    /* Appendix D of the specification says when two boxes overlap; here: it may or may not be. */
    bool may_overlap = both && whole(from.o) == whole(to.o);
    may(w, may_overlap, CL_MEM_COPY_OVERLAP);
    if (same && memcmp(in.origin, out.origin, sizeof(in.origin)) == 0)
        fault(w, true, CL_MEM_COPY_OVERLAP);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %s, {%zu, %zu, %zu}, {%zu, %zu, %zu}, {%zu, %zu, %zu}, %zu, %zu, %zu, %zu, %s",
        name_of(&queue), name_of(&from), name_of(&to), in.origin[0], in.origin[1], in.origin[2],
        out.origin[0], out.origin[1], out.origin[2], region[0], region[1], region[2], in.row,
        in.slice, out.row, out.slice, waits_text(&list));
    if (!judge(w, cl.clEnqueueCopyBufferRect(queue.handle, from.handle, to.handle, in.origin,
                                             out.origin, region, in.row, in.slice, out.row,
                                             out.slice, list.count, list.list, list.event)))
        return;
    command *c = enqueued(w, queue.o, &list, CL_COMMAND_COPY_BUFFER_RECT, ORDER_PLAIN, false);
    if (may_overlap)
        touch_spoil(w, c, to.o);
    for (size_t i = 0; i < region[1] * region[2] && !may_overlap; i++)
        touch_copy(w, c, from.o, row_of(&in, i), to.o, row_of(&out, i), region[0]);
    bool ignored = false;
    read_back(w, queue.o, &list, to.o, row_of(&out, 0), end_of(&out, &ignored) - row_of(&out, 0));
}
