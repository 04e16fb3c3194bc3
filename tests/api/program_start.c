// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Constructors and destructors of program-scope variables: who runs them, when and how often. */

#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/** Objects count what happens to them in memory of the host's that a kernel names to them. */
static const char *const source =
    "struct Place { global int *out; Place() : out(0) {} };\n"
    "global Place place;\n"
    "struct Counter {\n"
    "    int value, times;\n"
    "    Counter(int from) : value(from + 1) { times++; }\n"
    "    ~Counter() { if (place.out) { place.out[2] = place.out[2] * 10 + value; } }\n"
    "};\n"
    "global Counter first(1);\n"
    "global Counter second(first.value * 2);\n"
    "struct Quiet { int n; constexpr Quiet(int x) : n(x) {} };\n"
    "global Quiet quiet(9);\n"
    "kernel void look(global int *out) {\n"
    "    out[0] = first.value * 100 + second.value * 10 + quiet.n;\n"
    "    out[1] = first.times + second.times;\n"
    "    place.out = out;\n"
    "}\n"
    "kernel void change(global int *out) { first.value = 8; }\n";

enum { ORDER = 259, DESTROYED = 52 };

typedef struct run {
    cl_context context;
    cl_program program;
    cl_command_queue queue;
    int out[3];
    cl_mem buffer;
} run;

static cl_bool present(cl_program program, cl_program_info what) {
    cl_bool answer = 7;
    CHECK_EQ(clGetProgramInfo(program, what, sizeof(answer), &answer, NULL), CL_SUCCESS);
    return answer;
}

static void CL_CALLBACK ignore_release(cl_program program, void *user) {
    (void)program;
    (void)user;
}

