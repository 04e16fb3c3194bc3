// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reference.h"

#include <stdlib.h>
#include <ucontext.h>

enum { MAX_ITEMS = 256, STACK_BYTES = 128 * 1024 };

typedef struct fiber {
    ucontext_t context;
    char *stack;
    uint64_t id[3], linear;
    int ended;
} fiber;

static fiber fibers[MAX_ITEMS];
static fiber *current;
static ucontext_t scheduler;

static const reference_launch *launch;
static uint64_t group_id[3], group_size[3];
static reference_kernel *kernel;
static struct {
    int *out;
    const int *in;
    int *scratch;
    int n;
} arguments;

/* ---- what kernels call, under the names that Clang gives to OpenCL C's functions ------------- */

#define QUERY(name, mangled, inside, outside)                                                      \
    uint64_t name(uint32_t d) __asm__(mangled);                                                    \
    uint64_t name(uint32_t d) {                                                                    \
        return d < 3 ? (inside) : (outside);                                                       \
    }

QUERY(local_id, "_Z12get_local_idj", current->id[d], 0)
QUERY(group_id_of, "_Z12get_group_idj", group_id[d], 0)
QUERY(local_size, "_Z14get_local_sizej", group_size[d], 1)
QUERY(enqueued_size, "_Z23get_enqueued_local_sizej", launch->local_size[d], 1)
QUERY(global_size, "_Z15get_global_sizej", launch->global_size[d], 1)
QUERY(global_offset, "_Z17get_global_offsetj", launch->global_offset[d], 0)
QUERY(num_groups, "_Z14get_num_groupsj",
      (launch->global_size[d] + launch->local_size[d] - 1) / launch->local_size[d], 1)
QUERY(global_id, "_Z13get_global_idj",
      launch->global_offset[d] + group_id[d] * launch->local_size[d] + current->id[d], 0)

uint32_t work_dim(void) __asm__("_Z12get_work_dimv");
uint32_t work_dim(void) {
    return launch->work_dim;
}

uint64_t local_linear_id(void) __asm__("_Z19get_local_linear_idv");
uint64_t local_linear_id(void) {
    return (current->id[2] * group_size[1] + current->id[1]) * group_size[0] + current->id[0];
}

uint64_t global_linear_id(void) __asm__("_Z20get_global_linear_idv");
uint64_t global_linear_id(void) {
    uint64_t id[3];
    for (uint32_t d = 0; d < 3; d++)
        id[d] = global_id(d) - launch->global_offset[d];
    return (id[2] * launch->global_size[1] + id[1]) * launch->global_size[0] + id[0];
}

void barrier(uint32_t flags) __asm__("_Z7barrierj");
void barrier(uint32_t flags) {
    (void)flags;
    swapcontext(&current->context, &scheduler);
}

/* ---- items, groups --------------------------------------------------------------------------- */

static void run_item(void) {
    kernel(arguments.out, arguments.in, arguments.scratch, arguments.n);
    current->ended = 1;
    swapcontext(&current->context, &scheduler);
}

static void start_item(uint64_t linear) {
    fiber *item = &fibers[linear];
    if (!item->stack && !(item->stack = malloc(STACK_BYTES)))
        abort();
    item->linear = linear;
    item->id[0] = linear % group_size[0];
    item->id[1] = linear / group_size[0] % group_size[1];
    item->id[2] = linear / group_size[0] / group_size[1];
    item->ended = 0;
    getcontext(&item->context);
    item->context.uc_stack.ss_sp = item->stack;
    item->context.uc_stack.ss_size = STACK_BYTES;
    item->context.uc_link = NULL;
    makecontext(&item->context, run_item, 0);
}

static void run_group(void) {
    uint64_t items = group_size[0] * group_size[1] * group_size[2];
    if (items > MAX_ITEMS)
        abort();
    for (uint64_t i = 0; i < items; i++)
        start_item(i);
    for (int alive = 1; alive;) {
        alive = 0;
        for (uint64_t i = 0; i < items; i++)
            if (!fibers[i].ended) {
                alive = 1;
                current = &fibers[i];
                swapcontext(&scheduler, &current->context);
            }
    }
}

void reference_run(reference_kernel *function, const reference_launch *what, int *out,
                   const int *in, int *scratch, int n) {
    kernel = function;
    launch = what;
    arguments.out = out;
    arguments.in = in;
    arguments.scratch = scratch;
    arguments.n = n;
    for (group_id[2] = 0; group_id[2] < num_groups(2); group_id[2]++)
        for (group_id[1] = 0; group_id[1] < num_groups(1); group_id[1]++)
            for (group_id[0] = 0; group_id[0] < num_groups(0); group_id[0]++) {
                for (unsigned d = 0; d < 3; d++) {
                    uint64_t rest = what->global_size[d] - group_id[d] * what->local_size[d];
                    group_size[d] = rest < what->local_size[d] ? rest : what->local_size[d];
                }
                run_group();
            }
}
