// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Programs: create, retain, release, information. Building them is build.c's. */

#include "runtime/program.h"

#include "runtime/api.h"
#include "runtime/binary.h"
#include "runtime/check.h"
#include "runtime/il.h"
#include "runtime/info.h"
#include "runtime/log.h"
#include "runtime/program_data.h"
#include "runtime/program_start.h"

#include "weft/extensions.h"

void weft_build_clear(weft_build *build) {
    weft_program_start_end(build->start, true);
    weft_program_start_free(build);
    weft_program_data_free(build);
    if (build->image)
        build->device->ops->image_release(build->image);
    weft_blob_release(&build->log);
    weft_blob_release(&build->ir);
    weft_blob_release(&build->code);
    weft_free(build->options);
    *build = (weft_build){.device = build->device, .status = CL_BUILD_NONE};
}

bool weft_build_is_executable(const weft_build *build) {
    return build->status == CL_BUILD_SUCCESS && (build->image || build->builtins);
}

uint32_t weft_build_kernel_count(const weft_build *build) {
    if (build->builtins)
        return build->builtin_count;
    /* The loader knows that constructors and destructors come last; the kernels of blocks, which
     * are nobody's but the kernels' that enqueue them, come before these. */
    const weft_image_info *info = build->device->ops->image_info(build->image);
    uint32_t count = info->kernel_count - (info->init_kernel != 0) - (info->fini_kernel != 0);
    while (count && weft_build_kernel(build, count - 1)->info->flags & WEFT_KERNEL_BLOCK)
        count--;
    return count;
}

const weft_kernel_code *weft_build_kernel(const weft_build *build, uint32_t index) {
    return build->builtins ? build->builtins[index]
                           : build->device->ops->image_kernel(build->image, index);
}

/** "called after destructors (if any) for program scope global variables (if any) are called and
 *  before the program is released" */
static void finish_rest(cl_program program) {
    for (cl_uint i = 0; i < program->build_count; i++)
        weft_program_start_end(program->builds[i].start, true);
    weft_destructor_run(&program->destructors, program);
    for (cl_uint i = 0; i < program->build_count; i++)
        weft_build_clear(&program->builds[i]);
    weft_free(program->builds);
    weft_free(program->builtins);
    weft_free(program->source);
    weft_il_destroy(program->il);
    pthread_mutex_destroy(&program->lock);
}

static void *finish_later(void *argument) {
    cl_program program = argument;
    weft_object *context = program->base.parent;
    finish_rest(program);
    weft_object_release_weak(&program->base);
    weft_object_release(context);
    return NULL;
}

/**
 * Destructors run on the thread that drops the last reference. A thread of a device, which may not
 * run those for another one and must not wait for that one's threads, leaves the rest to a new one.
 */
static void finish_program(weft_object *object) {
    cl_program program = (cl_program)object;
    pthread_t thread;
    bool done = true;
    for (cl_uint i = 0; i < program->build_count && done; i++)
        done = weft_program_start_end(program->builds[i].start, false);
    if (!done) {
        weft_object_retain_weak(object);
        weft_object_retain(object->parent);
        if (weft_thread_create(&thread, 0, finish_later, program) == 0) {
            pthread_detach(thread);
            return;
        }
        weft_object_release_weak(object);
        weft_object_release(object->parent); /* not the last: object.c drops one more */
    }
    finish_rest(program);
}

const weft_class weft_program_class = {"program", CL_INVALID_PROGRAM, finish_program, NULL};

weft_build *weft_program_build(cl_program program, cl_device_id device) {
    for (cl_uint i = 0; i < program->build_count; i++)
        if (program->builds[i].device == device)
            return &program->builds[i];
    return NULL;
}

/* A build for a device is one for its sub-devices too, until they get their own. The lock is
 * held. */
static const weft_build *serving_build(cl_program program, const weft_build *build) {
    const weft_build *from = build;
    cl_device_id device = build->device;
    while (from->status == CL_BUILD_NONE && (device = device->parent)) {
        const weft_build *other = weft_program_build(program, device);
        from = other ? other : from;
    }
    return from->status == CL_BUILD_NONE ? build : from;
}

