// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Commands for images. */

#include "rows.h"
#include "setup.h"

/* ---- regions --------------------------------------------------------------------------------- */

typedef struct region {
    size_t origin[3], size[3];
} region;

static region draw_pixels(world *w, const object *image) {
    region r;
    for (int i = 0; i < 3; i++) {
        size_t most = image ? image->sizes[i] : 1;
        r.origin[i] = draw(w, 2) ? 0 : draw(w, most);
        r.size[i] = 1 + draw(w, most - r.origin[i]);
    }
    if (odd(w))
        r.origin[draw(w, 3)] = draw_garbage(w);
    if (odd(w))
        r.size[draw(w, 3)] = draw_garbage(w);
    return r;
}

static bool is_inside(const object *image, const region *r) {
    for (int i = 0; i < 3; i++)
        if (!r->size[i] || r->origin[i] > image->sizes[i] ||
            r->size[i] > image->sizes[i] - r->origin[i])
            return false;
    return true;
}

static region draw_inside(world *w, const arg *image) {
    const object *o = image->o && is_image(image->o) ? image->o : NULL;
    region r = draw_pixels(w, o);
    fault(w, o && !is_inside(o, &r), CL_INVALID_VALUE);
    may(w, !o, CL_INVALID_VALUE);
    return r;
}

static bool has_rows(const object *image) {
    return image->sizes[1] > 1;
}

/* Of the host's memory; what fits into it if nothing else is wrong. */
static void draw_host_pitches(world *w, const object *image, const region *r, size_t *row,
                              size_t *slice) {
    size_t element = image ? image->element : 4, width = r->size[0] * element;
    *row = draw(w, 2) ? 0 : width;
    *slice = 0;
    if (image && draw(w, 2) &&
        (image->type == CL_MEM_OBJECT_IMAGE3D || image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY))
        *slice = width * r->size[1];
    if (odd(w) && width > 1) {
        *row = width - 1;
        fault(w, true, CL_INVALID_VALUE);
    }
    if (*slice > 1 && odd(w)) {
        *slice -= 1;
        fault(w, true, CL_INVALID_VALUE);
    }
}

/* ---- read and write -------------------------------------------------------------------------- */

static void row_access(world *w, bool read) {
    waits list;
    size_t row, slice;
    arg queue = draw_queue(w), image = draw_mem(w, queue.o, is_image);
    region r = draw_inside(w, &image);
    draw_host_pitches(w, IS(image, is_image) ? image.o : NULL, &r, &row, &slice);
    void *host = odd(w) ? NULL : read ? w->host_out : w->host_in;
    fault(w, !host, CL_INVALID_VALUE);
    if (IS(image, is_image))
        fault_of_access(w, image.o, read);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    bool blocking = draw_blocking(w, queue.o, &list);
    SAY("%s, %s, %d, {%zu, %zu, %zu}, {%zu, %zu, %zu}, %zu, %zu, %p, %s", name_of(&queue),
        name_of(&image), blocking, r.origin[0], r.origin[1], r.origin[2], r.size[0], r.size[1],
        r.size[2], row, slice, host, waits_text(&list));
    cl_int status =
        read ? cl.clEnqueueReadImage(queue.handle, image.handle, blocking, r.origin, r.size, row,
                                     slice, host, list.count, list.list, list.event)
             : cl.clEnqueueWriteImage(queue.handle, image.handle, blocking, r.origin, r.size, row,
                                      slice, host, list.count, list.list, list.event);
    if (!judge(w, status))
        return;
    command *c = enqueued(w, queue.o, &list, read ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE,
                          ORDER_PLAIN, false);
    if (!read)
        touch_spoil(w, c, image.o);
}

void row_clEnqueueReadImage(world *w) {
    row_access(w, true);
}

void row_clEnqueueWriteImage(world *w) {
    row_access(w, false);
}

/* ---- fill and copy --------------------------------------------------------------------------- */

void row_clEnqueueFillImage(world *w) {
    waits list;
    const cl_float4 color = {{0.5f, 1, 0, 1}};
    arg queue = draw_queue(w), image = draw_mem(w, queue.o, is_image);
    region r = draw_inside(w, &image);
    bool none = odd(w);
    fault(w, none, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %s, {%zu, %zu, %zu}, {%zu, %zu, %zu}, %s", name_of(&queue), name_of(&image),
        none ? "NULL" : "color", r.origin[0], r.origin[1], r.origin[2], r.size[0], r.size[1],
        r.size[2], waits_text(&list));
    if (judge(w, cl.clEnqueueFillImage(queue.handle, image.handle, none ? NULL : &color, r.origin,
                                       r.size, list.count, list.list, list.event)))
        touch_spoil(w, enqueued(w, queue.o, &list, CL_COMMAND_FILL_IMAGE, ORDER_PLAIN, false),
                    image.o);
}

