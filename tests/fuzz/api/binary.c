// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Programs of binaries, most of which lie, and what can be done with those that were taken. */

#include "rows.h"
#include "setup.h"

/* ---- using one ------------------------------------------------------------------------------- */

/* Any error will do: what must not happen is told by the process, or by the sanitizer. */
#define CALL(name, ...)                                                                            \
    (w->function = #name, expect_nothing(w), w->any_error = true, said(w, #__VA_ARGS__),           \
     judge(w, cl.name(__VA_ARGS__)))

static void said(world *w, const char *arguments) {
    SAY("%s", arguments);
}

static void ask_program(world *w, const object *o) {
    const cl_program program = o->handle;
    const cl_device_id device = o->devices[0]->handle;
    char value[1024];
    for (cl_program_info name = CL_PROGRAM_REFERENCE_COUNT; name <= CL_PROGRAM_KERNEL_NAMES; name++)
        if (name != CL_PROGRAM_BINARIES)
            CALL(clGetProgramInfo, program, name, sizeof(value), value, NULL);
    for (cl_program_build_info name = CL_PROGRAM_BUILD_STATUS;
         name <= CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE; name++)
        CALL(clGetProgramBuildInfo, program, device, name, sizeof(value), value, NULL);
}

static void ask_kernel(world *w, cl_kernel kernel, cl_device_id device) {
    const size_t local[3] = {1 + draw(w, 8), 1 + draw(w, 3), 1}, count = draw(w, 5);
    char value[1024];
    for (cl_kernel_info name = CL_KERNEL_FUNCTION_NAME; name <= CL_KERNEL_ATTRIBUTES; name++)
        CALL(clGetKernelInfo, kernel, name, sizeof(value), value, NULL);
    for (cl_kernel_work_group_info name = CL_KERNEL_WORK_GROUP_SIZE;
         name <= CL_KERNEL_GLOBAL_WORK_SIZE; name++)
        CALL(clGetKernelWorkGroupInfo, kernel, device, name, sizeof(value), value, NULL);
    for (cl_kernel_arg_info name = CL_KERNEL_ARG_ADDRESS_QUALIFIER; name <= CL_KERNEL_ARG_NAME;
         name++)
        CALL(clGetKernelArgInfo, kernel, (cl_uint)count, name, sizeof(value), value, NULL);
    for (cl_kernel_sub_group_info name = CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
         name <= CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE; name++)
        CALL(clGetKernelSubGroupInfo, kernel, device, name, sizeof(local), local, sizeof(value),
             value, NULL);
    CALL(clGetKernelSubGroupInfo, kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
         sizeof(count), &count, sizeof(value), value, NULL);
    CALL(clGetKernelSubGroupInfo, kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
         sizeof(value), value, NULL);
}

/* Whatever the arguments are said to be: each is given everything that one may be. */
static void set_arguments(world *w, cl_kernel kernel, const object *context) {
    static const char zeros[1024];
    static const size_t sizes[] = {4, 8, 16, sizeof(zeros)};
    object *objects[] = {find(w, MEM, context, is_image), find(w, MEM, context, is_pipe),
                         find(w, SAMPLER, context, NULL), find(w, QUEUE, context, is_device_queue),
                         find(w, MEM, context, is_buffer)};
    for (cl_uint i = 0; i <= MOST_ARGS; i++) {
        for (size_t n = 0; n < COUNT(sizes); n++)
            CALL(clSetKernelArg, kernel, i, sizes[n], zeros);
        if (w->answer == CL_INVALID_ARG_INDEX)
            break;
        CALL(clSetKernelArg, kernel, i, 64, NULL);
        for (size_t n = 0; n < COUNT(objects); n++)
            if (objects[n])
                CALL(clSetKernelArg, kernel, i, sizeof(void *), &objects[n]->handle);
    }
}

static void launch(world *w, cl_kernel kernel, cl_command_queue queue) {
    const size_t global[3] = {8 * (1 + draw(w, 8)), 2 * (1 + draw(w, 4)), 1 + draw(w, 2)};
    const size_t local[3] = {1u << draw(w, 4), 1 + draw(w, 2), 1}, offset[3] = {draw(w, 9), 1, 0};
    size_t suggested[3];
    for (cl_uint dimensions = 1; dimensions <= 3; dimensions++) {
        CALL(clEnqueueNDRangeKernel, queue, kernel, dimensions, NULL, global, NULL, 0, NULL, NULL);
        CALL(clEnqueueNDRangeKernel, queue, kernel, dimensions, offset, global, local, 0, NULL,
             NULL);
    }
    CALL(clGetKernelSuggestedLocalWorkSizeKHR, queue, kernel, 3, NULL, global, suggested);
    CALL(clEnqueueTask, queue, kernel, 0, NULL, NULL);
}