cl_program weft_program_create(cl_context context, weft_program_origin origin, cl_uint device_count,
                               const cl_device_id *devices) {
    cl_program program = weft_calloc(1, sizeof(*program));
    weft_build *builds = weft_calloc(device_count, sizeof(*builds));
    if (!program || !builds) {
        weft_free(program);
        weft_free(builds);
        return NULL;
    }
    program->context = context;
    program->origin = origin;
    program->builds = builds;
    for (cl_uint i = 0; i < device_count; i++)
        if (!weft_program_build(program, devices[i]))
            builds[program->build_count++] =
                (weft_build){.device = devices[i], .status = CL_BUILD_NONE};
    pthread_mutex_init(&program->lock, NULL);
    weft_object_init(&program->base, &weft_program_class, &context->base);
    return program;
}

/* ---- from source ----------------------------------------------------------------------------- */

static size_t string_length(const char *const *strings, const size_t *lengths, cl_uint i) {
    /* "If an element in lengths is zero, its accompanying string is null-terminated." */
    if (!lengths || lengths[i] == 0)
        return strlen(strings[i]);
    /* "The concatenation strips any nulls in the original source strings": the common case, a
     * length that counts the terminator, costs nothing here; inner nulls are dropped in join. */
    return lengths[i];
}

static cl_int check_clCreateProgramWithSource(cl_context context, cl_uint count,
                                              const char *const *strings) {
    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context, count > 0, CL_INVALID_VALUE, "if count is zero");
    WEFT_CHECK(context, strings, CL_INVALID_VALUE, "if strings is NULL");
    for (cl_uint i = 0; i < count; i++)
        WEFT_CHECK(context, strings[i], CL_INVALID_VALUE, "if any entry in strings is NULL");
    return CL_SUCCESS;
}

/** The concatenated source, NUL-terminated; NULL: out of memory. */
static char *join(cl_uint count, const char *const *strings, const size_t *lengths, size_t *bytes) {
    size_t room = 1;
    for (cl_uint i = 0; i < count; i++)
        if (__builtin_add_overflow(room, string_length(strings, lengths, i), &room))
            return NULL;
    char *text = weft_malloc(room), *to = text;
    for (cl_uint i = 0; text && i < count; i++) {
        const char *from = strings[i], *end = from + string_length(strings, lengths, i);
        while (from < end) {
            const char *null = memchr(from, 0, (size_t)(end - from));
            size_t part = (size_t)((null ? null : end) - from);
            memcpy(to, from, part);
            to += part;
            from += part + (null != NULL);
        }
    }
    if (text) {
        *to = 0;
        *bytes = (size_t)(to - text);
    }
    return text;
}

void weft_source_job(cl_program program, cl_device_id device, const char *options,
                     weft_job_kind kind, weft_job_input *inputs, weft_spec_constant *constants,
                     weft_job *job) {
    size_t count = 1;
    inputs[0] = (weft_job_input){
        .kind = WEFT_INPUT_SOURCE, .data = program->source, .bytes = program->source_bytes};
    if (program->il) {
        inputs[0] = (weft_job_input){
            .kind = WEFT_INPUT_SPIRV, .data = program->il->bytes, .bytes = program->il->size};
        size_t given = 0;
        if (constants) {
            pthread_mutex_lock(&program->lock);
            given = weft_il_given(program->il, constants);
            pthread_mutex_unlock(&program->lock);
        }
        if (given)
            inputs[count++] = (weft_job_input){.kind = WEFT_INPUT_SPEC_CONSTANTS,
                                               .data = constants,
                                               .bytes = given * sizeof(*constants)};
    }
    *job = (weft_job){.kind = kind,
                      .options = options,
                      .isa = device->caps->isa,
                      .extensions = WEFT_JOB_EXTENSIONS,
                      .inputs = inputs,
                      .input_count = count,
                      .switches = device->platform->switches,
                      .untrusted = !program->il && program->context->untrusted_source};
}

void weft_program_prepare(cl_program program) {
    weft_compiler *compiler = weft_platform_compiler(program->context->platform);
    weft_job_input inputs[WEFT_SOURCE_INPUTS];
    weft_job job;
    if (!compiler)
        return; /* the build will say so */
    weft_source_job(program, program->builds[0].device, NULL, WEFT_JOB_BUILD, inputs, NULL, &job);
    if (!weft_compiler_has(compiler, &job))
        weft_compiler_prepare(compiler);
}

