// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Processes and threads that are not as one would wish: forked, ended in the middle of a kernel,
 * with small stacks, hostile floating-point settings, without further threads or descriptors. */

#include "common.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char SOURCE[] =
    "kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }\n"
    "kernel void forever(global volatile int *a) { while (a[0] != 12345) a[1] = 1; }\n"
    "kernel void divide(global float *a) {\n"
    "    a[2] = a[0] / a[1]; a[3] = a[1] / a[1]; a[5] = a[4] * 0.5f; a[6] = a[0] / 3.0f;\n"
    "}\n";

typedef struct fixture {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem mem;
} fixture;

static fixture make(void) {
    fixture f = {.context = weft_context(1)};
    cl_int error = 1, zero = 0;
    f.queue = clCreateCommandQueueWithProperties(f.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f.mem = clCreateBuffer(f.context, 0, 65536, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clEnqueueFillBuffer(f.queue, f.mem, &zero, 4, 0, 65536, 0, NULL, NULL), CL_SUCCESS);
    return f;
}

static fixture make_built(void) {
    fixture f = make();
    f.program = weft_built(f.context, SOURCE, "");
    return f;
}

static void drop(fixture *f) {
    clFinish(f->queue);
    clReleaseMemObject(f->mem);
    if (f->program)
        clReleaseProgram(f->program);
    clReleaseCommandQueue(f->queue);
    clReleaseContext(f->context);
}

static cl_kernel kernel_of(fixture *f, const char *name) {
    cl_kernel kernel = weft_kernel(f->program, name);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(f->mem), &f->mem), CL_SUCCESS);
    return kernel;
}

/* Runs `add` over 16384 items and checks them. */
static void use(fixture *f) {
    cl_kernel kernel = kernel_of(f, "add");
    size_t global = 16384;
    cl_int n = 3, *got = malloc(65536), zero = 0;

    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(n), &n), CL_SUCCESS);
    CHECK_EQ(clEnqueueFillBuffer(f->queue, f->mem, &zero, 4, 0, 65536, 0, NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
                 CL_SUCCESS);
    CHECK_EQ(clEnqueueReadBuffer(f->queue, f->mem, CL_TRUE, 0, 65536, got, 0, NULL, NULL),
             CL_SUCCESS);
    for (size_t i = 0; i < global; i++)
        CHECK_EQ(got[i], 12);
    free(got);
    clReleaseKernel(kernel);
}

/* ---- children -------------------------------------------------------------------------------- */

enum { CHILD_SKIPS = 77 };

/* Runs `body` in a forked child; checks in it count for the test. Seconds: its limit. */
static void in_child(void (*body)(void *), void *argument, unsigned seconds) {
    int status = 0, pipes[2];
    char why[sizeof(weft_test_why)] = "";
    ssize_t got;
    pid_t child;

#if defined(__SANITIZE_THREAD__)
    SKIP("ThreadSanitizer starts no threads in a forked child");
#endif
    CHECK_EQ(pipe(pipes), 0);
    fflush(stdout);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        int how = setjmp(weft_test_end);
        alarm(seconds);
        if (how == 0) {
            body(argument);
            _exit(0);
        }
        if (write(pipes[1], weft_test_why, strlen(weft_test_why)) < 0)
            _exit(2);
        _exit(how == WEFT_TEST_SKIPPED ? CHILD_SKIPS : 1);
    }
    close(pipes[1]);
    CHECK_EQ(waitpid(child, &status, 0), child);
    got = read(pipes[0], why, sizeof(why) - 1);
    close(pipes[0]);
    why[got > 0 ? got : 0] = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_SKIPS)
        SKIP("%.900s", why);
    if (WIFSIGNALED(status))
        FAIL("the child ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status))
        FAIL("in the child: %.900s", why);
}

/* Before anything else has made this process multi-threaded. */
static void use_in_child(void *argument) {
    (void)argument;
    fixture f = make_built();
    use(&f);
}

TEST(fork_before_use) {
    in_child(use_in_child, NULL, 60);
}

