// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The life of a small program, call by call. In a build with -Dfault-injection=true it is lived
 * once for every n, the n-th allocation or system call failing: the call that it hits returns an
 * error of the specification or succeeds, and the same call with the same objects then succeeds.
 * Under AddressSanitizer nothing may have leaked. (unit/failures does the same with the platform's
 * birth.)
 */
#include "robust/child.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>

enum { ITEMS = 256, BYTES = ITEMS * 4, LARGE = 2 << 20, EVENTS = 6 };

typedef struct life {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue, ordered;
    cl_mem a, b, large, host, part;
    cl_program program, binary, compiled, header, linked;
    cl_kernel add, local, print, clone, built[2];
    cl_event events[EVENTS], user, done;
    unsigned char *code;
    size_t code_bytes;
    cl_int memory[ITEMS] __attribute__((aligned(128)));
    _Atomic int called;
    void *mapped;
} life;

static unsigned lives;

static const char source[] =
    "kernel void add(global int *a, global const int *b, int by) {\n"
    "    a[get_global_id(0)] = b[get_global_id(0)] + by; }\n"
    "kernel void part(global int *a, local int *l) {\n"
    "    size_t i = get_local_id(0); int mine[64];\n"
    "    for (int k = 0; k < 64; k++) mine[k] = a[get_global_id(0)] + k;\n"
    "    l[i] = mine[a[get_global_id(0)] & 63]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    a[get_global_id(0)] = l[get_local_size(0) - 1 - i]; }\n"
    "kernel void print(global int *a) { printf(\"%d %s\\n\", a[0], \"text\"); }\n";

/* ---- steps: one call that may fail each; after a failure it is as if there had been no call -- */

#define MADE(object, call)                                                                         \
    do {                                                                                           \
        cl_int error = 1;                                                                          \
        (object) = (call);                                                                         \
        return (error == CL_SUCCESS) == ((object) != NULL) ? error : 1000;                         \
    } while (0)

