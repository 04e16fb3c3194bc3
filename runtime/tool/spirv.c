// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The self-test's check of SPIR-V input. */
#include "runtime/tool/selftest.h"

#include <stdio.h>

/** True and set up, or why not. */
static bool run_module(selftest *test) {
    /* kernel void k(global uint *out) { *out = n; }, n the specialisation constant 7: 1 */
    static const uint32_t module[] = {
        0x7230203, 0x10000, 0x70000, 0x9, 0x0,     0x20011, 0x4, 0x20011, 0x6,     0x3000e, 0x2,
        0x2,       0x4000f, 0x6,     0x1, 0x6b,    0x40047, 0x2, 0x1,     0x7,     0x20013, 0x3,
        0x40015,   0x4,     0x20,    0x0, 0x40020, 0x5,     0x5, 0x4,     0x40032, 0x4,     0x2,
        0x1,       0x40021, 0x6,     0x3, 0x5,     0x50036, 0x3, 0x1,     0x0,     0x6,     0x30037,
        0x5,       0x7,     0x200f8, 0x8, 0x5003e, 0x7,     0x2, 0x2,     0x4,     0x100fd, 0x10038,
    };
    const uint32_t value = 42;
    uint32_t out[1] = {0};
    size_t one[3] = {1, 1, 1};
    cl_int status;
    const selftest_argument arguments[] = {BUFFER(out)};
    cl_program whole = test->program;
    cl_program program =
        test->api->clCreateProgramWithIL(test->context, module, sizeof module, &status);
    REQUIRE(program, "clCreateProgramWithIL: error %d", status);
    status = test->api->clSetProgramSpecializationConstant(program, 7, sizeof value, &value);
    if (status == CL_SUCCESS)
        status = test->api->clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    test->program = program;
    bool good = status == CL_SUCCESS && selftest_run(test, "k", one, NULL, 1, arguments);
    test->program = whole;
    test->api->clReleaseProgram(program);
    REQUIRE(status == CL_SUCCESS, "set constant and build: error %d", status);
    REQUIRE(!good || out[0] == value, "the kernel wrote %u, not 42", out[0]);
    return good;
}

/** Where the build has no SPIR-V there is nothing to run: the device must say so, and this too. */
static bool spirv(selftest *test) {
    char versions[256] = "";
    SUCCEED(test->api->clGetDeviceInfo(test->library->device, CL_DEVICE_IL_VERSION, sizeof versions,
                                       versions, NULL));
    if (*versions)
        return run_module(test);
    printf("note  SPIR-V: built without it, CL_DEVICE_IL_VERSION is empty\n");
    cl_int status = CL_SUCCESS;
    cl_program program = test->api->clCreateProgramWithIL(test->context, "", 1, &status);
    REQUIRE(!program && status == CL_INVALID_OPERATION, "clCreateProgramWithIL: error %d", status);
    return true;
}

const selftest_row selftest_spirv[] = {{"SPIR-V with a specialisation constant", spirv},
                                       {NULL, NULL}};
