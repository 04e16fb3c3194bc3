// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * clBuildProgram, clCompileProgram and clLinkProgram: check, make a task that owns all it needs,
 * then run it (on this thread, or on one of its own if there is a pfn_notify) and commit. No lock
 * is held while the compiler works or a callback runs.
 */

#include "runtime/program.h"

#include "compiler/shared/container.h"
#include "compiler/shared/options.h"
#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/il.h"
#include "runtime/log.h"
#include "runtime/program_start.h"

#include "weft/extensions.h"

#include <stdio.h>

typedef void(CL_CALLBACK build_notify)(cl_program, void *);

/** One build, compile or link. */
typedef struct build_task {
    cl_program program; /* strong */
    weft_compiler *compiler;
    weft_job_kind kind;
    char *options; /* NULL: none */
    build_notify *notify;
    void *user_data;

    cl_uint device_count;
    weft_build *results; /* one per device that is built for */

    cl_uint header_count; /* COMPILE */
    cl_program *headers;  /* strong */
    char **header_names;

    cl_uint object_count; /* LINK: per device so many */
    weft_blob **objects;  /* [device * object_count + i], each held */
} build_task;

static void task_destroy(build_task *task) {
    for (cl_uint i = 0; task->results && i < task->device_count; i++)
        weft_build_clear(&task->results[i]);
    for (cl_uint i = 0; i < task->header_count; i++) {
        if (task->headers)
            weft_release(&task->headers[i]);
        if (task->header_names)
            weft_free(task->header_names[i]);
    }
    for (size_t i = 0; task->objects && i < (size_t)task->device_count * task->object_count; i++)
        weft_blob_release(&task->objects[i]);
    weft_free(task->results);
    weft_free(task->headers);
    weft_free(task->header_names);
    weft_free(task->objects);
    weft_free(task->options);
    weft_release(&task->program);
    weft_free(task);
}

/** Devices are those in the list or, without one, all of the program. NULL: out of memory. */
static build_task *task_create(cl_program program, weft_job_kind kind, cl_uint num_devices,
                               const cl_device_id *devices, const char *options,
                               build_notify *notify, void *user_data) {
    build_task *task = weft_calloc(1, sizeof(*task));
    if (!task)
        return NULL;
    weft_retain(program);
    task->program = program;
    task->compiler = weft_platform_compiler(program->context->platform);
    task->kind = kind;
    task->notify = notify;
    task->user_data = user_data;
    task->results = weft_calloc(devices ? num_devices : program->build_count, sizeof(weft_build));
    if (options)
        task->options = weft_strdup(options);
    if (!task->compiler || !task->results || (options && !task->options)) {
        task_destroy(task);
        return NULL;
    }
    for (cl_uint i = 0; i < program->build_count; i++) {
        bool wanted = !devices;
        for (cl_uint j = 0; j < num_devices; j++)
            wanted = wanted || devices[j] == program->builds[i].device;
        if (wanted)
            task->results[task->device_count++] =
                (weft_build){.device = program->builds[i].device, .status = CL_BUILD_NONE};
    }
    return task;
}

/* ---- running --------------------------------------------------------------------------------- */

/** The status of a link that is part of a build. */
static cl_int as_build_status(cl_int status) {
    if (status == CL_LINK_PROGRAM_FAILURE)
        return CL_BUILD_PROGRAM_FAILURE;
    return status == CL_LINKER_NOT_AVAILABLE ? CL_COMPILER_NOT_AVAILABLE : status;
}

/** Replaces the log by a sentence; without memory for it there is none. */
static void set_log(weft_build *build, const char *text) {
    weft_blob_release(&build->log);
    build->log = weft_blob_create(text, strlen(text));
}

static cl_int failure_of(weft_job_kind kind) {
    return kind == WEFT_JOB_LINK ? CL_LINK_PROGRAM_FAILURE : CL_BUILD_PROGRAM_FAILURE;
}

