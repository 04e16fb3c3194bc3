// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Kernels: create, clone, retain, release, information. Arguments are args.c's. */

#include "runtime/kernel.h"

#include "runtime/api.h"
#include "runtime/builtin.h"
#include "runtime/check.h"
#include "runtime/info.h"
#include "runtime/program_data.h"
#include "runtime/program_start.h"

#include "weft/ndrange.h"

static void finish_kernel(weft_object *object) {
    cl_kernel kernel = (cl_kernel)object;
    for (cl_uint i = 0; kernel->args && i < kernel->info->arg_count; i++)
        if (kernel->args[i].object)
            weft_object_release_weak(kernel->args[i].object);
    for (cl_uint i = 0; kernel->slots && i < kernel->context->device_count; i++)
        if (kernel->slots[i].image)
            kernel->context->devices[i]->ops->image_release(kernel->slots[i].image);
    weft_free(kernel->slots);
    weft_free(kernel->args);
    weft_free(kernel->block);
    pthread_mutex_destroy(&kernel->lock);
    atomic_fetch_sub(&kernel->program->kernels, 1);
}

const weft_class weft_kernel_class = {"kernel", CL_INVALID_KERNEL, finish_kernel, NULL};

/* ---- create ---------------------------------------------------------------------------------- */

static const weft_kernel_code *find_code(const weft_build *build, const char *name) {
    uint32_t count = weft_build_kernel_count(build);
    for (uint32_t i = 0; i < count; i++) {
        const weft_kernel_code *code = weft_build_kernel(build, i);
        if (strcmp(code->name, name) == 0)
            return code;
    }
    return NULL;
}

/** "such as the number of arguments, the argument types": and the layout, which follows. */
static bool same_definition(const weft_kernel_code *a, const weft_kernel_code *b) {
    if (a->info->arg_count != b->info->arg_count || a->info->args_bytes != b->info->args_bytes)
        return false;
    for (uint32_t i = 0; i < a->info->arg_count; i++) {
        const weft_arg_info *x = &a->args[i], *y = &b->args[i];
        if (x->kind != y->kind || x->bytes != y->bytes || x->offset != y->offset ||
            x->align != y->align || x->address_qualifier != y->address_qualifier ||
            x->access_qualifier != y->access_qualifier)
            return false;
    }
    return true;
}

/**
 * A program that was built for a device serves the sub-devices of it that it was not built for: the
 * code is the same. Gives a slot without code the nearest ancestor's.
 */
static void inherit_code(cl_kernel kernel, cl_context context, cl_uint slot) {
    cl_device_id device = context->devices[slot]->parent;
    for (; device && !kernel->slots[slot].code; device = device->parent) {
        int from = weft_context_slot(context, device);
        if (from >= 0)
            kernel->slots[slot] = kernel->slots[from];
    }
}

/**
 * Fills in the slots from the program's executables and attaches the kernel to the program, which
 * from then on is not rebuilt. Errors as clCreateKernel's; nothing is held then.
 */
static cl_int attach(cl_kernel kernel, cl_program program, const char *name) {
    cl_int status = CL_INVALID_PROGRAM_EXECUTABLE;
    const weft_kernel_code *first = NULL;
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < program->build_count; i++) {
        weft_build *build = &program->builds[i];
        if (!weft_build_is_executable(build))
            continue;
        const weft_kernel_code *code = find_code(build, name);
        if (status == CL_INVALID_PROGRAM_EXECUTABLE)
            status = CL_INVALID_KERNEL_NAME;
        if (!code)
            continue;
        weft_kernel_slot *slot = &kernel->slots[weft_context_slot(program->context, build->device)];
        if (!build->builtins &&
            !(weft_program_data_make(build) && weft_program_start_make(build))) {
            status = CL_OUT_OF_HOST_MEMORY;
            break;
        }
        slot->code = code;
        slot->image = build->image;
        /* A built-in kernel's entry finds its function there. */
        slot->start = build->start;
        slot->data = build->builtins ? (void *)(uintptr_t)weft_builtin_of(code) : build->data;
        if (!first) {
            first = code;
            status = CL_SUCCESS;
            kernel->image_info = build->builtins ? weft_builtin_of(code)->table
                                                 : build->device->ops->image_info(build->image);
        } else if (!same_definition(first, code)) {
            status = CL_INVALID_KERNEL_DEFINITION;
        }
    }
    for (cl_uint i = 0; i < program->context->device_count; i++) {
        weft_kernel_slot *slot = &kernel->slots[i];
        inherit_code(kernel, program->context, i);
        if (status != CL_SUCCESS)
            *slot = (weft_kernel_slot){0};
        else if (slot->image)
            program->context->devices[i]->ops->image_retain(slot->image);
    }
    if (status == CL_SUCCESS) {
        kernel->name = first->name;
        kernel->info = first->info;
        kernel->arg_info = first->args;
        atomic_fetch_add(&program->kernels, 1);
    }
    pthread_mutex_unlock(&program->lock);
    return status;
}

