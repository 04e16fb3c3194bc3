// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "icd/dispatch.h"

#include "runtime/builtin.h"
#include "runtime/check.h"
#include "runtime/platform.h"

#include <CL/cl_icd.h>

/* Debian's headers of 2023 do not know ICD 2 yet. The value spells "OPENCL31". */
#define ICD2_TAG ((intptr_t)0x4F50454E434C3331)
#ifdef CL_ICD2_TAG_KHR
_Static_assert(ICD2_TAG == CL_ICD2_TAG_KHR, "the tag is the specification's");
#endif

/* ---- functions of extensions that Weft does not have ----------------------------------------- */

/*
 * Nobody should call these: the extensions are not reported. A slot must hold a function all the
 * same, because a loader calls it without looking. Arguments are passed as pointers in registers
 * or stack slots of one size, so that only the position of errcode_ret counts.
 */
static cl_int absent_status(void) {
    return CL_INVALID_OPERATION;
}

static void *fail_object(cl_int *errcode_ret) {
    if (errcode_ret)
        *errcode_ret = CL_INVALID_OPERATION;
    return NULL;
}

static void *absent_object3(uintptr_t a, uintptr_t b, cl_int *errcode_ret) {
    (void)a, (void)b;
    return fail_object(errcode_ret);
}

static void *absent_object4(uintptr_t a, uintptr_t b, uintptr_t c, cl_int *errcode_ret) {
    (void)a, (void)b, (void)c;
    return fail_object(errcode_ret);
}

static void *absent_object5(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d,
                            cl_int *errcode_ret) {
    (void)a, (void)b, (void)c, (void)d;
    return fail_object(errcode_ret);
}

static void *absent_object6(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e,
                            cl_int *errcode_ret) {
    (void)a, (void)b, (void)c, (void)d, (void)e;
    return fail_object(errcode_ret);
}

/* ---- the table ------------------------------------------------------------------------------- */

const weft_dispatch weft_dispatch_table = {
#define WEFT_ENTRY(name)              .name = (void (*)(void))weft_##name,
#define WEFT_ENTRY_TAG(name)          .name = ICD2_TAG,
#define WEFT_ENTRY_ABSENT(name, stub) .name = (void (*)(void))absent_##stub,
#include "icd/entrypoints.def"
};

/* Every slot is where the header has it. */
#define WEFT_ENTRY(name)                                                                           \
    _Static_assert(offsetof(weft_dispatch, name) == offsetof(cl_icd_dispatch, name), #name);
#define WEFT_ENTRY_ABSENT(name, stub) WEFT_ENTRY(name)
#ifdef CL_VERSION_3_1
#define WEFT_ENTRY_ABSENT_31(name, stub) WEFT_ENTRY(name)
#else
#define WEFT_ENTRY_ABSENT_31(name, stub)
#endif
_Static_assert(sizeof(weft_dispatch) >= sizeof(cl_icd_dispatch), "no slot is missing");
#include "icd/entrypoints.def"

/* ---- look-up by name ------------------------------------------------------------------------- */

typedef struct named_function {
    const char *name;
    void (*function)(void);
} named_function;

static const named_function core_functions[] = {
#define WEFT_ENTRY(name) {#name, (void (*)(void))weft_##name},
#include "icd/entrypoints.def"
};

static const named_function extension_functions[] = {
    {"clIcdGetPlatformIDsKHR", (void (*)(void))weft_clIcdGetPlatformIDsKHR},
    {"clIcdGetFunctionAddressForPlatformKHR",
     (void (*)(void))weft_clIcdGetFunctionAddressForPlatformKHR},
    {"clRegisterBuiltInKernelsWEFT", (void (*)(void))weft_clRegisterBuiltInKernelsWEFT},
    {"clIcdSetPlatformDispatchDataKHR", (void (*)(void))weft_clIcdSetPlatformDispatchDataKHR},
    {"clCreateCommandQueueWithPropertiesKHR",
     (void (*)(void))weft_clCreateCommandQueueWithPropertiesKHR},
    {"clGetKernelSuggestedLocalWorkSizeKHR",
     (void (*)(void))weft_clGetKernelSuggestedLocalWorkSizeKHR},
#define USM_FUNCTION(name) {#name, (void (*)(void))weft_##name},
    WEFT_USM_FUNCTIONS(USM_FUNCTION)
#undef USM_FUNCTION
#ifdef WEFT_HAS_SPIRV
        {"clCreateProgramWithILKHR", (void (*)(void))weft_clCreateProgramWithIL},
#endif
#ifdef WEFT_FAULT_INJECTION
    /* For tests that come through the loader; no other build has these. */
    {"weft_shim_fail_at", (void (*)(void))weft_shim_fail_at},
    {"weft_shim_calls", (void (*)(void))weft_shim_calls},
#endif
};

static void *find(const named_function *functions, size_t count, const char *name) {
    for (size_t i = 0; name && i < count; i++)
        if (strcmp(functions[i].name, name) == 0)
            return (void *)(uintptr_t)functions[i].function;
    return NULL;
}

#define FIND(functions, name) find(functions, sizeof(functions) / sizeof((functions)[0]), name)

void *weft_clGetExtensionFunctionAddress(const char *func_name) {
    return FIND(extension_functions, func_name);
}

void *weft_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                    const char *func_name) {
    return weft_is_platform(platform) ? FIND(extension_functions, func_name) : NULL;
}

void *weft_clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char *func_name) {
    if (!weft_is_platform(platform))
        return NULL;
    void *function = FIND(core_functions, func_name);
    return function ? function : FIND(extension_functions, func_name);
}

/* ---- platforms ------------------------------------------------------------------------------- */

cl_int weft_clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                             cl_uint *num_platforms) {
    return weft_platform_list(&weft_dispatch_table, num_entries, platforms, num_platforms);
}

cl_int weft_clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                   cl_uint *num_platforms) {
    return weft_platform_list(&weft_dispatch_table, num_entries, platforms, num_platforms);
}

cl_int weft_clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *dispatch_data) {
    WEFT_CHECK_PLATFORM(platform);
    weft_platform_set_dispatch_data(platform, dispatch_data);
    return CL_SUCCESS;
}
