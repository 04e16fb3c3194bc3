// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "child.h"

#include "clock.h"
#include "cpu.h"
#include "enqueue_service.h"
#include "handover.h"
#include "worker.h"

#include "weft/shim.h"

#include <CL/cl.h>

/* What a thread brings along that sends children on their way. */
typedef struct sender {
    weft_cpu_runner *runner;
    bool in_kernel; /* it is in the middle of one */
} sender;

static weft_child *child_of_node(weft_node *node) {
    return (weft_child *)((char *)node - offsetof(weft_child, node));
}

static void on_begin(weft_work *work);
static void on_done(weft_work *work, int32_t status, weft_runner *runner);

/* The child whose work this is; NULL: a root. */
static weft_child *child_of_work(weft_work *work) {
    if (work->done != on_done)
        return NULL;
    return (weft_child *)((char *)work - offsetof(weft_child, work));
}

/* ---- families and their nodes ---------------------------------------------------------------- */

static weft_family *make_family(weft_work *root) {
    weft_family *family = weft_calloc(1, sizeof(*family));

    if (!family)
        return NULL;
    family->root = root;
    atomic_init(&family->active, 1);
    pthread_mutex_init(&family->lock, NULL);
    return family;
}

static void free_family(weft_family *family) {
    pthread_mutex_destroy(&family->lock);
    weft_free(family);
}

/* The family of a kernel that runs, made with its first node. NULL: out of memory. */
static weft_family *family_of(weft_work *work) {
    void *there = atomic_load_explicit(&work->kernel.family, memory_order_acquire);
    weft_family *mine;

    if (there)
        return there;
    mine = make_family(work);
    if (!mine ||
        atomic_compare_exchange_strong_explicit(&work->kernel.family, &there, mine,
                                                memory_order_acq_rel, memory_order_acquire))
        return mine;
    free_family(mine); /* another thread was first */
    return there;
}

/* Makes the node known; false: too many events. */
static bool join_family(weft_family *family, weft_child *child, bool event) {
    bool good;

    pthread_mutex_lock(&family->lock);
    good = !event || family->events < WEFT_MAX_EVENTS;
    if (good) {
        family->events += event;
        child->handles = event;
        child->held = true;
        child->after = family->first;
        if (family->first)
            family->first->before = child;
        family->first = child;
    }
    pthread_mutex_unlock(&family->lock);
    return good;
}

/* Takes the node out if nobody needs it any more. The lock is held; true: the caller frees it. */
static bool leave_family(weft_child *child) {
    weft_family *family = child->family;

    if (child->handles || child->held)
        return false;
    *(child->before ? &child->before->after : &family->first) = child->after;
    if (child->after)
        child->after->before = child->before;
    return true;
}

void weft_child_retain(weft_child *event) {
    pthread_mutex_lock(&event->family->lock);
    event->handles++;
    pthread_mutex_unlock(&event->family->lock);
}

void weft_child_release(weft_child *event) {
    weft_family *family = event->family;
    bool gone = false;

    pthread_mutex_lock(&family->lock);
    if (event->handles && --event->handles == 0) {
        family->events--;
        gone = leave_family(event);
    }
    pthread_mutex_unlock(&family->lock);
    if (gone)
        weft_free(event);
}

/* ---- creating -------------------------------------------------------------------------------- */

/* The edges of a child lie behind it: one for each event of its wait list, one for its flags. */
static weft_edge *edges_of(weft_child *child) {
    size_t bytes = child->kind == WEFT_CHILD_KERNEL ? sizeof(*child) : offsetof(weft_child, work);

    return (void *)((char *)child + (bytes + 15) / 16 * 16);
}

static bool take_room(weft_device_queue *queue, uint64_t bytes) {
    if (!queue || atomic_fetch_add(&queue->used, bytes) + bytes <= queue->bytes)
        return true;
    atomic_fetch_sub(&queue->used, bytes);
    return false;
}

static void give_room(weft_device_queue *queue, uint64_t bytes) {
    if (queue)
        atomic_fetch_sub(&queue->used, bytes);
}

static void fill_in(weft_child *child, const weft_child_wish *wish, weft_family *family,
                    uint64_t bytes) {
    memset(child, 0, wish->kind == WEFT_CHILD_KERNEL ? sizeof(*child) : offsetof(weft_child, work));
    child->kind = wish->kind;
    child->family = family;
    child->queue = wish->queue;
    child->bytes = bytes;
    atomic_init(&child->node.status, CL_SUBMITTED);
    atomic_init(&child->node.unmet, 1);
    if (wish->kind != WEFT_CHILD_KERNEL)
        return;
    child->parent = child_of_work(wish->parent);
    atomic_init(&child->unfinished, 1);
    child->work.kind = WEFT_WORK_KERNEL;
    child->work.begin = on_begin;
    child->work.joined = on_begin;
    child->work.done = on_done;
    child->work.priority = wish->parent->priority;
    child->work.frugal = wish->parent->frugal;
    child->work.trace_id = wish->parent->trace_id;
    child->work.kernel.default_queue = wish->parent->kernel.default_queue;
    atomic_init(&child->work.kernel.family, family);
}