static void use(run *r, cl_program program) {
    cl_int error;
    memset(r->out, 0, sizeof(r->out));
    r->program = program;
    r->queue = clCreateCommandQueueWithProperties(r->context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    r->buffer = clCreateBuffer(r->context, CL_MEM_USE_HOST_PTR, sizeof(r->out), r->out, &error);
    CHECK_EQ(error, CL_SUCCESS);
}

static void begin(run *r, const char *text, const char *options) {
    r->context = weft_context(1);
    cl_program program = weft_source(r->context, text);
    CHECK_EQ(present(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), CL_FALSE);
    cl_int error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    if (error)
        FAIL("build: %d: %.800s", error, weft_log_of(program, weft_device(0)));
    use(r, program);
}

static void launch(run *r, const char *name) {
    cl_int error;
    size_t one = 1;
    cl_kernel kernel = clCreateKernel(r->program, name, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(r->buffer), &r->buffer), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFinish(r->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
}

static void end(run *r) {
    CHECK_EQ(clReleaseMemObject(r->buffer), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(r->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(r->program), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(r->context), CL_SUCCESS);
}

TEST(constructors_run_once_and_in_order) {
    run r;
    weft_need_compiler();
    begin(&r, source, "-cl-std=CLC++");
    CHECK_EQ(present(r.program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), CL_TRUE);
    CHECK_EQ(present(r.program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT), CL_TRUE);
    launch(&r, "look");
    CHECK_EQ(r.out[0], ORDER);
    CHECK_EQ(r.out[1], 2);
    launch(&r, "change");
    launch(&r, "look");
    CHECK_EQ(r.out[0], ORDER + 600);
    CHECK_EQ(r.out[1], 2);
    end(&r);
}

TEST(destructors_run_last_first) {
    run r;
    weft_need_compiler();
    begin(&r, source, "-cl-std=CLC++2021");
    launch(&r, "look");
    CHECK_EQ(r.out[2], 0);
    end(&r);
    CHECK_EQ(r.out[2], DESTROYED);
}

/* Nothing was constructed, so nothing is destroyed; and no lost memory (sanitizers). */
TEST(no_kernel_no_destructors) {
    run r;
    weft_need_compiler();
    begin(&r, source, "-cl-std=CLC++");
    cl_int error;
    cl_kernel kernel = clCreateKernel(r.program, "look", &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    end(&r);
    CHECK_EQ(r.out[2], 0);
}

static int seen_at_callback[2], callbacks;

static void CL_CALLBACK on_release(cl_program program, void *user) {
    (void)program;
    seen_at_callback[callbacks++ & 1] = *(int *)user;
}

/* "The user callback functions are called after destructors (if any) ... are called and before the
 * program is released", "in the reverse order in which they were registered". */
TEST(release_callbacks_come_after_destructors) {
    run r;
    int marker = -1;
    weft_need_compiler();
    begin(&r, source, "-cl-std=CLC++");
    launch(&r, "look");
    CHECK_EQ(clSetProgramReleaseCallback(r.program, on_release, &r.out[2]), CL_SUCCESS);
    CHECK_EQ(clSetProgramReleaseCallback(r.program, on_release, &marker), CL_SUCCESS);
    end(&r);
    CHECK_EQ(callbacks, 2);
    CHECK_EQ(seen_at_callback[0], -1);
    CHECK_EQ(seen_at_callback[1], DESTROYED);
}

/* clBuildProgram anew ends the old executable's objects and begins new ones. */
TEST(rebuild) {
    run r;
    weft_need_compiler();
    begin(&r, source, "-cl-std=CLC++");
    launch(&r, "look");
    CHECK_EQ(clBuildProgram(r.program, 0, NULL, "-cl-std=CLC++ -DX", NULL, NULL), CL_SUCCESS);
    CHECK_EQ(r.out[2], DESTROYED);
    launch(&r, "look");
    CHECK_EQ(r.out[0], ORDER);
    end(&r);
    CHECK_EQ(r.out[2], DESTROYED * 100 + DESTROYED);
}

/* Kernels of one program that are offered to clCreateKernel are the application's only. */
TEST(kernels_of_the_program_only) {
    run r;
    char names[64];
    size_t count = 0;
    cl_int error;
    cl_uint made = 0;
    cl_kernel kernels[4];
    weft_need_compiler();
    begin(&r, source, "-cl-std=CLC++");
    CHECK_EQ(clGetProgramInfo(r.program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
             CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(clGetProgramInfo(r.program, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL),
             CL_SUCCESS);
    CHECK_STR(names, "look;change");
    CHECK(!clCreateKernel(r.program, "weft.init", &error));
    CHECK_EQ(error, CL_INVALID_KERNEL_NAME);
    CHECK_EQ(clCreateKernelsInProgram(r.program, 4, kernels, &made), CL_SUCCESS);
    CHECK_EQ(made, 2);
    for (cl_uint i = 0; i < made; i++)
        clReleaseKernel(kernels[i]);
    end(&r);
}

TEST(from_a_binary) {
    run r, again;
    size_t bytes = 0;
    unsigned char *binary;
    cl_int error, status;
    weft_need_compiler();
    begin(&r, source, "-cl-std=CLC++");
    binary = weft_binary_of(r.program, &bytes);
    end(&r);
    again.context = weft_context(1);
    cl_device_id device = weft_device(0);
    cl_program program = clCreateProgramWithBinary(
        again.context, 1, &device, &bytes, (const unsigned char *[]){binary}, &status, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(present(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), CL_TRUE);
    use(&again, program);
    launch(&again, "look");
    CHECK_EQ(again.out[0], ORDER);
    end(&again);
    CHECK_EQ(again.out[2], DESTROYED);
    free(binary);
}

/* OpenCL 3.0 has none of it: no callbacks, and no program that would need it (the same program of
 * tests, run once more with WEFT_OPENCL=3.0; with the version that is usual, all of it is there).
 */
TEST(devices_of_3_0_have_none) {
    static const char plain[] = "kernel void k(global int *out) { out[0] = 1; }";
    cl_context context;
    cl_version version = 0;
    weft_need_compiler();
    context = weft_context(1);
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_NUMERIC_VERSION, sizeof(version), &version, NULL),
        CL_SUCCESS);
    bool is_30 = version == CL_MAKE_VERSION(3, 0, 0);
    cl_program program = weft_source(context, plain), with = weft_source(context, source);
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(present(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), CL_FALSE);
    CHECK_EQ(clSetProgramReleaseCallback(program, ignore_release, NULL),
             is_30 ? CL_INVALID_OPERATION : CL_SUCCESS);
    CHECK_EQ(clBuildProgram(with, 0, NULL, "-cl-std=CLC++", NULL, NULL),
             is_30 ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS);
    if (is_30)
        CHECK(strstr(weft_log_of(with, weft_device(0)), "OpenCL 3.0") != NULL);
    CHECK_EQ(clReleaseProgram(program), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(with), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

/* Two compiled programs, each with an object of its own, in one executable. */
TEST(linked) {
    static const char *const texts[] = {
        "struct A { int n; A() { n += 40; } };\nglobal A a;\nint value();\n"
        "kernel void look(global int *out) { out[0] = a.n + value(); }",
        "struct B { int n; B() { n += 2; } };\nglobal B b;\nint value() { return b.n; }"};
    run r;
    cl_program parts[2];
    cl_int error;
    weft_need_compiler();
    r.context = weft_context(1);
    for (int i = 0; i < 2; i++) {
        parts[i] = weft_source(r.context, texts[i]);
        CHECK_EQ(clCompileProgram(parts[i], 0, NULL, "-cl-std=CLC++", 0, NULL, NULL, NULL, NULL),
                 CL_SUCCESS);
    }
    cl_program program = clLinkProgram(r.context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    use(&r, program);
    CHECK_EQ(present(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), CL_TRUE);
    CHECK_EQ(present(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT), CL_FALSE);
    launch(&r, "look");
    CHECK_EQ(r.out[0], 42);
    end(&r);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(clReleaseProgram(parts[i]), CL_SUCCESS);
}

/* A constructor that does what ends a command by an error: no kernel runs after it. */
TEST(constructor_that_fails) {
    static const char *const text = "struct S { int n; S() { __builtin_trap(); } };\nglobal S s;\n"
                                    "kernel void look(global int *out) { out[0] = s.n + 1; }";
    run r;
    cl_int error;
    size_t one = 1;
    weft_need_compiler();
    begin(&r, text, "-cl-std=CLC++");
    cl_kernel kernel = clCreateKernel(r.program, "look", &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(r.buffer), &r.buffer), CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(clEnqueueNDRangeKernel(r.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
                 CL_OUT_OF_RESOURCES);
    CHECK_EQ(r.out[0], 0);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    end(&r);
}

/* ---- several threads ------------------------------------------------------------------------- */

enum { THREADS = 4 };

static void *launch_once(void *argument) {
    run *r = argument;
    launch(r, "look");
    return NULL;
}

TEST(first_kernels_from_several_threads) {
    run r;
    pthread_t threads[THREADS];
    weft_need_compiler();
    begin(&r, source, "-cl-std=CLC++");
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, launch_once, &r), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    CHECK_EQ(r.out[0], ORDER);
    CHECK_EQ(r.out[1], 2);
    end(&r);
    CHECK_EQ(r.out[2], DESTROYED);
}

/* The last reference goes with the last command, on a thread of the device. */
TEST(released_before_the_kernel_ends) {
    run r;
    cl_int error;
    size_t one = 1;
    weft_need_compiler();
    begin(&r, source, "-cl-std=CLC++");
    cl_event gate = clCreateUserEvent(r.context, &error);
    cl_kernel kernel = clCreateKernel(r.program, "look", &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(r.buffer), &r.buffer), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(r.queue, kernel, 1, NULL, &one, NULL, 1, &gate, NULL),
             CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(r.program), CL_SUCCESS);
    CHECK_EQ(clFlush(r.queue), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    CHECK_EQ(clFinish(r.queue), CL_SUCCESS);
    CHECK_EQ(r.out[0], ORDER);
    CHECK_EQ(r.out[2], DESTROYED);
    CHECK_EQ(clReleaseEvent(gate), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(r.buffer), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(r.queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(r.context), CL_SUCCESS);
}

/* ---- several devices ------------------------------------------------------------------------- */

/** A context of the first device's parts, one compute unit each; false: it has one unit only. */
static bool begin_parts(run *r, cl_device_id parts[2]) {
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id all[64];
    cl_uint count = 0;
    cl_int error;
    if (clCreateSubDevices(weft_device(0), equally, 64, all, &count) != CL_SUCCESS || count < 2)
        return false;
    for (cl_uint i = 2; i < count; i++)
        clReleaseDevice(all[i]);
    memcpy(parts, all, 2 * sizeof(*all));
    r->context = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    r->program = weft_built(r->context, source, "-cl-std=CLC++");
    memset(r->out, 0, sizeof(r->out));
    r->buffer = clCreateBuffer(r->context, CL_MEM_USE_HOST_PTR, sizeof(r->out), r->out, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return true;
}

static void CL_CALLBACK on_end(cl_program program, void *user) {
    (void)program;
    atomic_store((_Atomic int *)user, 1);
}

/**
 * Each device has its own objects. The last reference goes on a thread of the first part, which may
 * run the second one's destructors neither itself nor wait for that one's threads: another does.
 */
TEST(parts_have_objects_of_their_own) {
    run r;
    cl_device_id parts[2];
    cl_int error;
    size_t one = 1;
    static _Atomic int ended;
    weft_need_compiler();
    if (!begin_parts(&r, parts))
        SKIP("the device has one compute unit only");
    cl_kernel kernel = weft_kernel(r.program, "look");
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(r.buffer), &r.buffer), CL_SUCCESS);
    cl_event gate = clCreateUserEvent(r.context, &error);
    cl_command_queue queues[2];
    for (int i = 1; i >= 0; i--) {
        queues[i] = clCreateCommandQueueWithProperties(r.context, parts[i], NULL, &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(clEnqueueNDRangeKernel(queues[i], kernel, 1, NULL, &one, NULL, i == 0,
                                        i == 0 ? &gate : NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(i == 0 ? clFlush(queues[i]) : clFinish(queues[i]), CL_SUCCESS);
        CHECK_EQ(r.out[0], ORDER);
        CHECK_EQ(r.out[1], 2);
    }
    CHECK_EQ(clSetProgramReleaseCallback(r.program, on_end, (void *)&ended), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(r.program), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    while (!atomic_load(&ended)) /* run.py ends a test that hangs */
        usleep(1000);
    CHECK_EQ(r.out[2], DESTROYED * 100 + DESTROYED);
    CHECK_EQ(clReleaseEvent(gate), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(r.buffer), CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
        CHECK_EQ(clReleaseDevice(parts[i]), CL_SUCCESS);
    }
    CHECK_EQ(clReleaseContext(r.context), CL_SUCCESS);
}

TEST_MAIN()