/** Arguments' room, all unset. False: out of memory. */
static bool make_args(cl_kernel kernel) {
    kernel->args_unset = kernel->info->arg_count;
    kernel->args = weft_calloc(kernel->info->arg_count, sizeof(weft_kernel_arg));
    kernel->block = weft_calloc(1, kernel->info->args_bytes);
    return kernel->args && kernel->block;
}

/** Zeroed, with slots; not an object yet. NULL: out of memory. */
static cl_kernel allocate(cl_program program) {
    cl_kernel kernel = weft_calloc(1, sizeof(*kernel));
    if (!kernel)
        return NULL;
    kernel->slots = weft_calloc(program->context->device_count, sizeof(weft_kernel_slot));
    if (!kernel->slots) {
        weft_free(kernel);
        return NULL;
    }
    kernel->program = program;
    kernel->context = program->context;
    return kernel;
}

static cl_int create_kernel(cl_program program, const char *name, cl_kernel *result) {
    cl_kernel kernel = allocate(program);
    if (!kernel)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int status = attach(kernel, program, name);
    if (status != CL_SUCCESS) {
        weft_free(kernel->slots);
        weft_free(kernel);
        return status;
    }
    pthread_mutex_init(&kernel->lock, NULL);
    weft_object_init(&kernel->base, &weft_kernel_class, &program->base);
    if (!make_args(kernel)) {
        weft_release(&kernel);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *result = kernel;
    return CL_SUCCESS;
}

static cl_int check_clCreateKernel(cl_program program, const char *kernel_name) {
    WEFT_CHECK_PROGRAM(program);
    WEFT_CHECK(program->context, kernel_name, CL_INVALID_VALUE, "if kernel_name is NULL");
    return CL_SUCCESS;
}

/** Tells the context why kernels cannot be made. */
static cl_int tell(cl_program program, const char *function, cl_int status) {
    static const struct {
        cl_int status;
        const char *sentence;
    } reasons[] = {
        {CL_INVALID_PROGRAM_EXECUTABLE, "if there is no successfully built executable for program"},
        {CL_INVALID_KERNEL_NAME, "if kernel_name is not found in program"},
        {CL_INVALID_KERNEL_DEFINITION,
         "if the function definition for the __kernel function given by kernel_name is not the "
         "same for all devices for which the program executable has been built"},
        {CL_OUT_OF_HOST_MEMORY, "if there is a failure to allocate resources on the host"}};
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (reasons[i].status == status)
            return weft_fail(program->context, function, status, reasons[i].sentence);
    return status;
}

cl_kernel weft_clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret) {
    cl_kernel kernel = NULL;
    cl_int status = check_clCreateKernel(program, kernel_name);
    if (status == CL_SUCCESS) {
        status = create_kernel(program, kernel_name, &kernel);
        if (status != CL_SUCCESS)
            tell(program, __func__, status);
    }
    if (errcode_ret)
        *errcode_ret = status;
    return kernel;
}

/* ---- all kernels of a program ---------------------------------------------------------------- */

/**
 * The names of the kernels "that have the same function definition across all devices", newly
 * allocated; CL_INVALID_PROGRAM_EXECUTABLE, CL_OUT_OF_HOST_MEMORY. The names live as long as the
 * executable, so only while it is not rebuilt: copies are made.
 */
