// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* cl_intel_unified_shared_memory: what it does, and every error of the extension's text. */

#include "start.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* The functions, as an application gets them. */
static struct usm {
    clHostMemAllocINTEL_fn host;
    clDeviceMemAllocINTEL_fn device;
    clSharedMemAllocINTEL_fn shared;
    clMemFreeINTEL_fn free;
    clMemBlockingFreeINTEL_fn blocking_free;
    clGetMemAllocInfoINTEL_fn info;
    clSetKernelArgMemPointerINTEL_fn set_arg;
    clEnqueueMemFillINTEL_fn fill;
    clEnqueueMemsetINTEL_fn set;
    clEnqueueMemcpyINTEL_fn copy;
    clEnqueueMigrateMemINTEL_fn migrate;
    clEnqueueMemAdviseINTEL_fn advise;
} usm;

static void *look_up(const char *name) {
    void *function = clGetExtensionFunctionAddressForPlatform(weft_platform(), name);
    if (!function)
        FAIL("%s is not found", name);
    return function;
}

static start begin_usm(void) {
    *(void **)&usm.host = look_up("clHostMemAllocINTEL");
    *(void **)&usm.device = look_up("clDeviceMemAllocINTEL");
    *(void **)&usm.shared = look_up("clSharedMemAllocINTEL");
    *(void **)&usm.free = look_up("clMemFreeINTEL");
    *(void **)&usm.blocking_free = look_up("clMemBlockingFreeINTEL");
    *(void **)&usm.info = look_up("clGetMemAllocInfoINTEL");
    *(void **)&usm.set_arg = look_up("clSetKernelArgMemPointerINTEL");
    *(void **)&usm.fill = look_up("clEnqueueMemFillINTEL");
    *(void **)&usm.set = look_up("clEnqueueMemsetINTEL");
    *(void **)&usm.copy = look_up("clEnqueueMemcpyINTEL");
    *(void **)&usm.migrate = look_up("clEnqueueMigrateMemINTEL");
    *(void **)&usm.advise = look_up("clEnqueueMemAdviseINTEL");
    return begin();
}

static const char source[] =
    "typedef struct node { int value; global struct node *next; } node;\n"
    "kernel void follow(global node *first, global int *sum) {\n"
    "    int total = 0;\n"
    "    for (global node *n = first; n; n = n->next) total += n->value;\n"
    "    *sum = total;\n"
    "}\n"
    "kernel void wait_for_host(volatile global int *flag, volatile global int *answer) {\n"
    "    *answer = 1;\n"
    "    while (atomic_add(flag, 0) == 0) ;\n"
    "    *answer = 2;\n"
    "}\n"
    "kernel void plain(local int *l, int value, constant int *c) { *l = value + *c; }\n";

/* ---- what is reported ------------------------------------------------------------------------ */

TEST(extension_and_capabilities) {
    const cl_device_unified_shared_memory_capabilities_intel all =
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
    static const cl_device_info kinds[] = {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL,
                                           CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
                                           CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
                                           CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
                                           CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL};
    static char text[16384];
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        cl_device_unified_shared_memory_capabilities_intel got = 0;
        CHECK_EQ(clGetDeviceInfo(weft_device(0), kinds[i], sizeof(got), &got, NULL), CL_SUCCESS);
        CHECK_EQ(got, all);
    }
    CHECK_EQ(clGetDeviceInfo(weft_device(0), CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL),
             CL_SUCCESS);
    CHECK(strstr(text, "cl_intel_unified_shared_memory "));
    CHECK_EQ(clGetPlatformInfo(weft_platform(), CL_PLATFORM_EXTENSIONS, sizeof(text), text, NULL),
             CL_SUCCESS);
    CHECK(strstr(text, "cl_intel_unified_shared_memory "));
}

/* ---- allocating ------------------------------------------------------------------------------ */

