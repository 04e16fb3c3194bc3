// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What of SPIR-V a device takes (cl_khr_spirv_queries): the table by which the compiler reads. */

#include "runtime/device_object.h"
#include "runtime/info.h"

/* "an array of null-terminated strings" */
cl_int weft_device_get_spirv_sets(const void *object, weft_info_out *out) {
    (void)object;
#ifdef WEFT_HAS_SPIRV
    static const char *const sets[] = {
#define WEFT_SPIRV_SET(text) text,
#include "weft/spirv.def"
    };
    weft_info_put(out, sets, sizeof(sets));
#else
    (void)out;
#endif
    return CL_SUCCESS;
}

cl_int weft_device_get_spirv_extensions(const void *object, weft_info_out *out) {
    (void)object;
#ifdef WEFT_HAS_SPIRV
    static const char *const extensions[] = {
#define WEFT_SPIRV_EXTENSION(text) text,
#include "weft/spirv.def"
    };
    weft_info_put(out, extensions, sizeof(extensions));
#else
    (void)out;
#endif
    return CL_SUCCESS;
}

cl_int weft_device_get_spirv_capabilities(const void *object, weft_info_out *out) {
    (void)object;
#ifdef WEFT_HAS_SPIRV
    static const cl_uint capabilities[] = {
#define WEFT_SPIRV_CAPABILITY(Name, number) number,
#include "weft/spirv.def"
    };
    weft_info_put(out, capabilities, sizeof(capabilities));
#else
    (void)out;
#endif
    return CL_SUCCESS;
}
