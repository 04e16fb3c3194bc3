// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Shared virtual memory and cl_intel_unified_shared_memory. */

#include "rows.h"

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool is_svm(const object *o) {
    return o->kind == SVM && !o->is_usm && o->context->refs;
}

static bool is_usm(const object *o) {
    return o->kind == SVM && o->is_usm && o->context->refs;
}

static bool is_unused_svm(const object *o) {
    return is_svm(o) && !o->used;
}

static bool is_unused_usm(const object *o) {
    return is_usm(o) && !o->used;
}

static void use(object *block, object *queue) {
    if (!block)
        return;
    block->used_by = block->used ? (block->used_by == queue ? queue : NULL) : queue;
    block->used = true;
}

static object *made_block(world *w, void *memory, object *context, size_t size, cl_uint type) {
    object *block = add(w, SVM, memory, context);
    block->size = size;
    block->is_usm = type != 0;
    block->usm_type = type;
    return block;
}

/* Bytes of a block of the context, or of the host. */
static void *draw_bytes(world *w, const object *context, size_t bytes, bool out, object **block) {
    *block = context && draw(w, 3) ? find(w, SVM, context, NULL) : NULL;
    if (*block && (*block)->size >= bytes && (*block)->context->refs)
        return (unsigned char *)(*block)->handle + draw(w, (*block)->size - bytes + 1) / 16 * 16;
    *block = NULL;
    return draw_host(w, bytes, out);
}

/* ---- allocating and freeing ------------------------------------------------------------------ */

void row_clSVMAlloc(world *w) {
    static const cl_svm_mem_flags good[] = {0,
                                            CL_MEM_READ_WRITE,
                                            CL_MEM_WRITE_ONLY,
                                            CL_MEM_READ_ONLY,
                                            CL_MEM_SVM_FINE_GRAIN_BUFFER,
                                            CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS};
    static const cl_svm_mem_flags bad[] = {CL_MEM_SVM_ATOMICS, CL_MEM_COPY_HOST_PTR,
                                           CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 1 << 20};
    if (is_full(w, SVM))
        return;
    arg context = draw_context(w);
    bool bad_flags = odd(w), bad_size = odd(w), bad_align = odd(w);
    cl_svm_mem_flags flags = bad_flags ? bad[draw(w, COUNT(bad))] : good[draw(w, COUNT(good))];
    size_t size = bad_size ? (draw(w, 2) ? 0 : SIZE_MAX - 5) : draw_size(w, 1 << 14);
    cl_uint align = bad_align ? (draw(w, 2) ? 3 : 1u << 20) : draw(w, 2) ? 0 : 1u << draw(w, 8);
    fault(w, bad_flags || bad_size || bad_align, CL_INVALID_VALUE);
    SAY("%s, %#llx, %zu, %u", name_of(&context), (unsigned long long)flags, size, align);
    void *memory = cl.clSVMAlloc(context.handle, flags, size, align);
    w->has_errcode = false;
    if (judge_object(w, memory))
        made_block(w, memory, context.o, size, 0);
}

void row_clSVMFree(world *w) {
    arg context = draw_context(w);
    object *block = context.o ? find(w, SVM, context.o, is_unused_svm) : NULL;
    void *memory = block ? block->handle : odd(w) ? (void *)w->junk : NULL;
    SAY("%s, %p", name_of(&context), memory);
    cl.clSVMFree(context.handle, memory);
    if (w->trace)
        fprintf(stderr, "\n");
    if (block)
        block->refs = 0;
}

/* Properties of USM: one name is known. */
static const cl_mem_properties_intel *draw_usm(world *w, size_t *size, cl_uint *align, bool shared,
                                               cl_mem_properties_intel *list) {
    bool bad_size = odd(w), bad_align = odd(w), unknown = odd(w), bad_flags = odd(w);
    *size = bad_size ? (draw(w, 2) ? 0 : SIZE_MAX - 5) : draw_size(w, 1 << 14);
    *align = bad_align ? (draw(w, 2) ? 3 : 1u << 20) : draw(w, 2) ? 0 : 1u << draw(w, 8);
    list[0] = unknown ? 0x7777 : CL_MEM_ALLOC_FLAGS_INTEL;
    list[1] = bad_flags ? 1 << 20 : CL_MEM_ALLOC_WRITE_COMBINED_INTEL;
    list[2] = 0;
    fault(w, bad_size, CL_INVALID_BUFFER_SIZE);
    fault(w, bad_align, CL_INVALID_VALUE);
    fault(w, unknown || bad_flags, CL_INVALID_PROPERTY);
    if (!unknown && !bad_flags && draw(w, 4) == 0) {
        list[1] = CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
        fault(w, !shared, CL_INVALID_PROPERTY);
    }
    return unknown || bad_flags || list[1] == CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL ||
                   draw(w, 2)
               ? list
               : NULL;
}