static bool same_format(const object *a, const object *b) {
    return a->format.image_channel_order == b->format.image_channel_order &&
           a->format.image_channel_data_type == b->format.image_channel_data_type;
}

static bool meet(const region *a, const size_t *b) {
    for (int i = 0; i < 3; i++)
        if (a->origin[i] >= b[i] + a->size[i] || b[i] >= a->origin[i] + a->size[i])
            return false;
    return true;
}

void row_clEnqueueCopyImage(world *w) {
    waits list;
    region to_region;
    arg queue = draw_queue(w), from = draw_mem(w, queue.o, is_image), to;
    to = draw(w, 2) ? from : draw_mem(w, queue.o, is_image);
    bool both = IS(from, is_image) && IS(to, is_image);
    region r = draw_inside(w, &from);
    for (int i = 0; i < 3; i++) {
        size_t most = IS(to, is_image) ? to.o->sizes[i] : 1;
        to_region.size[i] = r.size[i];
        to_region.origin[i] = r.size[i] <= most ? draw(w, most - r.size[i] + 1) : 0;
    }
    bool inside = both && is_inside(from.o, &r) && is_inside(to.o, &to_region);
    fault(w, both && !same_format(from.o, to.o), CL_IMAGE_FORMAT_MISMATCH);
    fault(w, both && !is_inside(to.o, &to_region), CL_INVALID_VALUE);
    may(w, !both, CL_INVALID_VALUE);
    /* Views of the same pixels by other objects: the specification speaks of "the same image". */
    fault(w, inside && from.o == to.o && meet(&r, to_region.origin), CL_MEM_COPY_OVERLAP);
    may(w, both && !inside, CL_MEM_COPY_OVERLAP);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %s, {%zu, %zu, %zu}, {%zu, %zu, %zu}, {%zu, %zu, %zu}, %s", name_of(&queue),
        name_of(&from), name_of(&to), r.origin[0], r.origin[1], r.origin[2], to_region.origin[0],
        to_region.origin[1], to_region.origin[2], r.size[0], r.size[1], r.size[2],
        waits_text(&list));
    if (judge(w,
              cl.clEnqueueCopyImage(queue.handle, from.handle, to.handle, r.origin,
                                    to_region.origin, r.size, list.count, list.list, list.event)))
        touch_spoil(w, enqueued(w, queue.o, &list, CL_COMMAND_COPY_IMAGE, ORDER_PLAIN, false),
                    to.o);
}

static void row_copy_buffer(world *w, bool to_buffer) {
    waits list;
    arg queue = draw_queue(w), image = draw_mem(w, queue.o, is_image),
        buffer = draw_mem(w, queue.o, is_buffer);
    region r = draw_inside(w, &image);
    size_t offset = draw(w, 3) ? 0 : draw(w, 64);
    if (odd(w))
        offset = draw_garbage(w);
    if (IS(image, is_image) && IS(buffer, is_buffer) && is_inside(image.o, &r)) {
        size_t bytes = r.size[0] * r.size[1] * r.size[2] * image.o->element;
        fault(w, offset > buffer.o->size || bytes > buffer.o->size - offset, CL_INVALID_VALUE);
    }
    may(w, true, CL_INVALID_VALUE);
    if (!w->must_fail)
        w->allowed_count = 0;
    /* "if src_image is a 1D image buffer object created from dst_buffer" */
    fault(w,
          IS(image, is_image) && image.o->type == CL_MEM_OBJECT_IMAGE1D_BUFFER &&
              image.o->parent == buffer.o,
          CL_INVALID_MEM_OBJECT);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %s, {%zu, %zu, %zu}, {%zu, %zu, %zu}, %zu, %s", name_of(&queue), name_of(&image),
        name_of(&buffer), r.origin[0], r.origin[1], r.origin[2], r.size[0], r.size[1], r.size[2],
        offset, waits_text(&list));
    cl_int status =
        to_buffer
            ? cl.clEnqueueCopyImageToBuffer(queue.handle, image.handle, buffer.handle, r.origin,
                                            r.size, offset, list.count, list.list, list.event)
            : cl.clEnqueueCopyBufferToImage(queue.handle, buffer.handle, image.handle, offset,
                                            r.origin, r.size, list.count, list.list, list.event);
    if (!judge(w, status))
        return;
    command *c =
        enqueued(w, queue.o, &list,
                 to_buffer ? CL_COMMAND_COPY_IMAGE_TO_BUFFER : CL_COMMAND_COPY_BUFFER_TO_IMAGE,
                 ORDER_PLAIN, false);
    touch_spoil(w, c, to_buffer ? buffer.o : image.o);
}