static void after_fork(void *argument) {
    fixture *parent = argument;
    cl_int value = 0;
    cl_event marker = NULL;
    cl_kernel kernel = NULL;
    size_t one = 1;

    CHECK_EQ(clFlush(parent->queue), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clFinish(parent->queue), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueReadBuffer(parent->queue, parent->mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueMarkerWithWaitList(parent->queue, 0, NULL, &marker),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueNDRangeKernel(parent->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clReleaseCommandQueue(parent->queue), CL_INVALID_COMMAND_QUEUE);
    use_in_child(NULL);
}

TEST(fork_after_use) {
    fixture f = make_built();
    use(&f);
    in_child(after_fork, &f, 60);
    use(&f);
    drop(&f);
}

/* ---- a parent whose threads are in the middle of something ----------------------------------- */

static _Atomic bool stop;

static void *keep_busy(void *argument) {
    fixture *f = argument;
    cl_int value = 1;
    while (!atomic_load(&stop)) {
        clEnqueueFillBuffer(f->queue, f->mem, &value, 4, 0, 65536, 0, NULL, NULL);
        clFinish(f->queue);
    }
    return NULL;
}

TEST(fork_while_threads_work) {
    fixture f[4];
    pthread_t threads[4];
#if defined(__SANITIZE_THREAD__)
    SKIP("ThreadSanitizer starts no threads in a forked child");
#endif
    fixture probe =
        make_built(); /* no compiler: skipped before threads use what is on this stack */
    drop(&probe);
    atomic_store(&stop, false);
    for (int i = 0; i < 4; i++) {
        f[i] = make();
        pthread_create(&threads[i], NULL, keep_busy, &f[i]);
    }
    for (int i = 0; i < 10; i++)
        in_child(after_fork, &f[i % 4], 60);
    atomic_store(&stop, true);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        drop(&f[i]);
    }
}

/* ---- the end of a process -------------------------------------------------------------------- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct shared_end {
    _Atomic int ready;
    double exit_at;
} shared_end;

static void exit_in_kernel(void *argument) {
    shared_end *end = argument;
    fixture f = make_built();
    cl_kernel kernel = kernel_of(&f, "forever");
    size_t one = 1;
    cl_int started = 0;

    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(clFlush(f.queue), CL_SUCCESS);
    cl_int error;
    cl_command_queue other =
        clCreateCommandQueueWithProperties(f.context, weft_device(0), NULL, &error);
    for (int i = 0; i < 1000 && !started; i++) {
        usleep(1000);
        CHECK_EQ(clEnqueueReadBuffer(other, f.mem, CL_TRUE, 4, 4, &started, 0, NULL, NULL),
                 CL_SUCCESS);
    }
    CHECK_EQ(started, 1);
    end->exit_at = now();
    exit(0);
}

TEST(exit_in_the_middle_of_a_kernel) {
    shared_end *end =
        mmap(NULL, sizeof(*end), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double took = 1;
#if defined(__SANITIZE_ADDRESS__)
    SKIP("the leak checker takes its time at exit");
#endif
    for (int i = 0; i < 5 && took > 0.1; i++) { /* the machine may be busy */
        in_child(exit_in_kernel, end, 60);
        took = now() - end->exit_at;
    }
    munmap(end, sizeof(*end));
    CHECK(took <= 0.1);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *use_in_thread(void *argument) {
    fixture *f = argument;
    cl_kernel kernel = NULL;
    cl_int n = 5, got = 0, error;
    size_t one = 1;

    kernel = clCreateKernel(f->program, "add", &error);
    if (error || clSetKernelArg(kernel, 0, sizeof(f->mem), &f->mem) ||
        clSetKernelArg(kernel, 1, sizeof(n), &n) ||
        clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) ||
        clEnqueueReadBuffer(f->queue, f->mem, CL_TRUE, 0, 4, &got, 0, NULL, NULL))
        return f;
    clReleaseKernel(kernel);
    return got == 5 ? NULL : f;
}

TEST(a_calling_thread_with_a_stack_of_64_kib) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    SKIP("the sanitizer wants larger stacks");
#endif
    fixture f = make_built();
    size_t bytes = 64 * 1024;
    void *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    void *result;

    pthread_attr_init(&attributes);
    CHECK_EQ(pthread_attr_setstack(&attributes, stack, bytes), 0);
    CHECK_EQ(pthread_create(&thread, &attributes, use_in_thread, &f), 0);
    pthread_join(thread, &result);
    CHECK(!result);
    munmap(stack, bytes);
    drop(&f);
}