/** What a job of `kind` made. What was built before, `again`, may still be loaded, or is likely to
 *  be built once more. */
static cl_int load_image(weft_build *build, weft_job_kind kind, bool again) {
    const char *reason = NULL;
    cl_device_id device = build->device;
    weft_kept_images *kept = &device->platform->kept_images;
    cl_int status = CL_SUCCESS;
    again = again && !device->platform->settings.debugger; /* which sees what there is */
    build->image = again ? weft_kept_images_find(kept, device->device, build->code) : NULL;
    if (!build->image) {
        status = device->ops->image_load(device->device, build->code->data, build->code->bytes,
                                         &build->image, &reason);
        if (status == CL_SUCCESS && again)
            weft_kept_images_add(kept, device->ops, device->device, build->code, build->image);
    }
    if (status == CL_INVALID_BINARY) { /* the application gave none: a fault of ours */
        char text[256];
        snprintf(text, sizeof text, "weft: the compiler made an image that cannot be loaded: %s",
                 reason ? reason : "no reason is known");
        set_log(build, text);
        status = failure_of(kind);
    } else if (status != CL_SUCCESS) {
        set_log(build, reason ? reason : "the compiled image cannot be loaded");
    } else if ((reason = weft_program_start_refusal(build))) {
        set_log(build, reason);
        build->device->ops->image_release(build->image);
        build->image = NULL;
        status = failure_of(kind);
    }
    return status;
}

/** Takes over what a job made. */
static cl_int take_result(weft_build *build, weft_job_kind kind, weft_job_result *result) {
    cl_int status = result->status;
    build->log = result->log;
    build->ir = result->ir;
    build->code = result->image;
    result->log = result->ir = result->image = NULL;
    if (status != CL_SUCCESS)
        return status;
    if (kind == WEFT_JOB_COMPILE)
        build->type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    else if (kind == WEFT_JOB_LINK && result->is_library)
        build->type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
    else
        build->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    if (build->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return build->ir ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    return build->code ? load_image(build, kind, result->cached) : CL_OUT_OF_HOST_MEMORY;
}

/** Of all inputs in order: of a program that is built from one source, the source's. */
static void hash_inputs(weft_build *build, const weft_job *job) {
    weft_container_part *pieces = weft_calloc(job->input_count, sizeof(*pieces));
    if (!pieces)
        return; /* 0: unknown */
    for (size_t i = 0; i < job->input_count; i++)
        pieces[i] = (weft_container_part){job->inputs[i].data, job->inputs[i].bytes};
    weft_content_hash(pieces, job->input_count, build->source_hash);
    weft_free(pieces);
}

static cl_int run_job(build_task *task, weft_build *build, const weft_job *job) {
    static const char *const names[] = {"", "compile", "link", "build"};
    static const char *const cached[] = {"", "compile (cached)", "link (cached)", "build (cached)"};
    weft_job_result result = {0};
    weft_trace *trace = task->program->context->platform->trace;
    uint64_t start = weft_trace_begin(trace);
    hash_inputs(build, job);
    weft_compiler_run(task->compiler, job, &result);
    weft_trace_end(trace, WEFT_TRACE_BUILD, result.cached ? cached[job->kind] : names[job->kind],
                   start, 0, (uint64_t)(int64_t)result.status);
    cl_int status = take_result(build, job->kind, &result);
    weft_job_result_finish(&result);
    return status;
}

static cl_int run_link(build_task *task, weft_build *build, weft_blob *const *objects,
                       cl_uint count, const char *options) {
    weft_job_input *inputs = weft_calloc(count, sizeof(*inputs));
    if (!inputs)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count; i++)
        inputs[i] = (weft_job_input){
            .kind = WEFT_INPUT_IR, .data = objects[i]->data, .bytes = objects[i]->bytes};
    weft_job job = {.kind = WEFT_JOB_LINK,
                    .options = options,
                    .isa = build->device->caps->isa,
                    .extensions = WEFT_JOB_EXTENSIONS,
                    .inputs = inputs,
                    .input_count = count,
                    .switches = build->device->platform->switches};
    cl_int status = run_job(task, build, &job);
    weft_free(inputs);
    return status;
}

