// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch.h"

#include "cpu.h"
#include "fpenv.h"
#include "scheduler.h"

#include <CL/cl.h>

/* A launch that takes less in all is one chunk: waking a thread takes about as long. */
enum { TINY_NS = 8000 };
/* Chunks are about this long, if there are enough of them for all threads. */
enum { CHUNK_MIN_NS = 4000, CHUNK_MAX_NS = 1000 * 1000 };
enum { CHUNKS_PER_THREAD = 8, CHUNKS_PER_THREAD_UNKNOWN = 4 };

/* ---- cost --------------------------------------------------------------------------------------
 */

static weft_cost *cost_of(weft_pool *pool, const weft_work *work) {
    uintptr_t kernel = (uintptr_t)work->kernel.code;

    return &pool->costs[(kernel >> 4 ^ kernel >> 12) % WEFT_COSTS];
}

static uint64_t group_items(const weft_launch *launch) {
    return launch->local_size[0] * launch->local_size[1] * launch->local_size[2];
}

static uint64_t count_groups(const weft_launch *launch) {
    return launch->num_groups[0] * launch->num_groups[1] * launch->num_groups[2];
}

/* Nanoseconds that one group is expected to take, 0: unknown. At most about 10^12. */
static double group_ns(weft_pool *pool, const weft_work *work) {
    const weft_cost *cost = cost_of(pool, work);

    if (atomic_load_explicit(&cost->kernel, memory_order_relaxed) !=
        (uintptr_t)work->kernel.code)
        return 0;
    return (double)atomic_load_explicit(&cost->picoseconds, memory_order_relaxed) *
           (double)group_items(&work->kernel.launch) / 1000;
}

void weft_launch_measured(weft_pool *pool, const weft_work *work, uint64_t chunks, uint64_t ns) {
    weft_cost *cost = cost_of(pool, work);
    uintptr_t kernel = (uintptr_t)work->kernel.code;
    double items = (double)chunks * (double)work->device.chunk_size *
                   (double)group_items(&work->kernel.launch);
    double picoseconds = (double)ns * 1000 / (items > 0 ? items : 1) + 1;
    uint32_t value = picoseconds < 4e9 ? (uint32_t)picoseconds : UINT32_MAX;
    uint32_t before = atomic_load_explicit(&cost->picoseconds, memory_order_relaxed);

    if (atomic_load_explicit(&cost->kernel, memory_order_relaxed) == kernel && before)
        value = (uint32_t)(((uint64_t)before + value) / 2);
    atomic_store_explicit(&cost->picoseconds, value, memory_order_relaxed);
    atomic_store_explicit(&cost->kernel, kernel, memory_order_relaxed);
}

/* ---- plan --------------------------------------------------------------------------------------
 */

static uint64_t choose_chunk_size(weft_pool *pool, const weft_work *work, uint64_t groups) {
    uint64_t forced = pool->device->settings.chunk_groups;
    uint64_t most = (uint64_t)pool->size * CHUNKS_PER_THREAD_UNKNOWN;
    double each, all, chunk;

    if (forced || groups <= 1)
        return forced ? forced : 1;
    each = group_ns(pool, work);
    if (each == 0)
        return (groups + most - 1) / most;
    all = each * (double)groups;
    if (all <= TINY_NS)
        return groups;
    chunk = all / (pool->size * (double)CHUNKS_PER_THREAD);
    if (chunk < CHUNK_MIN_NS)
        chunk = CHUNK_MIN_NS;
    if (chunk > CHUNK_MAX_NS)
        chunk = CHUNK_MAX_NS;
    return chunk <= each ? 1 : (uint64_t)(chunk / each);
}

uint64_t weft_launch_chunks(weft_pool *pool, const weft_work *work) {
    uint64_t groups = count_groups(&work->kernel.launch);
    uint64_t size = choose_chunk_size(pool, work, groups);

    return groups / size + (groups % size != 0);
}

/*
 * Rows along x unless the rows of a group are too short to fill a vector. A kernel that has only
 * one shape (sub-group functions need lanes with consecutive local ids) gets that.
 */
