// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch.h"

#include "child.h"
#include "clock.h"
#include "cpu.h"
#include "enter.h"
#include "fpenv.h"
#include "scheduler.h"

#include <CL/cl.h>

/* A launch that takes less in all is one chunk: waking a thread takes about as long. */
enum { TINY_NS = 8000 };
/* A launch planned as one chunk shows after 1/16 of its groups whether it takes far longer. */
enum { PROBE_PART = 16, PROBE_NS = 8 * TINY_NS };
/* From here on it pays to wake threads from another CPU (herald.h). */
enum { LONG_NS = 250 * 1000 };
/* A launch of a kernel that has not been measured yet is taken to be tiny if it has no more items
 * than one group mostly has: to start a thread takes longer than most such launches, and the probe
 * finds the others. More would be kept from running beside the host by a wrong guess. */
enum { UNKNOWN_ITEMS = 256 };
/* Chunks are about this long, if there are enough of them for all threads. */
enum { CHUNK_MIN_NS = 4000, CHUNK_MAX_NS = 1000 * 1000 };
#define PS_PER_NS UINT64_C(1000)
enum { CHUNKS_PER_THREAD = 8, CHUNKS_PER_THREAD_UNKNOWN = 4 };

/* ---- cost ------------------------------------------------------------------------------------ */

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

/* Of launches of one group only every 16th is measured: two clock readings would cost a tenth. */
enum { MEASURE_EVERY = 16 };
/* Within a sixteenth a measurement says nothing new. */
enum { MEASURE_CLOSE = 16 };
/* What a measurement itself and a launch's own work take. */
enum { OVERHEAD_NS = 60 };

static bool worth_measuring(weft_pool *pool, const weft_work *work, uint64_t groups) {
    weft_cost *cost = cost_of(pool, work);

    if (pool->device->settings.chunk_groups)
        return false;
    return groups > 1 ||
           atomic_load_explicit(&cost->kernel, memory_order_relaxed) !=
               (uintptr_t)work->kernel.code ||
           atomic_fetch_add_explicit(&cost->turn, 1, memory_order_relaxed) % MEASURE_EVERY == 0;
}

/* Picoseconds that one item is expected to take, 0: unknown. Here and below integers only: this
 * runs on threads of the application, which may have floating-point exceptions unmasked. */
static uint64_t item_ps(weft_pool *pool, const weft_work *work) {
    const weft_cost *cost = cost_of(pool, work);

    if (atomic_load_explicit(&cost->kernel, memory_order_relaxed) != (uintptr_t)work->kernel.code)
        return 0;
    return atomic_load_explicit(&cost->picoseconds, memory_order_relaxed);
}

static uint64_t group_ps(weft_pool *pool, const weft_work *work) {
    return item_ps(pool, work) * group_items(&work->kernel.launch);
}

void weft_launch_measured(weft_pool *pool, const weft_work *work, uint64_t chunks, uint64_t ns) {
    weft_cost *cost = cost_of(pool, work);
    uintptr_t kernel = (uintptr_t)work->kernel.code;
    unsigned __int128 items =
        (unsigned __int128)chunks * work->device.chunk_size * group_items(&work->kernel.launch);
    uint64_t own = ns > OVERHEAD_NS ? ns - OVERHEAD_NS : 0;
    unsigned __int128 picoseconds = (unsigned __int128)own * PS_PER_NS / (items ? items : 1) + 1;
    uint32_t value = picoseconds < UINT32_MAX ? (uint32_t)picoseconds : UINT32_MAX;
    uint32_t before = atomic_load_explicit(&cost->picoseconds, memory_order_relaxed);

    if (atomic_load_explicit(&cost->kernel, memory_order_relaxed) == kernel && before) {
        value = (uint32_t)(((uint64_t)before + value) / 2);
        /* What is known well enough is left alone: many threads would take the line from each
         * other. */
        if ((value < before ? before - value : value - before) <= before / MEASURE_CLOSE)
            return;
    }
    atomic_store_explicit(&cost->picoseconds, value, memory_order_relaxed);
    atomic_store_explicit(&cost->kernel, kernel, memory_order_relaxed);
}

/* ---- plan ------------------------------------------------------------------------------------ */

