// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/program_start.h"

#include "runtime/log.h"
#include "runtime/platform.h"

#include "weft/futex.h"

enum { NOT_STARTED, STARTING, STARTED, ENDED };

struct weft_program_start {
    cl_device_id device;
    const weft_kernel_code *constructors, *destructors; /* NULL: none */
    void *data;
    cl_int status;          /* of the constructors, when STARTED */
    _Atomic uint32_t state; /* a futex */
    _Atomic uint32_t ended; /* a futex: the work below has ended */
    cl_int work_status;
    weft_work work;
    _Alignas(WEFT_BLOCK_ALIGN) unsigned char no_arguments[WEFT_BLOCK_ALIGN];
};

bool weft_program_start_is_supported(cl_device_id device) {
    return device->platform->version < CL_MAKE_VERSION(3, 0, 0);
}

const char *weft_program_start_refusal(const weft_build *build) {
    const weft_image_info *info = build->device->ops->image_info(build->image);

    if (weft_program_start_is_supported(build->device) ||
        (!info->init_kernel && !info->fini_kernel))
        return NULL;
    return "the program has constructors or destructors of program-scope variables, or kernels "
           "that "
           "are to run at its begin or end: devices of OpenCL 3.0 run none";
}

bool weft_program_start_make(weft_build *build) {
    const weft_device_ops *ops = build->device->ops;
    const weft_image_info *info = ops->image_info(build->image);
    weft_program_start *start;

    if (build->start || (!info->init_kernel && !info->fini_kernel))
        return true;
    start = weft_aligned_alloc(_Alignof(weft_program_start), sizeof(*start));
    if (!start)
        return false;
    memset(start, 0, sizeof(*start));
    start->device = build->device;
    start->data = build->data;
    if (info->init_kernel)
        start->constructors = ops->image_kernel(build->image, info->init_kernel - 1);
    if (info->fini_kernel)
        start->destructors = ops->image_kernel(build->image, info->fini_kernel - 1);
    build->start = start;
    return true;
}

/* ---- running one of them --------------------------------------------------------------------- */

static void on_begin(weft_work *work) {
    (void)work;
}

static void on_done(weft_work *work, int32_t status, weft_runner *runner) {
    weft_program_start *start =
        (weft_program_start *)((char *)work - offsetof(weft_program_start, work));

    (void)runner;
    start->work_status = status;
    atomic_store(&start->ended, 1); /* from here on `start` may be gone: the address is all */
    weft_futex_wake(&start->ended, INT32_MAX);
}

static void prepare(weft_program_start *start, const weft_kernel_code *code) {
    weft_launch *launch = &start->work.kernel.launch;

    memset(&start->work, 0, sizeof(start->work));
    atomic_store(&start->ended, 0);
    start->work.kind = WEFT_WORK_KERNEL;
    start->work.begin = on_begin;
    start->work.done = on_done;
    start->work.kernel.code = code;
    launch->abi_version = WEFT_ABI_VERSION;
    launch->work_dim = 1;
    launch->args = start->no_arguments;
    for (int i = 0; i < 3; i++)
        launch->global_size[i] = launch->local_size[i] = launch->num_groups[i] = 1;
    launch->local_bytes = code->info->local_bytes;
    launch->program_data = start->data;
    launch->sub_group_size = code->info->sub_group_size;
    launch->max_sub_groups = 1;
}

/** On this thread if that may be, else on the device's. False: it may not, and `wait` is not
 *  set. */
static bool run(weft_program_start *start, const weft_kernel_code *code, bool wait) {
    const weft_device_ops *ops = start->device->ops;

    prepare(start, code);
    if (!ops->run(start->device->device, &start->work, NULL)) {
        if (!wait)
            return false;
        ops->submit(start->device->device, &start->work, NULL);
    }
    while (!atomic_load(&start->ended))
        weft_futex_wait(&start->ended, 0);
    weft_log(WEFT_LOG_KERNEL, "%s: status %d", code->name, (int)start->work_status);
    return true;
}

/* ---- once ------------------------------------------------------------------------------------ */

cl_int weft_program_start_run(weft_program_start *start) {
    uint32_t state = atomic_load_explicit(&start->state, memory_order_acquire);

    if (state == NOT_STARTED && atomic_compare_exchange_strong(&start->state, &state, STARTING)) {
        if (start->constructors) {
            run(start, start->constructors, true);
            start->status = start->work_status < 0 ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
        }
        atomic_store_explicit(&start->state, STARTED, memory_order_release);
        weft_futex_wake(&start->state, INT32_MAX);
        return start->status;
    }
    while ((state = atomic_load_explicit(&start->state, memory_order_acquire)) == STARTING)
        weft_futex_wait(&start->state, STARTING);
    return start->status;
}

bool weft_program_start_end(weft_program_start *start, bool wait) {
    if (!start || atomic_load(&start->state) != STARTED)
        return true;
    if (start->destructors && start->status == CL_SUCCESS && !run(start, start->destructors, wait))
        return false;
    atomic_store(&start->state, ENDED);
    return true;
}

void weft_program_start_free(weft_build *build) {
    weft_free(build->start);
    build->start = NULL;
}