static weft_entry_fn *choose_entry(const weft_kernel_code *code, const weft_launch *launch) {
    weft_entry_fn *rows = code->entry[WEFT_SHAPE_ROWS];
    weft_entry_fn *linear = code->entry[WEFT_SHAPE_LINEAR];
    uint64_t width = code->info->width, x = launch->local_size[0];
    uint64_t vectors = width ? (x + width - 1) / width : x;

    if (!rows || !linear)
        return rows ? rows : linear;
    return x < group_items(launch) && x * 4 < vectors * width * 3 ? linear : rows;
}

/* Bytes of local and private memory of one group; false: too many to count. */
static bool count_arena(const weft_work *work, uint64_t *bytes) {
    const weft_kernel_info *info = work->kernel.code->info;
    const weft_launch *launch = &work->kernel.launch;
    uint64_t local, items;

    if (__builtin_mul_overflow(group_items(launch), launch->item_bytes, &items) ||
        __builtin_add_overflow(items, info->fixed_bytes, &items) ||
        __builtin_add_overflow(launch->local_bytes, (uint64_t)WEFT_BLOCK_ALIGN - 1, &local))
        return false;
    local -= local % WEFT_BLOCK_ALIGN;
    return !__builtin_add_overflow(items, local, bytes);
}

void weft_launch_plan(weft_pool *pool, weft_work *work) {
    weft_launch *launch = &work->kernel.launch;
    uint64_t groups = count_groups(launch);

    launch->services = &weft_cpu_services;
    launch->command = work;
    work->device.entry = choose_entry(work->kernel.code, launch);
    work->device.units = groups;
    work->device.chunk_size = choose_chunk_size(pool, work, groups);
    work->device.chunks =
        groups / work->device.chunk_size + (groups % work->device.chunk_size != 0);
    work->device.measure = groups > 1 && !pool->device->settings.chunk_groups;
    if (!count_arena(work, &work->device.arena_bytes) ||
        work->device.arena_bytes > pool->arena_cap || !work->device.entry)
        atomic_store_explicit(&work->device.status, CL_OUT_OF_RESOURCES, memory_order_relaxed);
}

/* ---- run ---------------------------------------------------------------------------------------
 */

bool weft_launch_prepare(weft_cpu_runner *runner, weft_work *work) {
    uint64_t local = work->kernel.launch.local_bytes + WEFT_BLOCK_ALIGN - 1;

    if (!work->device.arena_bytes || atomic_load(&work->device.status))
        return true;
    if (!weft_arena_reserve(&runner->arena, work->device.arena_bytes)) {
        atomic_store(&work->device.status, CL_OUT_OF_RESOURCES);
        return false;
    }
    runner->worker.local_memory = runner->arena.base;
    runner->worker.private_memory =
        (unsigned char *)runner->arena.base + (local - local % WEFT_BLOCK_ALIGN);
    return true;
}

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A one-to-one map of 0 .. count - 1 onto itself, for tests that shuffle. */
static uint64_t shuffle(uint64_t at, uint64_t count, uint64_t seed) {
    uint64_t step = seed * 0x9e3779b1u % count;

    if (count < 2)
        return at;
    while (step == 0 || gcd(step, count) != 1)
        step = (step + 1) % count;
    return (uint64_t)(((unsigned __int128)at * step + seed) % count);
}

static void run_shuffled(weft_cpu_runner *runner, weft_work *work, uint64_t first, uint64_t count,
                         uint64_t seed) {
    for (uint64_t i = 0; i < count; i++)
        work->device.entry(&work->kernel.launch, &runner->worker, first + shuffle(i, count, seed),
                           1);
}

void weft_launch_chunk(weft_cpu_runner *runner, weft_work *work, uint64_t chunk) {
    const weft_kernel_info *info = work->kernel.code->info;
    uint64_t seed = runner->pool->device->settings.shuffle_seed;
    uint64_t first, count;
    weft_fpenv host;

    if (seed)
        chunk = shuffle(chunk, work->device.chunks, seed);
    first = chunk * work->device.chunk_size;
    count = work->device.units - first;
    if (count > work->device.chunk_size)
        count = work->device.chunk_size;
    runner->order = first;
    weft_fpenv_enter(&host, info->flags & WEFT_KERNEL_FTZ);
    if (seed)
        run_shuffled(runner, work, first, count, seed);
    else
        work->device.entry(&work->kernel.launch, &runner->worker, first, count);
    weft_fpenv_leave(&host);
}
