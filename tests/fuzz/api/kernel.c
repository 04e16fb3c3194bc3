// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Kernels, their arguments, their launches. */

#include "rows.h"
#include "setup.h"

/* ---- making ---------------------------------------------------------------------------------- */

static const kernel_text il_kernel = {"il", 0, {0}, {0}};

/* One of those that the program is made of. */
static unsigned draw_source(world *w, const object *program) {
    unsigned i = (unsigned)draw(w, source_count);
    while (!(program->sources >> i & 1) && program->sources)
        i = (i + 1) % source_count;
    return i;
}

/* The kernels that a program has; those of built-in ones are anybody's guess. */
static const kernel_text *draw_text(world *w, const object *program) {
    if (!program || program->from == FROM_BUILT_IN)
        return NULL;
    if (program->from == FROM_IL)
        return &il_kernel;
    const source *s = &sources[draw_source(w, program)];
    return s->kernel_count ? &s->kernels[draw(w, s->kernel_count)] : NULL;
}

/* Which source the kernel is of. */
static unsigned source_of(const kernel_text *text) {
    for (unsigned i = 0; i < source_count; i++)
        if (text >= sources[i].kernels && text < sources[i].kernels + MOST_KERNELS)
            return i;
    return 0;
}

static object *made_kernel(world *w, cl_kernel made, object *program, const kernel_text *text) {
    object *kernel = add(w, KERNEL, made, program->context);
    kernel->parent = program;
    kernel->text = program->wild ? NULL : text;
    kernel->wild = program->wild || !text;
    kernel->from = program->from;
    kernel->source = text ? source_of(text) : 0;
    return kernel;
}

static bool is_executable(const object *o) {
    return o->kind == PROGRAM && has_state(o, NULL, EXECUTABLE) == YES;
}

static arg draw_executable(world *w) {
    arg program = pick(w, PROGRAM, NULL, is_executable);
    fault(w, !program.o, CL_INVALID_PROGRAM);
    if (program.o) {
        belief there = has_state(program.o, NULL, EXECUTABLE);
        fault(w, there == NO, CL_INVALID_PROGRAM_EXECUTABLE);
        may(w, there == MAYBE, CL_INVALID_PROGRAM_EXECUTABLE);
        w->any_error = program.o->wild;
    }
    return program;
}

void row_clCreateKernel(world *w) {
    if (is_full(w, KERNEL))
        return;
    arg program = draw_executable(w);
    const kernel_text *text = draw_text(w, program.o);
    bool none = odd(w), unknown = odd(w) || !text;
    const char *name = none ? NULL : unknown ? "nobody" : text->name;
    fault(w, none, CL_INVALID_VALUE);
    fault(w, !none && unknown, CL_INVALID_KERNEL_NAME);
    SAY("%s, \"%s\", &status", name_of(&program), name ? name : "/* NULL */");
    cl_kernel made = cl.clCreateKernel(program.handle, name, errcode(w));
    if (judge_object(w, made))
        made_kernel(w, made, program.o, text);
}

static const kernel_text *text_named(const object *program, const char *name) {
    if (program->from == FROM_IL)
        return &il_kernel;
    for (unsigned i = 0; i < source_count * MOST_KERNELS; i++) {
        const kernel_text *text = &sources[i / MOST_KERNELS].kernels[i % MOST_KERNELS];
        if (program->sources >> i / MOST_KERNELS & 1 && text->name && strcmp(text->name, name) == 0)
            return text;
    }
    return NULL;
}

