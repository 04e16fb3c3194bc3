// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** cl_sampler: immutable. To kernels a sampler is a value. */
#ifndef WEFT_SAMPLER_H
#define WEFT_SAMPLER_H

#include "runtime/context.h"

struct _cl_sampler {
    weft_object base;
    cl_context context;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_sampler_properties *properties; /* as given, with the 0; NULL: none */
    size_t property_bytes;
    uint32_t bits; /* WEFT_SAMPLER_* */
};

#endif
