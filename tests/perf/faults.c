// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded by check_bench.py: makes any ICD misbehave in the way that BENCH_FAULT says, to see
// that weft-bench notices.
#define CL_TARGET_OPENCL_VERSION 220
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fault_is(const char *name) {
    const char *fault = getenv("BENCH_FAULT");
    return fault && strcmp(fault, name) == 0;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *out, cl_uint waits, const cl_event *list,
                           cl_event *event) {
    cl_int (*real)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint,
                   const cl_event *, cl_event *);
    *(void **)&real = dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
    const cl_int status = real(queue, buffer, blocking, offset, size, out, waits, list, event);
    if (fault_is("wrong"))
        memset(out, 0x55, size);
    if (fault_is("crash"))
        abort();
    if (fault_is("hang"))
        pause();
    return fault_is("error") ? CL_OUT_OF_RESOURCES : status;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data) {
    cl_int (*real)(cl_program, cl_uint, const cl_device_id *, const char *,
                   void(CL_CALLBACK *)(cl_program, void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "clBuildProgram");
    const char *debug = getenv("WEFT_DEBUG");
    if (fault_is("parts") && debug && strcmp(debug, "build") == 0)
        fprintf(stderr,
                "weft: build: two words 1.5 ms\nweft: build: nonsense x ms\n"
                "weft: build: word 2 ms\nweft: build: word 0.25 ms\nweft: build: nonsense 1 s\n");
    return real(program, count, devices, options, notify, data);
}
