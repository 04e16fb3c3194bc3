// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Shared virtual memory: what it does, and every error that an application can provoke. */

#include "start.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* ---- allocating ------------------------------------------------------------------------------ */

TEST(capabilities) {
    cl_device_svm_capabilities all = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                     CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                     CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS,
                               got = 0;
    CHECK_EQ(clGetDeviceInfo(weft_device(0), CL_DEVICE_SVM_CAPABILITIES, sizeof(got), &got, NULL),
             CL_SUCCESS);
    CHECK_EQ(got, all);
}

TEST(alloc_flags) {
    start s = begin();
    const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER, atomics = CL_MEM_SVM_ATOMICS;
    const cl_svm_mem_flags good[] = {
        0,    CL_MEM_READ_WRITE,       CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY,
        fine, fine | CL_MEM_READ_ONLY, fine | atomics,    fine | atomics | CL_MEM_READ_WRITE};
    const cl_svm_mem_flags bad[] = {atomics,
                                    CL_MEM_READ_WRITE | atomics,
                                    CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
                                    CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
                                    CL_MEM_USE_HOST_PTR,
                                    CL_MEM_HOST_READ_ONLY,
                                    (cl_svm_mem_flags)1 << 60};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        void *pointer = clSVMAlloc(s.context, good[i], 64, 0);
        CHECK(pointer);
        clSVMFree(s.context, pointer);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK(!clSVMAlloc(s.context, bad[i], 64, 0));
    CHECK(!clSVMAlloc((cl_context)s.queue, 0, 64, 0));
    end(s);
}

TEST(alloc_size_and_alignment) {
    start s = begin();
    cl_ulong most = 0;
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, NULL),
        CL_SUCCESS);
    CHECK(!clSVMAlloc(s.context, 0, 0, 0));
    CHECK(!clSVMAlloc(s.context, 0, most + 1, 0));
    CHECK(!clSVMAlloc(s.context, 0, 64, 3));
    CHECK(!clSVMAlloc(s.context, 0, 64, 256));
    for (cl_uint align = 0; align <= 128; align = align ? align * 2 : 1) {
        void *small = clSVMAlloc(s.context, 0, 1, align);
        void *large = clSVMAlloc(s.context, 0, 5 << 20, align);
        CHECK(small && large);
        CHECK_EQ((uintptr_t)small % (align ? align : 128), 0);
        CHECK_EQ((uintptr_t)large % (align ? align : 128), 0);
        clSVMFree(s.context, large);
        clSVMFree(s.context, small);
    }
    end(s);
}

TEST(free_takes_anything_and_the_context_frees_the_rest) {
    start s = begin();
    char other[64];
    void *pointers[100];
    for (int i = 0; i < 100; i++)
        CHECK((pointers[i] = clSVMAlloc(s.context, 0, 1000 + (size_t)i * 40000, 0)));
    clSVMFree(s.context, NULL);
    clSVMFree(s.context, other);
    clSVMFree(s.context, (char *)pointers[3] + 1);
    clSVMFree((cl_context)s.queue, pointers[3]);
    for (int i = 0; i < 100; i += 2)
        clSVMFree(s.context, pointers[(i * 37 + 11) % 100]);
    clSVMFree(s.context, pointers[11]); /* again */
    end(s);
}

/* ---- buffers --------------------------------------------------------------------------------- */

static cl_bool uses_svm(cl_mem mem) {
    cl_bool uses = 77;
    CHECK_EQ(clGetMemObjectInfo(mem, CL_MEM_USES_SVM_POINTER, sizeof(uses), &uses, NULL),
             CL_SUCCESS);
    return uses;
}

TEST(buffers_over_svm) {
    start s = begin();
    cl_int error = 1;
    int *memory = clSVMAlloc(s.context, 0, 4096, 0);
    CHECK(memory);
    cl_mem buffer = clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, 4096, memory, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(uses_svm(buffer), CL_TRUE);
    const cl_buffer_region region = {1024, 128};
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(uses_svm(part), CL_TRUE);
    void *mapped =
        clEnqueueMapBuffer(s.queue, part, CL_TRUE, CL_MAP_WRITE, 0, 128, 0, NULL, NULL, &error);
    CHECK(mapped == memory + 256);
    CHECK_EQ(clEnqueueUnmapMemObject(s.queue, part, mapped, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    clReleaseMemObject(part);
    clReleaseMemObject(buffer);

    buffer = clCreateBuffer(s.context, 0, 64, NULL, &error);
    CHECK_EQ(uses_svm(buffer), CL_FALSE);
    clReleaseMemObject(buffer);
    CHECK(!clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, 4097, memory, &error));
    CHECK_EQ(error, CL_INVALID_BUFFER_SIZE);
    CHECK(!clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, 4093, memory + 1, &error));
    CHECK_EQ(error, CL_INVALID_BUFFER_SIZE);
    clSVMFree(s.context, memory);
    end(s);
}