static cl_int make_context(life *l) {
    MADE(l->context, clCreateContext(NULL, 1, &l->device, NULL, NULL, &error));
}
static cl_int make_queue(life *l) {
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
    MADE(l->queue, clCreateCommandQueueWithProperties(l->context, l->device, list, &error));
}
static cl_int make_ordered(life *l) {
    MADE(l->ordered, clCreateCommandQueue(l->context, l->device, 0, &error));
}
static cl_int make_a(life *l) {
    MADE(l->a, clCreateBuffer(l->context, CL_MEM_COPY_HOST_PTR, BYTES, l->memory, &error));
}
static cl_int make_b(life *l) {
    MADE(l->b, clCreateBuffer(l->context, CL_MEM_ALLOC_HOST_PTR, BYTES, NULL, &error));
}
static cl_int make_large(life *l) {
    MADE(l->large, clCreateBuffer(l->context, CL_MEM_READ_WRITE, LARGE, NULL, &error));
}
static cl_int make_host(life *l) {
    MADE(l->host, clCreateBuffer(l->context, CL_MEM_USE_HOST_PTR, BYTES, l->memory, &error));
}
static cl_int make_part(life *l) {
    cl_buffer_region region = {BYTES / 2, BYTES / 2};
    MADE(l->part, clCreateSubBuffer(l->a, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
}
static cl_int make_program(life *l) {
    const char *text = source;
    MADE(l->program, clCreateProgramWithSource(l->context, 1, &text, NULL, &error));
}
/** An option of this life alone: a build that is in the cache would hide calls. */
static const char *only_now(const char *also) {
    static char text[64];
    snprintf(text, sizeof text, "%s -DLIFE=%u", also, lives);
    return text;
}
static cl_int build(life *l) {
    return clBuildProgram(l->program, 0, NULL, only_now("-cl-kernel-arg-info"), NULL, NULL);
}

static void CL_CALLBACK on_program(cl_program program, void *user) {
    (void)program;
    ((life *)user)->called++;
}

/** In the background, if there is a thread for it. */
static cl_int build_behind(life *l) {
    l->called = 0;
    cl_int error = clBuildProgram(l->program, 1, &l->device, only_now(""), on_program, l);
    for (int i = 0; error == CL_SUCCESS && !l->called && i < 30000; i++)
        usleep(1000);
    if (error == CL_SUCCESS && l->called != 1)
        return 1001;
    cl_build_status status = CL_BUILD_NONE;
    clGetProgramBuildInfo(l->program, l->device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                          NULL);
    return error == CL_SUCCESS && status != CL_BUILD_SUCCESS ? CL_BUILD_PROGRAM_FAILURE : error;
}

static cl_int make_add(life *l) {
    MADE(l->add, clCreateKernel(l->program, "add", &error));
}
static cl_int make_local(life *l) {
    MADE(l->local, clCreateKernel(l->program, "part", &error));
}
static cl_int make_print(life *l) {
    MADE(l->print, clCreateKernel(l->program, "print", &error));
}

static cl_int set_args(life *l) {
    const cl_int by = 5;
    cl_int error = clSetKernelArg(l->add, 0, sizeof l->a, &l->a);
    error = error ? error : clSetKernelArg(l->add, 1, sizeof l->b, &l->b);
    error = error ? error : clSetKernelArg(l->add, 2, sizeof by, &by);
    error = error ? error : clSetKernelArg(l->local, 0, sizeof l->a, &l->a);
    error = error ? error : clSetKernelArg(l->local, 1, 64 * 4, NULL);
    return error ? error : clSetKernelArg(l->print, 0, sizeof l->a, &l->a);
}

static cl_int make_clone(life *l) {
    MADE(l->clone, clCloneKernel(l->add, &error));
}

static cl_int get_binary(life *l) {
    cl_int error = clGetProgramInfo(l->program, CL_PROGRAM_BINARY_SIZES, sizeof l->code_bytes,
                                    &l->code_bytes, NULL);
    if (error != CL_SUCCESS)
        return error;
    free(l->code);
    l->code = malloc(l->code_bytes);
    return clGetProgramInfo(l->program, CL_PROGRAM_BINARIES, sizeof l->code, &l->code, NULL);
}

static cl_int make_binary(life *l) {
    const unsigned char *code = l->code;
    MADE(l->binary,
         clCreateProgramWithBinary(l->context, 1, &l->device, &l->code_bytes, &code, NULL, &error));
}
static cl_int build_binary(life *l) {
    return clBuildProgram(l->binary, 0, NULL, NULL, NULL, NULL);
}
static cl_int make_compiled(life *l) {
    const char *text = "#include \"h.h\"\nkernel void x(global int *a) { a[0] = H; }\n"
                       "kernel void y(global int *a) { a[0] = H; }\n";
    MADE(l->compiled, clCreateProgramWithSource(l->context, 1, &text, NULL, &error));
}
static cl_int make_header(life *l) {
    const char *text = "#define H 3\n";
    MADE(l->header, clCreateProgramWithSource(l->context, 1, &text, NULL, &error));
}
static cl_int compile(life *l) {
    const char *name = "h.h";
    return clCompileProgram(l->compiled, 0, NULL, only_now(""), 1, &l->header, &name, NULL, NULL);
}

static cl_int link_them(life *l) {
    cl_int error = 1;
    if (l->linked) /* "a program object is returned" even where the link fails */
        clReleaseProgram(l->linked);
    l->linked = clLinkProgram(l->context, 1, &l->device, "", 1, &l->compiled, NULL, NULL, &error);
    return error;
}

static cl_int make_kernels(life *l) {
    return clCreateKernelsInProgram(l->linked, 2, l->built, NULL);
}

static void CL_CALLBACK on_context(cl_context context, void *user) {
    (void)context;
    ((life *)user)->called++;
}
static void CL_CALLBACK on_mem(cl_mem mem, void *user) {
    (void)mem;
    ((life *)user)->called++;
}
static cl_int watch_mem(life *l) {
    return clSetMemObjectDestructorCallback(l->large, on_mem, l);
}
static cl_int watch_context(life *l) {
    typedef cl_int set_callback(cl_context, void(CL_CALLBACK *)(cl_context, void *), void *);
    set_callback *set;
    *(void **)&set =
        clGetExtensionFunctionAddressForPlatform(l->platform, "clSetContextDestructorCallback");
    return set ? set(l->context, on_context, l) : CL_SUCCESS;
}

/** The end of a command, and what it says; its event goes. */
static cl_int outcome(cl_int error, cl_event *event) {
    cl_int status = CL_QUEUED;
    if (error != CL_SUCCESS)
        return *event ? 1002 : error;
    error = clWaitForEvents(1, event);
    if (error != CL_SUCCESS && error != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        return 1003;
    clGetEventInfo(*event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    if (status > CL_COMPLETE || (status < 0) != (error != CL_SUCCESS))
        return 1004;
    clReleaseEvent(*event);
    *event = NULL;
    return status;
}

static cl_int write_b(life *l) {
    cl_int values[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        values[i] = i;
    return clEnqueueWriteBuffer(l->queue, l->b, CL_TRUE, 0, BYTES, values, 0, NULL, NULL);
}
static cl_int run_add(life *l) {
    const size_t items = ITEMS;
    return outcome(
        clEnqueueNDRangeKernel(l->queue, l->clone, 1, NULL, &items, NULL, 0, NULL, &l->done),
        &l->done);
}
static cl_int check_add(life *l) {
    cl_int values[ITEMS];
    cl_int error = clEnqueueReadBuffer(l->queue, l->a, CL_TRUE, 0, BYTES, values, 0, NULL, NULL);
    for (int i = 0; i < ITEMS && error == CL_SUCCESS; i++)
        if (values[i] != i + 5)
            return 1005;
    return error;
}
static cl_int run_local(life *l) {
    const size_t items = ITEMS, group = 64;
    return outcome(
        clEnqueueNDRangeKernel(l->queue, l->local, 1, NULL, &items, &group, 0, NULL, &l->done),
        &l->done);
}
static cl_int run_print(life *l) {
    const size_t one = 1;
    fflush(stdout);
    int saved = dup(1), null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    cl_int status =
        outcome(clEnqueueNDRangeKernel(l->queue, l->print, 1, NULL, &one, NULL, 0, NULL, &l->done),
                &l->done);
    dup2(saved, 1);
    close(saved);
    close(null);
    return status;
}
static cl_int fill(life *l) {
    const cl_int value = 9;
    return outcome(clEnqueueFillBuffer(l->queue, l->large, &value, 4, 0, LARGE, 0, NULL, &l->done),
                   &l->done);
}
static cl_int copy(life *l) {
    return outcome(clEnqueueCopyBuffer(l->queue, l->large, l->host, 0, 0, BYTES, 0, NULL, &l->done),
                   &l->done);
}
static cl_int copy_rect(life *l) {
    const size_t origin[3] = {0}, region[3] = {16, 8, 1};
    return outcome(clEnqueueCopyBufferRect(l->queue, l->large, l->a, origin, origin, region, 64, 0,
                                           32, 0, 0, NULL, &l->done),
                   &l->done);
}
static cl_int map(life *l) {
    MADE(l->mapped, clEnqueueMapBuffer(l->queue, l->b, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL,
                                       NULL, &error));
}
static cl_int unmap(life *l) {
    return outcome(clEnqueueUnmapMemObject(l->queue, l->b, l->mapped, 0, NULL, &l->done), &l->done);
}

static void CL_CALLBACK native(void *argument) {
    life *l;
    memcpy(&l, argument, sizeof l);
    l->called++;
}
static cl_int run_native(life *l) {
    return outcome(
        clEnqueueNativeKernel(l->queue, native, &l, sizeof l, 0, NULL, NULL, 0, NULL, &l->done),
        &l->done);
}
static cl_int make_user(life *l) {
    MADE(l->user, clCreateUserEvent(l->context, &error));
}
static cl_int wait_on_user(life *l) {
    const cl_int value = 1;
    for (int i = 0; i < EVENTS; i++) {
        if (l->events[i])
            continue; /* a retry goes on where it was */
        cl_int error = clEnqueueFillBuffer(i % 2 ? l->queue : l->ordered, l->a, &value, 4, 0, 64, 1,
                                           &l->user, &l->events[i]);
        if (error != CL_SUCCESS)
            return error;
    }
    return CL_SUCCESS;
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user) {
    (void)event;
    (void)status;
    ((life *)user)->called++;
}
static cl_int watch_event(life *l) {
    l->called = 0;
    return clSetEventCallback(l->events[EVENTS - 1], CL_COMPLETE, on_event, l);
}
/** Waits for more events than a command has room for. */
static cl_int mark_all(life *l) {
    return clEnqueueMarkerWithWaitList(l->queue, EVENTS, l->events, &l->done);
}
static cl_int end_user(life *l) {
    return clSetUserEventStatus(l->user, CL_COMPLETE);
}
static cl_int wait_for_all(life *l) {
    cl_int error = outcome(CL_SUCCESS, &l->done);
    for (int i = 0; i < 10000 && !l->called; i++)
        usleep(1000);
    return l->called == 1 ? error : 1006;
}
static cl_int barrier(life *l) {
    return clEnqueueBarrierWithWaitList(l->queue, 0, NULL, NULL);
}
static cl_int finish(life *l) {
    cl_int error = clFinish(l->ordered);
    return error ? error : clFinish(l->queue);
}

static const struct {
    const char *name;
    cl_int (*run)(life *l);
} steps[] = {
#define STEP(step) {#step, step}
    STEP(make_context), STEP(make_queue),    STEP(make_ordered), STEP(make_a),
    STEP(make_b),       STEP(make_large),    STEP(make_host),    STEP(make_part),
    STEP(watch_mem),    STEP(watch_context), STEP(make_program), STEP(build_behind),
    STEP(build),        STEP(make_add),      STEP(make_local),   STEP(make_print),
    STEP(set_args),     STEP(make_clone),    STEP(get_binary),   STEP(make_binary),
    STEP(build_binary), STEP(make_compiled), STEP(make_header),  STEP(compile),
    STEP(link_them),    STEP(make_kernels),  STEP(write_b),      STEP(run_add),
    STEP(check_add),    STEP(run_local),     STEP(run_print),    STEP(fill),
    STEP(copy),         STEP(copy_rect),     STEP(map),          STEP(unmap),
    STEP(run_native),   STEP(make_user),     STEP(wait_on_user), STEP(watch_event),
    STEP(mark_all),     STEP(end_user),      STEP(wait_for_all), STEP(barrier),
    STEP(finish),       STEP(run_add),       STEP(check_add),
};

/* ---- a life ---------------------------------------------------------------------------------- */

static bool is_shortage(cl_int error) {
    return error == CL_OUT_OF_HOST_MEMORY || error == CL_OUT_OF_RESOURCES ||
           error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_COMPILER_NOT_AVAILABLE ||
           error == CL_LINKER_NOT_AVAILABLE || error == CL_BUILD_PROGRAM_FAILURE ||
           error == CL_COMPILE_PROGRAM_FAILURE || error == CL_LINK_PROGRAM_FAILURE;
}

/** `failures`: how many steps may be hit; a step that was is done again. */
static void live(life *l, uint64_t n, int failures) {
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        cl_int error = steps[i].run(l);
        if (error != CL_SUCCESS && failures-- > 0) {
            if (!is_shortage(error))
                FAIL("call %ju fails: %s: error %d", (uintmax_t)n, steps[i].name, (int)error);
            error = steps[i].run(l);
        }
        if (error != CL_SUCCESS)
            FAIL("call %ju fails: %s%s: error %d", (uintmax_t)n, steps[i].name,
                 n ? ", done again" : "", (int)error);
    }
}

/** Releasing cannot fail, and needs nothing. */
static void end(life *l) {
    CHECK_EQ(clReleaseEvent(l->user), CL_SUCCESS);
    for (int i = 0; i < EVENTS; i++)
        CHECK_EQ(clReleaseEvent(l->events[i]), CL_SUCCESS);
    cl_kernel kernels[] = {l->add, l->local, l->print, l->clone, l->built[0], l->built[1]};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        CHECK_EQ(clReleaseKernel(kernels[i]), CL_SUCCESS);
    cl_program programs[] = {l->program, l->binary, l->compiled, l->header, l->linked};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        CHECK_EQ(clReleaseProgram(programs[i]), CL_SUCCESS);
    cl_mem mems[] = {l->part, l->a, l->b, l->host};
    for (size_t i = 0; i < sizeof mems / sizeof *mems; i++)
        CHECK_EQ(clReleaseMemObject(mems[i]), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(l->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(l->ordered), CL_SUCCESS);
    l->called = 0;
    CHECK_EQ(clReleaseMemObject(l->large), CL_SUCCESS);
    CHECK_EQ(l->called, 1);
    CHECK_EQ(clReleaseContext(l->context), CL_SUCCESS);
    free(l->code);
}

static void begin(life *l) {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    memset(l, 0, sizeof *l);
    lives++;
    CHECK_EQ(clGetPlatformIDs(8, platforms, &count), CL_SUCCESS);
    CHECK(count > 0);
    l->platform = platforms[0];
    CHECK_EQ(clGetDeviceIDs(l->platform, CL_DEVICE_TYPE_ALL, 1, &l->device, NULL), CL_SUCCESS);
}

static life l;

TEST(a_life) {
    begin(&l);
    live(&l, 0, 0);
    end(&l);
}

/* A sanitizer's allocator does not count; it looks for leaks itself. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/** Bytes in use, the least of what is seen until they are `enough` or so many ms are over: another
 *  thread may be about to let go of the last command when the last release has returned. */
static size_t bytes_in_use(size_t enough, int ms) {
    size_t least = mallinfo2().uordblks;
    for (; least > enough && ms > 0; ms--) {
        usleep(1000);
        size_t now = mallinfo2().uordblks;
        least = now < least ? now : least;
    }
    return least;
}

/** What was taken by one life is there for the next. */
TEST(lives_take_no_more_memory) {
    unsigned same = lives;
    size_t before = 0;
    for (int i = 0; i < 120; i++) {
        begin(&l);
        lives = same; /* built from the cache, which would grow */
        live(&l, 0, 0);
        end(&l);
        if (i == 20)
            before = bytes_in_use(0, 50);
    }
    size_t most = before + 60 * 100; /* a thread's first callback and the like */
    size_t after = bytes_in_use(most, 5000);
    printf("# %zu bytes after 20 lives, %zu after 120\n", before, after);
    CHECK(after <= most);
}

#endif

/* `./check` makes a build with fault injection after the plain one. */
#ifdef WEFT_FAULT_INJECTION

#ifdef __SANITIZE_ADDRESS__
extern int __lsan_do_recoverable_leak_check(void);
#define LEAKS() __lsan_do_recoverable_leak_check()
#else
#define LEAKS() 0
#endif

/** The hooks of a build with fault injection (icd/dispatch.c). */
typedef struct hooks {
    void (*fail_at)(uint64_t n);
    uint64_t (*calls)(void);
} hooks;

static bool find_hooks(hooks *hooks) {
    *(void **)&hooks->fail_at =
        clGetExtensionFunctionAddressForPlatform(l.platform, "weft_shim_fail_at");
    *(void **)&hooks->calls =
        clGetExtensionFunctionAddressForPlatform(l.platform, "weft_shim_calls");
    return hooks->fail_at && hooks->calls;
}

TEST(every_call_fails_once) {
    hooks hooks;
    begin(&l);
    if (!find_hooks(&hooks))
        FAIL("the library has no fault injection");
    for (uint64_t n = 1;; n++) {
        begin(&l);
        /* Anything that was built before would hide calls. */
        CHECK_EQ(clUnloadPlatformCompiler(l.platform), CL_SUCCESS);
        uint64_t before = hooks.calls();
        alarm(60);
        hooks.fail_at(n);
        live(&l, n, 1);
        bool reached = hooks.calls() - before >= n;
        hooks.fail_at(0);
        end(&l);
        alarm(0);
        if (n % 8 == 0 && LEAKS())
            FAIL("one of the calls %ju to %ju leaves a leak", (uintmax_t)n - 7, (uintmax_t)n);
        if (!reached) {
            printf("# %ju calls\n", (uintmax_t)n - 1);
            CHECK(n > 100);
            return;
        }
    }
}

#endif

TEST_MAIN()