static cl_int list_kernels(cl_program program, char ***names, cl_uint *count) {
    const weft_build *first = NULL;
    bool failed = false;
    *names = NULL;
    *count = 0;
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < program->build_count && !first; i++)
        if (weft_build_is_executable(&program->builds[i]))
            first = &program->builds[i];
    if (first) {
        uint32_t total = weft_build_kernel_count(first);
        *names = weft_calloc(total, sizeof(char *));
        failed = !*names;
        for (uint32_t k = 0; k < total && !failed; k++) {
            const weft_kernel_code *code = weft_build_kernel(first, k);
            bool alike = true;
            for (cl_uint i = 0; i < program->build_count; i++) {
                const weft_build *build = &program->builds[i];
                if (!weft_build_is_executable(build))
                    continue;
                const weft_kernel_code *other = find_code(build, code->name);
                alike = alike && other && same_definition(code, other);
            }
            if (alike)
                failed = !((*names)[(*count)++] = weft_strdup(code->name));
        }
    }
    pthread_mutex_unlock(&program->lock);
    if (failed)
        return CL_OUT_OF_HOST_MEMORY;
    return first ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
}

static void free_names(char **names, cl_uint count) {
    for (cl_uint i = 0; names && i < count; i++)
        weft_free(names[i]);
    weft_free(names);
}

/** All or none. */
static cl_int create_kernels(cl_program program, char *const *names, cl_uint count,
                             cl_kernel *kernels) {
    for (cl_uint i = 0; i < count; i++) {
        cl_int status = create_kernel(program, names[i], &kernels[i]);
        if (status == CL_SUCCESS)
            continue;
        while (i--)
            weft_release(&kernels[i]);
        return status;
    }
    return CL_SUCCESS;
}

cl_int weft_clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                     cl_uint *num_kernels_ret) {
    char **names;
    cl_uint count;
    WEFT_CHECK_PROGRAM(program);
    cl_int status = list_kernels(program, &names, &count);
    bool too_few = kernels && num_kernels < count;
    if (status == CL_SUCCESS && kernels && !too_few)
        status = create_kernels(program, names, count, kernels);
    free_names(names, count);
    if (status != CL_SUCCESS)
        return tell(program, __func__, status);
    WEFT_CHECK(program->context, !too_few, CL_INVALID_VALUE,
               "if kernels is not NULL and num_kernels is less than the number of kernels in "
               "program");
    if (num_kernels_ret)
        *num_kernels_ret = count;
    return CL_SUCCESS;
}

/* ---- clone, retain, release ------------------------------------------------------------------ */

/** A kernel with the same code and no arguments. NULL: out of memory. */
static cl_kernel copy_kernel(cl_kernel source) {
    cl_kernel kernel = allocate(source->program);
    if (!kernel)
        return NULL;
    kernel->name = source->name;
    kernel->image_info = source->image_info;
    kernel->info = source->info;
    kernel->arg_info = source->arg_info;
    for (cl_uint i = 0; i < source->context->device_count; i++) {
        kernel->slots[i] = source->slots[i];
        if (kernel->slots[i].image)
            source->context->devices[i]->ops->image_retain(kernel->slots[i].image);
    }
    atomic_fetch_add(&kernel->program->kernels, 1);
    pthread_mutex_init(&kernel->lock, NULL);
    weft_object_init(&kernel->base, &weft_kernel_class, &kernel->program->base);
    return kernel;
}

cl_kernel weft_clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret) {
    cl_kernel kernel = NULL;
    cl_int status = CL_INVALID_KERNEL;
    if (weft_is_kernel(source_kernel)) {
        status = CL_OUT_OF_HOST_MEMORY;
        kernel = copy_kernel(source_kernel);
        if (kernel && !make_args(kernel))
            weft_release(&kernel);
    }
    if (kernel) {
        pthread_mutex_lock(&source_kernel->lock);
        kernel->args_unset = source_kernel->args_unset;
        memcpy(kernel->block, source_kernel->block, kernel->info->args_bytes);
        for (cl_uint i = 0; i < kernel->info->arg_count; i++) {
            kernel->args[i] = source_kernel->args[i];
            if (kernel->args[i].object)
                weft_object_retain_weak(kernel->args[i].object);
        }
        pthread_mutex_unlock(&source_kernel->lock);
        status = CL_SUCCESS;
    }
    if (errcode_ret)
        *errcode_ret = status;
    return kernel;
}

cl_int weft_clRetainKernel(cl_kernel kernel) {
    WEFT_CHECK_KERNEL(NULL, kernel);
    return weft_object_app_retain(&kernel->base);
}

cl_int weft_clReleaseKernel(cl_kernel kernel) {
    WEFT_CHECK_KERNEL(NULL, kernel);
    return weft_object_app_release(&kernel->base);
}