cl_program weft_clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                          const size_t *lengths, cl_int *errcode_ret) {
    cl_program program = NULL;
    cl_int status = check_clCreateProgramWithSource(context, count, strings);
    if (status == CL_SUCCESS) {
        size_t bytes = 0;
        char *source = join(count, strings, lengths, &bytes);
        if (source)
            program = weft_program_create(context, WEFT_PROGRAM_SOURCE, context->device_count,
                                          context->devices);
        if (program) {
            program->source = source;
            program->source_bytes = bytes;
            weft_program_prepare(program);
        } else {
            weft_free(source);
            status = CL_OUT_OF_HOST_MEMORY;
        }
    }
    if (errcode_ret)
        *errcode_ret = status;
    return program;
}

/* ---- from binaries --------------------------------------------------------------------------- */

cl_int weft_check_device_list(const char *function, cl_context context, cl_uint num_devices,
                              const cl_device_id *devices) {
    if (!weft_is_context(context))
        return weft_fail(NULL, function, CL_INVALID_CONTEXT, "if context is not a valid context");
    if (!devices || !num_devices)
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if device_list is NULL or num_devices is zero");
    for (cl_uint i = 0; i < num_devices; i++)
        if (!weft_is_device(devices[i]) || weft_context_slot(context, devices[i]) < 0)
            return weft_fail(context, function, CL_INVALID_DEVICE,
                             "if OpenCL devices listed in device_list are not in the list of "
                             "devices associated with context");
    return CL_SUCCESS;
}

static cl_int check_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                              const cl_device_id *devices, const size_t *lengths,
                                              const unsigned char *const *binaries,
                                              cl_int *binary_status) {
    WEFT_TRY(weft_check_device_list(__func__, context, num_devices, devices));
    WEFT_CHECK(context, lengths && binaries, CL_INVALID_VALUE, "if lengths or binaries are NULL");
    bool complete = true;
    for (cl_uint i = 0; i < num_devices; i++) {
        bool given = lengths[i] && binaries[i];
        complete = complete && given;
        if (binary_status)
            binary_status[i] = given ? CL_SUCCESS : CL_INVALID_VALUE;
    }
    WEFT_CHECK(context, complete, CL_INVALID_VALUE,
               "if any entry in lengths[i] is zero or binaries[i] is NULL");
    return CL_SUCCESS;
}

/** The first error; binary_status tells all. */
static cl_int load_binaries(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                            const size_t *lengths, const unsigned char **binaries,
                            cl_int *binary_status) {
    cl_int result = CL_SUCCESS;
    for (cl_uint i = 0; i < num_devices; i++) {
        const char *reason = NULL;
        weft_build *build = weft_program_build(program, devices[i]);
        weft_build_clear(build); /* a device that is listed twice: the last binary counts */
        cl_int status = weft_binary_read(build, binaries[i], lengths[i], &reason);
        if (status == CL_INVALID_BINARY)
            weft_fail(program->context, "clCreateProgramWithBinary", status,
                      reason ? reason : "if an invalid program binary was encountered");
        if (binary_status)
            binary_status[i] = status;
        if (result == CL_SUCCESS)
            result = status;
    }
    return result;
}

cl_program weft_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                          const cl_device_id *device_list, const size_t *lengths,
                                          const unsigned char **binaries, cl_int *binary_status,
                                          cl_int *errcode_ret) {
    cl_program program = NULL;
    cl_int status = check_clCreateProgramWithBinary(context, num_devices, device_list, lengths,
                                                    binaries, binary_status);
    if (status == CL_SUCCESS) {
        program = weft_program_create(context, WEFT_PROGRAM_BINARY, num_devices, device_list);
        status = program ? load_binaries(program, num_devices, device_list, lengths, binaries,
                                         binary_status)
                         : CL_OUT_OF_HOST_MEMORY;
        if (status != CL_SUCCESS)
            weft_release(&program);
    }
    if (errcode_ret)
        *errcode_ret = status;
    return program;
}

/* ---- retain, release ------------------------------------------------------------------------- */

cl_int weft_clRetainProgram(cl_program program) {
    WEFT_CHECK_PROGRAM(program);
    return weft_object_app_retain(&program->base);
}

