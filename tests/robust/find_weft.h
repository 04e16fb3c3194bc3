// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The device under test, for children, threads and libraries that have no test to fail. */
#ifndef WEFT_TEST_FIND_WEFT_H
#define WEFT_TEST_FIND_WEFT_H

#include <CL/cl.h>
#include <stdbool.h>
#include <string.h>

/** The first platform named Weft and its first device. False: there is none, or it has none. */
static inline bool find_weft(cl_platform_id *platform, cl_device_id *device) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && i < 16; i++) {
        char name[64] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        *platform = platforms[i];
        if (strcmp(name, "Weft") == 0 &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, device, NULL) == CL_SUCCESS)
            return true;
    }
    return false;
}

#endif
