// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Hosts that run with flushed denormals, other rounding or unmasked floating-point exceptions:
 * "results unchanged, no signal", and their control and status bits are theirs. */
#include "robust/guest.h"

#include <fcntl.h>
#include <fenv.h>
#include <xmmintrin.h>

enum { LANES = 8, CASES = 6 };

static const char source[] =
    "kernel void basic(global float *r, global const float *a, global const float *b) {\n"
    "    size_t i = get_global_id(0), n = get_global_size(0);\n"
    "    r[i] = a[i] + b[i];\n"
    "    r[n + i] = a[i] * b[i];\n"
    "    r[2 * n + i] = a[i] / b[i];\n"
    "    r[3 * n + i] = sqrt(a[i]);\n"
    "    r[4 * n + i] = exp(a[i]) + sin(b[i]);\n"
    "    r[5 * n + i] = (float)convert_int_rte(a[i]) + rint(b[i]);\n"
    "}\n"
    "kernel void print(float f, double d) { printf(\"%a %.1f %g %d\\n\", f, d, d, (int)f); }\n";

/** Denormals, infinities, NaN, zeros, values that round. */
static const float left[LANES] = {1e-40f, 1e30f, -1.0f, 0.0f, 0.1f, 3e-39f, 2.5f, 1e38f};
static const float right[LANES] = {2e-40f, 1e30f, 0.0f, 0.0f, 0.3f, 1e-3f, 0.5f, 1e-30f};

typedef struct float_guest {
    guest g;
    cl_kernel basic, print;
    cl_mem a, b, r;
} float_guest;

static int make(float_guest *f) {
    const char *text = source;
    cl_int error;
    REQUIRE_DONE(guest_platform(&f->g));
    REQUIRE_DONE(guest_objects(&f->g));
    f->g.program = clCreateProgramWithSource(f->g.context, 1, &text, NULL, &error);
    REQUIRE(error == CL_SUCCESS);
    REQUIRE(clBuildProgram(f->g.program, 0, NULL, "", NULL, NULL) == CL_SUCCESS);
    f->basic = clCreateKernel(f->g.program, "basic", &error);
    REQUIRE(error == CL_SUCCESS);
    f->print = clCreateKernel(f->g.program, "print", &error);
    REQUIRE(error == CL_SUCCESS);
    f->r = clCreateBuffer(f->g.context, 0, CASES * LANES * 4, NULL, &error);
    REQUIRE(error == CL_SUCCESS);
    f->a = clCreateBuffer(f->g.context, CL_MEM_COPY_HOST_PTR, sizeof left, (void *)left, &error);
    REQUIRE(error == CL_SUCCESS);
    f->b = clCreateBuffer(f->g.context, CL_MEM_COPY_HOST_PTR, sizeof right, (void *)right, &error);
    REQUIRE(error == CL_SUCCESS);
    return 0;
}

/** `by_pool`: a thread of the device runs it, else the thread that waits. */
static int run(float_guest *f, bool by_pool, cl_uint results[CASES * LANES]) {
    const size_t items = LANES;
    cl_event event;
    cl_int status = CL_QUEUED;
    REQUIRE(clSetKernelArg(f->basic, 0, sizeof f->r, &f->r) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(f->basic, 1, sizeof f->a, &f->a) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(f->basic, 2, sizeof f->b, &f->b) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(f->g.queue, f->basic, 1, NULL, &items, NULL, 0, NULL, &event) ==
            CL_SUCCESS);
    if (by_pool) {
        REQUIRE(clFlush(f->g.queue) == CL_SUCCESS);
        for (int i = 0; status > CL_COMPLETE && i < 20000; i++) { /* no arithmetic of our own */
            REQUIRE(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, &status, NULL) ==
                    CL_SUCCESS);
            usleep(1000);
        }
    }
    REQUIRE(status == (by_pool ? CL_COMPLETE : CL_QUEUED));
    REQUIRE(clReleaseEvent(event) == CL_SUCCESS);
    REQUIRE(clEnqueueReadBuffer(f->g.queue, f->r, CL_TRUE, 0, CASES * LANES * 4, results, 0, NULL,
                                NULL) == CL_SUCCESS);
    return 0;
}

