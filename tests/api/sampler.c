// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Samplers: creation, information, every error. */

#include "common.h"

static cl_ulong info(cl_sampler sampler, cl_sampler_info name, size_t bytes) {
    cl_ulong value = 0;
    size_t size = 0;
    CHECK_EQ(clGetSamplerInfo(sampler, name, sizeof(value), &value, &size), CL_SUCCESS);
    CHECK_EQ(size, bytes);
    if (bytes > 1)
        CHECK_EQ(clGetSamplerInfo(sampler, name, bytes - 1, &value, NULL), CL_INVALID_VALUE);
    return value;
}

TEST(every_mode) {
    cl_context context = weft_context(1);
    for (cl_bool normalized = CL_FALSE; normalized <= CL_TRUE; normalized++)
        for (cl_addressing_mode mode = CL_ADDRESS_NONE; mode <= CL_ADDRESS_MIRRORED_REPEAT; mode++)
            for (cl_filter_mode filter = CL_FILTER_NEAREST; filter <= CL_FILTER_LINEAR; filter++) {
                cl_int error = 1;
                cl_sampler sampler = clCreateSampler(context, normalized, mode, filter, &error);
                CHECK_EQ(error, CL_SUCCESS);
                CHECK_EQ(info(sampler, CL_SAMPLER_NORMALIZED_COORDS, 4), normalized);
                CHECK_EQ(info(sampler, CL_SAMPLER_ADDRESSING_MODE, 4), mode);
                CHECK_EQ(info(sampler, CL_SAMPLER_FILTER_MODE, 4), filter);
                CHECK_EQ(info(sampler, CL_SAMPLER_REFERENCE_COUNT, 4), 1);
                CHECK_EQ(info(sampler, CL_SAMPLER_CONTEXT, 8), (cl_ulong)(uintptr_t)context);
                CHECK_EQ(clReleaseSampler(sampler), CL_SUCCESS);
            }
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST(properties) {
    cl_context context = weft_context(1);
    cl_sampler_properties given[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                     CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
    cl_sampler_properties none[] = {0}, answer[8];
    size_t size = 77;
    cl_int error = 1;
    cl_sampler sampler = clCreateSamplerWithProperties(context, given, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(info(sampler, CL_SAMPLER_ADDRESSING_MODE, 4), CL_ADDRESS_CLAMP);
    CHECK_EQ(info(sampler, CL_SAMPLER_FILTER_MODE, 4), CL_FILTER_LINEAR);
    CHECK_EQ(info(sampler, CL_SAMPLER_NORMALIZED_COORDS, 4), CL_FALSE);
    CHECK_EQ(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof(answer), answer, &size),
             CL_SUCCESS);
    CHECK_EQ(size, sizeof(given));
    CHECK(memcmp(answer, given, size) == 0);
    CHECK_EQ(clReleaseSampler(sampler), CL_SUCCESS);

    sampler = clCreateSamplerWithProperties(context, none, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size), CL_SUCCESS);
    CHECK_EQ(size, sizeof(none));
    CHECK_EQ(clReleaseSampler(sampler), CL_SUCCESS);

    /* "If not supplied ... default": normalized, CLAMP, NEAREST */
    sampler = clCreateSamplerWithProperties(context, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(info(sampler, CL_SAMPLER_NORMALIZED_COORDS, 4), CL_TRUE);
    CHECK_EQ(info(sampler, CL_SAMPLER_ADDRESSING_MODE, 4), CL_ADDRESS_CLAMP);
    CHECK_EQ(info(sampler, CL_SAMPLER_FILTER_MODE, 4), CL_FILTER_NEAREST);
    CHECK_EQ(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size), CL_SUCCESS);
    CHECK_EQ(size, 0);
    CHECK_EQ(clReleaseSampler(sampler), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST(errors) {
    cl_context context = weft_context(1);
    cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                     CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    cl_sampler_properties wrong[] = {CL_SAMPLER_FILTER_MODE, 5, 0}, unknown[] = {5, 5, 0};
    cl_int error = 1;
    CHECK(!clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!clCreateSampler(context, 2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateSampler(context, CL_TRUE, 1, CL_FILTER_NEAREST, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, 1, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, 1, NULL));
    CHECK(!clCreateSamplerWithProperties(NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!clCreateSamplerWithProperties(context, twice, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateSamplerWithProperties(context, wrong, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateSamplerWithProperties(context, unknown, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK_EQ(clRetainSampler((cl_sampler)context), CL_INVALID_SAMPLER);
    CHECK_EQ(clReleaseSampler((cl_sampler)context), CL_INVALID_SAMPLER);
    CHECK_EQ(clGetSamplerInfo((cl_sampler)context, CL_SAMPLER_FILTER_MODE, 0, NULL, NULL),
             CL_INVALID_SAMPLER);
    cl_sampler sampler =
        clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clGetSamplerInfo(sampler, 5, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clRetainSampler(sampler), CL_SUCCESS);
    CHECK_EQ(info(sampler, CL_SAMPLER_REFERENCE_COUNT, 4), 2);
    CHECK_EQ(clReleaseSampler(sampler), CL_SUCCESS);
    CHECK_EQ(clReleaseSampler(sampler), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_MAIN()