void row_clCreateKernelsInProgram(world *w) {
    cl_kernel made[16] = {0};
    cl_uint count = 0;
    if (is_full(w, KERNEL))
        return;
    arg program = draw_executable(w);
    bool ask = draw(w, 4) == 0, small = odd(w);
    cl_uint room = small ? 0 : 16;
    /* "... is less than the number of kernels in program" */
    fault(w, small && !ask && !(program.o && program.o->sources == 1u << HEADER_SOURCE),
          CL_INVALID_VALUE);
    SAY("%s, %u, %s, &count", name_of(&program), room, ask ? "NULL" : "kernels");
    if (!judge(w, cl.clCreateKernelsInProgram(program.handle, room, ask ? NULL : made, &count)))
        return;
    for (cl_uint i = 0; i < count && !ask && i < 16; i++) {
        char name[64] = "";
        cl.clGetKernelInfo(made[i], CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL);
        made_kernel(w, made[i], program.o, text_named(program.o, name));
    }
}

void row_clCloneKernel(world *w) {
    if (is_full(w, KERNEL))
        return;
    arg kernel = pick(w, KERNEL, NULL, NULL);
    fault(w, !kernel.o, CL_INVALID_KERNEL);
    SAY("%s, &status", name_of(&kernel));
    cl_kernel made = cl.clCloneKernel(kernel.handle, errcode(w));
    if (!judge_object(w, made))
        return;
    object *clone = made_kernel(w, made, kernel.o->parent, kernel.o->text);
    clone->wild = kernel.o->wild;
    memcpy(clone->is_set, kernel.o->is_set, sizeof(clone->is_set));
    memcpy(clone->arg_objects, kernel.o->arg_objects, sizeof(clone->arg_objects));
    memcpy(clone->local_bytes, kernel.o->local_bytes, sizeof(clone->local_bytes));
}

/* ---- arguments ------------------------------------------------------------------------------- */

typedef struct value {
    void *handle; /* what arg_value points to, for objects */
    object *o;
    size_t size;
    const void *pointer;
} value;

static bool is_plane(const object *o) {
    return is_image(o) && o->type == CL_MEM_OBJECT_IMAGE2D;
}

static bool is_readable_plane(const object *o) {
    return is_plane(o) && !(o->flags & CL_MEM_WRITE_ONLY);
}

static bool is_writable_plane(const object *o) {
    return is_plane(o) && !(o->flags & CL_MEM_READ_ONLY);
}

/* Which objects an argument takes, and what it is if it is not one of them. */
static const struct object_rule {
    kind kind;
    wanted *is_right, *is_almost; /* almost: CL_INVALID_ARG_VALUE */
    cl_int error;
} object_rules[] = {
    [ARG_BUFFER] = {MEM, is_buffer, is_buffer, CL_INVALID_MEM_OBJECT},
    [ARG_CONSTANT] = {MEM, is_buffer, is_buffer, CL_INVALID_MEM_OBJECT},
    [ARG_READ_IMAGE] = {MEM, is_readable_plane, is_image, CL_INVALID_MEM_OBJECT},
    [ARG_WRITE_IMAGE] = {MEM, is_writable_plane, is_image, CL_INVALID_MEM_OBJECT},
    [ARG_SAMPLER] = {SAMPLER, NULL, NULL, CL_INVALID_SAMPLER},
    [ARG_PIPE] = {MEM, is_pipe, is_pipe, CL_INVALID_MEM_OBJECT},
    [ARG_QUEUE] = {QUEUE, is_device_queue, is_device_queue, CL_INVALID_DEVICE_QUEUE},
};

static void draw_object(world *w, const object *kernel, arg_kind what, value *v) {
    const struct object_rule *rule = &object_rules[what];
    bool may_be_null = what == ARG_BUFFER || what == ARG_CONSTANT, null = odd(w);
    arg a = pick(w, rule->kind, kernel->context, rule->is_right);
    v->handle = a.handle;
    v->o = a.o;
    v->size = odd(w) ? draw_garbage(w) : sizeof(void *);
    v->pointer = null ? NULL : &v->handle;
    fault(w, v->size != sizeof(void *), CL_INVALID_ARG_SIZE);
    if (null || !a.handle) {
        fault(w, !may_be_null, null ? CL_INVALID_ARG_VALUE : rule->error);
        may(w, !may_be_null, rule->error);
        may(w, !may_be_null, CL_INVALID_ARG_VALUE);
        v->o = NULL;
        return;
    }
    bool right = a.o && (!rule->is_right || rule->is_right(a.o));
    fault(w, !right, rule->error);
    may(w, a.o && !right && rule->is_almost && rule->is_almost(a.o), CL_INVALID_ARG_VALUE);
    fault(w, right && a.o->context != kernel->context, rule->error);
    may(w, right && a.o->context != kernel->context, CL_INVALID_CONTEXT);
}

