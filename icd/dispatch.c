// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "icd/dispatch.h"

#include "runtime/builtin.h"
#include "runtime/check.h"
#include "runtime/platform.h"

#include <CL/cl_icd.h>

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

static const named_function extension_functions[] = {
    {"clIcdGetPlatformIDsKHR", (void (*)(void))weft_clIcdGetPlatformIDsKHR},
    {"clRegisterBuiltInKernelsWEFT", (void (*)(void))weft_clRegisterBuiltInKernelsWEFT},
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

static void *find(const char *name) {
    for (size_t i = 0; name && i < sizeof extension_functions / sizeof extension_functions[0]; i++)
        if (strcmp(extension_functions[i].name, name) == 0)
            return (void *)(uintptr_t)extension_functions[i].function;
    return NULL;
}

void *weft_clGetExtensionFunctionAddress(const char *func_name) {
    return find(func_name);
}

void *weft_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                    const char *func_name) {
    return weft_is_platform(platform) ? find(func_name) : NULL;
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
