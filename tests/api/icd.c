// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * libweft.so as a loader sees it: exports, the dispatch table. The library is opened directly; no
 * loader is called. The rules are those of docs/icd.md.
 */

#include "harness.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <dirent.h>
#include <dlfcn.h>
#include <time.h>

#define ICD2_TAG ((intptr_t)0x4F50454E434C3331)

typedef cl_int (*get_platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);
typedef void *(*get_extension_fn)(const char *);

/** How every object begins. */
typedef struct object {
    void **dispatch;
} object;

static void *library(void) {
    static void *handle;
    char path[4096];
    const char *root = getenv("WEFT_BUILD_ROOT");
    if (!root)
        SKIP("WEFT_BUILD_ROOT is not set");
    snprintf(path, sizeof(path), "%s/icd/libweft.so", root);
    if (!handle)
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        FAIL("%s", dlerror());
    return handle;
}

static void *symbol(const char *name) {
    void *address = dlsym(library(), name);
    if (!address)
        FAIL("%s is not exported", name);
    return address;
}

static int entries(const char *folder) {
    DIR *dir = opendir(folder);
    int count = 0;
    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count;
}

static cl_platform_id platform(void) {
    get_platforms_fn get = (get_platforms_fn)symbol("clIcdGetPlatformIDsKHR");
    cl_platform_id result = NULL;
    cl_uint count = 0;
    CHECK_EQ(get(1, &result, &count), CL_SUCCESS);
    CHECK_EQ(count, 1);
    return result;
}

static void **table(void) {
    return ((object *)platform())->dispatch;
}

static const cl_icd_dispatch *dispatch(void) {
    return (const cl_icd_dispatch *)table();
}