void row_clEnqueueCopyImageToBuffer(world *w) {
    row_copy_buffer(w, true);
}

void row_clEnqueueCopyBufferToImage(world *w) {
    row_copy_buffer(w, false);
}

/* ---- mapping --------------------------------------------------------------------------------- */

static cl_map_flags draw_map_flags(world *w, const object *mem) {
    static const cl_map_flags good[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE,
                                        CL_MAP_WRITE_INVALIDATE_REGION};
    cl_map_flags flags = good[draw(w, COUNT(good))];
    if (odd(w)) {
        flags = draw(w, 2) ? CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION : 1 << 7;
        fault(w, true, CL_INVALID_VALUE);
    }
    if (mem && flags & CL_MAP_READ)
        fault_of_access(w, mem, true);
    if (mem && flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        fault_of_access(w, mem, false);
    return flags;
}

/* "CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for writing" */
static void fault_of_overlap(world *w, const object *mem, const mapping *m) {
    for (unsigned i = 0; i < mem->mapping_count; i++) {
        const mapping *other = &mem->mappings[i];
        bool apart = false;
        for (int at = 0; at < 3; at++)
            apart |= m->origin[at] >= other->origin[at] + other->region[at] ||
                     other->origin[at] >= m->origin[at] + m->region[at];
        fault(w, m->writes && other->writes && !apart, CL_INVALID_OPERATION);
    }
}

static mapping *mapped(world *w, const arg *queue, const waits *list, object *mem, mapping m,
                       cl_command_type type, cl_map_flags flags) {
    if (!m.pointer)
        wrong(w, "mapped, but nowhere");
    m.command = enqueued(w, queue->o, list, type, ORDER_PLAIN, false);
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION)
        touch_spoil(w, m.command, mem); /* more than the region, but few are mapped so */
    mem->mappings[mem->mapping_count] = m;
    return &mem->mappings[mem->mapping_count++];
}

/* What is there now, and what the host writes there: for it alone until it is unmapped. */
static void use_mapping(world *w, const object *buffer, mapping *m, cl_map_flags flags) {
    const size_t at = m->origin[0], size = m->region[0];
    seen_done(w, m->command);
    if (flags & CL_MAP_READ) {
        unsigned char *copy = fresh_memory(w, size);
        memcpy(copy, m->pointer, size);
        touch_read(w, m->command, buffer, at, size, copy);
    }
    if (!m->writes || draw(w, 2))
        return;
    m->written = draw_host(w, size, false);
    memcpy(m->pointer, m->written, size);
    touch_write(w, m->command, buffer, at, size, NULL);
}

void row_clEnqueueMapBuffer(world *w) {
    waits list;
    mapping m = {.region = {1, 1, 1}};
    arg queue = draw_queue(w), buffer = draw_mem(w, queue.o, is_buffer);
    const object *o = IS(buffer, is_buffer) ? buffer.o : NULL;
    if (o && o->mapping_count == MOST_MAPPINGS)
        return;
    size_t size = o ? o->size : 64;
    m.origin[0] = draw(w, size), m.region[0] = 1 + draw(w, size - m.origin[0]);
    if (odd(w))
        m.origin[0] = draw_garbage(w);
    if (odd(w))
        m.region[0] = draw_garbage(w);
    bool inside = m.region[0] && m.origin[0] <= size && m.region[0] <= size - m.origin[0];
    fault(w, !inside, CL_INVALID_VALUE);
    cl_map_flags flags = draw_map_flags(w, o);
    m.writes = flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
    if (o && inside)
        fault_of_overlap(w, o, &m);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    bool blocking = draw_blocking(w, queue.o, &list);
    if (blocking && w->allowed_count && !w->must_fail) /* of a wild kernel's event */
        blocking = false;
    SAY("%s, %s, %d, %#llx, %zu, %zu, %s, &status", name_of(&queue), name_of(&buffer), blocking,
        (unsigned long long)flags, m.origin[0], m.region[0], waits_text(&list));
    m.pointer = cl.clEnqueueMapBuffer(queue.handle, buffer.handle, blocking, flags, m.origin[0],
                                      m.region[0], list.count, list.list, list.event, errcode(w));
    if (!judge_object(w, m.pointer))
        return;
    mapping *made = mapped(w, &queue, &list, buffer.o, m, CL_COMMAND_MAP_BUFFER, flags);
    if (blocking)
        use_mapping(w, buffer.o, made, flags);
}