/* Groups of a chunk, if each group takes so many picoseconds. */
static uint64_t share(const weft_pool *pool, uint64_t each, uint64_t groups) {
    unsigned __int128 all = (unsigned __int128)each * groups;
    unsigned __int128 chunk = all / ((uint64_t)pool->size * CHUNKS_PER_THREAD);

    if (chunk < CHUNK_MIN_NS * PS_PER_NS)
        chunk = CHUNK_MIN_NS * PS_PER_NS;
    if (chunk > CHUNK_MAX_NS * PS_PER_NS)
        chunk = CHUNK_MAX_NS * PS_PER_NS;
    return chunk <= each ? 1 : (uint64_t)(chunk / each);
}

static uint64_t choose_chunk_size(weft_pool *pool, const weft_work *work, uint64_t groups) {
    uint64_t forced = pool->device->settings.chunk_groups;
    uint64_t most = (uint64_t)pool->size * CHUNKS_PER_THREAD_UNKNOWN;
    uint64_t each;

    if (forced || groups <= 1)
        return forced ? forced : 1;
    each = group_ps(pool, work);
    if (each == 0)
        return group_items(&work->kernel.launch) <= UNKNOWN_ITEMS / groups
                   ? groups
                   : (groups + most - 1) / most;
    if ((unsigned __int128)each * groups <= TINY_NS * PS_PER_NS)
        return groups;
    return share(pool, each, groups);
}

/* Whether it is shared, and known to take long or not known. */
static bool takes_long(weft_pool *pool, const weft_work *work, uint64_t groups) {
    uint64_t each;

    if (work->device.chunks == 1 || pool->device->settings.chunk_groups) /* nothing is measured */
        return false;
    each = group_ps(pool, work);
    return !each || (unsigned __int128)each * groups >= LONG_NS * PS_PER_NS;
}

bool weft_launch_is_small(weft_pool *pool, const weft_work *work) {
    uint64_t groups = count_groups(&work->kernel.launch);

    return choose_chunk_size(pool, work, groups) >= groups &&
           (unsigned __int128)group_ps(pool, work) * groups <= TINY_NS * PS_PER_NS;
}

/* A vector of a row along x is a vector of consecutive linear ids: in groups of one row, or where
 * vectors fill all rows, also those of the last groups. */
static bool rows_are_linear(uint64_t width, const weft_launch *launch) {
    bool one_row = launch->local_size[1] == 1 && launch->local_size[2] == 1;

    return one_row || (launch->local_size[0] % width == 0 && launch->global_size[0] % width == 0);
}

/* Runs of a group: a kernel that is wide takes so many items at once, of a row along x or of all.
 */
static uint64_t count_runs(const weft_kernel_info *info, const weft_launch *launch,
                           unsigned shape) {
    uint64_t width = info->body[shape].width ? info->body[shape].width : 1;
    bool along = shape == WEFT_SHAPE_TURNED; /* the dimension of its vectors */

    if (shape == WEFT_SHAPE_LINEAR)
        return (group_items(launch) + width - 1) / width;
    return (launch->local_size[along] + width - 1) / width * launch->local_size[!along] *
           launch->local_size[2];
}

/* What a group takes in this shape, by the compiler's estimate. */
static unsigned __int128 runs_cost(const weft_kernel_info *info, const weft_launch *launch,
                                   unsigned shape) {
    return (unsigned __int128)info->body[shape].run_cost * count_runs(info, launch, shape);
}

/* Bytes of local and private memory of one group; false: too many to count. */
static bool count_arena(const weft_work *work, unsigned shape, uint64_t *bytes) {
    const weft_kernel_info *info = work->kernel.code->info;
    const weft_launch *launch = &work->kernel.launch;
    uint64_t local, items;

    if (__builtin_mul_overflow(count_runs(info, launch, shape), info->body[shape].run_bytes,
                               &items) ||
        __builtin_add_overflow(items, info->fixed_bytes, &items) ||
        __builtin_add_overflow(launch->local_bytes, (uint64_t)WEFT_BLOCK_ALIGN - 1, &local))
        return false;
    local -= local % WEFT_BLOCK_ALIGN;
    return !__builtin_add_overflow(items, local, bytes);
}

static bool fits_arena(const weft_work *work, unsigned shape, uint64_t cap) {
    uint64_t bytes;

    return count_arena(work, shape, &bytes) && bytes <= cap;
}

/* The cheapest of the kernel's bodies whose groups fit into an arena, or the one that is set, if
 * the kernel has it. Kernels that ask about sub-groups need lanes with consecutive linear ids. */