cl_int weft_clReleaseProgram(cl_program program) {
    WEFT_CHECK_PROGRAM(program);
    return weft_object_app_release(&program->base);
}

cl_int weft_clSetProgramReleaseCallback(cl_program program,
                                        void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                        void *user_data) {
    WEFT_CHECK_PROGRAM(program);
    WEFT_CHECK(program->context, pfn_notify, CL_INVALID_VALUE, "if pfn_notify is NULL");
    WEFT_CHECK(
        program->context, weft_program_start_is_supported(program->builds[0].device),
        CL_INVALID_OPERATION,
        "if no devices in the context associated with program support Program Initialization "
        "and Clean-Up Kernels: those of OpenCL 3.0 do not");
    return weft_destructor_push(&program->lock, &program->destructors,
                                (void(CL_CALLBACK *)(void *, void *))(void (*)(void))pfn_notify,
                                user_data)
               ? CL_SUCCESS
               : CL_OUT_OF_HOST_MEMORY;
}

/* ---- information ----------------------------------------------------------------------------- */

static cl_program as_program(const void *object) {
    return (cl_program)(uintptr_t)object;
}

static cl_int get_devices(const void *object, weft_info_out *out) {
    cl_program program = as_program(object);
    for (cl_uint i = 0; i < program->build_count; i++)
        weft_info_put(out, &program->builds[i].device, sizeof(cl_device_id));
    return CL_SUCCESS;
}

static cl_int get_il(const void *object, weft_info_out *out) {
    const weft_il *il = as_program(object)->il;
    if (il)
        weft_info_put(out, il->bytes, il->size);
    return CL_SUCCESS;
}

/* The getters below run under the program's lock. */

static cl_int get_binary_sizes(const void *object, weft_info_out *out) {
    cl_program program = as_program(object);
    for (cl_uint i = 0; i < program->build_count; i++) {
        size_t size = weft_binary_size(&program->builds[i]);
        weft_info_put(out, &size, sizeof(size));
    }
    return CL_SUCCESS;
}

static cl_int get_binaries(const void *object, weft_info_out *out) {
    cl_program program = as_program(object);
    size_t bytes = program->build_count * sizeof(unsigned char *);
    /* "param_value points to an array of n pointers allocated by the caller" */
    if (out->value && out->room >= bytes)
        for (cl_uint i = 0; i < program->build_count; i++) {
            unsigned char *to = ((unsigned char **)(void *)out->value)[i];
            if (to && weft_binary_size(&program->builds[i]))
                weft_binary_write(&program->builds[i], to);
        }
    out->bytes = bytes;
    return CL_SUCCESS;
}

/** The first executable, from which kernels are counted. */
static const weft_build *executable(cl_program program) {
    for (cl_uint i = 0; i < program->build_count; i++)
        if (weft_build_is_executable(&program->builds[i]))
            return &program->builds[i];
    return NULL;
}

static cl_int get_kernel_count(const void *object, weft_info_out *out) {
    const weft_build *build = executable(as_program(object));
    if (!build)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    size_t count = weft_build_kernel_count(build);
    weft_info_put(out, &count, sizeof(count));
    return CL_SUCCESS;
}

static cl_int get_kernel_names(const void *object, weft_info_out *out) {
    const weft_build *build = executable(as_program(object));
    if (!build)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    uint32_t count = weft_build_kernel_count(build);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = weft_build_kernel(build, i)->name;
        if (i)
            weft_info_put(out, ";", 1);
        weft_info_put(out, name, strlen(name));
    }
    weft_info_put(out, "", 1);
    return CL_SUCCESS;
}

static cl_int put_presence(const void *object, bool constructors, weft_info_out *out) {
    cl_program program = as_program(object);
    cl_bool present = CL_FALSE;
    for (cl_uint i = 0; i < program->build_count; i++) {
        const weft_build *build = &program->builds[i];
        const weft_image_info *info =
            build->image ? build->device->ops->image_info(build->image) : NULL;
        if (info && (constructors ? info->init_kernel : info->fini_kernel))
            present = CL_TRUE;
    }
    weft_info_put(out, &present, sizeof(present));
    return CL_SUCCESS;
}

static cl_int get_constructors(const void *object, weft_info_out *out) {
    return put_presence(object, true, out);
}

