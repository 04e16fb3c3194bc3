// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Queries: known and unknown names, room that suffices and room that does not. */

#include "rows.h"

enum { VALUE_BYTES = 65536 };

/* "CL_INVALID_VALUE if param_name is not one of the supported values or if size in bytes specified
 * by param_value_size is < size of return type ... and param_value is not a NULL value." */
int draw_query(world *w, const char *of_text, const parameter *table, unsigned count, asks *ask,
               const void *of, void *value) {
    int at = (int)draw(w, count);
    bool unknown = odd(w), none = draw(w, 6) == 0, no_ret = draw(w, 3) == 0;
    const parameter *p = &table[at];
    cl_uint name = unknown ? (draw(w, 2) ? (cl_uint)draw(w, 0x10000) | 0x80000 : 0) : p->name;
    size_t bytes = p->bytes, ret = SIZE_MAX, size;
    if (!bytes && !unknown && !w->must_fail && !w->any_error &&
        ask(w, of, name, 0, NULL, &bytes) != CL_SUCCESS)
        bytes = SIZE_MAX;
    if (bytes > VALUE_BYTES && bytes != SIZE_MAX) /* the log of a header that includes itself */
        return -1;
    if (bytes == SIZE_MAX && !w->allowed_count)
        wrong(w, "%#x does not tell its size", name);
    size = draw(w, 2) || !bytes ? VALUE_BYTES : bytes;
    if (odd(w) && bytes && bytes != SIZE_MAX)
        size = draw(w, bytes);
    fault(w, unknown, CL_INVALID_VALUE);
    fault(w, !unknown && !none && bytes && size < bytes, CL_INVALID_VALUE);
    SAY("%s, %#x, %zu, %s, %s", of_text, name, size, none ? "NULL" : "value",
        no_ret ? "NULL" : "&ret");
    memset(value, 0x5a, 64);
    if (!judge(w, ask(w, of, name, size, none ? NULL : value, no_ret ? NULL : &ret)))
        return -1;
    if (!no_ret && bytes && bytes != SIZE_MAX && ret != bytes)
        wrong(w, "%#x says that it has %zu bytes, not %zu", name, ret, bytes);
    return none ? -1 : at;
}

void check_references(world *w, const object *o, const void *value) {
    cl_uint count;
    memcpy(&count, value, sizeof(count));
    /* What callbacks got may be back or not, and one may just be holding another reference. */
    if (count < o->refs || (!atomic_load(&w->callbacks_due) && count > o->refs))
        wrong(w, "%u references, not %u", count, o->refs);
}

static void check_handle(world *w, const object *expected, const void *value) {
    void *handle;
    memcpy(&handle, value, sizeof(handle));
    if (handle != (expected ? expected->handle : NULL))
        wrong(w, "the answer is %p, not %p", handle, expected ? expected->handle : NULL);
}

#define ASK(name, function, type)                                                                  \
    static cl_int name(world *w, const void *of, cl_uint what, size_t size, void *value,           \
                       size_t *ret) {                                                              \
        (void)w;                                                                                   \
        return cl.function((type)(uintptr_t)of, what, size, value, ret);                           \
    }
#define QUERY(table, ask, text, handle) draw_query(w, text, table, COUNT(table), ask, handle, value)

/* ---- platform, device, context, queue -------------------------------------------------------- */

static const parameter platform_table[] = {
    {CL_PLATFORM_PROFILE, 0}, {CL_PLATFORM_VERSION, 0},    {CL_PLATFORM_NAME, 0},
    {CL_PLATFORM_VENDOR, 0},  {CL_PLATFORM_EXTENSIONS, 0}, {CL_PLATFORM_HOST_TIMER_RESOLUTION, 8}};
ASK(ask_platform, clGetPlatformInfo, cl_platform_id)

void row_clGetPlatformInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    bool bad = odd(w);
    fault(w, bad, CL_INVALID_PLATFORM);
    QUERY(platform_table, ask_platform, bad ? "junk" : "platform",
          bad ? (void *)w->junk : (void *)w->platform);
}