static cl_int run_source(build_task *task, weft_build *build) {
    const weft_il *il = task->program->il;
    cl_uint headers = il ? 0 : task->header_count; /* "If program was created using IL, ignored" */
    weft_job_input *inputs = weft_calloc(WEFT_SOURCE_INPUTS + (size_t)headers, sizeof(*inputs));
    weft_spec_constant *constants = NULL;
    weft_job job;
    if (il && il->constant_count)
        constants = weft_calloc(il->constant_count, sizeof(*constants));
    if (!inputs || (il && il->constant_count && !constants)) {
        weft_free(inputs);
        weft_free(constants);
        return CL_OUT_OF_HOST_MEMORY;
    }
    weft_source_job(task->program, build->device, task->options, task->kind, inputs, constants,
                    &job);
    for (cl_uint i = 0; i < headers; i++)
        inputs[1 + i] = (weft_job_input){.kind = WEFT_INPUT_HEADER,
                                         .name = task->header_names[i],
                                         .data = task->headers[i]->source,
                                         .bytes = task->headers[i]->source_bytes};
    job.input_count += headers;
    cl_int status = run_job(task, build, &job);
    weft_free(inputs);
    weft_free(constants);
    return status;
}

/** clBuildProgram of a program made from binaries: images that run here are ready, the rest is
 * linked from its IR. */
static cl_int run_binary(build_task *task, weft_build *build) {
    /* busy: nobody else changes the program's builds. */
    weft_build *from = weft_program_build(task->program, build->device);
    if (!from->image) {
        /* The options describe a build from source; what a link must know of them is in the IR. */
        cl_int status = as_build_status(run_link(task, build, &from->ir, 1, NULL));
        memcpy(build->source_hash, from->source_hash, sizeof(build->source_hash));
        return status;
    }
    memcpy(build->source_hash, from->source_hash, sizeof(build->source_hash));
    build->type = from->type;
    build->ir = from->ir ? weft_blob_retain(from->ir) : NULL;
    build->code = weft_blob_retain(from->code);
    build->image = from->image;
    build->device->ops->image_retain(build->image);
    return CL_SUCCESS;
}

/** Devices with the same feature set get the same code: what the first one's job made is shared. */
static bool share(build_task *task, cl_uint index, cl_int *status) {
    weft_build *to = &task->results[index];
    for (cl_uint i = 0; i < index; i++) {
        weft_build *from = &task->results[i];
        bool alike = strcmp(from->device->caps->isa, to->device->caps->isa) == 0 &&
                     from->status == CL_BUILD_SUCCESS &&
                     task->program->origin != WEFT_PROGRAM_BINARY;
        for (cl_uint j = 0; alike && j < task->object_count; j++)
            alike = task->objects[(size_t)i * task->object_count + j] ==
                    task->objects[(size_t)index * task->object_count + j];
        if (!alike)
            continue;
        to->type = from->type;
        memcpy(to->source_hash, from->source_hash, sizeof(to->source_hash));
        to->log = from->log ? weft_blob_retain(from->log) : NULL;
        to->ir = from->ir ? weft_blob_retain(from->ir) : NULL;
        to->code = from->code ? weft_blob_retain(from->code) : NULL;
        *status = to->code ? load_image(to, task->kind, false) : CL_SUCCESS;
        return true;
    }
    return false;
}

static cl_int run_device(build_task *task, cl_uint index) {
    weft_build *build = &task->results[index];
    cl_int status;
    if (share(task, index, &status))
        return status;
    if (task->kind == WEFT_JOB_LINK)
        return run_link(task, build, &task->objects[(size_t)index * task->object_count],
                        task->object_count, task->options);
    if (task->program->origin == WEFT_PROGRAM_BINARY)
        return run_binary(task, build);
    return run_source(task, build);
}