TEST(host_memory_is_no_svm_pointer) {
    start s = begin();
    cl_int error = 1;
    char *memory = clSVMAlloc(s.context, 0, 4096, 0);
    _Alignas(128) static char host[4096];
    cl_mem buffer = clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, 4096, host, &error);
    const cl_buffer_region region = {1024, 128};
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK_EQ(uses_svm(buffer), CL_FALSE);
    CHECK_EQ(uses_svm(part), CL_FALSE);
    clReleaseMemObject(part);
    clReleaseMemObject(buffer);

    /* It counts what the memory was when the buffer was made. */
    buffer = clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, 1024, memory + 2048, &error);
    CHECK_EQ(uses_svm(buffer), CL_TRUE);
    clSVMFree(s.context, memory);
    CHECK_EQ(uses_svm(buffer), CL_TRUE);
    clReleaseMemObject(buffer);

    /* Bytes that were copied are the buffer's own. */
    memory = clSVMAlloc(s.context, 0, 4096, 0);
    buffer = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, 4096, memory, &error);
    CHECK_EQ(uses_svm(buffer), CL_FALSE);
    clReleaseMemObject(buffer);
    clSVMFree(s.context, memory);
    end(s);
}

/* ---- commands -------------------------------------------------------------------------------- */

static cl_command_type type_of(cl_event event) {
    cl_command_type type = 0;
    CHECK_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL), CL_SUCCESS);
    CHECK_EQ(clReleaseEvent(event), CL_SUCCESS);
    return type;
}