static const parameter device_table[] = {{CL_DEVICE_TYPE, 8},
                                         {CL_DEVICE_VENDOR_ID, 4},
                                         {CL_DEVICE_MAX_COMPUTE_UNITS, 4},
                                         {CL_DEVICE_MAX_WORK_ITEM_SIZES, 24},
                                         {CL_DEVICE_MAX_WORK_GROUP_SIZE, 8},
                                         {CL_DEVICE_ADDRESS_BITS, 4},
                                         {CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8},
                                         {CL_DEVICE_SINGLE_FP_CONFIG, 8},
                                         {CL_DEVICE_LOCAL_MEM_SIZE, 8},
                                         {CL_DEVICE_NAME, 0},
                                         {CL_DEVICE_VERSION, 0},
                                         {CL_DEVICE_EXTENSIONS, 0},
                                         {CL_DEVICE_PLATFORM, 8},
                                         {CL_DEVICE_IL_VERSION, 0},
                                         {CL_DEVICE_BUILT_IN_KERNELS, 0},
                                         {CL_DEVICE_PARENT_DEVICE, 8},
                                         {CL_DEVICE_PARTITION_PROPERTIES, 0},
                                         {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 8},
                                         {CL_DEVICE_PARTITION_TYPE, 0},
                                         {CL_DEVICE_REFERENCE_COUNT, 4},
                                         {CL_DEVICE_SVM_CAPABILITIES, 8},
                                         {CL_DEVICE_MAX_PIPE_ARGS, 4},
                                         {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, 4}};
ASK(ask_device, clGetDeviceInfo, cl_device_id)

void row_clGetDeviceInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    arg device = pick(w, DEVICE, NULL, NULL);
    fault(w, !device.o, CL_INVALID_DEVICE);
    int at = QUERY(device_table, ask_device, name_of(&device), device.handle);
    if (at >= 0 && device_table[at].name == CL_DEVICE_REFERENCE_COUNT)
        check_references(w, device.o, value);
    if (at >= 0 && device_table[at].name == CL_DEVICE_PARENT_DEVICE)
        check_handle(w, device.o->parent, value);
}

static const parameter context_table[] = {{CL_CONTEXT_REFERENCE_COUNT, 4},
                                          {CL_CONTEXT_NUM_DEVICES, 4},
                                          {CL_CONTEXT_DEVICES, 0},
                                          {CL_CONTEXT_PROPERTIES, 0}};
ASK(ask_context, clGetContextInfo, cl_context)

void row_clGetContextInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    cl_uint devices;
    arg context = draw_context(w);
    int at = QUERY(context_table, ask_context, name_of(&context), context.handle);
    memcpy(&devices, value, sizeof(devices));
    if (at == 0)
        check_references(w, context.o, value);
    if (at == 1 && devices != context.o->device_count)
        wrong(w, "%u devices, not %u", devices, context.o->device_count);
}

static const parameter queue_table[] = {{CL_QUEUE_CONTEXT, 8},         {CL_QUEUE_DEVICE, 8},
                                        {CL_QUEUE_REFERENCE_COUNT, 4}, {CL_QUEUE_PROPERTIES, 8},
                                        {CL_QUEUE_DEVICE_DEFAULT, 8},  {CL_QUEUE_SIZE, 4}};
ASK(ask_queue, clGetCommandQueueInfo, cl_command_queue)

void row_clGetCommandQueueInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    arg queue = pick(w, QUEUE, NULL, NULL);
    fault(w, !queue.o, CL_INVALID_COMMAND_QUEUE);
    /* CL_QUEUE_SIZE, of a queue of the host's: "not a valid command-queue for param_name" */
    may(w, queue.o && !queue.o->on_device, CL_INVALID_COMMAND_QUEUE);
    int at = QUERY(queue_table, ask_queue, name_of(&queue), queue.handle);
    if (at == 0)
        check_handle(w, queue.o->context, value);
    if (at == 1)
        check_handle(w, queue.o->devices[0], value);
    if (at == 2)
        check_references(w, queue.o, value);
    if (at == 5 && !queue.o->on_device)
        wrong(w, "a queue of the host's has a size");
}