/** Everything but the device, which others read without the lock: it never changes. */
static void take_over(weft_build *build, const weft_build *from) {
    const size_t at = offsetof(weft_build, status);
    memcpy((unsigned char *)build + at, (const unsigned char *)from + at, sizeof(*build) - at);
}

/** Puts a result into the program; the program's lock is held. */
static void commit(build_task *task, weft_build *result) {
    weft_build *build = weft_program_build(task->program, result->device);
    if (result->status == CL_BUILD_ERROR && task->program->origin == WEFT_PROGRAM_BINARY) {
        /* The binary is still there and may be built with other options. */
        weft_blob_release(&build->log);
        build->log = result->log;
        build->status = CL_BUILD_ERROR;
        result->log = NULL;
        return;
    }
    weft_build old = *build;
    take_over(build, result);
    if (!build->options) { /* a binary "will be built as if options were the same" */
        build->options = old.options;
        old.options = NULL;
    }
    *result = old; /* freed with the task */
}

/** Runs, commits, tells, frees the task. The first error of any device. */
static cl_int task_run(build_task *task) {
    cl_int result = CL_SUCCESS;
    bool out_of_memory = false;
    for (cl_uint i = 0; i < task->device_count; i++) {
        weft_build *build = &task->results[i];
        cl_int status = run_device(task, i);
        build->status = status == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
        if (status != CL_SUCCESS)
            build->type = CL_PROGRAM_BINARY_TYPE_NONE;
        if (task->program->origin != WEFT_PROGRAM_BINARY || task->options) {
            build->options = weft_strdup(task->options ? task->options : "");
            out_of_memory = out_of_memory || !build->options;
        }
        if (result == CL_SUCCESS)
            result = status;
        weft_log(WEFT_LOG_BUILD, "program %p, device %u: status %d", (void *)task->program,
                 build->device->index, (int)status);
    }
    if (result == CL_SUCCESS && out_of_memory)
        result = CL_OUT_OF_HOST_MEMORY;

    pthread_mutex_lock(&task->program->lock);
    for (cl_uint i = 0; i < task->device_count; i++)
        commit(task, &task->results[i]);
    task->program->busy = false;
    pthread_mutex_unlock(&task->program->lock);

    if (task->notify) {
        weft_trace *trace = task->program->context->platform->trace;
        uint64_t start = weft_trace_begin(trace);
        task->notify(task->program, task->user_data);
        weft_trace_end(trace, WEFT_TRACE_CALLBACK, "build callback", start, 0, 0);
    }
    task_destroy(task);
    return result;
}

static void *task_thread(void *task) {
    task_run(task);
    return NULL;
}

/** clBuildProgram may return at once if there is a pfn_notify: "can return immediately once the
 *  build operation can begin". Where no thread can be had it runs here. */
static cl_int task_start(build_task *task) {
    pthread_t thread;
    if (!task->notify)
        return task_run(task);
    if (weft_thread_create(&thread, 0, task_thread, task) != 0) {
        task_run(task);
        return CL_SUCCESS; /* the callback and the build status tell the rest */
    }
    pthread_detach(thread);
    return CL_SUCCESS;
}

/* ---- checks that the three share ------------------------------------------------------------- */

static cl_int check_common(cl_context context, cl_uint num_devices, const cl_device_id *devices,
                           build_notify *notify, const void *user_data) {
    WEFT_CHECK(context, !devices == !num_devices, CL_INVALID_VALUE,
               "if device_list is NULL and num_devices is greater than zero, or if device_list is "
               "not NULL and num_devices is zero");
    WEFT_CHECK(context, notify || !user_data, CL_INVALID_VALUE,
               "if pfn_notify is NULL but user_data is not NULL");
    return CL_SUCCESS;
}

