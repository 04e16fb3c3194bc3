// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** A device of its own and commands for it: C functions as kernels, waiting by looking. */
#ifndef WEFT_TEST_WORK_H
#define WEFT_TEST_WORK_H

#include "harness.h"
#include "weft/device.h"
#include "weft/shim.h"

#include <CL/cl.h>
#include <stdatomic.h>
#include <time.h>

typedef struct command {
    weft_work work;
    weft_kernel_info info;
    weft_kernel_code code;
    weft_transfer transfer;
    weft_device *device;
    struct command *then; /* submitted by done */
    _Atomic int begun, done;
    int32_t status;
} command;

static const weft_device_ops *ops;

static void on_begin(weft_work *work) {
    atomic_fetch_add(&((command *)work)->begun, 1);
}

static void on_done(weft_work *work, int32_t status, weft_runner *runner) {
    command *c = (command *)work, *then = c->then;
    weft_device *device = c->device;

    c->status = status;
    atomic_fetch_add(&c->done, 1); /* c may be gone now */
    if (then)
        ops->submit(device, &then->work, runner);
}

static inline void wait_done(command *c) {
    struct timespec moment = {0, 50000};

    for (int i = 0; i < 400000 && !atomic_load(&c->done); i++)
        nanosleep(&moment, NULL);
    CHECK_EQ(atomic_load(&c->done), 1);
    CHECK_EQ(atomic_load(&c->begun), 1);
}

static inline void make_kernel(command *c, weft_device *device, weft_entry_fn *entry, void *args,
                               uint64_t groups, uint64_t items) {
    weft_launch *launch = &c->work.kernel.launch;

    memset(c, 0, sizeof(*c));
    c->device = device;
    c->info.width = 1;
    c->code.info = &c->info;
    c->code.entry[WEFT_SHAPE_ROWS] = entry;
    c->work.kind = WEFT_WORK_KERNEL;
    c->work.kernel.code = &c->code;
    launch->abi_version = WEFT_ABI_VERSION;
    launch->work_dim = 1;
    launch->args = args;
    for (int i = 0; i < 3; i++)
        launch->global_size[i] = launch->local_size[i] = launch->num_groups[i] = 1;
    launch->global_size[0] = groups * items;
    launch->local_size[0] = items;
    launch->num_groups[0] = groups;
    c->work.begin = on_begin;
    c->work.done = on_done;
}

static inline weft_device *make_device(uint32_t threads, uint32_t chunk, uint32_t shuffle) {
    weft_cpu_settings settings = {
        .threads = threads, .chunk_groups = chunk, .shuffle_seed = shuffle};
    weft_device *device;

    ops = weft_cpu_ops();
    device = weft_cpu_create(&settings);
    CHECK(device != NULL);
    return device;
}

#endif