/** stdout while the kernel prints. */
static int print(float_guest *f, char text[256]) {
    const size_t one = 1;
    const float denormal = 1e-40f;
    const double half = 0.25;
    char path[] = "/tmp/weft-print-XXXXXX";
    int file = mkstemp(path), saved = dup(1);
    REQUIRE(file >= 0 && saved >= 0);
    unlink(path);
    fflush(stdout);
    dup2(file, 1);
    REQUIRE(clSetKernelArg(f->print, 0, 4, &denormal) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(f->print, 1, 8, &half) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(f->g.queue, f->print, 1, NULL, &one, NULL, 0, NULL, NULL) == 0);
    REQUIRE(clFinish(f->g.queue) == CL_SUCCESS);
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    ssize_t bytes = pread(file, text, 255, 0);
    close(file);
    REQUIRE(bytes > 0);
    text[bytes] = 0;
    return 0;
}

/** What a host may have done to itself before it calls. */
enum { FLUSHED = 1, UPWARD = 2, UNMASKED = 4, FROM_THE_START = 8 };

typedef struct strange {
    int how;
    cl_uint results[CASES * LANES]; /* of a normal host */
    char text[256];
} strange;

static void become_strange(int how) {
    feclearexcept(FE_ALL_EXCEPT);
    if (how & FLUSHED)
        _mm_setcsr(_mm_getcsr() | 0x8040);
    if (how & UPWARD)
        fesetround(FE_UPWARD);
    if (how & UNMASKED)
        feenableexcept(FE_ALL_EXCEPT); /* inexact, too: the first 0.1 + 0.2 is a signal */
}

static int in_a_strange_host(void *argument) {
    const strange *wanted = argument;
    float_guest *f = aligned_alloc(128, (sizeof *f + 127) / 128 * 128);
    cl_uint results[CASES * LANES];
    char text[256];
    if (!(wanted->how & FROM_THE_START))
        REQUIRE_DONE(make(f));
    become_strange(wanted->how);
    unsigned mxcsr = _mm_getcsr();
    unsigned short x87, x87_after;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    if (wanted->how & FROM_THE_START)
        REQUIRE_DONE(make(f));
    REQUIRE(_mm_getcsr() == mxcsr);
    for (int by_pool = 0; by_pool < 2; by_pool++) {
        REQUIRE_DONE(run(f, by_pool, results));
        REQUIRE(_mm_getcsr() == mxcsr);
        REQUIRE(memcmp(results, wanted->results, sizeof results) == 0);
    }
    REQUIRE_DONE(print(f, text));
    if (strcmp(text, wanted->text) != 0)
        fprintf(stderr, "# \"%s\", not \"%s\"\n", text, wanted->text);
    REQUIRE(strcmp(text, wanted->text) == 0);
    REQUIRE(_mm_getcsr() == mxcsr);
    __asm__ volatile("fnstcw %0" : "=m"(x87_after));
    REQUIRE(x87 == x87_after);
    return 0;
}

static int normal_host(void *argument) {
    strange *wanted = argument;
    float_guest *f = aligned_alloc(128, (sizeof *f + 127) / 128 * 128);
    REQUIRE_DONE(make(f));
    REQUIRE_DONE(run(f, true, wanted->results));
    return print(f, wanted->text);
}

static strange *wanted;

static void check_host(int how) {
    if (!wanted) {
        wanted =
            mmap(NULL, sizeof *wanted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        CHECK_CHILD(normal_host, wanted);
        CHECK(wanted->results[0] != 0); /* denormals are kept */
        printf("# %s", wanted->text);
    }
    wanted->how = how;
    CHECK_CHILD(in_a_strange_host, wanted);
    wanted->how = how | FROM_THE_START;
    CHECK_CHILD(in_a_strange_host, wanted);
}

TEST(host_with_normal_arithmetic) {
    check_host(0);
}

TEST(host_flushes_denormals) {
    check_host(FLUSHED);
}

TEST(host_rounds_upward) {
    check_host(UPWARD);
}

TEST(host_unmasks_exceptions) {
    check_host(UNMASKED);
}

TEST(host_does_all_of_it) {
    check_host(FLUSHED | UPWARD | UNMASKED);
}

TEST_MAIN()