static cl_int check_devices_of_program(cl_program program, cl_uint num_devices,
                                       const cl_device_id *devices) {
    for (cl_uint i = 0; i < num_devices; i++)
        WEFT_CHECK(program->context,
                   weft_is_device(devices[i]) && weft_program_build(program, devices[i]),
                   CL_INVALID_DEVICE,
                   "if OpenCL devices listed in device_list are not in the list of devices "
                   "associated with program");
    return CL_SUCCESS;
}

static cl_int check_options(cl_context context, const char *function, weft_options_use use,
                            const char *text) {
    char error[WEFT_OPTIONS_ERROR_BYTES] = "";
    weft_options options = {0};
    cl_int status = weft_options_parse(use, text, &options, error);
    uint32_t standard = options.std;
    weft_options_finish(&options);
    if (status != CL_SUCCESS)
        return weft_fail(context, function, status, error);
    /* "The language version must not be higher than the platform version": OpenCL C 3.0 is there
     * only while WEFT_OPENCL=3.0 has it reported. */
    if (standard == 300 && context->platform->version < CL_MAKE_VERSION(3, 0, 0))
        return weft_fail(context, function,
                         use == WEFT_OPTIONS_COMPILE ? CL_INVALID_COMPILER_OPTIONS
                                                     : CL_INVALID_BUILD_OPTIONS,
                         "option '-cl-std=CL3.0' is not supported: the platform is OpenCL 2.2");
    return CL_SUCCESS;
}

/** Marks the program as being built. */
static cl_int begin(const build_task *task, const char *function) {
    cl_program program = task->program;
    pthread_mutex_lock(&program->lock);
    bool busy = program->busy, has_kernels = atomic_load(&program->kernels) != 0;
    if (!busy && !has_kernels) {
        program->busy = true;
        for (cl_uint i = 0; i < task->device_count; i++)
            weft_program_build(program, task->results[i].device)->status = CL_BUILD_IN_PROGRESS;
    }
    pthread_mutex_unlock(&program->lock);
    if (busy)
        return weft_fail(program->context, function, CL_INVALID_OPERATION,
                         "if the build of a program executable by a previous call for program "
                         "has not completed");
    if (has_kernels)
        return weft_fail(program->context, function, CL_INVALID_OPERATION,
                         "if there are kernel objects attached to program");
    return CL_SUCCESS;
}

/** Begins and starts; consumes the task in any case. */
static cl_int begin_and_start(build_task *task, const char *function) {
    cl_int status = begin(task, function);
    if (status == CL_SUCCESS)
        return task_start(task);
    task_destroy(task);
    return status;
}

/* ---- clBuildProgram -------------------------------------------------------------------------- */

static cl_int check_clBuildProgram(cl_program program, cl_uint num_devices,
                                   const cl_device_id *devices, const char *options,
                                   build_notify *notify, const void *user_data) {
    WEFT_CHECK_PROGRAM(program);
    WEFT_TRY(check_common(program->context, num_devices, devices, notify, user_data));
    WEFT_TRY(check_devices_of_program(program, num_devices, devices));
    WEFT_CHECK(program->context,
               program->origin != WEFT_PROGRAM_LINKED && program->origin != WEFT_PROGRAM_BUILTIN,
               CL_INVALID_OPERATION,
               "if program was not created with clCreateProgramWithSource, "
               "clCreateProgramWithIL or clCreateProgramWithBinary");
    return check_options(program->context, __func__, WEFT_OPTIONS_BUILD, options);
}

cl_int weft_clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                           const char *options, void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                           void *user_data) {
    WEFT_TRY(
        check_clBuildProgram(program, num_devices, device_list, options, pfn_notify, user_data));
    build_task *task = task_create(program, WEFT_JOB_BUILD, num_devices, device_list, options,
                                   pfn_notify, user_data);
    return task ? begin_and_start(task, __func__) : CL_OUT_OF_HOST_MEMORY;
}

/* ---- clCompileProgram ------------------------------------------------------------------------ */

