// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Buffers, sub-buffers, pipes, destructor callbacks. */

#include "rows.h"
#include "setup.h"

#define ACCESS_FLAGS ((cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY))
#define HOST_PTR_FLAGS                                                                             \
    ((cl_mem_flags)(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
#define HOST_ACCESS_FLAGS                                                                          \
    ((cl_mem_flags)(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))

/* ---- shared ---------------------------------------------------------------------------------- */

void *draw_host(world *w, size_t bytes, bool out) {
    unsigned char *arena = out ? w->host_out : w->host_in;
    if (bytes > HOST_BYTES)
        wrong(w, "the fuzzer wants %zu bytes of host memory", bytes);
    return arena + draw(w, (HOST_BYTES - bytes) / 128 + 1) * 128;
}

static bool at_most_one(cl_mem_flags flags, cl_mem_flags of) {
    return ((flags & of) & ((flags & of) - 1)) == 0;
}

cl_mem_flags draw_mem_flags(world *w, bool host_ptrs) {
    static const cl_mem_flags access[] = {0, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY,
                                          CL_MEM_READ_ONLY};
    static const cl_mem_flags host[] = {
        0, 0, 0, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS};
    static const cl_mem_flags ptrs[] = {0,
                                        0,
                                        CL_MEM_USE_HOST_PTR,
                                        CL_MEM_ALLOC_HOST_PTR,
                                        CL_MEM_COPY_HOST_PTR,
                                        CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR};
    cl_mem_flags flags = access[draw(w, 4)] | host[draw(w, 6)];
    if (host_ptrs)
        flags |= ptrs[draw(w, 6)];
    if (odd(w))
        flags |= draw(w, 1024);
    if (odd(w))
        flags |= (cl_mem_flags)1 << (13 + draw(w, 20));
    fault(
        w,
        flags & ~(ACCESS_FLAGS | HOST_PTR_FLAGS | HOST_ACCESS_FLAGS) ||
            !at_most_one(flags, ACCESS_FLAGS) || !at_most_one(flags, HOST_ACCESS_FLAGS) ||
            (flags & CL_MEM_USE_HOST_PTR && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)),
        CL_INVALID_VALUE);
    return flags;
}

void fault_of_parent_flags(world *w, cl_mem_flags flags, cl_mem_flags of) {
    const cl_mem_flags host_read = CL_MEM_HOST_READ_ONLY, host_write = CL_MEM_HOST_WRITE_ONLY;
    bool bad = flags & HOST_PTR_FLAGS;
    bad |= of & CL_MEM_WRITE_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY);
    bad |= of & CL_MEM_READ_ONLY && flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY);
    bad |= of & host_write && flags & host_read;
    bad |= of & host_read && flags & host_write;
    bad |= of & CL_MEM_HOST_NO_ACCESS && flags & (host_read | host_write);
    fault(w, bad, CL_INVALID_VALUE);
}

cl_mem_flags inherited_flags(cl_mem_flags flags, cl_mem_flags of) {
    if (!(flags & ACCESS_FLAGS))
        flags |= of & ACCESS_FLAGS;
    if (!(flags & HOST_ACCESS_FLAGS))
        flags |= of & HOST_ACCESS_FLAGS;
    return flags | (of & HOST_PTR_FLAGS);
}

