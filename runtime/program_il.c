// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clCreateProgramWithIL, clSetProgramSpecializationConstant. */

#include "runtime/program.h"

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/il.h"
#include "runtime/log.h"

static cl_int check_clCreateProgramWithIL(cl_context context, const void *il, size_t length) {
    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context, *WEFT_IL_VERSION_TEXT, CL_INVALID_OPERATION,
               "if no devices in context support intermediate language programs");
    WEFT_CHECK(context, il && length, CL_INVALID_VALUE, "if il is NULL or if length is zero");
    const char *fault = weft_il_check(il, length);
    if (fault)
        return weft_fail(context, "clCreateProgramWithIL", CL_INVALID_VALUE, fault);
    return CL_SUCCESS;
}

cl_program weft_clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                      cl_int *errcode_ret) {
    cl_program program = NULL;
    cl_int status = check_clCreateProgramWithIL(context, il, length);
    if (status == CL_SUCCESS) {
        weft_il *copy = weft_il_create(il, length);
        if (copy)
            program = weft_program_create(context, WEFT_PROGRAM_IL, context->device_count,
                                          context->devices);
        if (program) {
            program->il = copy;
            weft_program_prepare(program);
        } else {
            weft_il_destroy(copy);
            status = CL_OUT_OF_HOST_MEMORY;
        }
    }
    if (errcode_ret)
        *errcode_ret = status;
    return program;
}

static cl_int check_clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                       size_t spec_size, const void *spec_value) {
    WEFT_CHECK_PROGRAM(program);
    WEFT_CHECK(program->context, *WEFT_IL_VERSION_TEXT, CL_INVALID_OPERATION,
               "if no devices associated with program support intermediate language programs");
    WEFT_CHECK(program->context, program->il, CL_INVALID_PROGRAM,
               "if program is not a valid program object created from an intermediate language");
    const weft_il_constant *constant = weft_il_find(program->il, spec_id);
    WEFT_CHECK(program->context, constant, CL_INVALID_SPEC_ID,
               "if spec_id is not a valid specialization constant identifier");
    WEFT_CHECK(program->context, constant->bytes == spec_size && spec_value, CL_INVALID_VALUE,
               "if spec_size does not match the size of the specialization constant in the module, "
               "or if spec_value is NULL");
    return CL_SUCCESS;
}

cl_int weft_clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                               size_t spec_size, const void *spec_value) {
    WEFT_TRY(check_clSetProgramSpecializationConstant(program, spec_id, spec_size, spec_value));
    uint64_t value = 0;
    memcpy(&value, spec_value, spec_size); /* little-endian, as every machine this runs on */
    pthread_mutex_lock(&program->lock);
    /* One id may stand at several constants, which then are neighbours. */
    for (uint32_t i = 0; i < program->il->constant_count; i++)
        if (program->il->constants[i].id == spec_id) {
            program->il->constants[i].value = value;
            program->il->constants[i].given = true;
        }
    pthread_mutex_unlock(&program->lock);
    return CL_SUCCESS;
}