static cl_int check_headers(cl_context context, cl_uint count, const cl_program *headers,
                            const char *const *names) {
    WEFT_CHECK(context, count ? headers && names : !headers && !names, CL_INVALID_VALUE,
               "if num_input_headers is zero and header_include_names or input_headers are not "
               "NULL or if num_input_headers is not zero and header_include_names or "
               "input_headers are NULL");
    for (cl_uint i = 0; i < count; i++) {
        WEFT_CHECK(context, weft_is_program(headers[i]), CL_INVALID_PROGRAM,
                   "if a program in input_headers is not a valid program object");
        WEFT_CHECK(context, headers[i]->source && names[i], CL_INVALID_VALUE,
                   "input_headers is an array of program embedded headers created with "
                   "clCreateProgramWithSource, each with a name");
    }
    return CL_SUCCESS;
}

static cl_int check_clCompileProgram(cl_program program, cl_uint num_devices,
                                     const cl_device_id *devices, const char *options,
                                     build_notify *notify, const void *user_data) {
    WEFT_CHECK_PROGRAM(program);
    WEFT_TRY(check_common(program->context, num_devices, devices, notify, user_data));
    WEFT_TRY(check_devices_of_program(program, num_devices, devices));
    WEFT_CHECK(program->context, program->source || program->il, CL_INVALID_OPERATION,
               "if program has no source or IL available, i.e. it has not been created with "
               "clCreateProgramWithSource or clCreateProgramWithIL");
    return check_options(program->context, __func__, WEFT_OPTIONS_COMPILE, options);
}

/** False: out of memory. */
static bool add_headers(build_task *task, cl_uint count, const cl_program *headers,
                        const char *const *names) {
    if (!count)
        return true;
    task->headers = weft_calloc(count, sizeof(cl_program));
    task->header_names = weft_calloc(count, sizeof(char *));
    if (!task->headers || !task->header_names)
        return false;
    for (cl_uint i = 0; i < count; i++) {
        bool again = false;
        for (cl_uint j = 0; j < task->header_count; j++)
            again = again || strcmp(task->header_names[j], names[i]) == 0;
        if (again)
            continue; /* "the first one encountered will be used" */
        char *name = weft_strdup(names[i]);
        if (!name)
            return false;
        weft_retain(headers[i]);
        task->headers[task->header_count] = headers[i];
        task->header_names[task->header_count++] = name;
    }
    return true;
}

cl_int weft_clCompileProgram(cl_program program, cl_uint num_devices,
                             const cl_device_id *device_list, const char *options,
                             cl_uint num_input_headers, const cl_program *input_headers,
                             const char **header_include_names,
                             void(CL_CALLBACK *pfn_notify)(cl_program, void *), void *user_data) {
    WEFT_TRY(
        check_clCompileProgram(program, num_devices, device_list, options, pfn_notify, user_data));
    WEFT_TRY(
        check_headers(program->context, num_input_headers, input_headers, header_include_names));
    build_task *task = task_create(program, WEFT_JOB_COMPILE, num_devices, device_list, options,
                                   pfn_notify, user_data);
    if (!task)
        return CL_OUT_OF_HOST_MEMORY;
    if (!add_headers(task, num_input_headers, input_headers, header_include_names)) {
        task_destroy(task);
        return CL_OUT_OF_HOST_MEMORY;
    }
    return begin_and_start(task, __func__);
}

/* ---- clLinkProgram --------------------------------------------------------------------------- */

static cl_int check_clLinkProgram(cl_context context, cl_uint num_devices,
                                  const cl_device_id *devices, const char *options, cl_uint count,
                                  const cl_program *programs, build_notify *notify,
                                  const void *user_data) {
    WEFT_CHECK_CONTEXT(context);
    WEFT_TRY(check_common(context, num_devices, devices, notify, user_data));
    WEFT_CHECK(context, count && programs, CL_INVALID_VALUE,
               "if num_input_programs is zero or input_programs is NULL");
    for (cl_uint i = 0; i < count; i++) {
        WEFT_CHECK(context, weft_is_program(programs[i]), CL_INVALID_PROGRAM,
                   "if programs specified in input_programs are not valid program objects");
        WEFT_CHECK(context, programs[i]->context == context, CL_INVALID_PROGRAM,
                   "if programs specified in input_programs are not of the context");
    }
    for (cl_uint i = 0; i < num_devices; i++)
        WEFT_CHECK(context,
                   weft_is_device(devices[i]) && weft_context_slot(context, devices[i]) >= 0,
                   CL_INVALID_DEVICE,
                   "if OpenCL devices listed in device_list are not in the list of devices "
                   "associated with context");
    return check_options(context, __func__, WEFT_OPTIONS_LINK, options);
}

