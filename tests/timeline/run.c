// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * A run to look at (docs/timeline.md): two queues, a build, transfers, kernels that all threads
 * share, kernels that a kernel enqueues, a chain through a user event, callbacks. `run` alone ends
 * by return; a word says how else:
 *
 *     run exit | quick_exit | _exit      ends so, the first two while a kernel runs
 *     run fork                           a forked child runs it all once more, then the parent ends
 *     run small N                        N small kernels, then ends
 */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 1024, COUNT = WIDTH * WIDTH };

static const char SOURCE[] =
    "kernel void mandelbrot(global int *out, int width) {\n"
    "    int at = get_global_id(0);\n"
    "    float x = at % width * 3.0f / width - 2.0f, y = at / width * 2.0f / width - 1.0f;\n"
    "    float a = 0, b = 0;\n"
    "    int i = 0;\n"
    "    for (; i < 1000 && a * a + b * b < 4; i++) { float t = a * a - b * b + x; b = 2 * a * b + "
    "y; "
    "a = t; }\n"
    "    out[at] = i;\n"
    "}\n"
    "kernel void blur(global const int *in, global int *out, int width) {\n"
    "    int at = get_global_id(0), sum = 0;\n"
    "    for (int i = -8; i <= 8; i++) sum += in[clamp(at + i * width, 0, width * width - 1)];\n"
    "    out[at] = sum / 17;\n"
    "}\n"
    "kernel void bands(global const int *in, global int *out, int width) {\n"
    "    for (int i = 0; i < 16; i++)\n"
    "        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
    "                       ndrange_1D(width * width / 16), ^{\n"
    "            int at = get_global_id(0) + i * (width * width / 16), sum = 0;\n"
    "            for (int k = -32; k <= 32; k++) sum += in[clamp(at + k, 0, width * width - 1)];\n"
    "            out[at] = sum / 65;\n"
    "        });\n"
    "}\n"
    "kernel void small(global int *out) { out[get_global_id(0)] += 1; }\n"
    "kernel void endless(global volatile int *out) { while (out[0] != 12345) out[1] = 1; }\n"
    "kernel void long_items(global int *out, int turns) {\n"
    "    uint16 x = (uint16)get_global_id(0);\n"
    "    for (int i = 0; i < turns; i++) x = rotate(x * 3 + i, (uint16)5) ^ x;\n"
    "    if (all(x == 0)) out[0] += 1;\n"
    "}\n";

static void must(cl_int status, const char *what) {
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", what, status);
        exit(1);
    }
}
#define MUST(call) must((call), #call)

typedef struct state {
    cl_context context;
    cl_device_id device;
    cl_command_queue a, b, on_device;
    cl_program program;
    cl_mem image, blurred, banded, counters;
} state;

static cl_device_id find_device(void) {
    cl_platform_id platform;
    cl_device_id device;

    MUST(clGetPlatformIDs(1, &platform, NULL));
    MUST(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    return device;
}

static state begin(void) {
    const cl_queue_properties out_of_order[] = {CL_QUEUE_PROPERTIES,
                                                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
                                             CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                                 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                             0};
    const char *source = SOURCE;
    cl_int error, zero = 0;
    state s = {.device = find_device()};

    s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &error);
    must(error, "clCreateContext");
    s.a = clCreateCommandQueueWithProperties(s.context, s.device, NULL, &error);
    must(error, "queue a");
    s.b = clCreateCommandQueueWithProperties(s.context, s.device, out_of_order, &error);
    must(error, "queue b");
    s.on_device = clCreateCommandQueueWithProperties(s.context, s.device, on_device, &error);
    must(error, "queue on the device");
    s.program = clCreateProgramWithSource(s.context, 1, &source, NULL, &error);
    must(error, "program");
    MUST(clBuildProgram(s.program, 0, NULL, "-cl-std=CL2.0", NULL, NULL));
    s.image = clCreateBuffer(s.context, 0, COUNT * 4, NULL, &error);
    s.blurred = clCreateBuffer(s.context, 0, COUNT * 4, NULL, &error);
    s.banded = clCreateBuffer(s.context, 0, COUNT * 4, NULL, &error);
    s.counters = clCreateBuffer(s.context, 0, 16 << 20, NULL, &error);
    must(error, "buffers");
    MUST(clEnqueueFillBuffer(s.b, s.counters, &zero, 4, 0, 16 << 20, 0, NULL, NULL));
    MUST(clFinish(s.b));
    return s;
}

static void end(state *s) {
    clFinish(s->a);
    clFinish(s->b);
    clReleaseMemObject(s->image);
    clReleaseMemObject(s->blurred);
    clReleaseMemObject(s->banded);
    clReleaseMemObject(s->counters);
    clReleaseProgram(s->program);
    clReleaseCommandQueue(s->a);
    clReleaseCommandQueue(s->b);
    clReleaseCommandQueue(s->on_device);
    clReleaseContext(s->context);
}

static cl_kernel kernel_of(state *s, const char *name) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(s->program, name, &error);

    must(error, name);
    return kernel;
}

