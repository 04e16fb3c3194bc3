// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The n-th allocation or system call fails, for every n over the life of a small program: each call
 * reports an error of the right kind or succeeds, nothing crashes or hangs, and the same life
 * succeeds afterwards in the same process. Needs a build with -Dfault-injection=true.
 */

#include "failing.h"

#include <sys/wait.h>

#ifdef WEFT_FAULT_INJECTION

/** Everything a life makes, for releasing in any state. */
typedef struct life {
    cl_context context;
    cl_command_queue queue, on_device;
    cl_mem mem, sub, image, view;
    cl_sampler sampler;
    cl_program program, copy, part, header, linked;
    cl_kernel kernel, clone, parent;
    cl_event user, done;
    unsigned char *binary;
} life;

static const char *const source =
    "kernel void k(global int *x, local int *l) { l[get_local_id(0)] = x[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); x[get_global_id(0)] = 2 * l[get_local_id(0)]; }\n"
    "kernel void parent(global int *x) { clk_event_t e;\n"
    "  x[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), "
    "0,\n"
    "                        0, &e, ^{ x[1] = 5; });\n"
    "  if (is_valid_event(e)) release_event(e); }";

static cl_int make_program(life *l, cl_device_id device) {
    size_t size = 0;
    MAKE(l->program,
         weft_clCreateProgramWithSource(l->context, 1, (const char **)&source, NULL, &error));
    STEP(weft_clBuildProgram(l->program, 0, NULL, "-cl-kernel-arg-info -cl-std=CL2.0", NULL, NULL));
    STEP(weft_clGetProgramInfo(l->program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL));
    l->binary = malloc(size);
    STEP(weft_clGetProgramInfo(l->program, CL_PROGRAM_BINARIES, sizeof(l->binary), &l->binary,
                               NULL));
    const unsigned char *bytes = l->binary;
    MAKE(l->copy,
         weft_clCreateProgramWithBinary(l->context, 1, &device, &size, &bytes, NULL, &error));
    STEP(weft_clBuildProgram(l->copy, 0, NULL, NULL, NULL, NULL));
    MAKE(l->kernel, weft_clCreateKernel(l->copy, "k", &error));
    STEP(weft_clSetKernelArg(l->kernel, 0, sizeof(cl_mem), &l->mem));
    STEP(weft_clSetKernelArg(l->kernel, 1, 4 * sizeof(cl_int), NULL));
    MAKE(l->clone, weft_clCloneKernel(l->kernel, &error));
    return CL_SUCCESS;
}

/** Separate compilation, and all kernels at once. */
static cl_int link_program(life *l) {
    static const char *const part = "#include \"h.h\"\nkernel void a() {} kernel void b() {}";
    static const char *const header = "#define H 1";
    const char *name = "h.h";
    cl_kernel kernels[2] = {0};
    MAKE(l->part,
         weft_clCreateProgramWithSource(l->context, 1, (const char **)&part, NULL, &error));
    MAKE(l->header,
         weft_clCreateProgramWithSource(l->context, 1, (const char **)&header, NULL, &error));
    STEP(weft_clCompileProgram(l->part, 0, NULL, NULL, 1, &l->header, &name, NULL, NULL));
    cl_int error = 1;
    l->linked = weft_clLinkProgram(l->context, 0, NULL, NULL, 1, &l->part, NULL, NULL, &error);
    STEP(error);
    STEP(weft_clCreateKernelsInProgram(l->linked, 2, kernels, NULL));
    weft_clReleaseKernel(kernels[0]);
    weft_clReleaseKernel(kernels[1]);
    return CL_SUCCESS;
}