static cl_int get_destructors(const void *object, weft_info_out *out) {
    return put_presence(object, false, out);
}

#define FIELD(param, member) WEFT_INFO_FIELD(param, struct _cl_program, member)

static const weft_info_row program_rows[] = {
    WEFT_INFO_GETTER(CL_PROGRAM_REFERENCE_COUNT, weft_info_references),
    FIELD(CL_PROGRAM_CONTEXT, context),
    FIELD(CL_PROGRAM_NUM_DEVICES, build_count),
    WEFT_INFO_GETTER(CL_PROGRAM_DEVICES, get_devices),
    WEFT_INFO_STRING(CL_PROGRAM_SOURCE, struct _cl_program, source),
    WEFT_INFO_GETTER(CL_PROGRAM_IL, get_il),
    WEFT_INFO_GETTER(CL_PROGRAM_BINARY_SIZES, get_binary_sizes),
    WEFT_INFO_GETTER(CL_PROGRAM_BINARIES, get_binaries),
    WEFT_INFO_GETTER(CL_PROGRAM_NUM_KERNELS, get_kernel_count),
    WEFT_INFO_GETTER(CL_PROGRAM_KERNEL_NAMES, get_kernel_names),
    WEFT_INFO_GETTER(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, get_constructors),
    WEFT_INFO_GETTER(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, get_destructors),
};

cl_int weft_clGetProgramInfo(cl_program program, cl_program_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret) {
    WEFT_CHECK_PROGRAM(program);
    pthread_mutex_lock(&program->lock);
    cl_int status = WEFT_INFO_GET(NULL, program_rows, program, param_name, param_value_size,
                                  param_value, param_value_size_ret);
    pthread_mutex_unlock(&program->lock);
    WEFT_CHECK(program->context, status != CL_INVALID_PROGRAM_EXECUTABLE, status,
               "if a successful program executable has not been built for at least one device in "
               "the list of devices associated with program");
    WEFT_CHECK(program->context, status == CL_SUCCESS, status,
               "if param_name is not valid, or if param_value_size is too small");
    return CL_SUCCESS;
}

static cl_int get_options(const void *object, weft_info_out *out) {
    const weft_build *build = object;
    /* "If build status of program for device is CL_BUILD_NONE, an empty string is returned." */
    weft_info_put_text(out, build->status == CL_BUILD_NONE ? "" : build->options);
    return CL_SUCCESS;
}

static cl_int get_log(const void *object, weft_info_out *out) {
    const weft_build *build = object;
    weft_info_put_text(out, build->log ? (const char *)build->log->data : "");
    return CL_SUCCESS;
}

static cl_int get_variable_bytes(const void *object, weft_info_out *out) {
    const weft_build *build = object;
    size_t bytes = 0;
    if (build->image)
        bytes = build->device->ops->image_info(build->image)->data_bytes;
    weft_info_put(out, &bytes, sizeof(bytes));
    return CL_SUCCESS;
}

static const weft_info_row build_rows[] = {
    WEFT_INFO_FIELD(CL_PROGRAM_BUILD_STATUS, weft_build, status),
    WEFT_INFO_GETTER(CL_PROGRAM_BUILD_OPTIONS, get_options),
    WEFT_INFO_GETTER(CL_PROGRAM_BUILD_LOG, get_log),
    WEFT_INFO_FIELD(CL_PROGRAM_BINARY_TYPE, weft_build, type),
    WEFT_INFO_GETTER(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, get_variable_bytes),
};

cl_int weft_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                  cl_program_build_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret) {
    WEFT_CHECK_PROGRAM(program);
    weft_build *build = weft_is_device(device) ? weft_program_build(program, device) : NULL;
    WEFT_CHECK(program->context, build, CL_INVALID_DEVICE,
               "if device is not in the list of devices associated with program");
    pthread_mutex_lock(&program->lock);
    cl_int status = WEFT_INFO_GET(NULL, build_rows, serving_build(program, build), param_name,
                                  param_value_size, param_value, param_value_size_ret);
    pthread_mutex_unlock(&program->lock);
    WEFT_CHECK(program->context, status == CL_SUCCESS, status,
               "if param_name is not valid, or if param_value_size is too small");
    return CL_SUCCESS;
}
