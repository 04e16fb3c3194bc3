// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section "start": what a process pays before it computes anything.
#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void first_platform_run(struct job *job, double values[MAX_VALUES]) {
    (void)job;
    cl_uint count = 0;
    cl_platform_id platform;
    const double start = now_ms();
    cl_int status = clGetPlatformIDs(1, &platform, &count);
    values[0] = now_ms() - start;
    cl_check(status, "clGetPlatformIDs");
    if (count != 1)
        child_wrong("%u platforms, there is one ICD", count);
}

static const struct probe first_platform_probe = {.fresh = true, .run = first_platform_run};

// The kernel's count for this process alone; rusage would include the parent before exec.
static double peak_memory_mb(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char text[256];
    double kilobytes = 0;
    while (file && fgets(text, sizeof text, file))
        if (strncmp(text, "VmHWM:", 6) == 0)
            kilobytes = atof(text + 6);
    if (file)
        fclose(file);
    if (kilobytes == 0)
        child_unsupported("no VmHWM in /proc/self/status");
    return kilobytes * 1024e-6;
}

// The strings that clinfo --list and most programs ask for.
static void list_platform(cl_platform_id platform) {
    static const cl_platform_info platform_strings[] = {
        CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION, CL_PLATFORM_EXTENSIONS};
    static const cl_device_info device_strings[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR,
                                                    CL_DEVICE_VERSION, CL_DRIVER_VERSION,
                                                    CL_DEVICE_EXTENSIONS};
    char text[16384];
    for (size_t i = 0; i < sizeof platform_strings / sizeof *platform_strings; i++)
        CL(clGetPlatformInfo(platform, platform_strings[i], sizeof text, text, NULL));
    cl_device_id devices[16];
    cl_uint count = 0, units = 0;
    CL(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count));
    for (cl_uint d = 0; d < count && d < 16; d++) {
        for (size_t i = 0; i < sizeof device_strings / sizeof *device_strings; i++)
            CL(clGetDeviceInfo(devices[d], device_strings[i], sizeof text, text, NULL));
        CL(clGetDeviceInfo(devices[d], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
        if (units == 0)
            child_wrong("device %u has no compute units", d);
    }
}

static void list_devices_run(struct job *job, double values[MAX_VALUES]) {
    if (!job->reference) {
        cl_platform_id platforms[16];
        cl_uint count = 0;
        CL(clGetPlatformIDs(16, platforms, &count));
        for (cl_uint i = 0; i < count && i < 16; i++)
            list_platform(platforms[i]);
    }
    values[1] = peak_memory_mb();
}

static const struct probe list_devices_probe = {
    .fresh = true, .has_reference = true, .whole_process = true, .run = list_devices_run};

static void describe_run(struct job *job, double values[MAX_VALUES]) {
    (void)job;
    (void)values;
    struct cl cl;
    char platform[128], version[128], device[128], driver[64];
    cl_open_device(&cl);
    CL(clGetPlatformInfo(cl.platform, CL_PLATFORM_NAME, sizeof platform, platform, NULL));
    CL(clGetDeviceInfo(cl.device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    CL(clGetDeviceInfo(cl.device, CL_DEVICE_NAME, sizeof device, device, NULL));
    CL(clGetDeviceInfo(cl.device, CL_DRIVER_VERSION, sizeof driver, driver, NULL));
    child_note("%.60s · %.60s · %.60s · driver %.40s", platform, version, device, driver);
}

static const struct probe describe_probe = {.fresh = true, .run = describe_run};
const struct line describe_line = {"describe", "", UNIT_MS, &describe_probe, 0, NULL};

const struct line start_lines[] = {
    {"start/platform", "first clGetPlatformIDs", UNIT_MS, &first_platform_probe, 0, NULL},
    {"start/list", "process that lists devices (C: makes no call)", UNIT_MS, &list_devices_probe, 0,
     NULL},
    {"start/list_memory", "    its peak memory", UNIT_MB, &list_devices_probe, 1, NULL},
};
const size_t start_line_count = sizeof start_lines / sizeof *start_lines;