static void made_usm(world *w, void *memory, const arg *context, size_t size, cl_uint type) {
    if (judge_object(w, memory))
        made_block(w, memory, context->o, size, type);
}

void row_clHostMemAllocINTEL(world *w) {
    cl_mem_properties_intel list[3];
    size_t size;
    cl_uint align;
    if (is_full(w, SVM))
        return;
    arg context = draw_context(w);
    const cl_mem_properties_intel *given = draw_usm(w, &size, &align, false, list);
    SAY("%s, %s, %zu, %u, &status", name_of(&context), given ? "list" : "NULL", size, align);
    void *made = cl.clHostMemAllocINTEL(context.handle, given, size, align, errcode(w));
    made_usm(w, made, &context, size, CL_MEM_TYPE_HOST_INTEL);
}

static arg draw_usm_device(world *w, const arg *context, bool may_be_none) {
    arg device = {0};
    if (may_be_none && draw(w, 2))
        return device;
    device = odd(w) || !context->o ? pick(w, DEVICE, NULL, NULL) : arg_of(context->o->devices[0]);
    fault(w, device.handle || !may_be_none ? !device.o : false, CL_INVALID_DEVICE);
    fault(w, device.o && context->o && !has_device(context->o, device.o), CL_INVALID_DEVICE);
    return device;
}

/* Memory of a device; shared memory may be of none. */
static void alloc_on_device(world *w, __typeof__(clDeviceMemAllocINTEL) *alloc, bool shared) {
    cl_mem_properties_intel list[3];
    size_t size;
    cl_uint align;
    if (is_full(w, SVM))
        return;
    arg context = draw_context(w), device = draw_usm_device(w, &context, shared);
    const cl_mem_properties_intel *given = draw_usm(w, &size, &align, shared, list);
    SAY("%s, %s, %s, %zu, %u, &status", name_of(&context), name_of(&device),
        given ? "list" : "NULL", size, align);
    void *made = alloc(context.handle, device.handle, given, size, align, errcode(w));
    made_usm(w, made, &context, size, shared ? CL_MEM_TYPE_SHARED_INTEL : CL_MEM_TYPE_DEVICE_INTEL);
}

void row_clDeviceMemAllocINTEL(world *w) {
    alloc_on_device(w, cl.clDeviceMemAllocINTEL, false);
}

void row_clSharedMemAllocINTEL(world *w) {
    alloc_on_device(w, cl.clSharedMemAllocINTEL, true);
}

/* A block of the context that nobody uses, NULL (allowed), or what is none. */
static void *draw_usm_to_free(world *w, const arg *context, object **block) {
    *block = context->o ? find(w, SVM, context->o, is_unused_usm) : NULL;
    if (odd(w)) {
        *block = NULL;
        fault(w, true, CL_INVALID_VALUE);
        return w->junk;
    }
    return *block ? (*block)->handle : NULL;
}

static bool holds_back(const world *w) {
    for (const command *c = w->commands; c; c = c->next)
        if (!c->settled && !is_settled((command *)(uintptr_t)c) && !c->is_user)
            return true;
    return false;
}

static void row_free(world *w, __typeof__(clMemFreeINTEL) *call) {
    object *block;
    arg context = draw_context(w);
    void *memory = draw_usm_to_free(w, &context, &block);
    SAY("%s, %p", name_of(&context), memory);
    if (judge(w, call(context.handle, memory)) && block)
        block->refs = 0;
}

void row_clMemFreeINTEL(world *w) {
    row_free(w, cl.clMemFreeINTEL);
}

/* It waits for kernels, whatever their arguments: not while something holds those back. */
void row_clMemBlockingFreeINTEL(world *w) {
    if (!holds_back(w))
        row_free(w, cl.clMemBlockingFreeINTEL);
}

/* ---- commands -------------------------------------------------------------------------------- */

typedef cl_int copies(cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint,
                      const cl_event *, cl_event *);

static void row_copy(world *w, copies *copy, cl_command_type type) {
    waits list;
    object *a, *b;
    arg queue = draw_queue(w);
    object *context = queue.o ? queue.o->context : NULL;
    size_t bytes = 1 + draw(w, 1024);
    unsigned char *to = draw_bytes(w, context, bytes, true, &a);
    const unsigned char *from = draw_bytes(w, context, bytes, false, &b);
    bool no_to = odd(w), no_from = odd(w);
    fault(w, no_to || no_from, CL_INVALID_VALUE);
    fault(w, !no_to && !no_from && from < to + bytes && to < from + bytes, CL_MEM_COPY_OVERLAP);
    draw_waits(w, context, &list);
    bool blocking = draw_blocking(w, queue.o, &list);
    SAY("%s, %d, %p, %p, %zu, %s", name_of(&queue), blocking, no_to ? NULL : (void *)to,
        no_from ? NULL : (const void *)from, bytes, waits_text(&list));
    if (!judge(w, copy(queue.handle, blocking, no_to ? NULL : to, no_from ? NULL : from, bytes,
                       list.count, list.list, list.event)))
        return;
    use(a, queue.o), use(b, queue.o);
    enqueued(w, queue.o, &list, type, ORDER_PLAIN, false);
}