weft_child *weft_child_create(const weft_child_wish *wish, void **extra, int32_t *error) {
    weft_family *family = family_of(wish->parent);
    uint64_t edges = ((uint64_t)wish->wait_count + 1) * sizeof(weft_edge);
    uint64_t at = weft_block_align(sizeof(weft_child) + 16 + edges), bytes = at + wish->extra;
    weft_child *child;

    *error = CLK_OUT_OF_RESOURCES;
    if (!family)
        return NULL;
    *error = CLK_DEVICE_QUEUE_FULL;
    if (!take_room(wish->queue, bytes))
        return NULL;
    *error = CLK_OUT_OF_RESOURCES;
    child = weft_aligned_alloc(WEFT_BLOCK_ALIGN, bytes);
    if (child) {
        fill_in(child, wish, family, bytes);
        *extra = (char *)child + at;
        if (join_family(family, child, wish->event)) {
            weft_hand_to_kernel(child);
            return child;
        }
        *error = CLK_EVENT_ALLOCATION_FAILURE;
        weft_free(child);
    }
    give_room(wish->queue, bytes);
    return NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

/* To the pool's threads. Never runs anything here: the caller may be in the middle of a kernel. */
static void hand_over(weft_child *child, weft_cpu_runner *runner, bool in_kernel) {
    weft_pool *pool = runner->pool;

    if (runner->kind == WEFT_RUNNER_INLINE || !in_kernel) {
        weft_pool_submit(pool, &child->work, &runner->base);
    } else if (weft_pool_has_thread(pool)) {
        weft_pool_submit(pool, &child->work, NULL);
    } else { /* this thread must run it, when it is out of the kernel */
        weft_ready_add(&runner->unsent, &child->node);
    }
}

/* Where they are wanted, once they are known. The family's lock is held; the other two are another
 * thread's until the child is complete. Nothing takes no time: kernels divide by it. */
static void write_times(weft_child *child) {
    if (!child->captured || !child->completed || !child->started)
        return;
    uint64_t run = child->ended > child->started ? child->ended - child->started : 1;
    uint64_t all = child->completed - child->started;
    child->captured[0] = run;
    child->captured[1] = all > run ? all : run;
}

/* "The profiling information will be available in value once the command identified by event has
 * completed": so before anybody hears of it. */
static void end_times(weft_child *child) {
    pthread_mutex_lock(&child->family->lock);
    child->completed = weft_now_ns();
    write_times(child);
    pthread_mutex_unlock(&child->family->lock);
}

static void on_ending(weft_node *node, int32_t status) {
    weft_child *child = child_of_node(node);

    (void)status;
    if (child->kind == WEFT_CHILD_KERNEL)
        end_times(child);
    give_room(child->queue, child->bytes);
}

/* The child's own items, or one of its children, have ended; with the last of them it does. */
static void finish_part(weft_child *child, weft_ready *ready) {
    if (atomic_fetch_sub_explicit(&child->unfinished, 1, memory_order_acq_rel) != 1)
        return;
    child->node.has_work = false; /* no more */
    weft_ready_add(ready, &child->node);
}

static void on_end(weft_node *node, int32_t status, weft_ready *ready) {
    weft_child *child = child_of_node(node), *parent = child->parent;
    weft_family *family = child->family;
    bool gone;

    if (child->kind == WEFT_CHILD_KERNEL)
        weft_note_error(parent ? &parent->node.failed : &family->status, status);
    if (parent)
        finish_part(parent, ready);
    if (child->kind != WEFT_CHILD_USER)
        atomic_fetch_sub(&family->incomplete, 1);
    pthread_mutex_lock(&family->lock);
    child->held = false;
    gone = leave_family(child);
    pthread_mutex_unlock(&family->lock);
    if (gone)
        weft_free(child);
}

static void on_start(weft_node *node, void *context) {
    weft_child *child = child_of_node(node);
    const sender *from = context;

    atomic_fetch_add(&child->family->active, 1);
    hand_over(child, from->runner, from->in_kernel);
}

static const weft_graph graph = {on_ending, on_end, on_start};

/* The calling thread counts in `active`, or nothing of the family runs. */
static void run_ready(weft_ready *ready, weft_cpu_runner *runner, bool in_kernel) {
    sender from = {runner, in_kernel};

    weft_ready_run(&graph, ready, &from);
}

/* ---- enqueueing ------------------------------------------------------------------------------ */

static void link_edges(weft_child *child, const weft_child_wish *wish, uint32_t flags,
                       weft_cpu_runner *runner) {
    weft_edge *edges = edges_of(child), *last = &edges[wish->wait_count];

    for (uint32_t i = 0; i < wish->wait_count; i++) {
        weft_child *event = wish->wait_list[i];
        weft_node_await(&child->node, &edges[i], &event->node, false);
        weft_hand_to_kernel(event);
    }
    if (flags == WEFT_ENQUEUE_WAIT_KERNEL)
        weft_node_await_list(&child->node, last, &wish->parent->device.waiting, true);
    else if (flags == WEFT_ENQUEUE_WAIT_WORK_GROUP)
        weft_node_await_list(&child->node, last, &runner->after_chunk, true);
}

void weft_child_commit(weft_child *child, const weft_child_wish *wish, uint32_t flags,
                       weft_cpu_runner *runner) {
    weft_ready ready = {0};

    if (child->kind == WEFT_CHILD_USER)
        return; /* it waits for nothing but to be set */
    atomic_fetch_add(&child->family->incomplete, 1);
    if (child->parent)
        atomic_fetch_add(&child->parent->unfinished, 1);
    link_edges(child, wish, flags, runner);
    if (weft_node_meet(&child->node))
        weft_ready_add(&ready, &child->node);
    run_ready(&ready, runner, true);
}

/* ---- what the scheduler tells ---------------------------------------------------------------- */

void weft_children_chunk_ended(weft_cpu_runner *runner) {
    weft_ready ready = {0};
    weft_node *node;

    weft_edges_meet(weft_edges_take(&runner->after_chunk), CL_COMPLETE, &ready);
    run_ready(&ready, runner, true);
    ready = runner->unsent;
    runner->unsent = (weft_ready){0};
    while ((node = weft_ready_take(&ready)))
        weft_pool_submit(runner->pool, &child_of_node(node)->work, &runner->base);
}

/* On each of its threads: the first that comes to it says when it started. */
static void on_begin(weft_work *work) {
    _Atomic uint64_t *started = &child_of_work(work)->started;
    uint64_t none = 0;

    if (!atomic_load_explicit(started, memory_order_relaxed))
        atomic_compare_exchange_strong(started, &none, weft_now_ns());
}

/* Never called: children end in weft_children_run_ended. Its address tells them apart. */
static void on_done(weft_work *work, int32_t status, weft_runner *runner) {
    (void)work;
    (void)status;
    (void)runner;
}

/* User events that nobody can set any more, and so those that wait for them, end with an error.
 * Nothing of the family runs. False: there are none. */
static bool give_up(weft_family *family, weft_cpu_runner *runner) {
    weft_ready stuck = {0}, ready = {0};
    weft_node *node;

    pthread_mutex_lock(&family->lock);
    for (weft_child *child = family->first; child; child = child->after)
        if (child->kind == WEFT_CHILD_USER && child->held)
            weft_ready_add(&stuck, &child->node);
    pthread_mutex_unlock(&family->lock);
    if (!stuck.first)
        return false;
    atomic_store(&family->active, 1);
    while ((node = weft_ready_take(&stuck)))
        weft_node_end(&graph, node, CL_INVALID_EVENT, &ready);
    run_ready(&ready, runner, false);
    return true;
}

/* All have ended: what kernels did not release goes, and so does the root. */
static void finish_family(weft_family *family, weft_cpu_runner *runner) {
    weft_work *root = family->root;
    int32_t status = atomic_load(&root->device.status);
    weft_child *child, *next;

    if (status == CL_SUCCESS)
        status = atomic_load(&family->status);
    for (child = family->first; child; child = next) {
        next = child->after;
        weft_free(child);
    }
    free_family(family);
    root->done(root, status, &runner->base);
}

static void drop_active(weft_family *family, weft_cpu_runner *runner) {
    while (atomic_fetch_sub_explicit(&family->active, 1, memory_order_acq_rel) == 1)
        if (atomic_load(&family->incomplete) == 0 || !give_up(family, runner)) {
            finish_family(family, runner);
            return;
        }
}

void weft_children_run_ended(weft_cpu_runner *runner, weft_work *work) {
    weft_family *family = atomic_load(&work->kernel.family);
    weft_child *child = child_of_work(work);
    weft_ready ready = {0};
    int32_t status = atomic_load(&work->device.status);

    if (child) {
        child->ended = weft_now_ns();
        weft_note_error(&child->node.failed, status);
    } else if (work->ended && atomic_load(&family->incomplete)) {
        work->ended(work);
    }
    weft_edges_meet(weft_edges_close(&work->device.waiting), CL_COMPLETE, &ready);
    if (child)
        finish_part(child, &ready);
    run_ready(&ready, runner, false);
    drop_active(family, runner);
}

/* ---- events ---------------------------------------------------------------------------------- */

void weft_child_set_status(weft_child *event, int32_t status, weft_cpu_runner *runner) {
    weft_ready ready = {0};

    if (event->kind == WEFT_CHILD_USER && status <= CL_COMPLETE &&
        weft_node_end(&graph, &event->node, status, &ready))
        run_ready(&ready, runner, true);
}

void weft_child_capture(weft_child *event, uint64_t *value) {
    pthread_mutex_lock(&event->family->lock);
    event->captured = value;
    write_times(event);
    pthread_mutex_unlock(&event->family->lock);
}