static void use_kernels(world *w, const object *program, cl_command_queue queue) {
    cl_kernel kernels[16] = {0};
    cl_uint count = 0;
    if (!CALL(clCreateKernelsInProgram, program->handle, 16, kernels, &count))
        return;
    for (cl_uint i = 0; i < count && i < 16; i++) {
        ask_kernel(w, kernels[i], program->devices[0]->handle);
        set_arguments(w, kernels[i], program->context);
        launch(w, kernels[i], queue);
        CALL(clReleaseKernel, kernels[i]);
    }
}

/* Goes on with it: builds, asks, sets arguments, launches. */
static void use_wild(world *w, object *program) {
    tally *tally = w->tally; /* of the row, whose calls these are not */
    w->tally = NULL;
    ask_program(w, program);
    if (CALL(clBuildProgram, program->handle, 0, NULL, NULL, NULL, NULL)) {
        set_states(program, EXECUTABLE);
        cl_int status = 1;
        cl_command_queue queue = cl.clCreateCommandQueueWithProperties(
            program->context->handle, program->devices[0]->handle, NULL, &status);
        if (status)
            wrong(w, "no queue: %d", status);
        use_kernels(w, program, queue);
        w->function = "clFinish";
        expect_nothing(w);
        SAY("the queue of the binary that lies");
        judge(w, cl.clFinish(queue));
        cl.clReleaseCommandQueue(queue);
        ask_program(w, program);
    }
    w->tally = tally;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Bytes of a binary: as it was, cut short, one bit changed, or changed behind the checksum's back.
 */
typedef struct given {
    unsigned char *mine; /* freed afterwards */
    const unsigned char *bytes;
    size_t size;
    bool wild;
} given;

static given draw_binary(world *w, unsigned device) {
    const binary *b = &binaries[device % 2];
    given g = {.bytes = b->bytes, .size = b->size};
    if (draw(w, 4) == 0)
        return g;
    if (w->valid || draw(w, 2)) {
        g.bytes = g.mine = draw_wild_binary(w, device);
        g.wild = true;
        may(w, true, CL_INVALID_BINARY);
        may(w, true, CL_OUT_OF_HOST_MEMORY); /* "4 GiB of variables" */
        return g;
    }
    g.mine = malloc(b->size);
    if (!g.mine)
        wrong(w, "the fuzzer is out of memory");
    memcpy(g.mine, b->bytes, b->size);
    g.bytes = g.mine;
    if (draw(w, 2))
        g.size = draw(w, b->size - 1) + 1;
    else
        g.mine[draw(w, b->size)] ^= (unsigned char)(1u << draw(w, 8));
    fault(w, true, CL_INVALID_BINARY);
    return g;
}

void row_clCreateProgramWithBinary(world *w) {
    cl_device_id devices[MOST_DEVICES];
    const unsigned char *bytes[MOST_DEVICES];
    size_t sizes[MOST_DEVICES];
    given all[MOST_DEVICES];
    cl_int each[MOST_DEVICES];
    bool wild = false;
    if (is_full(w, PROGRAM))
        return;
    arg context = draw_context(w);
    cl_uint count = draw_devices(w, context.o, devices, MOST_DEVICES);
    for (cl_uint i = 0; i < count; i++) {
        all[i] = draw_binary(w, i);
        bytes[i] = all[i].bytes, sizes[i] = all[i].size;
        wild |= all[i].wild;
    }
    bool no_count = odd(w), no_list = odd(w), hole = odd(w), no_status = draw(w, 2);
    if (hole)
        *(draw(w, 2) ? (void **)(void *)&bytes[0] : (void **)(void *)&sizes[0]) = NULL;
    fault(w, no_count || no_list || hole, CL_INVALID_VALUE);
    SAY("%s, %u, %s {...}, {%zu...}, {%p %s...}, %s, &status", name_of(&context),
        no_count ? 0 : count, no_list ? "NULL" : "", sizes[0], (const void *)bytes[0],
        wild          ? "/* numbers changed */"
        : all[0].mine ? "/* changed */"
                      : "",
        no_status ? "NULL" : "each");
    cl_program made =
        cl.clCreateProgramWithBinary(context.handle, no_count ? 0 : count, no_list ? NULL : devices,
                                     sizes, bytes, no_status ? NULL : each, errcode(w));
    bool good = judge_object(w, made);
    for (cl_uint i = 0; i < count; i++)
        free(all[i].mine);
    if (!good)
        return;
    object *program = made_program(w, made, context.o, FROM_BINARY);
    program->wild = wild;
    if (wild && draw(w, 2))
        use_wild(w, program);
}
