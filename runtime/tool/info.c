// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft info: one page about the platform and each device, for people. */
#include "runtime/tool/tool.h"

#include <CL/cl_ext.h>
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum show { SHOW_TEXT, SHOW_WORDS, SHOW_NUMBER, SHOW_BYTES, SHOW_SIZES, SHOW_YES } show;

/** One line of the page. */
typedef struct line {
    const char *label;
    cl_uint parameter;
    show show;
    const char *unit;
} line;

static const line platform_lines[] = {
    {"Platform", CL_PLATFORM_NAME, SHOW_TEXT, NULL},
    {"Vendor", CL_PLATFORM_VENDOR, SHOW_TEXT, NULL},
    {"Version", CL_PLATFORM_VERSION, SHOW_TEXT, NULL},
    {"Profile", CL_PLATFORM_PROFILE, SHOW_TEXT, NULL},
    {"Extensions", CL_PLATFORM_EXTENSIONS, SHOW_WORDS, NULL},
};

static const line device_lines[] = {
    {"Device", CL_DEVICE_NAME, SHOW_TEXT, NULL},
    {"Version", CL_DEVICE_VERSION, SHOW_TEXT, NULL},
    {"Driver", CL_DRIVER_VERSION, SHOW_TEXT, NULL},
    {"OpenCL C", CL_DEVICE_OPENCL_C_VERSION, SHOW_TEXT, NULL},
    {"IL", CL_DEVICE_IL_VERSION, SHOW_TEXT, NULL},
    {"Compiler", CL_DEVICE_COMPILER_AVAILABLE, SHOW_YES, NULL},
    {"Compute units", CL_DEVICE_MAX_COMPUTE_UNITS, SHOW_NUMBER, NULL},
    {"Clock", CL_DEVICE_MAX_CLOCK_FREQUENCY, SHOW_NUMBER, " MHz"},
    {"Work-group size", CL_DEVICE_MAX_WORK_GROUP_SIZE, SHOW_NUMBER, " at most"},
    {"Work-item sizes", CL_DEVICE_MAX_WORK_ITEM_SIZES, SHOW_SIZES, " at most"},
    {"Vector of char", CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, SHOW_NUMBER, NULL},
    {"Vector of float", CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, SHOW_NUMBER, NULL},
    {"Vector of double", CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, SHOW_NUMBER, NULL},
    {"Global memory", CL_DEVICE_GLOBAL_MEM_SIZE, SHOW_BYTES, NULL},
    {"Largest buffer", CL_DEVICE_MAX_MEM_ALLOC_SIZE, SHOW_BYTES, NULL},
    {"Cache", CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, SHOW_BYTES, NULL},
    {"Cache line", CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, SHOW_BYTES, NULL},
    {"Local memory", CL_DEVICE_LOCAL_MEM_SIZE, SHOW_BYTES, NULL},
    {"Constant buffer", CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, SHOW_BYTES, NULL},
    {"Arguments", CL_DEVICE_MAX_PARAMETER_SIZE, SHOW_BYTES, NULL},
    {"Images", CL_DEVICE_IMAGE_SUPPORT, SHOW_YES, NULL},
    {"Unified memory", CL_DEVICE_HOST_UNIFIED_MEMORY, SHOW_YES, NULL},
    {"Timer resolution", CL_DEVICE_PROFILING_TIMER_RESOLUTION, SHOW_NUMBER, " ns"},
    {"Built-in kernels", CL_DEVICE_BUILT_IN_KERNELS, SHOW_WORDS, NULL},
    {"Extensions", CL_DEVICE_EXTENSIONS, SHOW_WORDS, NULL},
};

enum { LABEL = 18, WIDTH = 96 };

static void print_bytes(uint64_t bytes) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    double value = (double)bytes;
    for (; unit < 4 && value >= 1024; unit++)
        value /= 1024;
    printf(value == (double)(uint64_t)value ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

/** Words, wrapped below each other. */
static void print_words(char *words) {
    size_t column = LABEL;
    char *rest = NULL;
    for (char *word = strtok_r(words, " ;", &rest); word; word = strtok_r(NULL, " ;", &rest)) {
        if (column > LABEL && column + strlen(word) > WIDTH) {
            printf("\n%*s", LABEL, "");
            column = LABEL;
        }
        printf("%s ", word);
        column += strlen(word) + 1;
    }
    if (column == LABEL)
        printf("none");
}

static void print_sizes(const void *value, size_t bytes) {
    const size_t *sizes = value;
    for (size_t i = 0; i < bytes / sizeof *sizes; i++)
        printf("%s%zu", i ? " x " : "", sizes[i]);
}

static void print_value(const line *line, void *value, size_t bytes) {
    uint64_t number = bytes == 4 ? *(uint32_t *)value : bytes == 8 ? *(uint64_t *)value : 0;
    printf("%-*s", LABEL, line->label);
    switch (line->show) {
    case SHOW_TEXT:
        printf("%s", *(char *)value ? (char *)value : "none");
        break;
    case SHOW_WORDS:
        print_words(value);
        break;
    case SHOW_NUMBER:
        printf("%" PRIu64, number);
        break;
    case SHOW_BYTES:
        print_bytes(number);
        break;
    case SHOW_SIZES:
        print_sizes(value, bytes);
        break;
    case SHOW_YES:
        printf("%s", number ? "yes" : "no");
        break;
    }
    printf("%s\n", line->unit ? line->unit : "");
}

typedef cl_int info_query(void *object, cl_uint parameter, size_t bytes, void *value, size_t *size);

static bool print_lines(const line *lines, size_t count, info_query *query, void *object) {
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        size_t bytes = 0;
        cl_int status = query(object, lines[i].parameter, 0, NULL, &bytes);
        void *value = calloc(1, bytes + 8);
        if (status == CL_SUCCESS && value)
            status = query(object, lines[i].parameter, bytes, value, NULL);
        if (status == CL_SUCCESS && value)
            print_value(&lines[i], value, bytes);
        else
            printf("%-*serror %d\n", LABEL, lines[i].label, status);
        good &= status == CL_SUCCESS && value;
        free(value);
    }
    return good;
}

static cl_int query_platform(void *object, cl_uint parameter, size_t bytes, void *value,
                             size_t *size) {
    weft_tool_library *library = object;
    return library->api->clGetPlatformInfo(library->platform, parameter, bytes, value, size);
}

static cl_int query_device(void *object, cl_uint parameter, size_t bytes, void *value,
                           size_t *size) {
    weft_tool_library *library = object;
    return library->api->clGetDeviceInfo(library->device, parameter, bytes, value, size);
}

int weft_tool_info(int argc, char **argv) {
    const struct argp parser = {.doc = "Prints one page about the platform and each device."};
    weft_tool_library library;
    cl_device_id devices[64];
    cl_uint count = 0;
    if (argp_parse(&parser, argc, argv, 0, NULL, NULL) != 0)
        return TOOL_USAGE;
    if (!weft_tool_open(&library))
        return TOOL_BAD;
    bool good = print_lines(platform_lines, sizeof platform_lines / sizeof *platform_lines,
                            query_platform, &library);
    printf("%-*s%s\n", LABEL, "Library", library.path);
    good &= library.api->clGetDeviceIDs(library.platform, CL_DEVICE_TYPE_ALL, 64, devices,
                                        &count) == CL_SUCCESS;
    for (cl_uint i = 0; i < count && i < 64; i++) {
        library.device = devices[i];
        printf("\n");
        good &= print_lines(device_lines, sizeof device_lines / sizeof *device_lines, query_device,
                            &library);
    }
    return good ? TOOL_GOOD : TOOL_BAD;
}
