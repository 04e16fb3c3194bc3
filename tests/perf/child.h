// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What probes use: ways to end in failure, a clock, and short forms of the OpenCL calls.
#ifndef WEFT_BENCH_CHILD_H
#define WEFT_BENCH_CHILD_H

#define CL_TARGET_OPENCL_VERSION 220
#include <CL/cl.h>

#include "bench.h"

// These tell the parent and end the process, without the ICD's destructors.
_Noreturn void child_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void child_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void child_unsupported(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Text that goes to the parent with the values of this run.
void child_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Ends the child with the call's text and the error's name unless the status is CL_SUCCESS.
void cl_check(cl_int status, const char *call);
#define CL(call) cl_check((call), #call)

double now_ms(void);

// Both call `once` for about 30 ms and return the time of one call in ms: the best of all calls (at
// least three), for work that takes milliseconds, where whatever makes a call slower comes from
// outside; or the median of batches of 16 calls, for microseconds.
double best_ms(void (*once)(void *), void *context);
double median_ms(void (*once)(void *), void *context);

void *allocate(size_t bytes); // never NULL, aligned to 4096, touched

struct cl {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

// First device of the first platform, a context, a queue with these properties.
void cl_open(struct cl *cl, cl_command_queue_properties properties);
void cl_open_device(struct cl *cl); // platform and device only
cl_command_queue cl_new_queue(struct cl *cl, cl_command_queue_properties properties);

cl_program cl_build(struct cl *cl, const char *source, const char *options);
void cl_build_program(struct cl *cl, cl_program program, const char *options);
cl_kernel cl_get_kernel(cl_program program, const char *name);
cl_mem cl_new_buffer(struct cl *cl, size_t bytes, const void *initial); // initial may be NULL
void cl_read(cl_command_queue queue, cl_mem buffer, size_t bytes, void *out);

// Text of kernels/NAME.cl (or of kernels/parts/NAME.cl), embedded by the build.
const char *kernel_text(const char *name);

#endif