TEST(copy_fill_map_migrate) {
    start s = begin();
    cl_event event;
    const int pattern[4] = {1, 2, 3, 4};
    int host[1024] = {0};
    int *memory = clSVMAlloc(s.context, 0, sizeof(host), 0);
    CHECK_EQ(clEnqueueSVMMemFill(s.queue, memory, pattern, 16, sizeof(host), 0, NULL, &event),
             CL_SUCCESS);
    CHECK_EQ(type_of(event), CL_COMMAND_SVM_MEMFILL);
    CHECK_EQ(clEnqueueSVMMemcpy(s.queue, CL_TRUE, host, memory, sizeof(host), 0, NULL, &event),
             CL_SUCCESS);
    CHECK_EQ(type_of(event), CL_COMMAND_SVM_MEMCPY);
    for (int i = 0; i < 1024; i++)
        CHECK_EQ(host[i], i % 4 + 1);
    CHECK_EQ(
        clEnqueueSVMMap(s.queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, 64, 0, NULL, &event),
        CL_SUCCESS);
    CHECK_EQ(type_of(event), CL_COMMAND_SVM_MAP);
    CHECK_EQ(clEnqueueSVMUnmap(s.queue, memory, 0, NULL, &event), CL_SUCCESS);
    CHECK_EQ(type_of(event), CL_COMMAND_SVM_UNMAP);
    const void *pointers[3] = {memory, memory + 1, memory + 1023};
    const size_t sizes[3] = {sizeof(host), 0, 4};
    CHECK_EQ(clEnqueueSVMMigrateMem(s.queue, 3, pointers, sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0,
                                    NULL, &event),
             CL_SUCCESS);
    CHECK_EQ(type_of(event), CL_COMMAND_SVM_MIGRATE_MEM);
    CHECK_EQ(clEnqueueSVMMigrateMem(s.queue, 3, pointers, NULL, 0, 0, NULL, NULL), CL_SUCCESS);
    /* Nothing to move is allowed, and the host's memory is as good as ours. */
    CHECK_EQ(clEnqueueSVMMemcpy(s.queue, CL_TRUE, host, host, 0, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueSVMMemFill(s.queue, host, pattern, 4, 0, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueSVMMemcpy(s.queue, CL_TRUE, host, host + 512, 2048, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    clSVMFree(s.context, memory);
    end(s);
}

TEST(copy_and_fill_errors) {
    start s = begin();
    cl_command_queue q = s.queue, no = (cl_command_queue)s.context;
    _Alignas(16) char a[64] = {0}, b[64] = {0};
    CHECK_EQ(clEnqueueSVMMemcpy(no, CL_TRUE, a, b, 8, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueSVMMemcpy(q, CL_TRUE, NULL, b, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemcpy(q, CL_TRUE, a, NULL, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemcpy(q, CL_TRUE, a, a + 8, 9, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(clEnqueueSVMMemcpy(q, CL_TRUE, a + 8, a, 9, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(clEnqueueSVMMemcpy(q, CL_TRUE, a, a, 1, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    CHECK_EQ(clEnqueueSVMMemFill(no, a, b, 4, 8, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueSVMMemFill(q, NULL, b, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(q, a + 2, b, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(q, a, NULL, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(q, a, b, 0, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(q, a, b, 3, 9, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(q, a, b, 256, 512, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(q, a, b, 4, 9, 0, NULL, NULL), CL_INVALID_VALUE);
    end(s);
}

TEST(map_unmap_migrate_free_errors) {
    start s = begin();
    cl_command_queue q = s.queue, no = (cl_command_queue)s.context;
    char a[64];
    char *memory = clSVMAlloc(s.context, 0, 64, 0);
    void *pointers[1] = {memory};
    const void *inside[1] = {memory + 60}, *outside[1] = {a};
    const size_t four[1] = {4}, five[1] = {5};
    CHECK_EQ(clEnqueueSVMMap(no, CL_TRUE, CL_MAP_READ, a, 8, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, NULL, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, a, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMap(q, CL_TRUE, 1 << 20, a, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, a, 8, 0,
                             NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMUnmap(no, a, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueSVMUnmap(q, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(no, 1, inside, NULL, 0, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(q, 0, inside, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(q, 1, NULL, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(q, 1, inside, NULL, 1 << 9, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(q, 1, outside, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(q, 1, inside, five, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMigrateMem(q, 1, inside, four, 0, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueSVMFree(no, 1, pointers, NULL, NULL, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueSVMFree(q, 0, pointers, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMFree(q, 1, NULL, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMFree(q, 0, NULL, NULL, NULL, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clFinish(q), CL_SUCCESS);
    clSVMFree(s.context, memory);
    end(s);
}

/* Every enqueue function with one wait list. */
static void check_lists(start s, char *memory, cl_uint count, const cl_event *list, cl_int wanted) {
    cl_command_queue q = s.queue;
    char other[64] = {0}, one = 1;
    const void *inside[1] = {memory};
    CHECK_EQ(clEnqueueSVMMemcpy(q, CL_FALSE, memory, other, 8, count, list, NULL), wanted);
    CHECK_EQ(clEnqueueSVMMemFill(q, memory, &one, 1, 8, count, list, NULL), wanted);
    CHECK_EQ(clEnqueueSVMMap(q, CL_FALSE, CL_MAP_READ, memory, 8, count, list, NULL), wanted);
    CHECK_EQ(clEnqueueSVMUnmap(q, memory, count, list, NULL), wanted);
    CHECK_EQ(clEnqueueSVMMigrateMem(q, 1, inside, NULL, 0, count, list, NULL), wanted);
    CHECK_EQ(clEnqueueSVMFree(q, 0, NULL, NULL, NULL, count, list, NULL), wanted);
}

TEST(wait_lists) {
    start s = begin(), other = begin();
    cl_int error = 1;
    cl_event foreign = clCreateUserEvent(other.context, &error);
    cl_event none = NULL, event = clCreateUserEvent(s.context, &error);
    char *memory = clSVMAlloc(s.context, 0, 64, 0);
    check_lists(s, memory, 1, NULL, CL_INVALID_EVENT_WAIT_LIST);
    check_lists(s, memory, 0, &event, CL_INVALID_EVENT_WAIT_LIST);
    check_lists(s, memory, 1, &none, CL_INVALID_EVENT_WAIT_LIST);
    check_lists(s, memory, 1, &foreign, CL_INVALID_CONTEXT);
    check_lists(s, memory, 1, &event, CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(event, -5), CL_SUCCESS);
    CHECK_EQ(clEnqueueSVMMemcpy(s.queue, CL_TRUE, memory, memory + 32, 8, 1, &event, NULL),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(clEnqueueSVMMap(s.queue, CL_TRUE, CL_MAP_READ, memory, 8, 1, &event, NULL),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    clReleaseEvent(event);
    clReleaseEvent(foreign);
    clSVMFree(s.context, memory);
    end(other);
    end(s);
}

/* ---- enqueued free --------------------------------------------------------------------------- */

typedef struct freed {
    cl_context context;
    cl_command_queue queue;
    cl_uint count;
    void *pointers[4];
    _Atomic int calls;
} freed;

static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint count, void *pointers[],
                                void *user) {
    freed *what = user;
    what->queue = queue;
    what->count = count;
    for (cl_uint i = 0; i < count; i++) {
        what->pointers[i] = pointers[i];
        clSVMFree(what->context, pointers[i]);
    }
    atomic_fetch_add(&what->calls, 1);
}

TEST(enqueued_free_calls_back_in_order) {
    start s = begin();
    cl_int error = 1;
    cl_event gate = clCreateUserEvent(s.context, &error), done;
    void *pointers[2] = {clSVMAlloc(s.context, 0, 64, 0), clSVMAlloc(s.context, 0, 4 << 20, 0)};
    void *first = pointers[0];
    freed what = {.context = s.context};
    CHECK_EQ(clEnqueueSVMFree(s.queue, 2, pointers, on_free, &what, 1, &gate, &done), CL_SUCCESS);
    pointers[0] = NULL; /* "The memory associated with svm_pointers can be reused" */
    CHECK_EQ(clFlush(s.queue), CL_SUCCESS);
    usleep(2000);
    CHECK_EQ(atomic_load(&what.calls), 0);
    CHECK_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    CHECK_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    CHECK_EQ(atomic_load(&what.calls), 1);
    CHECK(what.queue == s.queue && what.count == 2);
    CHECK(what.pointers[0] == first && what.pointers[1] == pointers[1]);
    CHECK_EQ(type_of(done), CL_COMMAND_SVM_FREE);
    clReleaseEvent(gate);
    end(s);
}

TEST(enqueued_free_after_an_error_frees_nothing) {
    start s = begin();
    cl_int error = 1;
    cl_event gate = clCreateUserEvent(s.context, &error);
    int *memory = clSVMAlloc(s.context, 0, 64, 0);
    void *pointers[1] = {memory};
    const void *inside[1] = {memory};
    CHECK_EQ(clEnqueueSVMFree(s.queue, 1, pointers, NULL, NULL, 1, &gate, NULL), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(gate, -1), CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(clEnqueueSVMMigrateMem(s.queue, 1, inside, NULL, 0, 0, NULL, NULL), CL_SUCCESS);
    memory[0] = 1;
    CHECK_EQ(clEnqueueSVMFree(s.queue, 1, pointers, NULL, NULL, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(clEnqueueSVMMigrateMem(s.queue, 1, inside, NULL, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    clReleaseEvent(gate);
    end(s);
}

TEST(no_profile_of_a_free) {
    start s = begin();
    const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int error = 1;
    cl_event event;
    cl_ulong time;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(s.context, weft_device(0), profiling, &error);
    CHECK_EQ(clEnqueueSVMFree(queue, 0, NULL, NULL, NULL, 0, NULL, &event), CL_SUCCESS);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    CHECK_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(time), &time, NULL),
             CL_PROFILING_INFO_NOT_AVAILABLE);
    clReleaseEvent(event);
    clReleaseCommandQueue(queue);
    end(s);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const char source[] =
    "typedef struct node { int value; global struct node *next; } node;\n"
    "kernel void follow(global node *first, global int *sum) {\n"
    "    int total = 0;\n"
    "    for (global node *n = first; n; n = n->next) total += n->value;\n"
    "    *sum = total;\n"
    "}\n"
    "kernel void add(constant int *by, global int *to, int plus) {\n"
    "    to[get_global_id(0)] += *by + plus;\n"
    "}\n"
    "kernel void wait_for_host(volatile global int *flag, volatile global int *answer) {\n"
    "    *answer = 1;\n"
    "    while (atomic_add(flag, 0) == 0) ;\n"
    "    *answer = 2;\n"
    "}\n"
    "kernel void with_local(local int *l) { *l = 1; }\n";

typedef struct node {
    int value;
    struct node *next;
} node;

TEST(pointers_are_shared) {
    weft_need_compiler();
    start s = begin();
    cl_program program = weft_built(s.context, source, "");
    cl_kernel kernel = weft_kernel(program, "follow");
    const size_t one = 1;
    node system = {100, NULL};
    node *nodes = clSVMAlloc(s.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 10 * sizeof(*nodes), 0);
    int *sum = clSVMAlloc(s.context, 0, sizeof(int), 4);
    for (int i = 0; i < 10; i++)
        nodes[i] = (node){i, i < 9 ? &nodes[i + 1] : &system};
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 0, nodes), CL_SUCCESS);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 1, sum), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(*sum, 145);
    /* A pointer into a block, memory of the host's, and NULL. */
    int on_stack = 0;
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 0, &nodes[8]), CL_SUCCESS);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 1, &on_stack), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(on_stack, 117);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 0, NULL), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(on_stack, 0);
    clSVMFree(s.context, sum);
    clSVMFree(s.context, nodes);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    end(s);
}

TEST(a_clone_has_the_pointers) {
    weft_need_compiler();
    start s = begin();
    cl_program program = weft_built(s.context, source, "");
    cl_kernel kernel = weft_kernel(program, "add"), clone;
    const size_t four = 4;
    cl_int error = 1;
    int by = 10, to[4] = {0, 1, 2, 3}, plus = 1;
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 0, &by), CL_SUCCESS);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 1, to), CL_SUCCESS);
    clone = clCloneKernel(kernel, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, clone, 1, NULL, &four, NULL, 0, NULL, NULL),
             CL_INVALID_KERNEL_ARGS);
    CHECK_EQ(clSetKernelArg(clone, 2, sizeof(plus), &plus), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, clone, 1, NULL, &four, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(to[i], i + 11);
    /* A buffer takes the pointer's place, and goes again. */
    cl_mem buffer = clCreateBuffer(s.context, 0, 64, NULL, &error);
    CHECK_EQ(clSetKernelArg(clone, 1, sizeof(buffer), &buffer), CL_SUCCESS);
    CHECK_EQ(clSetKernelArgSVMPointer(clone, 1, to), CL_SUCCESS);
    clReleaseMemObject(buffer);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, clone, 1, NULL, &four, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(to[0], 22);
    clReleaseKernel(clone);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    end(s);
}

TEST(atomics_reach_a_running_kernel) {
    weft_need_compiler();
    start s = begin();
    cl_program program = weft_built(s.context, source, "");
    cl_kernel kernel = weft_kernel(program, "wait_for_host");
    const size_t one = 1;
    _Atomic int *words =
        clSVMAlloc(s.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 8, 0);
    atomic_store(&words[0], 0);
    atomic_store(&words[1], 0);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 0, (void *)&words[0]), CL_SUCCESS);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 1, (void *)&words[1]), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(s.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFlush(s.queue), CL_SUCCESS);
    while (atomic_load(&words[1]) == 0)
        usleep(100);
    CHECK_EQ(atomic_load(&words[1]), 1);
    atomic_store(&words[0], 1);
    CHECK_EQ(clFinish(s.queue), CL_SUCCESS);
    CHECK_EQ(atomic_load(&words[1]), 2);
    clSVMFree(s.context, (void *)words);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    end(s);
}

TEST(kernel_errors) {
    weft_need_compiler();
    start s = begin();
    cl_program program = weft_built(s.context, source, "");
    cl_kernel kernel = weft_kernel(program, "add"), local = weft_kernel(program, "with_local");
    void *pointers[2] = {NULL, NULL};
    cl_bool yes = CL_TRUE, no = CL_FALSE;
    int value = 0;
    CHECK_EQ(clSetKernelArgSVMPointer((cl_kernel)program, 0, &value), CL_INVALID_KERNEL);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 3, &value), CL_INVALID_ARG_INDEX);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 2, &value), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArgSVMPointer(local, 0, &value), CL_INVALID_ARG_VALUE);

    const cl_kernel_exec_info ptrs = CL_KERNEL_EXEC_INFO_SVM_PTRS,
                              fine = CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
    CHECK_EQ(clSetKernelExecInfo(kernel, ptrs, sizeof(pointers), pointers), CL_SUCCESS);
    CHECK_EQ(clSetKernelExecInfo(kernel, fine, sizeof(yes), &yes), CL_SUCCESS);
    CHECK_EQ(clSetKernelExecInfo(kernel, fine, sizeof(no), &no), CL_SUCCESS);
    CHECK_EQ(clSetKernelExecInfo((cl_kernel)program, ptrs, sizeof(pointers), pointers),
             CL_INVALID_KERNEL);
    CHECK_EQ(clSetKernelExecInfo(kernel, 0x1234, sizeof(yes), &yes), CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(kernel, ptrs, sizeof(pointers), NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(kernel, ptrs, 0, NULL), CL_SUCCESS);
    CHECK_EQ(clSetKernelExecInfo(kernel, ptrs, 9, pointers), CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(kernel, fine, 1, &yes), CL_INVALID_VALUE);
    CHECK_EQ(clSetKernelExecInfo(kernel, fine, sizeof(yes), NULL), CL_INVALID_VALUE);
    clReleaseKernel(local);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    end(s);
}

TEST_MAIN()
