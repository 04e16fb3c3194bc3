// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Samplers. */

#include "runtime/sampler.h"

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/info.h"

static void finish_sampler(weft_object *object) {
    weft_free(((cl_sampler)object)->properties);
}

const weft_class weft_sampler_class = {"sampler", CL_INVALID_SAMPLER, finish_sampler, NULL};

/* ---- creation -------------------------------------------------------------------------------- */

/* Normalized, addressing mode, filter mode; in the order of CL_SAMPLER_NORMALIZED_COORDS ... */
typedef struct modes {
    cl_sampler_properties value[3];
} modes;

static cl_int check_modes(cl_context context, const modes *m) {
    WEFT_CHECK(context,
               (m->value[0] == CL_TRUE || m->value[0] == CL_FALSE) &&
                   m->value[1] >= CL_ADDRESS_NONE && m->value[1] <= CL_ADDRESS_MIRRORED_REPEAT &&
                   (m->value[2] == CL_FILTER_NEAREST || m->value[2] == CL_FILTER_LINEAR),
               CL_INVALID_VALUE,
               "if the value specified for a supported property name is not valid");
    return CL_SUCCESS;
}

static uint32_t bits_of(const modes *m) {
    uint32_t bits = (uint32_t)(m->value[1] - CL_ADDRESS_NONE) << WEFT_SAMPLER_ADDRESS_SHIFT;

    if (m->value[0])
        bits |= WEFT_SAMPLER_NORMALIZED;
    if (m->value[2] == CL_FILTER_LINEAR)
        bits |= WEFT_SAMPLER_LINEAR;
    return bits;
}

static cl_sampler create(cl_context context, const modes *m,
                         const cl_sampler_properties *properties, size_t property_bytes,
                         cl_int *status) {
    cl_sampler sampler = weft_calloc(1, sizeof(*sampler));

    *status = CL_OUT_OF_HOST_MEMORY;
    if (!sampler)
        return NULL;
    weft_object_init(&sampler->base, &weft_sampler_class, &context->base);
    sampler->context = context;
    sampler->normalized = (cl_bool)m->value[0];
    sampler->addressing = (cl_addressing_mode)m->value[1];
    sampler->filter = (cl_filter_mode)m->value[2];
    sampler->bits = bits_of(m);
    if (properties) {
        sampler->property_bytes = property_bytes;
        sampler->properties = weft_memdup(properties, property_bytes);
    }
    if (properties && !sampler->properties) {
        weft_release(&sampler);
        return NULL;
    }
    *status = CL_SUCCESS;
    return sampler;
}

static cl_int check_clCreateSampler(cl_context context, const modes *m) {
    WEFT_CHECK_CONTEXT(context);
    return check_modes(context, m);
}

cl_sampler weft_clCreateSampler(cl_context context, cl_bool normalized_coords,
                                cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
                                cl_int *errcode_ret) {
    const modes m = {{normalized_coords, addressing_mode, filter_mode}};
    cl_sampler sampler = NULL;
    cl_int status = check_clCreateSampler(context, &m);

    if (status == CL_SUCCESS)
        sampler = create(context, &m, NULL, 0, &status);
    if (errcode_ret)
        *errcode_ret = status;
    return sampler;
}

static cl_int check_clCreateSamplerWithProperties(cl_context context,
                                                  const cl_sampler_properties *properties, modes *m,
                                                  size_t *property_bytes) {
    const cl_sampler_properties *at = properties;
    bool seen[3] = {false, false, false};

    WEFT_CHECK_CONTEXT(context);
    for (; at && *at; at += 2) {
        cl_sampler_properties index = at[0] - CL_SAMPLER_NORMALIZED_COORDS;
        WEFT_CHECK(context, index < 3, CL_INVALID_VALUE,
                   "if the property name in sampler_properties is not a supported property name");
        WEFT_CHECK(context, !seen[index], CL_INVALID_VALUE,
                   "if the same property name is specified more than once");
        seen[index] = true;
        m->value[index] = at[1];
    }
    *property_bytes = at ? (size_t)(at - properties + 1) * sizeof(*at) : 0;
    return check_modes(context, m);
}

cl_sampler weft_clCreateSamplerWithProperties(cl_context context,
                                              const cl_sampler_properties *sampler_properties,
                                              cl_int *errcode_ret) {
    modes m = {{CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST}};
    size_t bytes = 0;
    cl_sampler sampler = NULL;
    cl_int status = check_clCreateSamplerWithProperties(context, sampler_properties, &m, &bytes);

    if (status == CL_SUCCESS)
        sampler = create(context, &m, sampler_properties, bytes, &status);
    if (errcode_ret)
        *errcode_ret = status;
    return sampler;
}

/* ---- life and information -------------------------------------------------------------------- */

#define CHECK_SAMPLER(sampler)                                                                     \
    WEFT_CHECK(NULL, weft_is_sampler(sampler), CL_INVALID_SAMPLER,                                 \
               "if sampler is not a valid sampler object")

cl_int weft_clRetainSampler(cl_sampler sampler) {
    CHECK_SAMPLER(sampler);
    return weft_object_app_retain(&sampler->base);
}

cl_int weft_clReleaseSampler(cl_sampler sampler) {
    CHECK_SAMPLER(sampler);
    return weft_object_app_release(&sampler->base);
}

static cl_int get_properties(const void *object, weft_info_out *out) {
    const struct _cl_sampler *sampler = object;

    weft_info_put(out, sampler->properties, sampler->property_bytes);
    return CL_SUCCESS;
}

static const weft_info_row sampler_rows[] = {
    WEFT_INFO_GETTER(CL_SAMPLER_REFERENCE_COUNT, weft_info_references),
    WEFT_INFO_FIELD(CL_SAMPLER_CONTEXT, struct _cl_sampler, context),
    WEFT_INFO_FIELD(CL_SAMPLER_NORMALIZED_COORDS, struct _cl_sampler, normalized),
    WEFT_INFO_FIELD(CL_SAMPLER_ADDRESSING_MODE, struct _cl_sampler, addressing),
    WEFT_INFO_FIELD(CL_SAMPLER_FILTER_MODE, struct _cl_sampler, filter),
    WEFT_INFO_GETTER(CL_SAMPLER_PROPERTIES, get_properties),
};

cl_int weft_clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret) {
    CHECK_SAMPLER(sampler);
    return WEFT_INFO_GET(sampler->context, sampler_rows, sampler, param_name, param_value_size,
                         param_value, param_value_size_ret);
}
