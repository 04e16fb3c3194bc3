// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tool/tool.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Beside the tool; in a build tree; installed (the build knows the way from bindir to libdir). */
static const char *const library_places[] = {"libweft.so", "../../icd/libweft.so",
                                             WEFT_LIBRARY_FROM_TOOL "/libweft.so", NULL};

static const char *const compiler_places[] = {"weft-compiler", "../../compiler/weft-compiler",
                                              WEFT_COMPILER_FROM_TOOL "/weft-compiler", NULL};

bool weft_tool_find(const char *const *places, char path[PATH_MAX]) {
    /* Where we were started from; works without /proc, and this tool is not started by a search of
     * PATH without the kernel getting the whole name. */
    const char *started = (const char *)getauxval(AT_EXECFN);
    if (!started || !realpath(started, path))
        return false;
    char *end = strrchr(path, '/');
    if (!end)
        return false;
    size_t length = (size_t)(end - path);
    for (; *places; places++) {
        if ((size_t)snprintf(path + length, PATH_MAX - length, "/%s", *places) <
                PATH_MAX - length &&
            access(path, R_OK) == 0)
            return true;
    }
    path[length] = 0;
    return false;
}

/** The platform as an ICD loader would get it. */
static const char *take_platform(weft_tool_library *library, void *handle) {
    cl_uint count = 0;
    void *(*address)(const char *);
    cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
    *(void **)&address = dlsym(handle, "clGetExtensionFunctionAddress");
    if (!address)
        return "clGetExtensionFunctionAddress is missing";
    *(void **)&platforms = address("clIcdGetPlatformIDsKHR");
    if (!platforms)
        return "clIcdGetPlatformIDsKHR is missing";
    if (platforms(1, &library->platform, &count) != CL_SUCCESS || count != 1)
        return "clIcdGetPlatformIDsKHR gives no platform";
    library->api = *(const cl_icd_dispatch **)library->platform;
    if (library->api->clGetDeviceIDs(library->platform, CL_DEVICE_TYPE_ALL, 1, &library->device,
                                     NULL) != CL_SUCCESS)
        return "clGetDeviceIDs gives no device";
    return NULL;
}

/** `found`: where it lies, or where it was looked for. */
static bool find_library(char found[PATH_MAX], char path[PATH_MAX]) {
    return weft_tool_find(library_places, found) && realpath(found, path);
}

bool weft_tool_library_path(char path[PATH_MAX]) {
    char found[PATH_MAX];
    if (find_library(found, path))
        return true;
    fprintf(stderr, "weft: libweft.so is not where it belongs, relative to %s\n", found);
    return false;
}

bool weft_tool_settings_file(weft_settings_file *file) {
    char library[PATH_MAX];
    return weft_settings_file_read(file, weft_tool_library_path(library) ? library : NULL);
}

bool weft_tool_read_settings(weft_settings *settings) {
    char found[PATH_MAX], library[PATH_MAX];
    weft_settings_file file;
    bool read = weft_settings_file_read(&file, find_library(found, library) ? library : NULL) &&
                weft_settings_read(settings, &file, NULL, NULL);
    weft_settings_file_finish(&file);
    return read;
}

bool weft_tool_compiler(char path[PATH_MAX]) {
    weft_settings settings;
    if (!weft_tool_read_settings(&settings))
        return weft_tool_find(compiler_places, path);
    bool named = settings.compiler && settings.compiler[0];
    if (named)
        snprintf(path, PATH_MAX, "%s", settings.compiler);
    weft_settings_finish(&settings);
    return named || weft_tool_find(compiler_places, path);
}

bool weft_tool_open(weft_tool_library *library) {
    if (!weft_tool_library_path(library->path))
        return false;
    void *handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "weft: %s\n", dlerror());
        return false;
    }
    const char *wrong = take_platform(library, handle);
    if (wrong)
        fprintf(stderr, "weft: %s: %s\n", library->path, wrong);
    return !wrong;
}
