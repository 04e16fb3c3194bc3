// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Pipes: objects, arguments, what kernels write and read, and every error. */

#include "start.h"

static cl_mem make_pipe(cl_context context, cl_uint size, cl_uint packets) {
    cl_int error = 1;
    cl_mem pipe = clCreatePipe(context, CL_MEM_HOST_NO_ACCESS, size, packets, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return pipe;
}

/* ---- objects --------------------------------------------------------------------------------- */

static cl_int create_error(cl_context context, cl_mem_flags flags, cl_uint size, cl_uint packets,
                           const cl_pipe_properties *properties) {
    cl_int error = 1;
    CHECK(!clCreatePipe(context, flags, size, packets, properties, &error));
    return error;
}

TEST(creation) {
    start s = begin();
    const cl_pipe_properties none[] = {0};
    cl_uint most = 0;
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof(most), &most, NULL),
        CL_SUCCESS);
    CHECK_EQ(create_error(NULL, 0, 4, 16, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(create_error(s.context, CL_MEM_READ_ONLY, 4, 16, NULL), CL_INVALID_VALUE);
    CHECK_EQ(create_error(s.context, CL_MEM_USE_HOST_PTR, 4, 16, NULL), CL_INVALID_VALUE);
    CHECK_EQ(create_error(s.context, 0, 4, 16, none), CL_INVALID_VALUE);
    CHECK_EQ(create_error(s.context, 0, 0, 16, NULL), CL_INVALID_PIPE_SIZE);
    CHECK_EQ(create_error(s.context, 0, most + 1, 16, NULL), CL_INVALID_PIPE_SIZE);
    CHECK_EQ(create_error(s.context, 0, 4, 0, NULL), CL_INVALID_PIPE_SIZE);
    CHECK_EQ(create_error(s.context, 0, most, UINT32_MAX, NULL), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    clReleaseMemObject(make_pipe(s.context, most, 1));
    end(s);
}

#define PIPE_QUERY(name, size, value, size_ret) clGetPipeInfo(pipe, name, size, value, size_ret)
#define MEM_QUERY(name, size, value, size_ret) clGetMemObjectInfo(pipe, name, size, value, size_ret)

TEST(info) {
    start s = begin();
    cl_int error = 1;
    cl_uint value = 0;
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0;
    cl_mem pipe = clCreatePipe(s.context, 0, 12, 34, NULL, &error);
    cl_mem buffer = clCreateBuffer(s.context, 0, 64, NULL, &error);
    CHECK_INFO_SIZE(PIPE_QUERY, CL_PIPE_PACKET_SIZE, sizeof(cl_uint));
    CHECK_INFO_SIZE(PIPE_QUERY, CL_PIPE_MAX_PACKETS, sizeof(cl_uint));
    CHECK_INFO_SIZE(PIPE_QUERY, CL_PIPE_PROPERTIES, 0);
    CHECK_EQ(PIPE_QUERY(CL_PIPE_PACKET_SIZE, sizeof(value), &value, NULL), CL_SUCCESS);
    CHECK_EQ(value, 12);
    CHECK_EQ(PIPE_QUERY(CL_PIPE_MAX_PACKETS, sizeof(value), &value, NULL), CL_SUCCESS);
    CHECK_EQ(value, 34);
    CHECK_EQ(PIPE_QUERY(CL_MEM_TYPE, sizeof(value), &value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(MEM_QUERY(CL_MEM_TYPE, sizeof(type), &type, NULL), CL_SUCCESS);
    CHECK_EQ(type, CL_MEM_OBJECT_PIPE);
    CHECK_EQ(MEM_QUERY(CL_MEM_FLAGS, sizeof(flags), &flags, NULL), CL_SUCCESS);
    CHECK_EQ(flags, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
    clReleaseMemObject(buffer);
    clReleaseMemObject(pipe);
    end(s);
}

/* "a pipe cannot be read or written by the host" */
TEST(the_host_cannot_reach_it) {
    start s = begin();
    char bytes[64] = {0};
    cl_int error = 1;
    cl_mem pipe = make_pipe(s.context, 4, 16);
    cl_buffer_region region = {0, 4};
    cl_command_queue q = s.queue;
    CHECK_EQ(clEnqueueReadBuffer(q, pipe, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueWriteBuffer(q, pipe, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueFillBuffer(q, pipe, bytes, 4, 0, 4, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK(!clEnqueueMapBuffer(q, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueUnmapMemObject(q, pipe, bytes, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK(!clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    CHECK_EQ(error, CL_INVALID_MEM_OBJECT);
    clReleaseMemObject(pipe);
    end(s);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const char source[] =
    "kernel void put(write_only pipe int p, global int *failed) {\n"
    "    int v = get_global_id(0);\n"
    "    if (write_pipe(p, &v)) atomic_inc(failed);\n"
    "}\n"
    "kernel void get(read_only pipe int p, global int *seen, global int *failed) {\n"
    "    int v;\n"
    "    if (read_pipe(p, &v)) atomic_inc(failed); else atomic_inc(seen + v);\n"
    "}\n"
    "kernel void put_some(write_only pipe int p, global int *failed) {\n"
    "    reserve_id_t id = reserve_write_pipe(p, 2);\n"
    "    if (!is_valid_reserve_id(id)) { atomic_inc(failed); return; }\n"
    "    int v = 2 * get_global_id(0), w = v + 1;\n"
    "    if (write_pipe(p, id, 1, &w) || write_pipe(p, id, 0, &v) || !write_pipe(p, id, 2, &v))\n"
    "        atomic_inc(failed);\n"
    "    commit_write_pipe(p, id);\n"
    "}\n"
    "kernel void get_group(read_only pipe int p, global int *seen, global int *failed) {\n"
    "    reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));\n"
    "    int v;\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        if (read_pipe(p, id, get_local_id(0), &v)) atomic_inc(failed);\n"
    "        else atomic_inc(seen + v);\n"
    "        work_group_commit_read_pipe(p, id);\n"
    "    } else {\n"
    "        atomic_inc(failed);\n"
    "    }\n"
    "}\n"
    "kernel void get_sub_group(read_only pipe int p, global int *seen, global int *failed) {\n"
    "    reserve_id_t id = sub_group_reserve_read_pipe(p, get_sub_group_size());\n"
    "    int v;\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        if (read_pipe(p, id, get_sub_group_local_id(), &v)) atomic_inc(failed);\n"
    "        else atomic_inc(seen + v);\n"
    "        sub_group_commit_read_pipe(p, id);\n"
    "    } else {\n"
    "        atomic_inc(failed);\n"
    "    }\n"
    "}\n"
    "kernel void put_sub_group(write_only pipe int p, global int *failed) {\n"
    "    reserve_id_t id = sub_group_reserve_write_pipe(p, get_sub_group_size());\n"
    "    int v = get_global_id(0);\n"
    "    if (!is_valid_reserve_id(id) || write_pipe(p, id, get_sub_group_local_id(), &v))\n"
    "        atomic_inc(failed);\n"
    "    sub_group_commit_write_pipe(p, id);\n"
    "}\n"
    "kernel void ask(read_only pipe int p, global int *answer) {\n"
    "    answer[0] = get_pipe_num_packets(p);\n"
    "    answer[1] = get_pipe_max_packets(p);\n"
    "}\n"
    "kernel void wide(write_only pipe long p, global int *failed) {\n"
    "    long v = 1;\n"
    "    if (write_pipe(p, &v)) atomic_inc(failed);\n"
    "}\n";

enum { ITEMS = 4096 };

typedef struct world {
    start s;
    cl_program program;
    cl_mem pipe, seen, failed;
} world;

static world make_world(cl_uint packets) {
    world w = {.s = begin()};
    cl_int error = 1;
    w.program = weft_built(w.s.context, source, "-cl-std=CL2.0");
    w.pipe = make_pipe(w.s.context, sizeof(cl_int), packets);
    w.seen = clCreateBuffer(w.s.context, 0, ITEMS * sizeof(cl_int), NULL, &error);
    w.failed = clCreateBuffer(w.s.context, 0, sizeof(cl_int), NULL, &error);
    return w;
}

static void end_world(world w) {
    clReleaseMemObject(w.failed);
    clReleaseMemObject(w.seen);
    clReleaseMemObject(w.pipe);
    clReleaseProgram(w.program);
    end(w.s);
}

/* Runs a kernel whose arguments are the pipe and what it names; returns how many calls failed. */
static int run(const world *w, const char *name, size_t items, size_t local, bool with_seen) {
    cl_kernel kernel = weft_kernel(w->program, name);
    const cl_int zero = 0;
    cl_int failed = -1;
    CHECK_EQ(clEnqueueFillBuffer(w->s.queue, w->failed, &zero, 4, 0, 4, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &w->pipe), CL_SUCCESS);
    if (with_seen)
        CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(cl_mem), &w->seen), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, with_seen ? 2 : 1, sizeof(cl_mem), &w->failed), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(w->s.queue, kernel, 1, NULL, &items, local ? &local : NULL, 0,
                                    NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(w->s.queue, w->failed, CL_TRUE, 0, 4, &failed, 0, NULL, NULL),
             CL_SUCCESS);
    clReleaseKernel(kernel);
    return failed;
}

static void check_seen(const world *w, cl_int times) {
    static cl_int seen[ITEMS];
    const cl_int zero = 0;
    CHECK_EQ(
        clEnqueueReadBuffer(w->s.queue, w->seen, CL_TRUE, 0, sizeof(seen), seen, 0, NULL, NULL),
        CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(seen[i], times);
    CHECK_EQ(clEnqueueFillBuffer(w->s.queue, w->seen, &zero, 4, 0, sizeof(seen), 0, NULL, NULL),
             CL_SUCCESS);
}

static void check_packets(const world *w, cl_int packets, cl_int most) {
    cl_kernel kernel = weft_kernel(w->program, "ask");
    cl_int answer[2] = {-1, -1};
    const size_t one = 1;
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &w->pipe), CL_SUCCESS);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 1, answer), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(w->s.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(w->s.queue), CL_SUCCESS);
    CHECK_EQ(answer[0], packets);
    CHECK_EQ(answer[1], most);
    clReleaseKernel(kernel);
}

/* Each packet arrives once, round after round, so that the ring goes round as well. */
TEST(packets_arrive_once) {
    weft_need_compiler();
    world w = make_world(ITEMS + 100);
    for (int round = 0; round < 5; round++) {
        CHECK_EQ(run(&w, "put", ITEMS, 0, false), 0);
        check_packets(&w, ITEMS, ITEMS + 100);
        CHECK_EQ(run(&w, "get", ITEMS, 0, true), 0);
        check_packets(&w, 0, ITEMS + 100);
        check_seen(&w, 1);
    }
    end_world(w);
}

TEST(full_and_empty) {
    weft_need_compiler();
    world w = make_world(100);
    CHECK_EQ(run(&w, "get", 10, 0, true), 10);
    CHECK_EQ(run(&w, "put", 130, 0, false), 30);
    check_packets(&w, 100, 100);
    CHECK_EQ(run(&w, "put_some", 1, 0, false), 1); /* no room for a reservation */
    CHECK_EQ(run(&w, "get", 90, 0, true), 0);
    CHECK_EQ(run(&w, "get_group", 32, 32, true), 32); /* ten are too few */
    CHECK_EQ(run(&w, "get", 32, 0, true), 22);
    end_world(w);
}

TEST(reservations) {
    weft_need_compiler();
    world w = make_world(ITEMS);
    for (int round = 0; round < 3; round++) {
        CHECK_EQ(run(&w, "put_some", ITEMS / 2, 0, false), 0);
        check_packets(&w, ITEMS, ITEMS);
        CHECK_EQ(run(&w, "get_group", ITEMS, 64, true), 0);
        check_seen(&w, 1);
    }
    end_world(w);
}

/* One reservation for each sub-group, also for the smaller one at a group's end. */
TEST(reservations_of_sub_groups) {
    weft_need_compiler();
    world w = make_world(ITEMS);
    for (size_t local = 1; local <= 64; local = local * 3 + 1) {
        CHECK_EQ(run(&w, "put_sub_group", ITEMS, local, false), 0);
        check_packets(&w, ITEMS, ITEMS);
        CHECK_EQ(run(&w, "get_sub_group", ITEMS, local, true), 0);
        check_seen(&w, 1);
    }
    end_world(w);
}

/* A kernel that takes the pipe for one of larger packets writes past no end. */
TEST(packets_of_another_size_fail) {
    weft_need_compiler();
    world w = make_world(8);
    CHECK_EQ(run(&w, "wide", 4, 0, false), 4);
    check_packets(&w, 0, 8);
    end_world(w);
}

TEST(arguments) {
    weft_need_compiler();
    world w = make_world(8);
    start other = begin();
    cl_kernel kernel = weft_kernel(w.program, "put");
    cl_mem foreign = make_pipe(other.context, 4, 8), none = NULL;
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), NULL), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(kernel, 0, 4, &w.pipe), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &none), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &w.seen), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &foreign), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(cl_mem), &w.pipe), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArgSVMPointer(kernel, 0, &none), CL_INVALID_ARG_VALUE);
    clReleaseMemObject(foreign);
    clReleaseKernel(kernel);
    end(other);
    end_world(w);
}

TEST_MAIN()