/* ---- memory objects, samplers ---------------------------------------------------------------- */

static const parameter mem_table[] = {{CL_MEM_TYPE, 4},      {CL_MEM_FLAGS, 8},
                                      {CL_MEM_SIZE, 8},      {CL_MEM_HOST_PTR, 8},
                                      {CL_MEM_MAP_COUNT, 4}, {CL_MEM_REFERENCE_COUNT, 4},
                                      {CL_MEM_CONTEXT, 8},   {CL_MEM_ASSOCIATED_MEMOBJECT, 8},
                                      {CL_MEM_OFFSET, 8},    {CL_MEM_USES_SVM_POINTER, 4}};
ASK(ask_mem, clGetMemObjectInfo, cl_mem)

static void check_mem(world *w, const object *mem, int at, const unsigned char *value) {
    cl_uint word;
    size_t size;
    cl_mem_flags flags;
    memcpy(&word, value, sizeof(word));
    memcpy(&size, value, sizeof(size));
    memcpy(&flags, value, sizeof(flags));
    if (at == 0 && word != mem->type)
        wrong(w, "type %#x, not %#x", word, mem->type);
    if (at == 1 && is_buffer(mem) && flags != mem->flags)
        wrong(w, "flags %#llx, not %#llx", (unsigned long long)flags,
              (unsigned long long)mem->flags);
    if (at == 2 && is_buffer(mem) && size != mem->size)
        wrong(w, "size %zu, not %zu", size, mem->size);
    if (at == 4 && word != mem->mapping_count)
        wrong(w, "map count %u, not %u", word, mem->mapping_count);
    if (at == 5)
        check_references(w, mem, value);
    if (at == 6)
        check_handle(w, mem->context, value);
    if (at == 7)
        check_handle(w, mem->parent, value);
    if (at == 8 && size != mem->origin)
        wrong(w, "offset %zu, not %zu", size, mem->origin);
}

void row_clGetMemObjectInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    arg mem = pick(w, MEM, NULL, NULL);
    fault(w, !mem.o, CL_INVALID_MEM_OBJECT);
    int at = QUERY(mem_table, ask_mem, name_of(&mem), mem.handle);
    if (at >= 0)
        check_mem(w, mem.o, at, value);
}

static const parameter image_table[] = {{CL_IMAGE_FORMAT, sizeof(cl_image_format)},
                                        {CL_IMAGE_ELEMENT_SIZE, 8},
                                        {CL_IMAGE_WIDTH, 8},
                                        {CL_IMAGE_ROW_PITCH, 8},
                                        {CL_IMAGE_SLICE_PITCH, 8},
                                        {CL_IMAGE_HEIGHT, 8},
                                        {CL_IMAGE_DEPTH, 8},
                                        {CL_IMAGE_ARRAY_SIZE, 8},
                                        {CL_IMAGE_BUFFER, 8},
                                        {CL_IMAGE_NUM_MIP_LEVELS, 4},
                                        {CL_IMAGE_NUM_SAMPLES, 4}};
ASK(ask_image, clGetImageInfo, cl_mem)

void row_clGetImageInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    size_t size;
    arg image = pick(w, MEM, NULL, is_image);
    fault(w, !IS(image, is_image), CL_INVALID_MEM_OBJECT);
    int at = QUERY(image_table, ask_image, name_of(&image), image.handle);
    memcpy(&size, value, sizeof(size));
    if (at == 1 && size != image.o->element)
        wrong(w, "elements of %zu bytes, not %zu", size, image.o->element);
    if (at == 2 && size != image.o->sizes[0])
        wrong(w, "width %zu, not %zu", size, image.o->sizes[0]);
}