arg draw_mem(world *w, const object *queue, wanted *what) {
    arg mem = pick(w, MEM, queue ? queue->context : NULL, what);
    fault(w, !mem.o || (what && !what(mem.o)), CL_INVALID_MEM_OBJECT);
    fault(w, mem.o && queue && mem.o->context != queue->context, CL_INVALID_CONTEXT);
    may(w, mem.o && !queue, CL_INVALID_CONTEXT);
    return mem;
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* NULL where flags do not want one; size is at most HOST_BYTES then. */
static void *draw_host_ptr(world *w, cl_mem_flags flags, size_t size) {
    bool wants = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    bool given = odd(w) ? !wants : wants;
    fault(w, given != wants, CL_INVALID_HOST_PTR);
    if (!given)
        return NULL;
    return draw_host(w, size > HOST_BYTES ? 0 : size, flags & CL_MEM_USE_HOST_PTR);
}

static object *made_buffer(world *w, cl_mem made, object *context, cl_mem_flags flags, size_t size,
                           const void *host) {
    object *mem = add(w, MEM, made, context);
    mem->type = CL_MEM_OBJECT_BUFFER;
    mem->flags = flags & ACCESS_FLAGS ? flags : flags | CL_MEM_READ_WRITE;
    mem->size = size;
    mem->contents = flags & CL_MEM_COPY_HOST_PTR ? host : NULL;
    mem->is_anything = flags & CL_MEM_USE_HOST_PTR; /* several have the same bytes of the host */
    return mem;
}

static size_t draw_buffer_size(world *w) {
    static const size_t bad[] = {0, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, (size_t)1 << 60};
    size_t size = odd(w) ? bad[draw(w, COUNT(bad))] : draw_size(w, 1 << 16);
    fault(w, !size || size > 1 << 16, CL_INVALID_BUFFER_SIZE);
    return size;
}

void row_clCreateBuffer(world *w) {
    if (is_full(w, MEM))
        return;
    arg context = draw_context(w);
    cl_mem_flags flags = draw_mem_flags(w, true);
    size_t size = draw_buffer_size(w);
    void *host = draw_host_ptr(w, flags, size);
    SAY("%s, %#llx, %zu, %p, &status", name_of(&context), (unsigned long long)flags, size, host);
    cl_mem made = cl.clCreateBuffer(context.handle, flags, size, host, errcode(w));
    if (judge_object(w, made))
        made_buffer(w, made, context.o, flags, size, host);
}

void row_clCreateBufferWithProperties(world *w) {
    if (is_full(w, MEM))
        return;
    arg context = draw_context(w);
    const cl_mem_properties list[3] = {odd(w) ? 0x7777 : 0, 0, 0};
    const cl_mem_properties *properties = list[0] || draw(w, 2) ? list : NULL;
    cl_mem_flags flags = draw_mem_flags(w, true);
    size_t size = draw_buffer_size(w);
    void *host = draw_host_ptr(w, flags, size);
    fault(w, list[0], CL_INVALID_PROPERTY);
    SAY("%s, {%#llx}, %#llx, %zu, %p, &status", name_of(&context), (unsigned long long)list[0],
        (unsigned long long)flags, size, host);
    cl_mem made =
        cl.clCreateBufferWithProperties(context.handle, properties, flags, size, host, errcode(w));
    if (judge_object(w, made))
        made_buffer(w, made, context.o, flags, size, host);
}

static bool is_whole_buffer(const object *o) {
    return is_buffer(o) && !o->is_sub_buffer;
}

static cl_buffer_region draw_region(world *w, const object *buffer) {
    size_t size = buffer ? buffer->size : 4096, origin = draw(w, size) / base_align * base_align;
    cl_buffer_region region = {origin, draw_size(w, size - origin)};
    if (odd(w))
        region.origin = draw(w, 2) ? draw_garbage(w) : region.origin + 1;
    if (odd(w))
        region.size = draw_garbage(w);
    fault(w, !region.size, CL_INVALID_BUFFER_SIZE);
    fault(w, region.origin > size || region.size > size - region.origin, CL_INVALID_VALUE);
    may(w, region.origin == size, CL_INVALID_VALUE);
    fault(w, region.origin % base_align, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    return region;
}

void row_clCreateSubBuffer(world *w) {
    if (is_full(w, MEM))
        return;
    arg buffer = pick(w, MEM, NULL, is_whole_buffer);
    fault(w, !IS(buffer, is_whole_buffer), CL_INVALID_MEM_OBJECT);
    cl_mem_flags flags = draw_mem_flags(w, false);
    if (w->valid)
        flags = 0;
    if (buffer.o)
        fault_of_parent_flags(w, flags, buffer.o->flags);
    may(w, !buffer.o, CL_INVALID_VALUE);
    cl_buffer_region region = draw_region(w, buffer.o);
    bool none = odd(w), bad = odd(w);
    fault(w, none || bad, CL_INVALID_VALUE);
    SAY("%s, %#llx, %s, %s {%zu, %zu}, &status", name_of(&buffer), (unsigned long long)flags,
        bad ? "0x7777" : "CL_BUFFER_CREATE_TYPE_REGION", none ? "NULL" : "", region.origin,
        region.size);
    cl_mem made =
        cl.clCreateSubBuffer(buffer.handle, flags, bad ? 0x7777 : CL_BUFFER_CREATE_TYPE_REGION,
                             none ? NULL : &region, errcode(w));
    if (!judge_object(w, made))
        return;
    object *sub = made_buffer(w, made, buffer.o->context, inherited_flags(flags, buffer.o->flags),
                              region.size, NULL);
    sub->parent = buffer.o;
    sub->origin = region.origin;
    sub->is_sub_buffer = true;
}

/* ---- pipes ----------------------------------------------------------------------------------- */

void row_clCreatePipe(world *w) {
    static const cl_mem_flags good[] = {0, CL_MEM_READ_WRITE, CL_MEM_HOST_NO_ACCESS,
                                        CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS};
    static const cl_mem_flags bad[] = {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR, 1 << 14};
    static const cl_pipe_properties some[3] = {0x7777, 1, 0}; /* "must be NULL" */
    if (is_full(w, MEM))
        return;
    arg context = draw_context(w);
    bool wrong_flags = odd(w), properties = odd(w);
    cl_mem_flags flags = wrong_flags ? bad[draw(w, COUNT(bad))] : good[draw(w, COUNT(good))];
    cl_uint bytes = odd(w) ? (draw(w, 2) ? 0 : UINT32_MAX) : (cl_uint)(1 + draw(w, 128));
    cl_uint count = odd(w) ? 0 : (cl_uint)(1 + draw(w, 64));
    fault(w, wrong_flags || properties, CL_INVALID_VALUE);
    may(w, properties, CL_INVALID_PROPERTY);
    fault(w, !bytes || bytes == UINT32_MAX || !count, CL_INVALID_PIPE_SIZE);
    SAY("%s, %#llx, %u, %u, %s, &status", name_of(&context), (unsigned long long)flags, bytes,
        count, properties ? "some" : "NULL");
    cl_mem made =
        cl.clCreatePipe(context.handle, flags, bytes, count, properties ? some : NULL, errcode(w));
    if (!judge_object(w, made))
        return;
    object *pipe = add(w, MEM, made, context.o);
    pipe->type = CL_MEM_OBJECT_PIPE;
    pipe->flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    pipe->element = bytes;
    pipe->size = count;
}

/* ---- destructors ----------------------------------------------------------------------------- */

static void CL_CALLBACK on_mem_gone(cl_mem mem, void *user) {
    (void)mem;
    give_back(user);
}

/* A row of buffers, each of which is released when the one before it goes. */
typedef struct link {
    world *w;
    cl_mem next;
} link;

static void CL_CALLBACK on_link_gone(cl_mem mem, void *user) {
    link *l = user;
    (void)mem;
    if (l->next && cl.clReleaseMemObject(l->next) != CL_SUCCESS)
        wrong(l->w, "a destructor callback cannot release the next buffer");
    atomic_fetch_add(&l->w->callbacks_done, 1);
    free(l);
}

static void drop_chain(world *w, cl_context context) {
    unsigned length = 1u << draw(w, 13);
    cl_mem next = NULL;
    SAY("a chain of %u buffers", length);
    for (unsigned i = 0; i < length; i++) {
        cl_int status = 1;
        cl_mem mem = cl.clCreateBuffer(context, 0, 16, NULL, &status);
        link *l = calloc(1, sizeof(*l));
        if (status || !l)
            wrong(w, "no buffer for the chain: %d", status);
        *l = (link){w, next};
        if (cl.clSetMemObjectDestructorCallback(mem, on_link_gone, l))
            wrong(w, "no callback for the chain");
        next = mem;
    }
    atomic_fetch_add(w->progress, 2 * length);
    atomic_fetch_add(&w->callbacks_due, length);
    judge(w, cl.clReleaseMemObject(next));
}

void row_clSetMemObjectDestructorCallback(world *w) {
    arg mem = pick(w, MEM, NULL, NULL);
    bool none = odd(w);
    if (mem.o && mem.o->context->refs && draw(w, 200) == 0) {
        drop_chain(w, mem.o->context->handle);
        return;
    }
    fault(w, !mem.o, CL_INVALID_MEM_OBJECT);
    fault(w, none, CL_INVALID_VALUE);
    SAY("%s, %s, lent", name_of(&mem), none ? "NULL" : "on_mem_gone");
    loan *lent = draw_loan(w, w->must_fail ? KIND_NONE : MEM, mem.o);
    if (!judge(w, cl.clSetMemObjectDestructorCallback(mem.handle, none ? NULL : on_mem_gone, lent)))
        give_back(lent);
}