void row_clEnqueueSVMMemcpy(world *w) {
    row_copy(w, cl.clEnqueueSVMMemcpy, CL_COMMAND_SVM_MEMCPY);
}

void row_clEnqueueMemcpyINTEL(world *w) {
    row_copy(w, cl.clEnqueueMemcpyINTEL, CL_COMMAND_MEMCPY_INTEL);
}

typedef cl_int fills(cl_command_queue, void *, const void *, size_t, size_t, cl_uint,
                     const cl_event *, cl_event *);

static void row_fill(world *w, fills *fill, cl_command_type type) {
    waits list;
    object *a;
    arg queue = draw_queue(w);
    size_t pattern = (size_t)1 << draw(w, 8), bytes = pattern * (1 + draw(w, 16));
    unsigned char *to = draw_bytes(w, queue.o ? queue.o->context : NULL, bytes + 128, true, &a);
    to = (unsigned char *)(((uintptr_t)to + pattern - 1) & ~(uintptr_t)(pattern - 1));
    const void *data = odd(w) ? NULL : w->host_in;
    if (odd(w))
        pattern = draw(w, 2) ? 0 : 3;
    if (odd(w))
        to = NULL;
    bool power = pattern && !(pattern & (pattern - 1));
    fault(w, !data || !to || !power || bytes % pattern, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %p, %p, %zu, %zu, %s", name_of(&queue), (void *)to, data, pattern, bytes,
        waits_text(&list));
    if (!judge(w, fill(queue.handle, to, data, pattern, bytes, list.count, list.list, list.event)))
        return;
    use(a, queue.o);
    enqueued(w, queue.o, &list, type, ORDER_PLAIN, false);
}

void row_clEnqueueSVMMemFill(world *w) {
    row_fill(w, cl.clEnqueueSVMMemFill, CL_COMMAND_SVM_MEMFILL);
}

void row_clEnqueueMemFillINTEL(world *w) {
    row_fill(w, cl.clEnqueueMemFillINTEL, CL_COMMAND_MEMFILL_INTEL);
}