static void draw_value(world *w, const object *kernel, arg_kind what, value *v) {
    static const cl_uint number = 3;
    memset(v, 0, sizeof(*v));
    if (what == ARG_LOCAL) {
        v->size = odd(w) ? draw_garbage(w) : 1 + draw(w, 1024);
        v->pointer = odd(w) ? &number : NULL;
        fault(w, v->pointer, CL_INVALID_ARG_VALUE);
        fault(w, !v->size, CL_INVALID_ARG_SIZE);
        may(w, v->size > 1024, CL_INVALID_ARG_SIZE);
    } else if (what == ARG_VALUE) {
        v->size = odd(w) ? draw_garbage(w) : sizeof(number);
        v->pointer = odd(w) ? NULL : &number;
        fault(w, !v->pointer, CL_INVALID_ARG_VALUE);
        fault(w, v->size != sizeof(number), CL_INVALID_ARG_SIZE);
    } else {
        draw_object(w, kernel, what, v);
    }
}

/* A kernel of a binary that lies about its arguments: everything that one may be, in turn. */
static void set_wild(world *w, const arg *kernel) {
    static const char bytes[1024];
    object *mem = find(w, MEM, kernel->o->context, NULL);
    const size_t sizes[] = {4, 8, 16, 64, sizeof(bytes)};
    void *handle = mem ? mem->handle : NULL;
    cl_uint index = (cl_uint)draw(w, 6);
    size_t size = sizes[draw(w, COUNT(sizes))];
    const void *data = draw(w, 2) ? (const void *)bytes : NULL;
    if (draw(w, 2))
        size = sizeof(handle), data = &handle;
    w->any_error = true;
    SAY("%s, %u, %zu, %s", name_of(kernel), index, size,
        !data           ? "NULL"
        : data == bytes ? "zeros"
                        : "&mem");
    judge(w, cl.clSetKernelArg(kernel->handle, index, size, data));
}

void row_clSetKernelArg(world *w) {
    value v = {0};
    arg kernel = pick(w, KERNEL, NULL, NULL);
    fault(w, !kernel.o, CL_INVALID_KERNEL);
    if (kernel.o && kernel.o->wild) {
        set_wild(w, &kernel);
        return;
    }
    unsigned count = kernel.o ? kernel.o->text->arg_count : 0;
    if (w->valid && !count)
        return;
    cl_uint index = count ? (cl_uint)draw(w, count) : 0;
    if (odd(w))
        index = draw(w, 2) ? count : (cl_uint)draw_garbage(w);
    fault(w, kernel.o && index >= count, CL_INVALID_ARG_INDEX);
    arg_kind what = index < count ? kernel.o->text->args[index] : ARG_VALUE;
    if (kernel.o)
        draw_value(w, kernel.o, what, &v);
    SAY("%s, %u, %zu, %s %s%u", name_of(&kernel), index, v.size, v.pointer ? "&" : "NULL",
        v.o ? "object" : "", v.o ? v.o->name : 0);
    if (!judge(w, cl.clSetKernelArg(kernel.handle, index, v.size, v.pointer)))
        return;
    kernel.o->is_set[index] = true;
    kernel.o->arg_objects[index] = what == ARG_SAMPLER ? NULL : v.o;
    kernel.o->local_bytes[index] = what == ARG_LOCAL ? v.size : 0;
}