static const parameter pipe_table[] = {{CL_PIPE_PACKET_SIZE, 4}, {CL_PIPE_MAX_PACKETS, 4}};
ASK(ask_pipe, clGetPipeInfo, cl_mem)

void row_clGetPipeInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    cl_uint word;
    arg pipe = pick(w, MEM, NULL, is_pipe);
    fault(w, !IS(pipe, is_pipe), CL_INVALID_MEM_OBJECT);
    int at = QUERY(pipe_table, ask_pipe, name_of(&pipe), pipe.handle);
    memcpy(&word, value, sizeof(word));
    if (at >= 0 && word != (at ? pipe.o->size : pipe.o->element))
        wrong(w, "%u", word);
}

static const parameter sampler_table[] = {{CL_SAMPLER_REFERENCE_COUNT, 4},
                                          {CL_SAMPLER_CONTEXT, 8},
                                          {CL_SAMPLER_NORMALIZED_COORDS, 4},
                                          {CL_SAMPLER_ADDRESSING_MODE, 4},
                                          {CL_SAMPLER_FILTER_MODE, 4}};
ASK(ask_sampler, clGetSamplerInfo, cl_sampler)

void row_clGetSamplerInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    arg sampler = pick(w, SAMPLER, NULL, NULL);
    fault(w, !sampler.o, CL_INVALID_SAMPLER);
    int at = QUERY(sampler_table, ask_sampler, name_of(&sampler), sampler.handle);
    if (at == 0)
        check_references(w, sampler.o, value);
}

/* ---- programs and kernels -------------------------------------------------------------------- */

static const parameter program_table[] = {
    {CL_PROGRAM_REFERENCE_COUNT, 4}, {CL_PROGRAM_CONTEXT, 8},     {CL_PROGRAM_NUM_DEVICES, 4},
    {CL_PROGRAM_DEVICES, 0},         {CL_PROGRAM_SOURCE, 0},      {CL_PROGRAM_IL, 0},
    {CL_PROGRAM_BINARY_SIZES, 0},    {CL_PROGRAM_NUM_KERNELS, 8}, {CL_PROGRAM_KERNEL_NAMES, 0}};
ASK(ask_program, clGetProgramInfo, cl_program)

void row_clGetProgramInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    arg program = pick(w, PROGRAM, NULL, NULL);
    fault(w, !program.o, CL_INVALID_PROGRAM);
    /* Kernels of what has no executable; other names never fail so, and are checked elsewhere. */
    may(w, program.o && (has_state(program.o, NULL, EXECUTABLE) != YES || program.o->wild),
        CL_INVALID_PROGRAM_EXECUTABLE);
    int at = QUERY(program_table, ask_program, name_of(&program), program.handle);
    if (at == 0)
        check_references(w, program.o, value);
    if (at == 1)
        check_handle(w, program.o->context, value);
}

typedef struct pair {
    void *a, *b;
    cl_uint index;
} pair;

static const parameter build_table[] = {{CL_PROGRAM_BUILD_STATUS, 4},
                                        {CL_PROGRAM_BUILD_OPTIONS, 0},
                                        {CL_PROGRAM_BUILD_LOG, 0},
                                        {CL_PROGRAM_BINARY_TYPE, 4},
                                        {CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, 8}};

static cl_int ask_build(world *w, const void *of, cl_uint name, size_t size, void *value,
                        size_t *ret) {
    const pair *p = of;
    (void)w;
    return cl.clGetProgramBuildInfo(p->a, p->b, name, size, value, ret);
}

