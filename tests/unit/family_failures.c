// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * As graph_failures.c, for families of objects that need no compiler: built-in kernels, shared
 * virtual memory, sub-devices, images, samplers, pipes. Needs a build with -Dfault-injection=true.
 */

#include "failing.h"

#include "runtime/builtin.h"

#ifdef WEFT_FAULT_INJECTION

enum { MEMS = 6 };

typedef struct life {
    cl_context context;
    cl_command_queue queue;
    cl_device_id device, parts[4];
    cl_mem mems[MEMS];
    cl_sampler sampler;
    cl_program program;
    cl_kernel kernel, clone;
    cl_event event;
    void *svm[2], *usm[2];
} life;

static cl_int begin(life *l) {
    cl_platform_id platform;
    STEP(weft_clGetPlatformIDs(1, &platform, NULL));
    STEP(weft_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &l->device, NULL));
    MAKE(l->context, weft_clCreateContext(NULL, 1, &l->device, NULL, NULL, &error));
    MAKE(l->queue, weft_clCreateCommandQueueWithProperties(l->context, l->device, NULL, &error));
    return CL_SUCCESS;
}

static void end(void *argument) {
    life *l = argument;
    if (l->queue)
        weft_clFinish(l->queue);
    if (l->event)
        weft_clReleaseEvent(l->event);
    for (int i = 0; i < 2; i++)
        weft_clSVMFree(l->context, l->svm[i]);
    for (int i = 0; i < 2; i++)
        weft_clMemFreeINTEL(l->context, l->usm[i]);
    if (l->clone)
        weft_clReleaseKernel(l->clone);
    if (l->kernel)
        weft_clReleaseKernel(l->kernel);
    if (l->program)
        weft_clReleaseProgram(l->program);
    if (l->sampler)
        weft_clReleaseSampler(l->sampler);
    for (int i = 0; i < MEMS; i++)
        if (l->mems[i])
            weft_clReleaseMemObject(l->mems[i]);
    if (l->queue)
        weft_clReleaseCommandQueue(l->queue);
    if (l->context)
        weft_clReleaseContext(l->context);
    for (int i = 0; i < 4; i++)
        if (l->parts[i])
            weft_clReleaseDevice(l->parts[i]);
    memset(l, 0, sizeof(*l));
}

/* A command's failure while it runs is in its event. */
static cl_int end_of(life *l) {
    cl_int status = 1;
    STEP(weft_clWaitForEvents(1, &l->event) == CL_SUCCESS ? CL_SUCCESS : CL_OUT_OF_RESOURCES);
    STEP(weft_clGetEventInfo(l->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                             NULL));
    return status;
}

/* ---- built-in kernels ------------------------------------------------------------------------ */

static int number;

static void note(int *out, int value) {
    *out = value;
}