static void row_set_pointer(world *w, __typeof__(clSetKernelArgSVMPointer) *set) {
    arg kernel = pick(w, KERNEL, NULL, NULL);
    fault(w, !kernel.o, CL_INVALID_KERNEL);
    const kernel_text *text = kernel.o ? kernel.o->text : NULL;
    unsigned count = text ? text->arg_count : 0;
    cl_uint index = odd(w) || !count ? 9 : (cl_uint)draw(w, count);
    w->any_error = kernel.o && kernel.o->wild;
    fault(w, kernel.o && text && index >= count, CL_INVALID_ARG_INDEX);
    bool right =
        index < count && (text->args[index] == ARG_BUFFER || text->args[index] == ARG_CONSTANT);
    fault(w, index < count && !right, CL_INVALID_ARG_VALUE);
    SAY("%s, %u, %p", name_of(&kernel), index, (void *)w->host_out);
    if (judge(w, set(kernel.handle, index, w->host_out)) && text) {
        kernel.o->is_set[index] = true;
        kernel.o->arg_objects[index] = NULL;
    }
}

void row_clSetKernelArgSVMPointer(world *w) {
    row_set_pointer(w, cl.clSetKernelArgSVMPointer);
}

void row_clSetKernelArgMemPointerINTEL(world *w) {
    row_set_pointer(w, cl.clSetKernelArgMemPointerINTEL);
}

void row_clSetKernelExecInfo(world *w) {
    void *pointers[2] = {w->host_in, w->host_out};
    const cl_bool yes = CL_TRUE;
    arg kernel = pick(w, KERNEL, NULL, NULL);
    bool list = draw(w, 2), none = odd(w), bad_name = odd(w), bad_size = odd(w);
    size_t size = bad_size ? 3 : list ? sizeof(pointers) : sizeof(yes);
    fault(w, !kernel.o, CL_INVALID_KERNEL);
    fault(w, none || bad_name || bad_size, CL_INVALID_VALUE);
    cl_kernel_exec_info name = bad_name ? 0x7777
                               : list   ? CL_KERNEL_EXEC_INFO_SVM_PTRS
                                        : CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
    SAY("%s, %#x, %zu, %s", name_of(&kernel), name, size, none ? "NULL" : "value");
    judge(w, cl.clSetKernelExecInfo(kernel.handle, name, size,
                                    none   ? NULL
                                    : list ? (const void *)pointers
                                           : &yes));
}

/* ---- launches -------------------------------------------------------------------------------- */

typedef struct nd_range {
    cl_uint given, dimensions; /* the second is at most 3 */
    size_t offset[3], global[3], local[3];
    bool has_offset, has_global, has_local, is_empty;
} nd_range;

static bool is_uniform(const object *kernel) { /* those of OpenCL C 1.2 */
    return kernel->from != FROM_BINARY && kernel->from != FROM_IL && kernel->source != 0;
}

/* What is wrong with a local size that the application gives, or that the kernel has. */
static void fault_of_local(world *w, const object *kernel, const nd_range *r, const size_t *local) {
    size_t items = 1;
    bool too_large = false, zero = false, uneven = false;
    for (cl_uint i = 0; i < r->dimensions; i++) {
        zero |= !local[i];
        too_large |= local[i] > 4096;
        uneven |= local[i] && r->global[i] % local[i];
        items *= local[i] > 4096 ? 1 : local[i];
    }
    fault(w, zero, CL_INVALID_WORK_GROUP_SIZE);
    fault(w, too_large, CL_INVALID_WORK_ITEM_SIZE);
    may(w, too_large || items > 64, CL_INVALID_WORK_GROUP_SIZE);
    may(w, zero, CL_INVALID_WORK_ITEM_SIZE);
    fault(w, uneven && is_uniform(kernel), CL_INVALID_WORK_GROUP_SIZE);
}