/* ---- information ----------------------------------------------------------------------------- */

static cl_int get_arg_count(const void *object, weft_info_out *out) {
    cl_uint count = ((const struct _cl_kernel *)object)->info->arg_count;
    weft_info_put(out, &count, sizeof(count));
    return CL_SUCCESS;
}

static cl_int get_attributes(const void *object, weft_info_out *out) {
    const struct _cl_kernel *kernel = object;
    /* "For kernels not created from OpenCL C source and the clCreateProgramWithSource API call the
     * string returned from this query will be empty." */
    bool from_source = kernel->program->origin == WEFT_PROGRAM_SOURCE;
    weft_info_put_text(
        out, from_source ? weft_image_string(kernel->image_info, kernel->info->attributes) : "");
    return CL_SUCCESS;
}

static const weft_info_row kernel_rows[] = {
    WEFT_INFO_STRING(CL_KERNEL_FUNCTION_NAME, struct _cl_kernel, name),
    WEFT_INFO_GETTER(CL_KERNEL_NUM_ARGS, get_arg_count),
    WEFT_INFO_GETTER(CL_KERNEL_REFERENCE_COUNT, weft_info_references),
    WEFT_INFO_FIELD(CL_KERNEL_CONTEXT, struct _cl_kernel, context),
    WEFT_INFO_FIELD(CL_KERNEL_PROGRAM, struct _cl_kernel, program),
    WEFT_INFO_GETTER(CL_KERNEL_ATTRIBUTES, get_attributes),
};

cl_int weft_clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                            void *param_value, size_t *param_value_size_ret) {
    WEFT_CHECK_KERNEL(NULL, kernel);
    return WEFT_INFO_GET(kernel->context, kernel_rows, kernel, param_name, param_value_size,
                         param_value, param_value_size_ret);
}

/** A kernel on a device: the object of the queries below. */
typedef struct kernel_on_device {
    cl_kernel kernel;
    cl_device_id device;
    const weft_kernel_info *info;
    cl_ulong local_bytes;
} kernel_on_device;

size_t weft_kernel_group_limit(const weft_kernel_info *info, cl_device_id device) {
    return weft_group_limit(info, device->max_group_items);
}

static cl_int get_group_size(const void *object, weft_info_out *out) {
    const kernel_on_device *on = object;
    size_t size = weft_kernel_group_limit(on->info, on->device);
    weft_info_put(out, &size, sizeof(size));
    return CL_SUCCESS;
}

static cl_int get_compile_group_size(const void *object, weft_info_out *out) {
    weft_info_put(out, ((const kernel_on_device *)object)->info->reqd_local_size,
                  3 * sizeof(size_t));
    return CL_SUCCESS;
}

static cl_int get_group_multiple(const void *object, weft_info_out *out) {
    const kernel_on_device *on = object;
    size_t multiple = on->info->width > 1 ? on->info->width : on->device->group_multiple;
    weft_info_put(out, &multiple, sizeof(multiple));
    return CL_SUCCESS;
}

static cl_int get_private_size(const void *object, weft_info_out *out) {
    cl_ulong size = ((const kernel_on_device *)object)->info->private_bytes;
    weft_info_put(out, &size, sizeof(size));
    return CL_SUCCESS;
}