static unsigned choose_shape(const weft_work *work, enum weft_shape_choice forced, uint64_t cap) {
    const weft_kernel_code *code = work->kernel.code;
    const weft_launch *launch = &work->kernel.launch;
    const weft_kernel_info *info = code->info;
    unsigned best = WEFT_SHAPE_ROWS, wish = forced ? forced - 1u : WEFT_SHAPE_COUNT;

    if (info->flags & WEFT_KERNEL_SUB_GROUPS && code->entry[WEFT_SHAPE_LINEAR])
        return rows_are_linear(info->width, launch) && wish != WEFT_SHAPE_LINEAR
                   ? WEFT_SHAPE_ROWS
                   : WEFT_SHAPE_LINEAR;
    if (wish < WEFT_SHAPE_LONE && code->entry[wish])
        return wish;
    if (code->entry[WEFT_SHAPE_LONE] && group_items(launch) == 1)
        return WEFT_SHAPE_LONE; /* right for no other, and there only if it pays */
    for (unsigned shape = 1; shape < WEFT_SHAPE_LONE; shape++)
        if (code->entry[shape] && fits_arena(work, shape, cap) &&
            (shape != WEFT_SHAPE_TURNED || launch->local_size[0] < info->width) &&
            (!fits_arena(work, best, cap) ||
             runs_cost(info, launch, shape) < runs_cost(info, launch, best)))
            best = shape;
    return best;
}

/* A row of a group that leaves most of a vector empty, and what is taken instead, of any kernel
 * that cannot tell the difference. */
enum { ROW_SHORT = 64, ROW_FLAT = 1024 };

/* Rows that fill vectors of a kernel that scatters: 16 x 16 is how a program that transposes wants
 * it for the cache (4096 x 4096 floats: 28 ms, in rows of 1024 x 16 63 ms). */
static bool wants_its_rows(const weft_kernel_info *info, uint64_t local) {
    uint64_t width = info->width ? info->width : 1;

    return info->flags & WEFT_KERNEL_SCATTERS && local % width == 0 && local * width >= ROW_SHORT;
}

/* The shortest row that is worth a group: what is known to be done soon is one for one thread;
 * else as few items as fill vectors, so that items that take long are shared. */
static uint64_t shortest_row(weft_pool *pool, const weft_work *work, uint64_t items) {
    uint64_t width = work->kernel.code->info->width, each = item_ps(pool, work);

    if ((each && (unsigned __int128)each * items <= TINY_NS * PS_PER_NS) || width > ROW_SHORT)
        return ROW_SHORT;
    return width ? width : 1;
}

/* Local size 1, primes and the like cost a flat kernel nothing: its rows are cut anew. */
static void flatten(weft_pool *pool, const weft_work *work, weft_launch *launch) {
    uint64_t local = launch->local_size[0], global = launch->global_size[0];
    uint64_t rows = launch->global_size[1] * launch->global_size[2];
    uint64_t fair = global * (rows ? rows : 1) / ((uint64_t)pool->size * CHUNKS_PER_THREAD);
    uint64_t least;

    if (!(work->kernel.code->info->flags & WEFT_KERNEL_FLAT) || local >= global ||
        (local >= ROW_SHORT / 4 && local % ROW_SHORT == 0) || local > ROW_FLAT ||
        wants_its_rows(work->kernel.code->info, local))
        return;
    least = fair < ROW_SHORT ? shortest_row(pool, work, global * rows) : ROW_SHORT;
    fair -= fair % least;
    local = fair < least ? least : fair > ROW_FLAT ? ROW_FLAT : fair;
    if (local > global)
        local = global;
    launch->local_size[0] = local;
    launch->num_groups[0] = (global + local - 1) / local;
}

static void exchange(uint64_t size[3]) {
    uint64_t first = size[0];

    size[0] = size[1];
    size[1] = first;
}

/* As the body of columns takes it. Planned once, so turned once. */
static void turn(weft_launch *launch) {
    exchange(launch->global_size);
    exchange(launch->global_offset);
    exchange(launch->local_size);
    exchange(launch->num_groups);
}