static void fault_of_range(world *w, const object *kernel, const nd_range *r) {
    const size_t *required = kernel->text->required;
    if (r->has_local) {
        fault_of_local(w, kernel, r, r->local);
        bool fits = true;
        for (cl_uint i = 0; i < 3; i++)
            fits &= (i < r->dimensions ? r->local[i] : 1) == required[i];
        fault(w, required[0] && !fits, CL_INVALID_WORK_GROUP_SIZE);
    }
    if (required[0] && !r->has_local) /* of more dimensions than the range has */
        may(w, r->dimensions < 2, CL_INVALID_WORK_GROUP_SIZE);
}

static void draw_range(world *w, const object *kernel, nd_range *r) {
    memset(r, 0, sizeof(*r));
    const kernel_text *text = kernel ? kernel->text : NULL;
    bool required = text && text->required[0];
    r->dimensions = required ? 2 + (cl_uint)draw(w, 2) : 1 + (cl_uint)draw(w, 3);
    r->has_offset = draw(w, 3) == 0, r->has_local = draw(w, 2), r->has_global = !odd(w);
    for (cl_uint i = 0; i < 3; i++) {
        r->local[i] = required ? text->required[i] : 1 + draw(w, 4);
        r->global[i] = r->local[i] * (1 + draw(w, 8));
        r->offset[i] = draw(w, 5);
    }
    if (odd(w))
        r->local[0] = draw(w, 2) ? draw_garbage(w) : r->local[0] + 1;
    if (odd(w))
        r->global[draw(w, r->dimensions)] = 0;
    if (odd(w))
        r->offset[0] = SIZE_MAX;
    if (odd(w))
        r->dimensions = draw(w, 2) ? 0 : 4;
    fault(w, r->dimensions < 1 || r->dimensions > 3, CL_INVALID_WORK_DIMENSION);
    bool overflow = r->has_offset && r->has_global && r->offset[0] == SIZE_MAX && r->global[0];
    fault(w, overflow && r->dimensions > 0, CL_INVALID_GLOBAL_OFFSET);
    r->given = r->dimensions;
    if (r->dimensions > 3)
        r->dimensions = 3, r->is_empty = true;
    r->is_empty |= !r->has_global || !r->dimensions;
    for (cl_uint i = 0; i < r->dimensions; i++)
        r->is_empty |= !r->global[i];
}

static void fault_of_args(world *w, const object *kernel) {
    size_t local = 0;
    for (unsigned i = 0; i < kernel->text->arg_count; i++) {
        const object *o = kernel->arg_objects[i];
        fault(w, !kernel->is_set[i], CL_INVALID_KERNEL_ARGS);
        bool released = o && !o->refs; /* whether it is gone depends on who else needs it */
        may(w, released, CL_INVALID_MEM_OBJECT);
        may(w, released, CL_INVALID_KERNEL_ARGS);
        local = kernel->local_bytes[i] > 1024 ? SIZE_MAX : local;
    }
    /* "if there is a failure to queue ... because of insufficient resources": local memory that no
     * device has. */
    fault(w, local >> 40, CL_OUT_OF_RESOURCES);
    may(w, local, CL_OUT_OF_RESOURCES);
}

static arg draw_kernel(world *w, const object *queue) {
    arg kernel = pick(w, KERNEL, queue ? queue->context : NULL, NULL);
    fault(w, !kernel.o, CL_INVALID_KERNEL);
    fault(w, kernel.o && queue && kernel.o->context != queue->context, CL_INVALID_CONTEXT);
    may(w, kernel.o && !queue, CL_INVALID_CONTEXT);
    if (kernel.o)
        w->any_error = kernel.o->wild;
    /* "if there is no successfully built program executable available for device associated with
     * command_queue" */
    belief there =
        kernel.o && queue ? has_state(kernel.o->parent, queue->devices[0], EXECUTABLE) : YES;
    fault(w, there == NO, CL_INVALID_PROGRAM_EXECUTABLE);
    may(w, there == MAYBE, CL_INVALID_PROGRAM_EXECUTABLE);
    return kernel;
}