static cl_int get_global_size(const void *object, weft_info_out *out) {
    static const size_t most[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    /* "If device is not a custom device and kernel is not a built-in kernel,
     * clGetKernelWorkGroupInfo returns the error CL_INVALID_VALUE." */
    if (((const kernel_on_device *)object)->kernel->program->origin != WEFT_PROGRAM_BUILTIN)
        return CL_INVALID_VALUE;
    weft_info_put(out, most, sizeof(most));
    return CL_SUCCESS;
}

static const weft_info_row group_rows[] = {
    WEFT_INFO_GETTER(CL_KERNEL_GLOBAL_WORK_SIZE, get_global_size),
    WEFT_INFO_GETTER(CL_KERNEL_WORK_GROUP_SIZE, get_group_size),
    WEFT_INFO_GETTER(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, get_compile_group_size),
    WEFT_INFO_FIELD(CL_KERNEL_LOCAL_MEM_SIZE, kernel_on_device, local_bytes),
    WEFT_INFO_GETTER(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, get_group_multiple),
    WEFT_INFO_GETTER(CL_KERNEL_PRIVATE_MEM_SIZE, get_private_size),
};

cl_int weft_kernel_on_device(cl_kernel kernel, cl_device_id *device,
                             const weft_kernel_info **info) {
    WEFT_CHECK_KERNEL(NULL, kernel);
    cl_context context = kernel->context;
    WEFT_CHECK(context, *device || kernel->program->build_count == 1, CL_INVALID_DEVICE,
               "if device is NULL but there is more than one device associated with kernel");
    if (!*device)
        *device = kernel->program->builds[0].device;
    int slot = weft_is_device(*device) ? weft_context_slot(context, *device) : -1;
    const weft_kernel_code *code = slot >= 0 ? kernel->slots[slot].code : NULL;
    WEFT_CHECK(context, code, CL_INVALID_DEVICE,
               "if device is not in the list of devices associated with kernel");
    *info = code->info;
    return CL_SUCCESS;
}

cl_int weft_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                     cl_kernel_work_group_info param_name, size_t param_value_size,
                                     void *param_value, size_t *param_value_size_ret) {
    kernel_on_device on = {.kernel = kernel, .device = device};
    WEFT_TRY(weft_kernel_on_device(kernel, &on.device, &on.info));
    pthread_mutex_lock(&kernel->lock);
    on.local_bytes = weft_args_local_bytes(kernel);
    pthread_mutex_unlock(&kernel->lock);
    return WEFT_INFO_GET(kernel->context, group_rows, &on, param_name, param_value_size,
                         param_value, param_value_size_ret);
}

/* ---- information about arguments ------------------------------------------------------------- */

typedef struct kernel_arg {
    const weft_image_info *image;
    const weft_arg_info *info;
} kernel_arg;

static cl_int get_address_qualifier(const void *object, weft_info_out *out) {
    cl_kernel_arg_address_qualifier value = ((const kernel_arg *)object)->info->address_qualifier;
    weft_info_put(out, &value, sizeof(value));
    return CL_SUCCESS;
}

static cl_int get_access_qualifier(const void *object, weft_info_out *out) {
    cl_kernel_arg_access_qualifier value = ((const kernel_arg *)object)->info->access_qualifier;
    weft_info_put(out, &value, sizeof(value));
    return CL_SUCCESS;
}

static cl_int get_type_qualifier(const void *object, weft_info_out *out) {
    cl_kernel_arg_type_qualifier value = ((const kernel_arg *)object)->info->type_qualifiers;
    weft_info_put(out, &value, sizeof(value));
    return CL_SUCCESS;
}

static cl_int get_type_name(const void *object, weft_info_out *out) {
    const kernel_arg *arg = object;
    weft_info_put_text(out, weft_image_string(arg->image, arg->info->type_name));
    return CL_SUCCESS;
}

static cl_int get_name(const void *object, weft_info_out *out) {
    const kernel_arg *arg = object;
    weft_info_put_text(out, weft_image_string(arg->image, arg->info->name));
    return CL_SUCCESS;
}

static const weft_info_row arg_rows[] = {
    WEFT_INFO_GETTER(CL_KERNEL_ARG_ADDRESS_QUALIFIER, get_address_qualifier),
    WEFT_INFO_GETTER(CL_KERNEL_ARG_ACCESS_QUALIFIER, get_access_qualifier),
    WEFT_INFO_GETTER(CL_KERNEL_ARG_TYPE_NAME, get_type_name),
    WEFT_INFO_GETTER(CL_KERNEL_ARG_TYPE_QUALIFIER, get_type_qualifier),
    WEFT_INFO_GETTER(CL_KERNEL_ARG_NAME, get_name),
};

cl_int weft_clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_indx, cl_kernel_arg_info param_name,
                               size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret) {
    WEFT_CHECK_KERNEL(NULL, kernel);
    WEFT_CHECK(kernel->context, arg_indx < kernel->info->arg_count, CL_INVALID_ARG_INDEX,
               "if arg_indx is not a valid argument index");
    kernel_arg arg = {.image = kernel->image_info, .info = &kernel->arg_info[arg_indx]};
    WEFT_CHECK(kernel->context, arg.info->has_info, CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
               "if the argument information is not available for kernel: the program must be "
               "built from source with -cl-kernel-arg-info");
    return WEFT_INFO_GET(kernel->context, arg_rows, &arg, param_name, param_value_size, param_value,
                         param_value_size_ret);
}