/* CL_PROGRAM_BUILD_STATUS, or CL_PROGRAM_BINARY_TYPE, of a program that somebody has built. */
static void check_build(world *w, const object *program, const object *device, bool is_type,
                        cl_uint word) {
    static const cl_uint types[] = {[COMPILED] = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
                                    [LIBRARY] = CL_PROGRAM_BINARY_TYPE_LIBRARY,
                                    [EXECUTABLE] = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
                                    [FAILED] = CL_PROGRAM_BINARY_TYPE_NONE};
    for (program_state state = NOTHING; state <= FAILED; state++) {
        cl_int status = state == NOTHING  ? CL_BUILD_NONE
                        : state == FAILED ? CL_BUILD_ERROR
                                          : CL_BUILD_SUCCESS;
        if (has_state(program, device, state) != YES || (is_type && program->from == FROM_BUILT_IN))
            continue;
        if (is_type ? state != NOTHING && word != types[state] : (cl_int)word != status)
            wrong(w, "%s is %d, but its state %d", is_type ? "the type" : "the status",
                  (cl_int)word, (int)state);
    }
}

void row_clGetProgramBuildInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    cl_uint word;
    arg program = pick(w, PROGRAM, NULL, NULL), device = pick(w, DEVICE, NULL, NULL);
    if (program.o && !odd(w))
        device = arg_of(program.o->devices[draw(w, program.o->device_count)]);
    fault(w, !program.o, CL_INVALID_PROGRAM);
    fault(w, !device.o || (program.o && !has_device(program.o, device.o)), CL_INVALID_DEVICE);
    const pair p = {program.handle, device.handle, 0};
    int at = QUERY(build_table, ask_build, name_of(&program), &p);
    memcpy(&word, value, sizeof(word));
    if ((at == 0 || at == 3) && !program.o->wild)
        check_build(w, program.o, device.o, at == 3, word);
}

static const parameter kernel_table[] = {{CL_KERNEL_FUNCTION_NAME, 0},   {CL_KERNEL_NUM_ARGS, 4},
                                         {CL_KERNEL_REFERENCE_COUNT, 4}, {CL_KERNEL_CONTEXT, 8},
                                         {CL_KERNEL_PROGRAM, 8},         {CL_KERNEL_ATTRIBUTES, 0}};
ASK(ask_kernel, clGetKernelInfo, cl_kernel)

void row_clGetKernelInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    cl_uint word;
    arg kernel = pick(w, KERNEL, NULL, NULL);
    fault(w, !kernel.o, CL_INVALID_KERNEL);
    int at = QUERY(kernel_table, ask_kernel, name_of(&kernel), kernel.handle);
    memcpy(&word, value, sizeof(word));
    if (at == 0 && kernel.o->text && strcmp((char *)value, kernel.o->text->name))
        wrong(w, "its name is %s, not %s", (char *)value, kernel.o->text->name);
    if (at == 1 && kernel.o->text && word != kernel.o->text->arg_count)
        wrong(w, "%u arguments, not %u", word, kernel.o->text->arg_count);
    if (at == 2)
        check_references(w, kernel.o, value);
    if (at == 3)
        check_handle(w, kernel.o->context, value);
    if (at == 4)
        check_handle(w, kernel.o->parent, value);
}

static const parameter group_table[] = {{CL_KERNEL_WORK_GROUP_SIZE, 8},
                                        {CL_KERNEL_COMPILE_WORK_GROUP_SIZE, 24},
                                        {CL_KERNEL_LOCAL_MEM_SIZE, 8},
                                        {CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 8},
                                        {CL_KERNEL_PRIVATE_MEM_SIZE, 8}};

static cl_int ask_group(world *w, const void *of, cl_uint name, size_t size, void *value,
                        size_t *ret) {
    const pair *p = of;
    (void)w;
    return cl.clGetKernelWorkGroupInfo(p->a, p->b, name, size, value, ret);
}