static void CL_CALLBACK on_complete(cl_event event, cl_int status, void *user) {
    (void)event;
    (void)status;
    usleep(300);
    *(volatile int *)user = 1;
}

static void one_kernel(cl_command_queue queue, cl_kernel kernel, size_t count, cl_event *event) {
    MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, event));
}

/* Queue a draws and blurs, in order; queue b copies and counts meanwhile, in any order. */
static void work(state *s, int frames) {
    cl_kernel draw = kernel_of(s, "mandelbrot"), blur = kernel_of(s, "blur");
    cl_kernel count = kernel_of(s, "small"), bands = kernel_of(s, "bands");
    static int done, pixels[COUNT];
    cl_int width = WIDTH, error;

    MUST(clSetKernelArg(draw, 0, sizeof(cl_mem), &s->image));
    MUST(clSetKernelArg(draw, 1, sizeof(width), &width));
    MUST(clSetKernelArg(blur, 0, sizeof(cl_mem), &s->image));
    MUST(clSetKernelArg(blur, 1, sizeof(cl_mem), &s->blurred));
    MUST(clSetKernelArg(blur, 2, sizeof(width), &width));
    MUST(clSetKernelArg(bands, 0, sizeof(cl_mem), &s->image));
    MUST(clSetKernelArg(bands, 1, sizeof(cl_mem), &s->banded));
    MUST(clSetKernelArg(bands, 2, sizeof(width), &width));
    MUST(clSetKernelArg(count, 0, sizeof(cl_mem), &s->counters));
    cl_event gate = clCreateUserEvent(s->context, &error), last;
    must(error, "user event");
    for (int frame = 0; frame < frames; frame++) {
        one_kernel(s->a, draw, COUNT, NULL);
        one_kernel(s->a, bands, 1, NULL);
        one_kernel(s->a, blur, COUNT, &last);
        MUST(clSetEventCallback(last, CL_COMPLETE, on_complete, &done));
        MUST(clReleaseEvent(last));
        for (int i = 0; i < 3; i++)
            MUST(clEnqueueCopyBuffer(s->b, s->counters, s->counters, 0, 8 << 20, 8 << 20,
                                     frame == 0 && i == 0, frame == 0 && i == 0 ? &gate : NULL,
                                     NULL));
        one_kernel(s->b, count, 64, NULL);
        MUST(clFlush(s->b));
        MUST(clEnqueueReadBuffer(s->a, s->blurred, CL_TRUE, 0, COUNT * 4, pixels, 0, NULL, NULL));
        if (frame == 0)
            MUST(clSetUserEventStatus(gate, CL_COMPLETE));
    }
    MUST(clFinish(s->b));
    clReleaseEvent(gate);
    clReleaseKernel(draw);
    clReleaseKernel(blur);
    clReleaseKernel(bands);
    clReleaseKernel(count);
}

static void small_kernels(state *s, int count) {
    cl_kernel kernel = kernel_of(s, "small");

    MUST(clSetKernelArg(kernel, 0, sizeof(cl_mem), &s->counters));
    for (int i = 0; i < count; i++)
        one_kernel(s->a, kernel, 1, NULL);
    MUST(clFinish(s->a));
    clReleaseKernel(kernel);
}

/* Few items in groups of one, each of which takes long and fills registers by itself. */
static void few_items(state *s) {
    cl_kernel kernel = kernel_of(s, "long_items");
    cl_int turns = 100000;
    size_t global = 48, local = 1;

    MUST(clSetKernelArg(kernel, 0, sizeof(cl_mem), &s->counters));
    MUST(clSetKernelArg(kernel, 1, sizeof(turns), &turns));
    for (int i = 0; i < 3; i++) {
        MUST(clEnqueueNDRangeKernel(s->a, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        MUST(clFinish(s->a));
    }
    clReleaseKernel(kernel);
}

/* Something runs while the process ends. */
static void leave_running(state *s) {
    cl_kernel kernel = kernel_of(s, "endless");

    MUST(clSetKernelArg(kernel, 0, sizeof(cl_mem), &s->counters));
    one_kernel(s->a, kernel, 1, NULL);
    MUST(clFlush(s->a));
    usleep(20000);
}

static void run_child(void) {
    fflush(stdout);
    pid_t child = fork();

    if (child == 0) {
        state s = begin();
        work(&s, 1);
        end(&s);
        printf("%ld\n", (long)getpid());
        exit(0);
    }
    int status = 1;
    if (waitpid(child, &status, 0) != child || status)
        must(-1, "the child");
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    state s = begin();

    if (strcmp(how, "small") == 0)
        small_kernels(&s, argc > 2 ? atoi(argv[2]) : 1);
    else if (strcmp(how, "few") == 0)
        few_items(&s);
    else
        work(&s, 3);
    if (strcmp(how, "fork") == 0)
        run_child();
    if (strstr(how, "exit") && how[0] != '_')
        leave_running(&s);
    if (strcmp(how, "exit") == 0)
        exit(0);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(0);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    end(&s);
    return 0;
}