/* Checks belong to the test's thread: this one returns NULL if all went well. */
static void *make_in_thread(void *argument) {
    fixture *f = argument;
    const char *source = SOURCE;
    cl_device_id device = weft_device(0); /* found before, cannot fail */
    cl_int error[4] = {1, 1, 1, 1};

    f->context = clCreateContext(NULL, 1, &device, NULL, NULL, &error[0]);
    f->queue = clCreateCommandQueueWithProperties(f->context, device, NULL, &error[1]);
    f->mem = clCreateBuffer(f->context, 0, 65536, NULL, &error[2]);
    f->program = clCreateProgramWithSource(f->context, 1, &source, NULL, &error[3]);
    if (error[0] || error[1] || error[2] || error[3] ||
        clBuildProgram(f->program, 0, NULL, "", NULL, NULL))
        return f;
    return NULL;
}

TEST(the_thread_that_made_everything_ends) {
    fixture before = make_built(), f;
    pthread_t thread;
    void *result;
    CHECK_EQ(pthread_create(&thread, NULL, make_in_thread, &f), 0);
    pthread_join(thread, &result);
    CHECK(!result);
    use(&f);
    drop(&f);
    drop(&before);
}

/* ---- hostile settings ------------------------------------------------------------------------ */

static void divide_hostile(void *argument) {
    (void)argument;
    static const float in[5] = {1.0f, 0.0f, 0.0f, 0.0f, 0x1p-126f};
    fixture f = make_built();
    cl_kernel kernel = kernel_of(&f, "divide");
    size_t one = 1;
    float got[7];
    unsigned hostile = 0x8040 | 0x6000, after = 0; /* FTZ, DAZ, towards zero, nothing masked */

    CHECK_EQ(clEnqueueWriteBuffer(f.queue, f.mem, CL_TRUE, 0, sizeof(in), in, 0, NULL, NULL),
             CL_SUCCESS);
    __asm__ volatile("ldmxcsr %0" : : "m"(hostile));
    feenableexcept(FE_ALL_EXCEPT);
    cl_int error = clEnqueueNDRangeKernel(f.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    cl_int finished = clFinish(f.queue);
    __asm__ volatile("stmxcsr %0" : "=m"(after));
    fesetenv(FE_DFL_ENV);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(finished, CL_SUCCESS);
    CHECK_EQ(after & 0xe040, hostile & 0xe040);
    CHECK_EQ(clEnqueueReadBuffer(f.queue, f.mem, CL_TRUE, 0, sizeof(got), got, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK(isinf(got[2]) && got[2] > 0);
    CHECK(isnan(got[3]));
    CHECK(got[5] == 0x1p-127f);
    CHECK(got[6] == 1.0f / 3.0f);
}

TEST(a_host_with_hostile_floating_point_settings) {
    in_child(divide_hostile, NULL, 60);
}

static void close_all(void *argument) {
    (void)argument;
    fixture f = make_built();
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    use(&f);
}

TEST(all_descriptors_closed_by_the_application) {
#if defined(__SANITIZE_ADDRESS__)
    SKIP("the sanitizer keeps descriptors of its own");
#endif
    in_child(close_all, NULL, 60);
}

/* ---- no more threads or processes ------------------------------------------------------------ */

typedef struct image {
    unsigned char *bytes;
    size_t size;
} image;

static void use_without_threads(void *argument) {
    const image *binary = argument;
    const unsigned char *bytes = binary->bytes;
    struct rlimit none = {0, 0};
    cl_device_id device;
    cl_int error = 1, status = 1;
    pthread_t thread;
    fixture f;

    if (geteuid() == 0 && setresuid(65534, 65534, 65534))
        SKIP("cannot become another user");
    setrlimit(RLIMIT_NPROC, &none);
    if (pthread_create(&thread, NULL, keep_busy, NULL) == 0)
        SKIP("this system starts threads over the limit");
    f = make();
    device = weft_device(0);
    f.program =
        clCreateProgramWithBinary(f.context, 1, &device, &binary->size, &bytes, &status, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clBuildProgram(f.program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    use(&f);
    clFlush(f.queue);
    use(&f);
}

TEST(binaries_run_where_no_thread_can_be_started) {
    fixture f = make_built();
    image binary = {0};
    binary.bytes = weft_binary_of(f.program, &binary.size);
    in_child(use_without_threads, &binary, 60);
    free(binary.bytes);
    drop(&f);
}

TEST_MAIN()