/* "if device is NULL but there is more than one device associated with kernel" */
static pair draw_kernel_device(world *w, arg *kernel) {
    *kernel = pick(w, KERNEL, NULL, NULL);
    fault(w, !kernel->o, CL_INVALID_KERNEL);
    const object *program = kernel->o ? kernel->o->parent : NULL;
    arg device = pick(w, DEVICE, NULL, NULL);
    if (program && !odd(w))
        device = arg_of(program->devices[draw(w, program->device_count)]);
    if (kernel->o) {
        w->any_error = kernel->o->wild;
        if (device.o && has_device(program, device.o)) { /* kernels have devices with executables */
            belief there = has_state(program, device.o, EXECUTABLE);
            fault(w, there == NO, CL_INVALID_DEVICE);
            may(w, there == MAYBE, CL_INVALID_DEVICE);
        }
        fault(w,
              !device.handle ? program->device_count > 1
                             : !device.o || !has_device(program, device.o),
              CL_INVALID_DEVICE);
    }
    return (pair){kernel->handle, device.handle, 0};
}

void row_clGetKernelWorkGroupInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    size_t sizes[3];
    arg kernel;
    const pair p = draw_kernel_device(w, &kernel);
    int at = QUERY(group_table, ask_group, name_of(&kernel), &p);
    memcpy(sizes, value, sizeof(sizes));
    if (at == 1 && kernel.o->text && memcmp(sizes, kernel.o->text->required, sizeof(sizes)))
        wrong(w, "a required size of %zu", sizes[0]);
}

static const parameter argument_table[] = {{CL_KERNEL_ARG_ADDRESS_QUALIFIER, 4},
                                           {CL_KERNEL_ARG_ACCESS_QUALIFIER, 4},
                                           {CL_KERNEL_ARG_TYPE_NAME, 0},
                                           {CL_KERNEL_ARG_TYPE_QUALIFIER, 8},
                                           {CL_KERNEL_ARG_NAME, 0}};

static cl_int ask_argument(world *w, const void *of, cl_uint name, size_t size, void *value,
                           size_t *ret) {
    const pair *p = of;
    (void)w;
    return cl.clGetKernelArgInfo(p->a, p->index, name, size, value, ret);
}

void row_clGetKernelArgInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    arg kernel = pick(w, KERNEL, NULL, NULL);
    const kernel_text *text = kernel.o ? kernel.o->text : NULL;
    pair p = {kernel.handle, NULL, text && text->arg_count ? (cl_uint)draw(w, text->arg_count) : 0};
    if (odd(w))
        p.index = 99;
    fault(w, !kernel.o, CL_INVALID_KERNEL);
    fault(w, text && p.index >= text->arg_count, CL_INVALID_ARG_INDEX);
    w->any_error = kernel.o && kernel.o->wild;
    /* Only "if the program was created from source and built with -cl-kernel-arg-info"; more is
     * not forbidden. */
    may(w, kernel.o, CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    QUERY(argument_table, ask_argument, name_of(&kernel), &p);
}

static const parameter sub_group_table[] = {{CL_KERNEL_MAX_NUM_SUB_GROUPS, 8},
                                            {CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 8}};

static cl_int ask_sub_group(world *w, const void *of, cl_uint name, size_t size, void *value,
                            size_t *ret) {
    const pair *p = of;
    (void)w;
    return cl.clGetKernelSubGroupInfo(p->a, p->b, name, 0, NULL, size, value, ret);
}

void row_clGetKernelSubGroupInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    arg kernel;
    const pair p = draw_kernel_device(w, &kernel);
    QUERY(sub_group_table, ask_sub_group, name_of(&kernel), &p);
}

/* ---- events and USM -------------------------------------------------------------------------- */

static const parameter event_table[] = {{CL_EVENT_COMMAND_EXECUTION_STATUS, 4},
                                        {CL_EVENT_COMMAND_TYPE, 4},
                                        {CL_EVENT_REFERENCE_COUNT, 4},
                                        {CL_EVENT_CONTEXT, 8},
                                        {CL_EVENT_COMMAND_QUEUE, 8}};
ASK(ask_event, clGetEventInfo, cl_event)