static void expect_info(cl_context context, const void *pointer,
                        cl_unified_shared_memory_type_intel type, const void *base, size_t size,
                        cl_device_id device, cl_mem_alloc_flags_intel flags) {
    struct {
        cl_unified_shared_memory_type_intel type;
        void *base;
        size_t size, got;
        cl_device_id device;
        cl_mem_alloc_flags_intel flags;
    } is = {77, &is, 77, 77, (cl_device_id)&is, 77};
#define ASK(param, member)                                                                         \
    CHECK_EQ(usm.info(context, pointer, param, sizeof(is.member), &is.member, &is.got),            \
             CL_SUCCESS);                                                                          \
    CHECK_EQ(is.got, sizeof(is.member))
    ASK(CL_MEM_ALLOC_TYPE_INTEL, type);
    ASK(CL_MEM_ALLOC_BASE_PTR_INTEL, base);
    ASK(CL_MEM_ALLOC_SIZE_INTEL, size);
    ASK(CL_MEM_ALLOC_DEVICE_INTEL, device);
    ASK(CL_MEM_ALLOC_FLAGS_INTEL, flags);
#undef ASK
    CHECK_EQ(is.type, type);
    CHECK(is.base == base);
    CHECK_EQ(is.size, size);
    CHECK(is.device == device);
    CHECK_EQ(is.flags, flags);
}