void row_clEnqueueMapImage(world *w) {
    waits list;
    mapping m = {0};
    size_t row = 0, slice = 0;
    arg queue = draw_queue(w), image = draw_mem(w, queue.o, is_image);
    object *o = IS(image, is_image) ? image.o : NULL;
    if (o && o->mapping_count == MOST_MAPPINGS)
        return;
    region r = draw_inside(w, &image);
    memcpy(m.origin, r.origin, sizeof(m.origin));
    memcpy(m.region, r.size, sizeof(m.region));
    cl_map_flags flags = draw_map_flags(w, o);
    m.writes = flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
    if (o && is_inside(o, &r))
        fault_of_overlap(w, o, &m);
    bool no_row = odd(w), no_slice = odd(w);
    bool layers =
        o && (o->type == CL_MEM_OBJECT_IMAGE3D || o->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
              o->type == CL_MEM_OBJECT_IMAGE2D_ARRAY);
    fault(w, no_row || (no_slice && layers), CL_INVALID_VALUE);
    may(w, no_slice && !o, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, 0, %#llx, {%zu, %zu, %zu}, {%zu, %zu, %zu}, %s, %s, %s, &status", name_of(&queue),
        name_of(&image), (unsigned long long)flags, r.origin[0], r.origin[1], r.origin[2],
        r.size[0], r.size[1], r.size[2], no_row ? "NULL" : "&row", no_slice ? "NULL" : "&slice",
        waits_text(&list));
    m.pointer = cl.clEnqueueMapImage(queue.handle, image.handle, CL_FALSE, flags, r.origin, r.size,
                                     no_row ? NULL : &row, no_slice ? NULL : &slice, list.count,
                                     list.list, list.event, errcode(w));
    if (judge_object(w, m.pointer)) {
        if (row < (has_rows(o) ? o->sizes[0] * o->element : 0))
            wrong(w, "a row pitch of %zu", row);
        mapped(w, &queue, &list, o, m, CL_COMMAND_MAP_IMAGE, flags);
    }
}

static bool is_mapped(const object *o) {
    return o->kind == MEM && o->mapping_count;
}

void row_clEnqueueUnmapMemObject(world *w) {
    waits list;
    arg queue = draw_queue(w), mem = draw_mem(w, queue.o, NULL);
    object *o = queue.o ? find(w, MEM, queue.o->context, is_mapped) : NULL;
    void *pointer = w->junk;
    if (o && mem.o && !odd(w) && mem.o->context == queue.o->context) {
        mem = arg_of(o);
        pointer = o->mappings[draw(w, o->mapping_count)].pointer;
    } else if (w->valid) {
        return;
    }
    bool there = false;
    unsigned at = 0;
    for (unsigned i = 0; mem.o && i < mem.o->mapping_count; i++)
        if (mem.o->mappings[i].pointer == pointer)
            there = true, at = i;
    fault(w, !there, CL_INVALID_VALUE);
    /* "if memobj is not a valid memory object or is a pipe memory object" */
    may(w, IS(mem, is_pipe), CL_INVALID_MEM_OBJECT);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %p, %s", name_of(&queue), name_of(&mem), pointer, waits_text(&list));
    if (!judge(w, cl.clEnqueueUnmapMemObject(queue.handle, mem.handle, pointer, list.count,
                                             list.list, list.event)))
        return;
    const mapping m = mem.o->mappings[at];
    /* The newest mapping with that pointer is the one that goes. */
    memmove(&mem.o->mappings[at], &mem.o->mappings[at + 1],
            (--mem.o->mapping_count - at) * sizeof(mapping));
    command *c = enqueued(w, queue.o, &list, CL_COMMAND_UNMAP_MEM_OBJECT, ORDER_PLAIN, false);
    if (m.written)
        touch_unmap(w, c, m.command, mem.o, m.origin[0], m.region[0], m.written);
    if (is_buffer(mem.o))
        read_back(w, queue.o, &list, mem.o, m.origin[0], m.region[0]);
}