/* Held back: it has not begun. Else it may be anywhere on the way to its end, which is known. */
static void check_status(world *w, command *c, cl_int status) {
    bool settled = is_settled(c);
    if (c->is_user && status != (settled ? c->final : CL_SUBMITTED))
        wrong(w, "a user event's status is %d", status);
    if (!c->is_user && !settled && status != CL_QUEUED && status != CL_SUBMITTED)
        wrong(w, "status %d of a command that is held back", status);
    if (!c->is_user && settled && status <= CL_COMPLETE && status != c->final && !c->unsure)
        wrong(w, "status %d of a command that should end with %d", status, c->final);
}

void row_clGetEventInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    cl_int word;
    arg event = pick(w, EVENT, NULL, NULL);
    fault(w, !event.o, CL_INVALID_EVENT);
    int at = QUERY(event_table, ask_event, name_of(&event), event.handle);
    memcpy(&word, value, sizeof(word));
    if (at == 0)
        check_status(w, event.o->command, word);
    if (at == 1 && (cl_command_type)word != event.o->command->type)
        wrong(w, "command type %#x, not %#x", word, event.o->command->type);
    if (at == 2)
        check_references(w, event.o, value);
    if (at == 3)
        check_handle(w, event.o->context, value);
    if (at == 4)
        check_handle(w, event.o->parent, value);
}

static const parameter profiling_table[] = {{CL_PROFILING_COMMAND_QUEUED, 8},
                                            {CL_PROFILING_COMMAND_SUBMIT, 8},
                                            {CL_PROFILING_COMMAND_START, 8},
                                            {CL_PROFILING_COMMAND_END, 8},
                                            {CL_PROFILING_COMMAND_COMPLETE, 8}};
ASK(ask_profiling, clGetEventProfilingInfo, cl_event)

void row_clGetEventProfilingInfo(world *w) {
    unsigned char value[VALUE_BYTES];
    arg event = pick(w, EVENT, NULL, NULL);
    fault(w, !event.o, CL_INVALID_EVENT);
    if (event.o) {
        command *c = event.o->command;
        bool never = c->is_user || !event.o->profiles || !is_settled(c) ||
                     c->type == CL_COMMAND_SVM_FREE || (c->final < 0 && !c->unsure);
        fault(w, never, CL_PROFILING_INFO_NOT_AVAILABLE);
        may(w, true, CL_PROFILING_INFO_NOT_AVAILABLE); /* it may not have ended yet */
    }
    QUERY(profiling_table, ask_profiling, name_of(&event), event.handle);
}

static const parameter usm_table[] = {{CL_MEM_ALLOC_TYPE_INTEL, 4},
                                      {CL_MEM_ALLOC_BASE_PTR_INTEL, 8},
                                      {CL_MEM_ALLOC_SIZE_INTEL, 8},
                                      {CL_MEM_ALLOC_DEVICE_INTEL, 8},
                                      {CL_MEM_ALLOC_FLAGS_INTEL, 8}};

static cl_int ask_usm(world *w, const void *of, cl_uint name, size_t size, void *value,
                      size_t *ret) {
    const pair *p = of;
    (void)w;
    return cl.clGetMemAllocInfoINTEL(p->a, p->b, name, size, value, ret);
}

static bool is_usm(const object *o) {
    return o->kind == SVM && o->is_usm;
}

void row_clGetMemAllocInfoINTEL(world *w) {
    unsigned char value[VALUE_BYTES];
    cl_uint type;
    arg context = draw_context(w);
    const object *block = context.o ? find(w, SVM, context.o, is_usm) : NULL;
    const pair p = {context.handle, block ? block->handle : w->junk, 0};
    int at = QUERY(usm_table, ask_usm, name_of(&context), &p);
    memcpy(&type, value, sizeof(type));
    if (at == 0 && type != (block ? block->usm_type : CL_MEM_TYPE_UNKNOWN_INTEL))
        wrong(w, "type %#x", type);
}