TEST(three_types_and_what_is_known_of_them) {
    start s = begin_usm();
    cl_device_id device = weft_device(0);
    cl_int error = 1;
    const cl_mem_properties_intel none[] = {0},
                                  combined[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0},
                                  on_device[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                 CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0},
                                  on_host[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                               CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    char *host = usm.host(s.context, combined, 100, 0, &error);
    CHECK_EQ(error, CL_SUCCESS);
    char *own = usm.device(s.context, device, none, 5 << 20, 64, &error);
    CHECK_EQ(error, CL_SUCCESS);
    char *shared = usm.shared(s.context, device, on_device, 1, 1, &error);
    CHECK_EQ(error, CL_SUCCESS);
    char *free_shared = usm.shared(s.context, NULL, on_host, 3, 128, NULL);
    char *svm = clSVMAlloc(s.context, 0, 64, 0);
    CHECK(host && own && shared && free_shared && svm);
    CHECK_EQ((uintptr_t)host % 128, 0);
    CHECK_EQ((uintptr_t)own % 64, 0);
    CHECK_EQ((uintptr_t)free_shared % 128, 0);
    memset(host, 1, 100);
    memset(own, 1, 5 << 20);
    expect_info(s.context, host + 99, CL_MEM_TYPE_HOST_INTEL, host, 100, NULL,
                CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    expect_info(s.context, own + (4 << 20), CL_MEM_TYPE_DEVICE_INTEL, own, 5 << 20, device, 0);
    expect_info(s.context, shared, CL_MEM_TYPE_SHARED_INTEL, shared, 1, device,
                CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL);
    expect_info(s.context, free_shared, CL_MEM_TYPE_SHARED_INTEL, free_shared, 3, NULL,
                CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL);
    /* Behind the end, memory of clSVMAlloc, the host's, none, and another context's. */
    start other = begin();
    const void *unknown[] = {shared + 1, svm, &s, NULL};
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
        expect_info(s.context, unknown[i], CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    expect_info(other.context, host, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    end(other);
    CHECK_EQ(usm.free(s.context, own), CL_SUCCESS);
    expect_info(s.context, own, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    CHECK_EQ(usm.free(s.context, host), CL_SUCCESS);
    CHECK_EQ(usm.blocking_free(s.context, shared), CL_SUCCESS);
    clSVMFree(s.context, svm);
    end(s); /* frees what is left */
}

TEST(info_errors) {
    start s = begin_usm();
    cl_uint type;
    char small[2];
    CHECK_EQ(usm.info((cl_context)s.queue, &s, CL_MEM_ALLOC_TYPE_INTEL, sizeof(type), &type, NULL),
             CL_INVALID_CONTEXT);
    CHECK_EQ(usm.info(s.context, &s, CL_MEM_ALLOC_TYPE_INTEL, sizeof(small), small, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(usm.info(s.context, &s, CL_MEM_TYPE_HOST_INTEL, sizeof(type), &type, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(usm.info(s.context, &s, CL_MEM_ALLOC_TYPE_INTEL, 0, NULL, NULL), CL_SUCCESS);
    end(s);
}

/* One call of each allocating function must fail with `wanted`. */
static void expect_no_memory(cl_context context, cl_device_id device,
                             const cl_mem_properties_intel *list, size_t size, cl_uint alignment,
                             cl_int wanted) {
    cl_int errors[3] = {1, 1, 1};
    CHECK(!usm.host(context, list, size, alignment, &errors[0]));
    CHECK(!usm.device(context, device, list, size, alignment, &errors[1]));
    CHECK(!usm.shared(context, device, list, size, alignment, &errors[2]));
    for (int i = 0; i < 3; i++)
        CHECK_EQ(errors[i], wanted);
}

TEST(alloc_errors) {
    start s = begin_usm();
    cl_device_id device = weft_device(0), other = weft_device(1);
    cl_ulong most = 0;
    cl_int error = 1;
    const cl_mem_properties_intel unknown[] = {0x4195 + 100, 0, 0},
                                  bits[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 3, 0},
                                  twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL,
                                             0, 0},
                                  both[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                                                CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL,
                                            0},
                                  on_device[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                 CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0},
                                  on_host[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                               CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, NULL),
             CL_SUCCESS);
    expect_no_memory((cl_context)s.queue, device, NULL, 64, 0, CL_INVALID_CONTEXT);
    expect_no_memory(NULL, device, NULL, 64, 0, CL_INVALID_CONTEXT);
    expect_no_memory(s.context, device, NULL, 64, 3, CL_INVALID_VALUE);
    expect_no_memory(s.context, device, NULL, 64, 256, CL_INVALID_VALUE);
    expect_no_memory(s.context, device, unknown, 64, 0, CL_INVALID_PROPERTY);
    expect_no_memory(s.context, device, bits, 64, 0, CL_INVALID_PROPERTY);
    expect_no_memory(s.context, device, twice, 64, 0, CL_INVALID_PROPERTY);
    expect_no_memory(s.context, device, both, 64, 0, CL_INVALID_PROPERTY);
    expect_no_memory(s.context, device, NULL, 0, 0, CL_INVALID_BUFFER_SIZE);
    expect_no_memory(s.context, device, NULL, most + 1, 0, CL_INVALID_BUFFER_SIZE);
    CHECK(!usm.shared(s.context, NULL, NULL, most + 1, 0, &error));
    CHECK_EQ(error, CL_INVALID_BUFFER_SIZE);
    /* Placement is for shared memory only. */
    const cl_mem_properties_intel *placements[2] = {on_device, on_host};
    for (int i = 0; i < 2; i++) {
        CHECK(!usm.host(s.context, placements[i], 64, 0, &error));
        CHECK_EQ(error, CL_INVALID_PROPERTY);
        CHECK(!usm.device(s.context, device, placements[i], 64, 0, &error));
        CHECK_EQ(error, CL_INVALID_PROPERTY);
    }
    /* No device, none, and one of another context. */
    CHECK(!usm.device(s.context, NULL, NULL, 64, 0, &error));
    CHECK_EQ(error, CL_INVALID_DEVICE);
    cl_device_id wrong[2] = {(cl_device_id)s.queue, other};
    for (int i = 0; i < 2; i++) {
        CHECK(!usm.device(s.context, wrong[i], NULL, 64, 0, &error));
        CHECK_EQ(error, CL_INVALID_DEVICE);
        CHECK(!usm.shared(s.context, wrong[i], NULL, 64, 0, &error));
        CHECK_EQ(error, CL_INVALID_DEVICE);
    }
    CHECK(!usm.device(s.context, NULL, NULL, 64, 0, NULL));
    end(s);
}

/* ---- freeing --------------------------------------------------------------------------------- */

TEST(free_errors) {
    start s = begin_usm(), other = begin();
    clMemFreeINTEL_fn both[2] = {usm.free, usm.blocking_free};
    char *svm = clSVMAlloc(s.context, 0, 64, 0), *memory;
    for (int i = 0; i < 2; i++) {
        CHECK((memory = usm.shared(s.context, NULL, NULL, 64, 0, NULL)));
        CHECK_EQ(both[i]((cl_context)s.queue, memory), CL_INVALID_CONTEXT);
        CHECK_EQ(both[i](s.context, memory + 1), CL_INVALID_VALUE);
        CHECK_EQ(both[i](s.context, &s), CL_INVALID_VALUE);
        CHECK_EQ(both[i](s.context, svm), CL_INVALID_VALUE);
        CHECK_EQ(both[i](other.context, memory), CL_INVALID_VALUE);
        CHECK_EQ(both[i](s.context, NULL), CL_SUCCESS);
        memory[63] = 1;
        clSVMFree(s.context, memory); /* no memory of clSVMAlloc's: ignored */
        memory[63] = 2;
        CHECK_EQ(both[i](s.context, memory), CL_SUCCESS);
        CHECK_EQ(both[i](s.context, memory), CL_INVALID_VALUE);
    }
    svm[63] = 1;
    clSVMFree(s.context, svm);
    end(other);
    end(s);
}

/* clMemBlockingFreeINTEL on a thread of its own. */
typedef struct freeing {
    cl_context context;
    void *memory;
    _Atomic int ended;
    cl_int status;
} freeing;

static void *free_there(void *user) {
    freeing *what = user;
    what->status = usm.blocking_free(what->context, what->memory);
    atomic_store(&what->ended, 1);
    return NULL;
}

/* Waits for a command behind `gate` that uses the memory, in either kind of queue. */
static void check_waits(start s, cl_command_queue queue, cl_kernel kernel, bool native) {
    cl_int error = 1;
    const size_t one = 1;
    cl_event gate = clCreateUserEvent(s.context, &error);
    int *memory = usm.device(s.context, weft_device(0), NULL, 4096, 0, &error), *copy;
    CHECK((copy = usm.host(s.context, NULL, 4096, 0, NULL)));
    memset(memory, 0, 4096);
    copy[1023] = 5;
    if (native) {
        CHECK_EQ(usm.set_arg(kernel, 0, NULL), CL_SUCCESS);
        CHECK_EQ(usm.set_arg(kernel, 1, &copy[1]), CL_SUCCESS);
        CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 1, &gate, NULL),
                 CL_SUCCESS);
    } else {
        CHECK_EQ(usm.copy(queue, CL_FALSE, copy, memory, 4096, 1, &gate, NULL), CL_SUCCESS);
    }
    freeing what = {.context = s.context, .memory = memory};
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, free_there, &what), 0);
    usleep(20000);
    int early = atomic_load(&what.ended);
    CHECK_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_EQ(early, 0);
    CHECK_EQ(what.status, CL_SUCCESS);
    CHECK_EQ(copy[native ? 1 : 1023], 0); /* the command has run */
    CHECK_EQ(usm.info(s.context, memory, CL_MEM_ALLOC_TYPE_INTEL, 0, NULL, NULL), CL_SUCCESS);
    expect_info(s.context, memory, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    CHECK_EQ(usm.free(s.context, copy), CL_SUCCESS);
    clReleaseEvent(gate);
}

TEST(blocking_free_waits_for_who_may_use_the_memory) {
    weft_need_compiler();
    start s = begin_usm();
    const cl_queue_properties any[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                       0};
    cl_int error = 1;
    cl_command_queue loose =
        clCreateCommandQueueWithProperties(s.context, weft_device(0), any, &error);
    cl_command_queue third =
        clCreateCommandQueueWithProperties(s.context, weft_device(0), NULL, &error);
    cl_program program = weft_built(s.context, source, "");
    cl_kernel kernel = weft_kernel(program, "follow");
    for (int i = 0; i < 4; i++)
        check_waits(s, i & 1 ? loose : s.queue, kernel, i & 2);
    clReleaseCommandQueue(loose); /* leaves the middle of the list */
    check_waits(s, third, kernel, false);
    clReleaseCommandQueue(third);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    end(s);
}

/* Nobody who cannot use the memory is waited for: this thread would wait for itself. */
TEST(blocking_free_waits_for_nobody_else) {
    start s = begin_usm();
    cl_int error = 1;
    cl_event gate = clCreateUserEvent(s.context, &error);
    char *memory = usm.shared(s.context, NULL, NULL, 256, 0, NULL);
    char *other = usm.shared(s.context, NULL, NULL, 256, 0, NULL);
    const char zero = 0;
    CHECK_EQ(usm.set(s.queue, memory, 7, 256, 0, NULL, NULL), CL_SUCCESS); /* deferred */
    CHECK_EQ(clEnqueueMarkerWithWaitList(s.queue, 1, &gate, NULL), CL_SUCCESS);
    CHECK_EQ(usm.fill(s.queue, other, &zero, 1, 256, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(usm.copy(s.queue, CL_FALSE, other, other + 128, 128, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(usm.migrate(s.queue, memory, 256, 0, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(usm.blocking_free(s.context, memory), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(usm.blocking_free(s.context, other), CL_SUCCESS);
    clReleaseEvent(gate);
    end(s);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void expect_type(cl_event event, cl_command_type wanted) {
    cl_command_type type = 0;
    CHECK_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL), CL_SUCCESS);
    CHECK_EQ(type, wanted);
    CHECK_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST(fill_copy_migrate_advise) {
    start s = begin_usm();
    cl_event event;
    const int pattern[4] = {1, 2, 3, 4};
    int there[1024] = {0};
    int *memory = usm.device(s.context, weft_device(0), NULL, sizeof(there), 0, NULL);
    int *host = usm.host(s.context, NULL, sizeof(there), 0, NULL);
    CHECK_EQ(usm.fill(s.queue, memory, pattern, 16, sizeof(there), 0, NULL, &event), CL_SUCCESS);
    expect_type(event, CL_COMMAND_MEMFILL_INTEL);
    CHECK_EQ(usm.set(s.queue, memory + 2, 0x1FF, 8, 0, NULL, &event), CL_SUCCESS);
    expect_type(event, CL_COMMAND_MEMFILL_INTEL);
    CHECK_EQ(usm.copy(s.queue, CL_FALSE, host, memory, sizeof(there), 0, NULL, &event), CL_SUCCESS);
    expect_type(event, CL_COMMAND_MEMCPY_INTEL);
    CHECK_EQ(usm.migrate(s.queue, memory, sizeof(there), 0, 0, NULL, &event), CL_SUCCESS);
    expect_type(event, CL_COMMAND_MIGRATEMEM_INTEL);
    CHECK_EQ(usm.migrate(s.queue, there, 4,
                         CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0,
                         NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(usm.advise(s.queue, memory, sizeof(there), 0, 0, NULL, &event), CL_SUCCESS);
    expect_type(event, CL_COMMAND_MEMADVISE_INTEL);
    /* To memory of the host's, and nothing at all. */
    CHECK_EQ(usm.copy(s.queue, CL_TRUE, there, host, sizeof(there), 0, NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < 1024; i++)
        CHECK_EQ(there[i], i == 2 || i == 3 ? -1 : i % 4 + 1);
    CHECK_EQ(usm.copy(s.queue, CL_TRUE, there, there, 0, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(usm.fill(s.queue, memory, pattern, 4, 0, 0, NULL, NULL), CL_SUCCESS);
    /* Other memory's commands take the pointers, too. */
    CHECK_EQ(clEnqueueSVMMemcpy(s.queue, CL_TRUE, there, memory, 64, 0, NULL, NULL), CL_SUCCESS);
    cl_int error = 1;
    cl_mem buffer = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, 64, memory, &error);
    CHECK_EQ(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, 64, host, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(host[1], 2);
    clReleaseMemObject(buffer);
    CHECK_EQ(usm.free(s.context, host), CL_SUCCESS);
    CHECK_EQ(usm.free(s.context, memory), CL_SUCCESS);
    end(s);
}

TEST(command_errors) {
    start s = begin_usm();
    cl_command_queue q = s.queue, no = (cl_command_queue)s.context;
    _Alignas(16) char a[64] = {0}, b[64] = {0};
    CHECK_EQ(usm.copy(no, CL_TRUE, a, b, 8, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(usm.copy(q, CL_TRUE, NULL, b, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.copy(q, CL_TRUE, a, NULL, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.copy(q, CL_TRUE, a, a + 8, 9, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(usm.fill(no, a, b, 4, 8, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(usm.fill(q, NULL, b, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(q, a + 2, b, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(q, a, NULL, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(q, a, b, 0, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(q, a, b, 3, 9, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(q, a, b, 256, 512, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.fill(q, a, b, 4, 9, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.set(no, a, 0, 8, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(usm.set(q, NULL, 0, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.migrate(no, a, 8, 0, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(usm.migrate(q, a, 8, 1 << 9, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.advise(no, a, 8, 0, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(usm.advise(q, a, 8, 0x4208, 0, NULL, NULL), CL_INVALID_VALUE);
    /* clEnqueueSVMMigrateMem is for memory of clSVMAlloc. */
    void *memory = usm.shared(s.context, NULL, NULL, 64, 0, NULL);
    const void *list[1] = {memory};
    CHECK_EQ(clEnqueueSVMMigrateMem(q, 1, list, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(usm.free(s.context, memory), CL_SUCCESS);
    end(s);
}

static void check_lists(start s, char *memory, cl_uint count, const cl_event *list, cl_int wanted) {
    cl_command_queue q = s.queue;
    char other[64] = {0}, one = 1;
    CHECK_EQ(usm.copy(q, CL_FALSE, memory, other, 8, count, list, NULL), wanted);
    CHECK_EQ(usm.fill(q, memory, &one, 1, 8, count, list, NULL), wanted);
    CHECK_EQ(usm.set(q, memory, 0, 8, count, list, NULL), wanted);
    CHECK_EQ(usm.migrate(q, memory, 8, 0, count, list, NULL), wanted);
    CHECK_EQ(usm.advise(q, memory, 8, 0, count, list, NULL), wanted);
}

TEST(wait_lists) {
    start s = begin_usm(), other = begin();
    cl_int error = 1;
    cl_event foreign = clCreateUserEvent(other.context, &error);
    cl_event none = NULL, event = clCreateUserEvent(s.context, &error);
    char *memory = usm.shared(s.context, NULL, NULL, 64, 0, NULL);
    check_lists(s, memory, 1, NULL, CL_INVALID_EVENT_WAIT_LIST);
    check_lists(s, memory, 0, &event, CL_INVALID_EVENT_WAIT_LIST);
    check_lists(s, memory, 1, &none, CL_INVALID_EVENT_WAIT_LIST);
    check_lists(s, memory, 1, &foreign, CL_INVALID_CONTEXT);
    CHECK_EQ(clSetUserEventStatus(event, -5), CL_SUCCESS);
    check_lists(s, memory, 1, &event, CL_SUCCESS);
    CHECK_EQ(usm.copy(s.queue, CL_TRUE, memory, memory + 32, 8, 1, &event, NULL),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    clReleaseEvent(event);
    clReleaseEvent(foreign);
    CHECK_EQ(usm.free(s.context, memory), CL_SUCCESS);
    end(other);
    end(s);
}

/* ---- kernels --------------------------------------------------------------------------------- */

typedef struct node {
    int value;
    struct node *next;
} node;

TEST(kernels_follow_pointers) {
    weft_need_compiler();
    start s = begin_usm();
    cl_program program = weft_built(s.context, source, "");
    cl_kernel kernel = weft_kernel(program, "follow");
    const size_t one = 1;
    const cl_bool yes = CL_TRUE;
    node *nodes[3] = {usm.host(s.context, NULL, 2 * sizeof(node), 0, NULL),
                      usm.device(s.context, weft_device(0), NULL, sizeof(node), 0, NULL),
                      usm.shared(s.context, weft_device(0), NULL, sizeof(node), 0, NULL)};
    int *sum = usm.shared(s.context, NULL, NULL, sizeof(int), 4, NULL);
    nodes[0][0] = (node){1000, NULL}; /* not reached */
    nodes[0][1] = (node){1, nodes[1]};
    *nodes[1] = (node){10, nodes[2]};
    *nodes[2] = (node){100, NULL};
    CHECK_EQ(usm.set_arg(kernel, 0, &nodes[0][1]), CL_SUCCESS);
    CHECK_EQ(usm.set_arg(kernel, 1, sum), CL_SUCCESS);
    static const cl_kernel_exec_info indirect[] = {
        CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL};
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(clSetKernelExecInfo(kernel, indirect[i], sizeof(yes), &yes), CL_SUCCESS);
        CHECK_EQ(clSetKernelExecInfo(kernel, indirect[i], 1, &yes), CL_INVALID_VALUE);
        CHECK_EQ(clSetKernelExecInfo(kernel, indirect[i], sizeof(yes), NULL), CL_INVALID_VALUE);
    }
    CHECK_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof(nodes), nodes),
             CL_SUCCESS);
    CHECK_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, NULL), CL_SUCCESS);
    CHECK_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 7, nodes),
             CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 8, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(kernel, 0x4203 + 20, 8, nodes), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(*sum, 111);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(usm.free(s.context, nodes[i]), CL_SUCCESS);
    CHECK_EQ(usm.free(s.context, sum), CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    end(s);
}

/* CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL */
TEST(atomics_reach_a_running_kernel) {
    weft_need_compiler();
    start s = begin_usm();
    cl_program program = weft_built(s.context, source, "");
    cl_kernel kernel = weft_kernel(program, "wait_for_host");
    const size_t one = 1;
    _Atomic int *words = usm.device(s.context, weft_device(0), NULL, 8, 0, NULL);
    atomic_store(&words[0], 0);
    atomic_store(&words[1], 0);
    CHECK_EQ(usm.set_arg(kernel, 0, (void *)&words[0]), CL_SUCCESS);
    CHECK_EQ(usm.set_arg(kernel, 1, (void *)&words[1]), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFlush(s.queue), CL_SUCCESS);
    while (atomic_load(&words[1]) == 0)
        usleep(100);
    CHECK_EQ(atomic_load(&words[1]), 1);
    atomic_store(&words[0], 1);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(atomic_load(&words[1]), 2);
    CHECK_EQ(usm.free(s.context, (void *)words), CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    end(s);
}

TEST(argument_errors) {
    weft_need_compiler();
    start s = begin_usm();
    cl_program program = weft_built(s.context, source, "");
    cl_kernel kernel = weft_kernel(program, "plain");
    int value = 0;
    CHECK_EQ(usm.set_arg((cl_kernel)s.queue, 2, &value), CL_INVALID_KERNEL);
    CHECK_EQ(usm.set_arg(kernel, 3, &value), CL_INVALID_ARG_INDEX);
    CHECK_EQ(usm.set_arg(kernel, 0, &value), CL_INVALID_ARG_VALUE);
    CHECK_EQ(usm.set_arg(kernel, 1, &value), CL_INVALID_ARG_VALUE);
    CHECK_EQ(usm.set_arg(kernel, 2, &value), CL_SUCCESS);
    CHECK_EQ(usm.set_arg(kernel, 2, NULL), CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    end(s);
}

TEST_MAIN()
