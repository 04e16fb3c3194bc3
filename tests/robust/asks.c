// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Libraries that do something when they are loaded: ASKS 1, a plug-in that asks for devices; 2, a
 * library that asks for parts of one after a while; 3, a plug-in of hwloc's that says so. */
#include "find_weft.h"

#include <CL/cl_ext_weft.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int setenv(const char *name, const char *value, int overwrite); /* strict C hides it */

#if ASKS < 3
static cl_device_id first_device(void) {
    cl_platform_id platform;
    cl_device_id device;
    return find_weft(&platform, &device) ? device : NULL;
}
#endif

#if ASKS == 1
static void nothing(int *out) {
    (void)out;
}

static const cl_built_in_kernel_weft kernels[] = {
    {"asks.nothing", "global int *out", (void (*)(void))nothing, 0, 1, 0, {0, 0, 0}}};

/* Filled in behind the question, as the tables of C++ are. */
__attribute__((visibility("default"))) cl_built_in_plugin_weft weft_built_in_kernels;
#endif

/* The test says in its environment where it waits for this: two words, "I am here" and "answered".
 */
static atomic_int *state(void) {
    const char *text = getenv("WEFT_TEST_STATE");
    return text ? (atomic_int *)(uintptr_t)strtoull(text, NULL, 16) : NULL;
}

__attribute__((constructor)) static void ask(void) {
#if ASKS == 3
    puts("loaded");
    fflush(stdout);
    (void)state;
#else
    atomic_int *words = state();
    cl_device_affinity_domain domains = 0;

    if (words)
        atomic_store(&words[0], 1);
    if (ASKS == 2)
        usleep(300 * 1000);
    cl_device_id device = first_device();
    if (words && device &&
        (ASKS == 1 || clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof(domains),
                                      &domains, NULL) == CL_SUCCESS))
        atomic_store(&words[1], 1);
#endif
#if ASKS == 1
    weft_built_in_kernels =
        (cl_built_in_plugin_weft){CL_BUILT_IN_KERNEL_ABI_WEFT, sizeof(kernels[0]), 1, kernels};
#endif
}