void row_clEnqueueMemsetINTEL(world *w) {
    waits list;
    object *a;
    arg queue = draw_queue(w);
    size_t bytes = 1 + draw(w, 512);
    void *to = draw_bytes(w, queue.o ? queue.o->context : NULL, bytes, true, &a);
    if (odd(w))
        to = NULL;
    fault(w, !to, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %p, 7, %zu, %s", name_of(&queue), to, bytes, waits_text(&list));
    if (!judge(w, cl.clEnqueueMemsetINTEL(queue.handle, to, 7, bytes, list.count, list.list,
                                          list.event)))
        return;
    use(a, queue.o);
    enqueued(w, queue.o, &list, CL_COMMAND_MEMFILL_INTEL, ORDER_PLAIN, false);
}

/* A whole block, or a part of one, or memory of the host's where any will do. */
static void *draw_block(world *w, const arg *queue, size_t *bytes, object **block) {
    *block = queue->o ? find(w, SVM, queue->o->context, is_svm) : NULL;
    *bytes = *block ? 1 + draw(w, (*block)->size) : 64;
    return *block ? (*block)->handle : w->host_out;
}

void row_clEnqueueSVMMap(world *w) {
    waits list;
    object *block;
    size_t bytes;
    arg queue = draw_queue(w);
    void *memory = draw_block(w, &queue, &bytes, &block);
    bool bad_flags = odd(w);
    if (odd(w))
        memory = NULL;
    if (odd(w))
        bytes = 0;
    fault(w, !memory || !bytes || bad_flags, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    bool blocking = draw_blocking(w, queue.o, &list);
    SAY("%s, %d, %s, %p, %zu, %s", name_of(&queue), blocking, bad_flags ? "0x80" : "CL_MAP_WRITE",
        memory, bytes, waits_text(&list));
    if (!judge(w, cl.clEnqueueSVMMap(queue.handle, blocking, bad_flags ? 1 << 7 : CL_MAP_WRITE,
                                     memory, bytes, list.count, list.list, list.event)))
        return;
    use(block, queue.o);
    enqueued(w, queue.o, &list, CL_COMMAND_SVM_MAP, ORDER_PLAIN, false);
}

void row_clEnqueueSVMUnmap(world *w) {
    waits list;
    object *block;
    size_t bytes;
    arg queue = draw_queue(w);
    void *memory = draw_block(w, &queue, &bytes, &block);
    if (odd(w))
        memory = NULL;
    fault(w, !memory, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %p, %s", name_of(&queue), memory, waits_text(&list));
    if (!judge(w, cl.clEnqueueSVMUnmap(queue.handle, memory, list.count, list.list, list.event)))
        return;
    use(block, queue.o);
    enqueued(w, queue.o, &list, CL_COMMAND_SVM_UNMAP, ORDER_PLAIN, false);
}

void row_clEnqueueSVMMigrateMem(world *w) {
    waits list;
    object *block;
    size_t bytes;
    arg queue = draw_queue(w);
    void *memory = draw_block(w, &queue, &bytes, &block);
    const void *pointers[1] = {memory};
    if (!block)
        return;
    cl_uint count = odd(w) ? 0 : 1;
    cl_mem_migration_flags flags = odd(w) ? 1 << 6 : draw(w, 4);
    if (odd(w))
        bytes = block->size + 1;
    fault(w, !count || flags > 3 || bytes > block->size, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %u, {%p}, {%zu}, %#llx, %s", name_of(&queue), count, memory, bytes,
        (unsigned long long)flags, waits_text(&list));
    if (!judge(w, cl.clEnqueueSVMMigrateMem(queue.handle, count, pointers, &bytes, flags,
                                            list.count, list.list, list.event)))
        return;
    use(block, queue.o);
    enqueued(w, queue.o, &list, CL_COMMAND_SVM_MIGRATE_MEM, ORDER_PLAIN, false);
}

void row_clEnqueueMigrateMemINTEL(world *w) {
    waits list;
    arg queue = draw_queue(w);
    cl_mem_migration_flags flags = odd(w) ? 1 << 6 : draw(w, 3);
    void *memory = odd(w) ? NULL : w->host_out; /* no error is specified for it */
    fault(w, flags > 3, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %p, 64, %#llx, %s", name_of(&queue), memory, (unsigned long long)flags,
        waits_text(&list));
    if (judge(w, cl.clEnqueueMigrateMemINTEL(queue.handle, memory, 64, flags, list.count, list.list,
                                             list.event)))
        enqueued(w, queue.o, &list, CL_COMMAND_MIGRATEMEM_INTEL, ORDER_PLAIN, false);
}

void row_clEnqueueMemAdviseINTEL(world *w) {
    waits list;
    arg queue = draw_queue(w);
    cl_mem_advice_intel advice = odd(w) ? 0x4208 : 0;
    void *memory = odd(w) ? NULL : w->host_out; /* no error is specified for it */
    fault(w, advice, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %p, 64, %u, %s", name_of(&queue), memory, advice, waits_text(&list));
    if (judge(w, cl.clEnqueueMemAdviseINTEL(queue.handle, memory, 64, advice, list.count, list.list,
                                            list.event)))
        enqueued(w, queue.o, &list, CL_COMMAND_MEMADVISE_INTEL, ORDER_PLAIN, false);
}

/* The blocks are the command's from here on: only such as nothing else uses. */
static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint count, void *pointers[],
                                void *user) {
    cl_context context = NULL;
    if (cl.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL))
        wrong(((loan *)user)->w, "no context in clSVMFree's callback");
    for (cl_uint i = 0; i < count; i++)
        cl.clSVMFree(context, pointers[i]);
    give_back(user);
}

void row_clEnqueueSVMFree(world *w) {
    waits list;
    arg queue = draw_queue(w);
    object *block = queue.o ? find(w, SVM, queue.o->context, is_unused_svm) : NULL;
    void *pointers[1] = {block ? block->handle : w->junk};
    cl_uint count = odd(w) ? 0 : 1;
    bool none = odd(w);
    if (!block && (count || none)) /* nothing to free, and no fault */
        return;
    fault(w, !count != none, CL_INVALID_VALUE);
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    bool call = !list.count && draw(w, 2); /* a command that fails calls nobody */
    SAY("%s, %u, %s {%p}, %s, lent, %s", name_of(&queue), count, none ? "NULL" : "", pointers[0],
        call ? "on_free" : "NULL", waits_text(&list));
    loan *lent = call ? draw_loan(w, KIND_NONE, NULL) : NULL;
    if (!judge(w, cl.clEnqueueSVMFree(queue.handle, count, none ? NULL : pointers,
                                      call ? on_free : NULL, lent, list.count, list.list,
                                      list.event))) {
        if (lent)
            give_back(lent);
        return;
    }
    if (block && count)
        block->refs = 0;
    enqueued(w, queue.o, &list, CL_COMMAND_SVM_FREE, ORDER_PLAIN, false);
}