/* The first test, because it must be the first call: "first clGetPlatformIDs: 1 ms". */
TEST(first_call_is_cheap_and_leaves_no_trace) {
    get_platforms_fn get = (get_platforms_fn)symbol("clIcdGetPlatformIDsKHR");
    struct timespec before, after;
    int threads = entries("/proc/self/task"), files = entries("/proc/self/fd");
    cl_platform_id result = NULL;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    CHECK_EQ(get(1, &result, NULL), CL_SUCCESS);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    double ms = (double)(after.tv_sec - before.tv_sec) * 1e3 +
                (double)(after.tv_nsec - before.tv_nsec) / 1e6;
    if (ms > 1)
        FAIL("%.3f ms of CPU time", ms);
    cl_device_id device = NULL;
    CHECK_EQ(dispatch()->clGetDeviceIDs(result, CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
    CHECK_EQ(entries("/proc/self/task"), threads);
    CHECK_EQ(entries("/proc/self/fd"), files);
}

/* "If any of these functions are not present then the ICD Loader will close and ignore the
 * library." */
TEST(exports) {
    static const char *const wanted[] = {"clIcdGetPlatformIDsKHR", "clGetPlatformInfo",
                                         "clGetExtensionFunctionAddress"};
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        symbol(wanted[i]);
}

TEST(nothing_else_is_exported) {
    char command[4200], name[256];
    int count = 0;
    library();
    snprintf(command, sizeof(command), "nm -D --defined-only '%s/icd/libweft.so' 2>/dev/null",
             getenv("WEFT_BUILD_ROOT"));
    FILE *names = popen(command, "r");
    while (names && fscanf(names, "%*s %*s %255s", name) == 1) {
        count++;
        if (strncmp(name, "cl", 2) != 0 && strncmp(name, "__jit_debug_", 12) != 0) { /* gdb's */
            pclose(names);
            FAIL("%s is exported", name);
        }
    }
    if (!names || pclose(names) != 0 || !count)
        SKIP("nm does not work here");
    CHECK_EQ(count, 5);
}

TEST(stays_loaded) {
    char path[4096];
    snprintf(path, sizeof(path), "%s/icd/libweft.so", getenv("WEFT_BUILD_ROOT"));
    library();
    void *second = dlopen(path, RTLD_NOW);
    CHECK(second);
    dlclose(second);
    /* -z nodelete: even the last dlclose would leave it. */
    CHECK(dlopen(path, RTLD_NOW | RTLD_NOLOAD));
}

TEST(platform_list_rules) {
    get_platforms_fn get = (get_platforms_fn)symbol("clIcdGetPlatformIDsKHR");
    cl_platform_id result = NULL;
    cl_uint count = 0;
    CHECK_EQ(get(0, NULL, &count), CL_SUCCESS);
    CHECK_EQ(count, 1);
    CHECK_EQ(get(0, &result, NULL), CL_INVALID_VALUE);
    CHECK_EQ(get(0, NULL, NULL), CL_INVALID_VALUE);
    CHECK(!result);
}

TEST(platform_says_it_is_icd) {
    cl_int (*info)(cl_platform_id, cl_platform_info, size_t, void *, size_t *) = (cl_int (*)(
        cl_platform_id, cl_platform_info, size_t, void *, size_t *))symbol("clGetPlatformInfo");
    char text[4096];
    CHECK_EQ(info(platform(), CL_PLATFORM_EXTENSIONS, sizeof(text), text, NULL), CL_SUCCESS);
    CHECK(strstr(text, "cl_khr_icd"));
    CHECK_EQ(info(platform(), CL_PLATFORM_ICD_SUFFIX_KHR, sizeof(text), text, NULL), CL_SUCCESS);
    CHECK_STR(text, "weft");
}

TEST(extension_functions_by_name) {
    get_extension_fn get = (get_extension_fn)symbol("clGetExtensionFunctionAddress");
    CHECK(get("clIcdGetPlatformIDsKHR"));
    CHECK(!get("clIcdGetFunctionAddressForPlatformKHR"));
    CHECK(!get("clIcdSetPlatformDispatchDataKHR"));
    CHECK(!get("clNoSuchFunctionWEFT"));
    CHECK(!get(NULL));
}

/* ocl-icd 2.3.3 gives drivers that are tagged so pointers into an array that it moves: a second
 * driver in the process, and clGetPlatformIDs crashed. */
TEST(is_no_driver_of_icd_2) {
    CHECK((intptr_t)table()[0] != ICD2_TAG);
    CHECK((intptr_t)dispatch()->clUnloadCompiler != ICD2_TAG);
    cl_uint count = 0;
    CHECK_EQ(dispatch()->clGetPlatformIDs(0, NULL, &count), CL_SUCCESS);
    CHECK_EQ(count, 1);
    CHECK_EQ(dispatch()->clUnloadCompiler(), CL_SUCCESS);
    cl_name_version extensions[64];
    size_t bytes = 0;
    CHECK_EQ(dispatch()->clGetPlatformInfo(platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION,
                                           sizeof extensions, extensions, &bytes),
             CL_SUCCESS);
    for (size_t i = 0; i < bytes / sizeof *extensions; i++)
        if (strcmp(extensions[i].name, "cl_khr_icd") == 0)
            CHECK_EQ(extensions[i].version, CL_MAKE_VERSION(1, 0, 0));
}

TEST(no_slot_is_null) {
    for (size_t i = 0; i < sizeof(cl_icd_dispatch) / sizeof(void *); i++)
        if (!table()[i])
            FAIL("slot %zu is NULL", i);
}

TEST(functions_of_absent_extensions_fail) {
    cl_int error = 1;
    CHECK(!dispatch()->clCreateFromGLBuffer(NULL, 0, 0, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    error = 1;
    CHECK(!dispatch()->clCreateFromGLTexture(NULL, 0, 0, 0, 0, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    CHECK(!dispatch()->clCreateFromGLTexture(NULL, 0, 0, 0, 0, NULL));
    CHECK_EQ(dispatch()->clEnqueueAcquireGLObjects(NULL, 0, NULL, 0, NULL, NULL),
             CL_INVALID_OPERATION);
}

static void check_object(void *handle) {
    object *o = handle;
    CHECK(o);
    CHECK(o->dispatch == table());
}

/* "All objects created from ICD compatible objects must be ICD compatible" */
TEST(every_object_begins_with_the_table) {
    const cl_icd_dispatch *cl = dispatch();
    cl_int error = 1;
    check_object(platform());
    cl_device_id device = NULL;
    CHECK_EQ(cl->clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
    check_object(device);
    cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check_object(context);
    cl_command_queue queue = cl->clCreateCommandQueueWithProperties(context, device, NULL, &error);
    check_object(queue);
    cl_mem mem = cl->clCreateBuffer(context, 0, 256, NULL, &error), sub;
    check_object(mem);
    cl_buffer_region region = {128, 16};
    sub = cl->clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    check_object(sub);
    cl_event user = cl->clCreateUserEvent(context, &error), marker = NULL;
    check_object(user);
    CHECK_EQ(cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker), CL_SUCCESS);
    check_object(marker);
    const char *source = "kernel void k() {}";
    cl_program program = cl->clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check_object(program);
    if (cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS) {
        cl_kernel kernel = cl->clCreateKernel(program, "k", &error);
        check_object(kernel);
        cl->clReleaseKernel(kernel);
    }
    cl->clReleaseProgram(program);
    cl->clReleaseEvent(marker);
    cl->clReleaseEvent(user);
    cl->clReleaseMemObject(sub);
    cl->clReleaseMemObject(mem);
    cl->clReleaseCommandQueue(queue);
    cl->clReleaseContext(context);
}

TEST_MAIN()