/* Whatever its arguments are said to be: each is given everything that one may be. */
static void set_all_wild(world *w, object *kernel) {
    static const char zeros[16];
    object *mem = find(w, MEM, kernel->context, is_buffer);
    for (cl_uint i = 0; i < MOST_ARGS; i++) {
        cl.clSetKernelArg(kernel->handle, i, 4, zeros);
        cl.clSetKernelArg(kernel->handle, i, 64, NULL);
        if (mem)
            cl.clSetKernelArg(kernel->handle, i, sizeof(mem->handle), &mem->handle);
    }
}

/* In a call that is to be valid: arguments that are not there yet are set now. */
static void set_missing(world *w, object *kernel) {
    if (kernel->wild && kernel->from == FROM_BINARY)
        set_all_wild(w, kernel);
    for (unsigned i = 0; kernel->text && i < kernel->text->arg_count; i++) {
        value v;
        bool valid = w->valid;
        w->valid = true;
        if (kernel->is_set[i] && (!kernel->arg_objects[i] || kernel->arg_objects[i]->refs))
            continue;
        draw_value(w, kernel, kernel->text->args[i], &v);
        bool there = !w->must_fail;
        if (there && cl.clSetKernelArg(kernel->handle, i, v.size, v.pointer) == CL_SUCCESS) {
            kernel->is_set[i] = true;
            kernel->arg_objects[i] = kernel->text->args[i] == ARG_SAMPLER ? NULL : v.o;
            kernel->local_bytes[i] = kernel->text->args[i] == ARG_LOCAL ? v.size : 0;
        }
        w->valid = valid;
        expect_nothing(w);
    }
}

void row_clEnqueueNDRangeKernel(world *w) {
    waits list;
    nd_range r;
    object *before = find(w, KERNEL, NULL, NULL), *context = find(w, CONTEXT, NULL, NULL);
    if (w->valid && context && draw(w, 24) == 0) {
        play_families(w, context);
        return;
    }
    if (before && draw(w, 2))
        set_missing(w, before);
    arg queue = draw_queue(w), kernel = draw_kernel(w, queue.o);
    if (kernel.o && kernel.o->wild && kernel.o->from == FROM_BUILT_IN)
        return; /* it would do what it is for, with whatever it was given */
    draw_range(w, kernel.o, &r);
    if (kernel.o && kernel.o->text) {
        fault_of_args(w, kernel.o);
        if (!r.is_empty)
            fault_of_range(w, kernel.o, &r);
        else
            w->any_error = true; /* what is wrong with local sizes then, nobody has said */
    }
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %u, %s {%zu, %zu, %zu}, %s {%zu, %zu, %zu}, %s {%zu, %zu, %zu}, %s",
        name_of(&queue), name_of(&kernel), r.given, r.has_offset ? "" : "NULL", r.offset[0],
        r.offset[1], r.offset[2], r.has_global ? "" : "NULL", r.global[0], r.global[1], r.global[2],
        r.has_local ? "" : "NULL", r.local[0], r.local[1], r.local[2], waits_text(&list));
    if (judge(w, cl.clEnqueueNDRangeKernel(
                     queue.handle, kernel.handle, r.given, r.has_offset ? r.offset : NULL,
                     r.has_global ? r.global : NULL, r.has_local ? r.local : NULL, list.count,
                     list.list, list.event)))
        enqueued(w, queue.o, &list, CL_COMMAND_NDRANGE_KERNEL, ORDER_PLAIN, kernel.o->wild);
}

