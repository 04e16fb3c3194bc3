// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The ICD loader, or libweft.so itself, unloaded while a kernel runs. This program links
 * neither. */
#include "robust/guest.h"

#include <dlfcn.h>
#include <sys/stat.h>

/* The loader's functions that guest.h calls are these, through dlsym. */
static struct loader {
    void *library;
    char path[4096];
} loader;

static void *look_up(const char *name) {
    void *function = loader.library ? dlsym(loader.library, name) : NULL;
    if (!function) {
        fprintf(stderr, "# no %s\n", name);
        abort();
    }
    return function;
}

/* One forwarding definition per function: CALL(result, name, (parameters), (arguments)). */
#define CALL(result, name, parameters, arguments)                                                  \
    result CL_API_CALL name parameters {                                                           \
        result(CL_API_CALL * function) parameters;                                                 \
        *(void **)&function = look_up(#name);                                                      \
        return function arguments;                                                                 \
    }
CALL(cl_int, clGetPlatformIDs, (cl_uint n, cl_platform_id *p, cl_uint *c), (n, p, c))
CALL(cl_int, clGetPlatformInfo,
     (cl_platform_id p, cl_platform_info i, size_t s, void *v, size_t *r), (p, i, s, v, r))
CALL(cl_int, clGetDeviceIDs,
     (cl_platform_id p, cl_device_type t, cl_uint n, cl_device_id *d, cl_uint *c), (p, t, n, d, c))
CALL(cl_context, clCreateContext,
     (const cl_context_properties *p, cl_uint n, const cl_device_id *d,
      void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *u, cl_int *e),
     (p, n, d, f, u, e))
CALL(cl_command_queue, clCreateCommandQueue,
     (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *e), (c, d, p, e))
CALL(cl_mem, clCreateBuffer, (cl_context c, cl_mem_flags f, size_t s, void *p, cl_int *e),
     (c, f, s, p, e))
CALL(cl_program, clCreateProgramWithSource,
     (cl_context c, cl_uint n, const char **s, const size_t *l, cl_int *e), (c, n, s, l, e))
CALL(cl_int, clBuildProgram,
     (cl_program p, cl_uint n, const cl_device_id *d, const char *o,
      void(CL_CALLBACK *f)(cl_program, void *), void *u),
     (p, n, d, o, f, u))
CALL(cl_int, clGetProgramBuildInfo,
     (cl_program p, cl_device_id d, cl_program_build_info i, size_t s, void *v, size_t *r),
     (p, d, i, s, v, r))
CALL(cl_kernel, clCreateKernel, (cl_program p, const char *n, cl_int *e), (p, n, e))
CALL(cl_int, clSetKernelArg, (cl_kernel k, cl_uint i, size_t s, const void *v), (k, i, s, v))
CALL(cl_int, clEnqueueFillBuffer,
     (cl_command_queue q, cl_mem m, const void *p, size_t ps, size_t o, size_t s, cl_uint n,
      const cl_event *w, cl_event *e),
     (q, m, p, ps, o, s, n, w, e))
CALL(cl_int, clEnqueueNDRangeKernel,
     (cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o, const size_t *g, const size_t *l,
      cl_uint n, const cl_event *w, cl_event *e),
     (q, k, d, o, g, l, n, w, e))
CALL(cl_int, clEnqueueReadBuffer,
     (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, void *p, cl_uint n,
      const cl_event *w, cl_event *e),
     (q, m, b, o, s, p, n, w, e))
CALL(cl_int, clFinish, (cl_command_queue q), (q))
CALL(cl_int, clFlush, (cl_command_queue q), (q))
CALL(cl_int, clReleaseKernel, (cl_kernel k), (k))
CALL(cl_int, clReleaseProgram, (cl_program p), (p))
CALL(cl_int, clReleaseMemObject, (cl_mem m), (m))
CALL(cl_int, clReleaseCommandQueue, (cl_command_queue q), (q))
CALL(cl_int, clReleaseContext, (cl_context c), (c))

static bool is_loaded(const char *path) {
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (library)
        dlclose(library);
    return library != NULL;
}

static bool load(void) {
    loader.library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return loader.library != NULL;
}

/** The kernel goes on, and ends; the library stays for the threads that are in it. */
static int unload_while_running(void *argument) {
    static guest g;
    (void)argument;
    if (!load())
        return CHILD_SKIP;
    REQUIRE_DONE(guest_make(&g));
    REQUIRE_DONE(guest_use(&g));
    REQUIRE_DONE(guest_hold(&g, NULL));
    REQUIRE(dlclose(loader.library) == 0);
    bool gone = !is_loaded("libOpenCL.so.1");
    usleep(50000);
    REQUIRE(g.word.started && !g.word.ended);
    g.word.stop = 1;
    for (double end = seconds_now() + 20; !g.word.ended && seconds_now() < end;)
        usleep(1000);
    REQUIRE(g.word.ended);
    printf("# the loader %s\n", gone ? "was unloaded" : "stays in memory by itself");
    fflush(stdout);
    REQUIRE(load()); /* and comes back */
    REQUIRE_DONE(guest_life(NULL));
    return dlclose(loader.library) != 0;
}

TEST(loader_unloaded_while_a_kernel_runs) {
    CHECK_CHILD(unload_while_running, NULL);
}

static int load_and_unload(void *argument) {
    (void)argument;
    for (int i = 0; i < 5; i++) {
        if (!load())
            return CHILD_SKIP;
        REQUIRE_DONE(guest_life(NULL));
        REQUIRE(dlclose(loader.library) == 0);
    }
    return 0;
}

TEST(loader_comes_and_goes) {
    CHECK_CHILD(load_and_unload, NULL);
}

/** As a loader does, by hand: opened, asked for its platform, closed, still there. */
static int library_alone(void *argument) {
    void *library = dlopen(argument, RTLD_NOW | RTLD_LOCAL);
    cl_int (*get)(cl_uint, cl_platform_id *, cl_uint *);
    cl_uint count = 0;
    REQUIRE(library);
    *(void **)&get = dlsym(library, "clIcdGetPlatformIDsKHR");
    REQUIRE(get && get(0, NULL, &count) == CL_SUCCESS && count == 1);
    REQUIRE(dlclose(library) == 0);
    REQUIRE(is_loaded(argument));
    count = 0;
    REQUIRE(get(0, NULL, &count) == CL_SUCCESS && count == 1); /* its code is still mapped */
    return 0;
}

TEST(library_stays) {
    static char path[4096];
    const char *icd = getenv("OCL_ICD_VENDORS");
    FILE *file = icd ? fopen(icd, "r") : NULL;
    if (!file || !fgets(path, sizeof path, file))
        SKIP("OCL_ICD_VENDORS names no .icd file");
    fclose(file);
    path[strcspn(path, "\n")] = 0;
    CHECK_CHILD(library_alone, path);
}

TEST_MAIN()
