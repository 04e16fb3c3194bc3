// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Samplers. As long as no device supports images there is no sampler object: creating one fails
 * with CL_INVALID_OPERATION, and no handle is a valid sampler.
 */

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/context.h"

static void finish_sampler(weft_object *object) {
    (void)object;
}

const weft_class weft_sampler_class = {"sampler", CL_INVALID_SAMPLER, finish_sampler, NULL};

static cl_int check_clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode mode,
                                    cl_filter_mode filter) {
    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context,
               (normalized == CL_TRUE || normalized == CL_FALSE) && mode >= CL_ADDRESS_NONE &&
                   mode <= CL_ADDRESS_MIRRORED_REPEAT &&
                   (filter == CL_FILTER_NEAREST || filter == CL_FILTER_LINEAR),
               CL_INVALID_VALUE,
               "if the value specified for a supported property name is not valid");
    return weft_fail(context, "clCreateSampler", CL_INVALID_OPERATION,
                     "if images are not supported by any device associated with context");
}

static cl_int check_clCreateSamplerWithProperties(cl_context context,
                                                  const cl_sampler_properties *properties) {
    cl_sampler_properties values[3] = {CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST};
    bool seen[3] = {false, false, false};
    WEFT_CHECK_CONTEXT(context);
    for (; properties && *properties; properties += 2) {
        cl_sampler_properties index = properties[0] - CL_SAMPLER_NORMALIZED_COORDS;
        WEFT_CHECK(context, index < 3, CL_INVALID_VALUE,
                   "if the property name in sampler_properties is not a supported property name");
        WEFT_CHECK(context, !seen[index], CL_INVALID_VALUE,
                   "if the same property name is specified more than once");
        seen[index] = true;
        values[index] = properties[1];
    }
    return check_clCreateSampler(context, (cl_bool)values[0], (cl_addressing_mode)values[1],
                                 (cl_filter_mode)values[2]);
}

cl_sampler weft_clCreateSampler(cl_context context, cl_bool normalized_coords,
                                cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                                cl_int *errcode_ret) {
    cl_int status = check_clCreateSampler(context, normalized_coords, addressing_mode, filter_mode);
    if (errcode_ret)
        *errcode_ret = status;
    return NULL;
}

cl_sampler weft_clCreateSamplerWithProperties(cl_context context,
                                              const cl_sampler_properties *sampler_properties,
                                              cl_int *errcode_ret) {
    cl_int status = check_clCreateSamplerWithProperties(context, sampler_properties);
    if (errcode_ret)
        *errcode_ret = status;
    return NULL;
}

#define NO_SAMPLER "if sampler is not a valid sampler object"

cl_int weft_clRetainSampler(cl_sampler sampler) {
    (void)sampler;
    return weft_fail(NULL, __func__, CL_INVALID_SAMPLER, NO_SAMPLER);
}

cl_int weft_clReleaseSampler(cl_sampler sampler) {
    (void)sampler;
    return weft_fail(NULL, __func__, CL_INVALID_SAMPLER, NO_SAMPLER);
}

cl_int weft_clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret) {
    (void)sampler;
    (void)param_name;
    (void)param_value_size;
    (void)param_value;
    (void)param_value_size_ret;
    return weft_fail(NULL, __func__, CL_INVALID_SAMPLER, NO_SAMPLER);
}