/** The program's compiled object or library for a device, held; NULL: none. */
static weft_blob *take_object(cl_program program, cl_device_id device, bool *busy) {
    weft_blob *object = NULL;
    weft_build *build = weft_program_build(program, device);
    pthread_mutex_lock(&program->lock);
    *busy = *busy || program->busy;
    if (build && (build->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                  build->type == CL_PROGRAM_BINARY_TYPE_LIBRARY))
        object = weft_blob_retain(build->ir);
    pthread_mutex_unlock(&program->lock);
    return object;
}

/**
 * Collects the objects of each device. "None of the programs contain a compiled binary or library
 * for that device. In this case, no link is performed": the device is dropped from the task.
 */
static cl_int add_objects(build_task *task, cl_uint count, const cl_program *programs) {
    cl_context context = task->program->context;
    bool busy = false, mixed = false;
    cl_uint kept = 0, given = task->device_count;
    task->objects = weft_calloc((size_t)given * count, sizeof(weft_blob *));
    if (!task->objects)
        return CL_OUT_OF_HOST_MEMORY;
    task->object_count = count;
    for (cl_uint i = 0; i < given; i++) {
        weft_blob **objects = &task->objects[(size_t)kept * count];
        cl_uint found = 0;
        for (cl_uint j = 0; j < count; j++) {
            objects[j] = take_object(programs[j], task->results[i].device, &busy);
            found += objects[j] != NULL;
        }
        mixed = mixed || (found && found < count);
        if (found)
            task->results[kept++] = task->results[i];
    }
    task->device_count = kept;
    WEFT_CHECK(context, !busy, CL_INVALID_OPERATION,
               "if the compilation or build of a program executable by a previous call to "
               "clCompileProgram or clBuildProgram for program has not completed");
    WEFT_CHECK(context, kept && !mixed, CL_INVALID_OPERATION,
               "if the rules for devices containing compiled binaries or libraries as described "
               "in input_programs are not followed");
    return CL_SUCCESS;
}

cl_program weft_clLinkProgram(cl_context context, cl_uint num_devices,
                              const cl_device_id *device_list, const char *options,
                              cl_uint num_input_programs, const cl_program *input_programs,
                              void(CL_CALLBACK *pfn_notify)(cl_program, void *), void *user_data,
                              cl_int *errcode_ret) {
    cl_program program = NULL;
    build_task *task = NULL;
    cl_int status = check_clLinkProgram(context, num_devices, device_list, options,
                                        num_input_programs, input_programs, pfn_notify, user_data);
    if (status == CL_SUCCESS) {
        program = weft_program_create(context, WEFT_PROGRAM_LINKED,
                                      device_list ? num_devices : context->device_count,
                                      device_list ? device_list : context->devices);
        if (program)
            task = task_create(program, WEFT_JOB_LINK, 0, NULL, options, pfn_notify, user_data);
        status =
            task ? add_objects(task, num_input_programs, input_programs) : CL_OUT_OF_HOST_MEMORY;
        if (status == CL_SUCCESS) {
            /* "clLinkProgram returns a valid non-zero program object" also when the link fails. */
            status = begin_and_start(task, __func__);
        } else {
            if (task)
                task_destroy(task);
            weft_release(&program);
        }
    }
    if (errcode_ret)
        *errcode_ret = status;
    return program;
}
