// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Renders a picture with an OpenCL C kernel on the first device that the loader shows, with a
 * progress line and its time: `weft-demo OUT.png [WIDTH HEIGHT]`. An ordinary application: it knows
 * nothing of Weft.
 */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "raymarch.cl.h" /* made by the build: raymarch_cl[] */

enum { ROWS_PER_LAUNCH = 24 };

typedef struct {
    cl_float4 eye, right, up, forward; /* float3 has the size of float4 */
    cl_float zoom;
    cl_int width, height;
    cl_int padding;
} camera;

_Static_assert(sizeof(camera) == 80, "the kernel's struct Camera");

struct renderer {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem pixels;
    camera camera;
};

static double now(void) {
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void check(cl_int error, const char *what) {
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "weft-demo: %s failed with OpenCL error %d\n", what, error);
    exit(1);
}

static cl_device_id first_device(void) {
    cl_platform_id platform;
    cl_device_id device;
    char name[256], version[256];

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL), "clGetDeviceInfo");
    check(clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof(version), version, NULL),
          "clGetPlatformInfo");
    printf("device   %s (%s)\n", name, version);
    return device;
}

static void print_log(cl_program program, cl_device_id device) {
    char log[16384] = "";

    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
    fputs(log, stderr);
}

static void create_renderer(struct renderer *renderer, cl_device_id device) {
    const char *source = (const char *)raymarch_cl;
    size_t length = sizeof(raymarch_cl);
    double start = now();
    cl_int error;

    renderer->context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    renderer->queue = clCreateCommandQueue(renderer->context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    renderer->program = clCreateProgramWithSource(renderer->context, 1, &source, &length, &error);
    check(error, "clCreateProgramWithSource");
    error = clBuildProgram(renderer->program, 1, &device, "", NULL, NULL);
    if (error == CL_BUILD_PROGRAM_FAILURE)
        print_log(renderer->program, device);
    check(error, "clBuildProgram");
    renderer->kernel = clCreateKernel(renderer->program, "render", &error);
    check(error, "clCreateKernel");
    printf("built    in %.0f ms\n", (now() - start) * 1e3);
}

static void set_camera(camera *camera, int width, int height) {
    memset(camera, 0, sizeof(*camera));
    camera->eye = (cl_float4){{1.75f, -2.35f, 0.62f, 0.0f}};
    camera->forward = (cl_float4){{-0.5831f, 0.7830f, -0.2166f, 0.0f}};
    camera->right = (cl_float4){{0.8020f, 0.5973f, 0.0f, 0.0f}};
    camera->up = (cl_float4){{-0.1294f, 0.1737f, 0.9763f, 0.0f}};
    camera->zoom = 1.75f;
    camera->width = width;
    camera->height = height;
}

static void progress(int row, int rows, double start) {
    int done = row * 40 / rows;

    if (isatty(STDOUT_FILENO) || row == rows) {
        printf("%srender   [%.*s%.*s] %3d %%  %.2f s%s", isatty(STDOUT_FILENO) ? "\r" : "", done,
               "########################################", 40 - done,
               "........................................", row * 100 / rows, now() - start,
               row == rows ? "\n" : "");
        fflush(stdout);
    }
}

static void render(struct renderer *renderer, unsigned char *out) {
    int width = renderer->camera.width, height = renderer->camera.height;
    size_t bytes = (size_t)width * (size_t)height * 4;
    double start = now();
    cl_int error;

    renderer->pixels = clCreateBuffer(renderer->context, CL_MEM_WRITE_ONLY, bytes, NULL, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(renderer->kernel, 0, sizeof(cl_mem), &renderer->pixels), "clSetKernelArg");
    check(clSetKernelArg(renderer->kernel, 1, sizeof(camera), &renderer->camera), "clSetKernelArg");
    for (cl_int row = 0; row < height; row += ROWS_PER_LAUNCH) {
        int rows = height - row < ROWS_PER_LAUNCH ? height - row : ROWS_PER_LAUNCH;
        size_t size[2] = {(size_t)width, (size_t)rows};
        check(clSetKernelArg(renderer->kernel, 2, sizeof(row), &row), "clSetKernelArg");
        check(clEnqueueNDRangeKernel(renderer->queue, renderer->kernel, 2, NULL, size, NULL, 0,
                                     NULL, NULL),
              "clEnqueueNDRangeKernel");
        check(clFinish(renderer->queue), "clFinish");
        progress(row + rows, height, start);
    }
    check(clEnqueueReadBuffer(renderer->queue, renderer->pixels, CL_TRUE, 0, bytes, out, 0, NULL,
                              NULL),
          "clEnqueueReadBuffer");
}

static void write_png(const char *path, int width, int height, const unsigned char *pixels) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGBA};

    if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL)) {
        fprintf(stderr, "weft-demo: cannot write %s: %s\n", path, image.message);
        exit(1);
    }
    printf("picture  %s (%d x %d)\n", path, width, height);
}

/** A black or flat picture is a failure, however quick. */
static void check_picture(const unsigned char *pixels, size_t count) {
    size_t different = 0;

    for (size_t i = 1; i < count; i++)
        different += memcmp(pixels + 4 * i, pixels + 4 * i - 4, 4) != 0;
    if (different < count / 16) {
        fprintf(stderr, "weft-demo: the picture is flat: the kernel did not compute it\n");
        exit(1);
    }
}

int main(int argc, char **argv) {
    int width = argc > 3 ? atoi(argv[2]) : 960, height = argc > 3 ? atoi(argv[3]) : 540;
    struct renderer renderer = {0};
    unsigned char *pixels;

    if (argc < 2 || width < 16 || height < 16 || width > 16384 || height > 16384) {
        fprintf(stderr, "usage: weft-demo OUT.png [WIDTH HEIGHT]\n");
        return 2;
    }
    pixels = malloc((size_t)width * (size_t)height * 4);
    if (!pixels)
        return 1;
    create_renderer(&renderer, first_device());
    set_camera(&renderer.camera, width, height);
    render(&renderer, pixels);
    write_png(argv[1], width, height, pixels);
    check_picture(pixels, (size_t)width * (size_t)height);
    clReleaseMemObject(renderer.pixels);
    clReleaseKernel(renderer.kernel);
    clReleaseProgram(renderer.program);
    clReleaseCommandQueue(renderer.queue);
    clReleaseContext(renderer.context);
    free(pixels);
    return 0;
}