/* A name is taken only if the call succeeded: the second life would notice. */
static cl_int register_one(life *l) {
    static char name[32];
    const cl_built_in_kernel_weft kernel = {
        .name = name, .signature = "global int *out, int value", .function = (void (*)(void))note};
    const cl_built_in_plugin_weft plugin = {CL_BUILT_IN_KERNEL_ABI_WEFT,
                                            sizeof(cl_built_in_kernel_weft), 1, &kernel};
    cl_platform_id platform;
    cl_int one = 1, got = 0;
    size_t global = 1;
    STEP(weft_clGetPlatformIDs(1, &platform, NULL));
    snprintf(name, sizeof(name), "note%d", number);
    STEP(weft_clRegisterBuiltInKernelsWEFT(platform, &plugin, 0, NULL));
    number++;
    MAKE(l->program,
         weft_clCreateProgramWithBuiltInKernels(l->context, 1, &l->device, name, &error));
    MAKE(l->kernel, weft_clCreateKernel(l->program, name, &error));
    MAKE(l->clone, weft_clCloneKernel(l->kernel, &error));
    MAKE(l->mems[0], weft_clCreateBuffer(l->context, 0, 64, NULL, &error));
    STEP(weft_clSetKernelArg(l->clone, 0, sizeof(cl_mem), &l->mems[0]));
    STEP(weft_clSetKernelArg(l->clone, 1, sizeof(one), &one));
    STEP(weft_clEnqueueNDRangeKernel(l->queue, l->clone, 1, NULL, &global, NULL, 0, NULL,
                                     &l->event));
    STEP(end_of(l));
    STEP(weft_clEnqueueReadBuffer(l->queue, l->mems[0], CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    return got == 1 ? CL_SUCCESS : WRONG_RESULT;
}

static cl_int builtins(void *argument) {
    life *l = argument;
    STEP(begin(l));
    return register_one(l);
}

/* ---- shared virtual memory ------------------------------------------------------------------- */

static cl_int svm(void *argument) {
    life *l = argument;
    char x = 'x';
    STEP(begin(l));
    for (int i = 0; i < 2; i++)
        if (!(l->svm[i] = weft_clSVMAlloc(l->context, CL_MEM_READ_WRITE, 8192, 0)))
            return CL_OUT_OF_HOST_MEMORY;
    MAKE(l->mems[0], weft_clCreateBuffer(l->context, CL_MEM_USE_HOST_PTR, 8192, l->svm[0], &error));
    STEP(weft_clEnqueueSVMMemFill(l->queue, l->svm[0], &x, 1, 8192, 0, NULL, NULL));
    STEP(weft_clEnqueueSVMMap(l->queue, CL_TRUE, CL_MAP_WRITE, l->svm[0], 8192, 0, NULL, NULL));
    STEP(weft_clEnqueueSVMUnmap(l->queue, l->svm[0], 0, NULL, NULL));
    STEP(weft_clEnqueueSVMMemcpy(l->queue, CL_FALSE, l->svm[1], l->svm[0], 8192, 0, NULL,
                                 &l->event));
    STEP(end_of(l));
    if (((char *)l->svm[1])[8191] != 'x')
        return WRONG_RESULT;
    void *last = l->svm[1];
    STEP(weft_clEnqueueSVMFree(l->queue, 1, &last, NULL, NULL, 0, NULL, NULL));
    l->svm[1] = NULL;
    return weft_clFinish(l->queue);
}

/* ---- unified shared memory ------------------------------------------------------------------- */

static cl_int usm(void *argument) {
    life *l = argument;
    char x = 'x';
    STEP(begin(l));
    MAKE(l->usm[0], weft_clDeviceMemAllocINTEL(l->context, l->device, NULL, 8192, 0, &error));
    MAKE(l->usm[1], weft_clHostMemAllocINTEL(l->context, NULL, 8192, 0, &error));
    STEP(weft_clEnqueueMemFillINTEL(l->queue, l->usm[0], &x, 1, 8192, 0, NULL, NULL));
    STEP(weft_clEnqueueMigrateMemINTEL(l->queue, l->usm[0], 8192, 0, 0, NULL, NULL));
    STEP(weft_clEnqueueMemcpyINTEL(l->queue, CL_FALSE, l->usm[1], l->usm[0], 8192, 0, NULL, NULL));
    /* Where it fails the block is still there. */
    STEP(weft_clMemBlockingFreeINTEL(l->context, l->usm[0]));
    l->usm[0] = NULL;
    return ((char *)l->usm[1])[8191] == 'x' ? CL_SUCCESS : WRONG_RESULT;
}

/* ---- sub-devices ----------------------------------------------------------------------------- */

static cl_int sub_devices(void *argument) {
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    life *l = argument;
    cl_uint count = 0;
    cl_platform_id platform;
    cl_int zero = 0, got = 1;
    STEP(weft_clGetPlatformIDs(1, &platform, NULL));
    STEP(weft_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &l->device, NULL));
    STEP(weft_clCreateSubDevices(l->device, equally, 0, NULL, &count));
    STEP(weft_clCreateSubDevices(l->device, equally, count < 4 ? count : 4, l->parts, NULL));
    MAKE(l->context, weft_clCreateContext(NULL, 2, l->parts, NULL, NULL, &error));
    MAKE(l->queue, weft_clCreateCommandQueueWithProperties(l->context, l->parts[1], NULL, &error));
    MAKE(l->mems[0], weft_clCreateBuffer(l->context, 0, 1 << 20, NULL, &error));
    STEP(weft_clEnqueueFillBuffer(l->queue, l->mems[0], &zero, 4, 0, 1 << 20, 0, NULL, &l->event));
    STEP(end_of(l));
    STEP(weft_clEnqueueReadBuffer(l->queue, l->mems[0], CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    return got == 0 ? CL_SUCCESS : WRONG_RESULT;
}

/* ---- images, samplers, pipes ----------------------------------------------------------------- */

static cl_int make_images(life *l) {
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8};
    MAKE(l->mems[0], weft_clCreateImage(l->context, 0, &format, &desc, NULL, &error));
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_depth = 2;
    MAKE(l->mems[1], weft_clCreateImage(l->context, 0, &format, &desc, NULL, &error));
    MAKE(l->mems[2], weft_clCreateBuffer(l->context, 0, 4096, NULL, &error));
    desc = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64};
    desc.mem_object = l->mems[2];
    MAKE(l->mems[3], weft_clCreateImage(l->context, 0, &format, &desc, NULL, &error));
    MAKE(l->sampler, weft_clCreateSamplerWithProperties(l->context, NULL, &error));
    return CL_SUCCESS;
}

static cl_int images(void *argument) {
    const size_t origin[3] = {0, 0, 0}, region[3] = {16, 8, 1};
    const cl_float white[4] = {1, 1, 1, 1};
    life *l = argument;
    unsigned char got[16 * 8 * 4] = {0};
    size_t pitch = 0;
    STEP(begin(l));
    STEP(make_images(l));
    STEP(weft_clEnqueueFillImage(l->queue, l->mems[0], white, origin, region, 0, NULL, NULL));
    STEP(weft_clEnqueueCopyImage(l->queue, l->mems[0], l->mems[1], origin, origin, region, 0, NULL,
                                 NULL));
    STEP(weft_clEnqueueCopyImageToBuffer(l->queue, l->mems[1], l->mems[2], origin, region, 0, 0,
                                         NULL, &l->event));
    STEP(end_of(l));
    void *mapped;
    MAKE(mapped, weft_clEnqueueMapImage(l->queue, l->mems[0], CL_TRUE, CL_MAP_READ, origin, region,
                                        &pitch, NULL, 0, NULL, NULL, &error));
    STEP(weft_clEnqueueUnmapMemObject(l->queue, l->mems[0], mapped, 0, NULL, NULL));
    STEP(weft_clEnqueueReadImage(l->queue, l->mems[1], CL_TRUE, origin, region, 0, 0, got, 0, NULL,
                                 NULL));
    return got[0] == 255 && got[sizeof(got) - 1] == 255 ? CL_SUCCESS : WRONG_RESULT;
}

static cl_int pipes(void *argument) {
    life *l = argument;
    STEP(begin(l));
    MAKE(l->mems[0], weft_clCreatePipe(l->context, 0, 16, 64, NULL, &error));
    return CL_SUCCESS;
}

/* Does the device have them at all? */
static bool has(cl_device_info what) {
    cl_platform_id platform;
    cl_device_id device;
    size_t bytes = 0;
    char answer[256] = {0};
    CHECK_EQ(weft_clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    CHECK_EQ(weft_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
    CHECK_EQ(weft_clGetDeviceInfo(device, what, sizeof(answer), answer, &bytes), CL_SUCCESS);
    for (size_t i = 0; i < bytes; i++)
        if (answer[i])
            return true;
    return false;
}

#define FAMILY(test_name, function, condition)                                                     \
    TEST(test_name) {                                                                              \
        life l = {0};                                                                              \
        if (!(condition))                                                                          \
            SKIP("the device has none");                                                           \
        CHECK(fail_each_call(function, end, &l) > 2);                                              \
    }

FAMILY(built_in_kernels, builtins, true)
FAMILY(shared_virtual_memory, svm, has(CL_DEVICE_SVM_CAPABILITIES))
FAMILY(unified_shared_memory, usm, has(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL))
FAMILY(sub_devices, sub_devices, has(CL_DEVICE_PARTITION_PROPERTIES))
FAMILY(images_and_samplers, images, has(CL_DEVICE_IMAGE_SUPPORT))
FAMILY(pipes, pipes, has(CL_DEVICE_MAX_PIPE_ARGS))

#else

TEST(every_call_may_fail) {
    SKIP("not a build with -Dfault-injection=true");
}

#endif

TEST_MAIN()