void row_clEnqueueTask(world *w) {
    waits list;
    nd_range r = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}, .has_local = true};
    arg queue = draw_queue(w), kernel = draw_kernel(w, queue.o);
    if (kernel.o && kernel.o->wild && kernel.o->from == FROM_BUILT_IN)
        return;
    if (kernel.o && kernel.o->text) {
        fault_of_args(w, kernel.o);
        fault_of_range(w, kernel.o, &r);
    }
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %s", name_of(&queue), name_of(&kernel), waits_text(&list));
    if (judge(w, cl.clEnqueueTask(queue.handle, kernel.handle, list.count, list.list, list.event)))
        enqueued(w, queue.o, &list, CL_COMMAND_TASK, ORDER_PLAIN, kernel.o->wild);
}

void row_clGetKernelSuggestedLocalWorkSizeKHR(world *w) {
    nd_range r;
    size_t answer[3];
    arg queue = draw_queue(w), kernel = draw_kernel(w, queue.o);
    draw_range(w, kernel.o, &r);
    r.has_local = false;
    bool none = odd(w);
    fault(w, none, CL_INVALID_VALUE);
    fault(w, r.is_empty, CL_INVALID_GLOBAL_WORK_SIZE);
    if (kernel.o && kernel.o->text) {
        fault_of_args(w, kernel.o);
        fault_of_range(w, kernel.o, &r);
    }
    SAY("%s, %s, %u, %s, %s, %s", name_of(&queue), name_of(&kernel), r.given,
        r.has_offset ? "offset" : "NULL", r.has_global ? "global" : "NULL",
        none ? "NULL" : "answer");
    judge(w, cl.clGetKernelSuggestedLocalWorkSizeKHR(
                 queue.handle, kernel.handle, r.given, r.has_offset ? r.offset : NULL,
                 r.has_global ? r.global : NULL, none ? NULL : answer));
}

static void CL_CALLBACK native(void *args) {
    void *first;
    memcpy(&first, args, sizeof(first));
    if (!first)
        abort();
}

void row_clEnqueueNativeKernel(world *w) {
    waits list;
    void *args[4] = {w, NULL, NULL, NULL};
    cl_mem mems[2];
    const void *places[2] = {&args[1], &args[2]};
    arg queue = draw_queue(w);
    bool no_function = odd(w), no_args = odd(w), no_size = odd(w), no_list = odd(w);
    cl_uint count = (cl_uint)draw(w, 3);
    for (cl_uint i = 0; i < count; i++) {
        arg mem = pick(w, MEM, queue.o ? queue.o->context : NULL, is_buffer);
        mems[i] = mem.handle;
        /* "memory object handles ... returned by clCreateBuffer or NULL" */
        fault(w, mem.handle && !mem.o, CL_INVALID_MEM_OBJECT);
        /* "if one or more memory objects specified in mem_list are not valid or are not buffer
         * objects"; of other contexts nothing is said. */
        fault(w, mem.o && !is_buffer(mem.o), CL_INVALID_MEM_OBJECT);
        may(w, mem.o && queue.o && mem.o->context != queue.o->context, CL_INVALID_MEM_OBJECT);
        may(w, mem.o && queue.o && mem.o->context != queue.o->context, CL_INVALID_CONTEXT);
    }
    no_list = no_list && count;
    fault(w, no_function || no_list || no_args != no_size || (no_args && count), CL_INVALID_VALUE);
    if (no_args && no_size && !w->must_fail)
        return; /* the function wants them */
    draw_waits(w, queue.o ? queue.o->context : NULL, &list);
    SAY("%s, %s, %s, %d, %u, %s, places, %s", name_of(&queue), no_function ? "NULL" : "native",
        no_args ? "NULL" : "args", no_size ? 0 : (int)sizeof(args), count,
        no_list || !count ? "NULL" : "mems", waits_text(&list));
    if (judge(w, cl.clEnqueueNativeKernel(queue.handle, no_function ? NULL : native,
                                          no_args ? NULL : args, no_size ? 0 : sizeof(args), count,
                                          no_list || !count ? NULL : mems, count ? places : NULL,
                                          list.count, list.list, list.event)))
        enqueued(w, queue.o, &list, CL_COMMAND_NATIVE_KERNEL, ORDER_PLAIN, false);
}