static cl_int run(life *l) {
    const size_t global = 64, local = 4;
    cl_int values[64];
    for (int i = 0; i < 64; i++)
        values[i] = i;
    MAKE(l->user, weft_clCreateUserEvent(l->context, &error));
    STEP(weft_clEnqueueWriteBuffer(l->queue, l->mem, CL_FALSE, 0, sizeof(values), values, 1,
                                   &l->user, NULL));
    cl_int status = weft_clEnqueueNDRangeKernel(l->queue, l->clone, 1, NULL, &global, &local, 0,
                                                NULL, &l->done);
    if (status == CL_SUCCESS)
        status = weft_clSetEventCallback(l->done, CL_COMPLETE, heard, NULL);
    /* Whatever failed: what was enqueued has to end. */
    weft_clSetUserEventStatus(l->user, CL_COMPLETE);
    cl_int finished = weft_clFinish(l->queue);
    STEP(status);
    STEP(finished);
    /* A command that failed while it ran says so in its event. */
    STEP(weft_clGetEventInfo(l->done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                             NULL));
    STEP(status);
    STEP(weft_clEnqueueReadBuffer(l->queue, l->mem, CL_TRUE, 0, sizeof(values), values, 0, NULL,
                                  NULL));
    for (int i = 0; i < 64; i++)
        if (values[i] != 2 * i)
            return WRONG_RESULT;
    return CL_SUCCESS;
}

/** A kernel that enqueues one: where that fails, it is told and goes on. */
static cl_int enqueue_on_device(life *l, cl_device_id device) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                        0};
    const size_t one = 1;
    cl_int values[2] = {1, 1};
    MAKE(l->on_device, weft_clCreateCommandQueueWithProperties(l->context, device, list, &error));
    MAKE(l->parent, weft_clCreateKernel(l->copy, "parent", &error));
    STEP(weft_clSetKernelArg(l->parent, 0, sizeof(cl_mem), &l->mem));
    STEP(weft_clEnqueueNDRangeKernel(l->queue, l->parent, 1, NULL, &one, NULL, 0, NULL, NULL));
    STEP(weft_clFinish(l->queue));
    STEP(weft_clEnqueueReadBuffer(l->queue, l->mem, CL_TRUE, 0, sizeof(values), values, 0, NULL,
                                  NULL));
    if (values[0] != CL_SUCCESS)
        return CL_OUT_OF_RESOURCES;
    return values[1] == 5 ? CL_SUCCESS : WRONG_RESULT;
}