void weft_launch_plan(weft_pool *pool, weft_work *work) {
    const weft_kernel_code *code = work->kernel.code;
    weft_launch *launch = &work->kernel.launch;
    unsigned shape;
    uint64_t groups;

    if (!pool->device->settings.chunk_groups && !pool->device->settings.shuffle_seed)
        flatten(pool, work, launch);
    groups = count_groups(launch);
    launch->services = &weft_cpu_services;
    launch->command = work;
    shape = choose_shape(work, pool->device->settings.shape, pool->arena_cap);
    launch->run_bytes = code->info->body[shape].run_bytes;
    work->device.entry = code->entry[shape];
    work->device.units = groups;
    work->device.base = 0;
    work->device.chunk_size = choose_chunk_size(pool, work, groups);
    work->device.chunks =
        groups / work->device.chunk_size + (groups % work->device.chunk_size != 0);
    work->device.measure = worth_measuring(pool, work, groups);
    work->device.is_long = takes_long(pool, work, groups);
    if (!count_arena(work, shape, &work->device.arena_bytes) ||
        work->device.arena_bytes > pool->arena_cap || !work->device.entry)
        atomic_store_explicit(&work->device.status, CL_OUT_OF_RESOURCES, memory_order_relaxed);
    if (shape == WEFT_SHAPE_TURNED)
        turn(launch);
}

/* ---- run ------------------------------------------------------------------------------------- */

bool weft_launch_prepare(weft_cpu_runner *runner, weft_work *work) {
    uint64_t local = work->kernel.launch.local_bytes + WEFT_BLOCK_ALIGN - 1;

    /* Whoever asks which address space a pointer is of: an old arena is nothing private. */
    runner->worker.private_end = runner->worker.private_memory;
    if (!work->device.arena_bytes || atomic_load(&work->device.status))
        return true;
    if (!weft_arena_reserve(&runner->arena, work->device.arena_bytes)) {
        atomic_store(&work->device.status, CL_OUT_OF_RESOURCES);
        return false;
    }
    runner->worker.local_memory = runner->arena.base;
    runner->worker.private_memory =
        (unsigned char *)runner->arena.base + (local - local % WEFT_BLOCK_ALIGN);
    runner->worker.private_end = (unsigned char *)runner->arena.base + runner->arena.size;
    /* Vectors that reach over the end of local memory find that page present (see arena.c). */
    *(volatile unsigned char *)runner->worker.private_memory = 0;
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
        weft_enter(&work->kernel.launch, &runner->worker, first + shuffle(i, count, seed), 1,
                   work->device.entry);
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
    first += work->device.base;
    runner->order = first;
    weft_fpenv_enter(&host, info->flags & WEFT_KERNEL_FTZ);
    if (seed)
        run_shuffled(runner, work, first, count, seed);
    else
        weft_enter(&work->kernel.launch, &runner->worker, first, count, work->device.entry);
    weft_fpenv_leave(&host);
    if (atomic_load_explicit(&runner->after_chunk, memory_order_relaxed) || runner->unsent.first)
        weft_children_chunk_ended(runner);
}

/* Runs the first groups of those that are left; picoseconds that each took. */
static uint64_t run_first(weft_cpu_runner *runner, weft_work *work, uint64_t some) {
    uint64_t left = work->device.units - some, start = weft_now_ns();

    work->device.units = work->device.chunk_size = some;
    weft_launch_chunk(runner, work, 0);
    work->device.base += some;
    work->device.units = work->device.chunk_size = left;
    return (weft_now_ns() - start) * PS_PER_NS / some + 1;
}

bool weft_launch_probe(weft_cpu_runner *runner, weft_work *work) {
    weft_pool *pool = runner->pool;
    bool is_known = group_ps(pool, work) != 0, is_long;
    uint64_t some = is_known ? (work->device.units + PROBE_PART - 1) / PROBE_PART : 1, each, left;

    /* The first group, at a border, may be shorter than all others: of a kernel that was never
     * measured twice as many are looked at each time. */
    do {
        each = run_first(runner, work, some);
        left = work->device.units;
        is_long = (unsigned __int128)each * left > PROBE_NS * PS_PER_NS;
        some *= 2;
    } while (!is_known && !is_long && left > some);
    if (!is_long)
        return false;
    work->device.is_long = true;
    work->device.chunk_size = share(pool, each, left);
    work->device.chunks = (left + work->device.chunk_size - 1) / work->device.chunk_size;
    if (work->device.chunks == 1)
        work->device.chunk_size = left;
    return work->device.chunks > 1;
}