/** An image of its own and one of the buffer, filled, copied, mapped. */
static cl_int use_images(life *l) {
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const size_t origin[3] = {0}, region[3] = {8, 4, 1};
    const float color[4] = {1, 0, 0, 1};
    const cl_sampler_properties nearest[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
    unsigned char *pixels;
    size_t pitch;
    MAKE(l->sampler, weft_clCreateSamplerWithProperties(l->context, nearest, &error));
    MAKE(l->image, weft_clCreateImage(l->context, 0, &format, &desc, NULL, &error));
    desc.mem_object = l->mem;
    MAKE(l->view, weft_clCreateImage(l->context, 0, &format, &desc, NULL, &error));
    STEP(weft_clEnqueueFillImage(l->queue, l->image, color, origin, region, 0, NULL, NULL));
    STEP(weft_clEnqueueCopyImage(l->queue, l->image, l->view, origin, origin, region, 0, NULL,
                                 NULL));
    MAKE(pixels, weft_clEnqueueMapImage(l->queue, l->view, CL_TRUE, CL_MAP_READ, origin, region,
                                        &pitch, NULL, 0, NULL, NULL, &error));
    bool good = pixels[124] == 255 && pixels[125] == 0 && pixels[127] == 255;
    STEP(weft_clEnqueueUnmapMemObject(l->queue, l->view, pixels, 0, NULL, NULL));
    STEP(weft_clFinish(l->queue));
    return good ? CL_SUCCESS : -9997;
}

static cl_int live(life *l) {
    cl_platform_id platform;
    cl_device_id device;
    cl_buffer_region region = {128, 128};
    STEP(weft_clGetPlatformIDs(1, &platform, NULL));
    STEP(weft_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    MAKE(l->context, weft_clCreateContext(NULL, 1, &device, NULL, NULL, &error));
    MAKE(l->queue, weft_clCreateCommandQueueWithProperties(l->context, device, NULL, &error));
    MAKE(l->mem, weft_clCreateBuffer(l->context, 0, 256, NULL, &error));
    MAKE(l->sub, weft_clCreateSubBuffer(l->mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    STEP(make_program(l, device));
    STEP(link_program(l));
    STEP(run(l));
    STEP(enqueue_on_device(l, device));
    return use_images(l);
}

static void end(life *l) {
    if (l->done)
        weft_clReleaseEvent(l->done);
    if (l->user)
        weft_clReleaseEvent(l->user);
    if (l->parent)
        weft_clReleaseKernel(l->parent);
    if (l->clone)
        weft_clReleaseKernel(l->clone);
    if (l->kernel)
        weft_clReleaseKernel(l->kernel);
    cl_program programs[] = {l->copy, l->program, l->part, l->header, l->linked};
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        if (programs[i])
            weft_clReleaseProgram(programs[i]);
    if (l->sampler)
        weft_clReleaseSampler(l->sampler);
    if (l->view)
        weft_clReleaseMemObject(l->view);
    if (l->image)
        weft_clReleaseMemObject(l->image);
    if (l->sub)
        weft_clReleaseMemObject(l->sub);
    if (l->mem)
        weft_clReleaseMemObject(l->mem);
    if (l->on_device)
        weft_clReleaseCommandQueue(l->on_device);
    if (l->queue)
        weft_clReleaseCommandQueue(l->queue);
    if (l->context)
        weft_clReleaseContext(l->context);
    free(l->binary);
    memset(l, 0, sizeof(*l));
}

static bool is_expected(cl_int error) {
    return is_shortage(error) || error == CL_COMPILER_NOT_AVAILABLE ||
           error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILE_PROGRAM_FAILURE ||
           error == CL_LINK_PROGRAM_FAILURE || error == CL_LINKER_NOT_AVAILABLE;
}

enum { GOOD = 0, WRONG_ERROR = 1, NOT_REPAIRED = 2, NEVER_FAILED = 3 };

/** In a process of its own: the platform is made under failure as well. */
static int child(uint64_t n) {
    life l = {0};
    alarm(60);
    weft_shim_fail_at(n);
    cl_int error = live(&l);
    bool failed = weft_shim_calls() >= n;
    weft_shim_fail_at(0);
    end(&l);
    if (!is_expected(error)) {
        fprintf(stderr, "# call %llu failed: error %d\n", (unsigned long long)n, error);
        return WRONG_ERROR;
    }
    if (!failed)
        return NEVER_FAILED;
    error = live(&l);
    end(&l);
    if (error != CL_SUCCESS)
        fprintf(stderr, "# call %llu failed: then error %d\n", (unsigned long long)n, error);
    return error == CL_SUCCESS ? GOOD : NOT_REPAIRED;
}

TEST(every_call_may_fail) {
    for (uint64_t n = 1; n < 10000; n++) {
        int status = 0;
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0)
            exit(child(n)); /* not _exit: a leak checker looks at the end */
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
        if (!WIFEXITED(status))
            FAIL("call %llu failed: signal %d", (unsigned long long)n, WTERMSIG(status));
        if (WEXITSTATUS(status) == NEVER_FAILED) {
            CHECK(n > 50);
            printf("# %llu calls\n", (unsigned long long)n - 1);
            return;
        }
        if (WEXITSTATUS(status) != GOOD)
            FAIL("call %llu failed: %s", (unsigned long long)n,
                 WEXITSTATUS(status) == WRONG_ERROR ? "wrong error" : "not usable afterwards");
    }
}

#else

TEST(every_call_may_fail) {
    SKIP("this build has no fault injection (-Dfault-injection=true)");
}

#endif

TEST_MAIN()
