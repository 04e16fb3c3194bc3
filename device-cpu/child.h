// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What kernels enqueue: children, markers and user events, and the order among them.
 *
 * The root is the kernel that the host enqueued. With the first thing that it or a descendant makes
 * it gets a family, which knows every node until that has ended and no kernel has its event any
 * more, and which ends the root when all have ended. "These events are only visible to the parent
 * kernel": none outlives the root.
 *
 * Each is a node of a graph (weft/graph.h) and waits for its own enqueueing, the events of its wait
 * list, and what its flags say of the parent. A child is complete when it and its own children are.
 */
#ifndef WEFT_CHILD_H
#define WEFT_CHILD_H

#include "scheduler.h"

#include "weft/graph.h"

typedef struct weft_child weft_child;

struct weft_device_queue {
    weft_device *device;
    uint64_t bytes;        /* room for commands that have not ended */
    _Atomic uint64_t used; /* of that */
};

typedef struct weft_family {
    weft_work *root;
    /* Nodes that run or are about to, the root among them. While it is not zero a kernel may
     * enqueue more; at zero all have ended, or wait for user events that nobody is left to set. */
    _Atomic uint32_t active;
    _Atomic uint32_t incomplete; /* children and markers that have not ended */
    _Atomic int32_t status;      /* the first error of a child */
    pthread_mutex_t lock;        /* guards what follows, and the nodes' members that say so */
    weft_child *first;           /* all nodes, newest first */
    uint32_t events;             /* that kernels have */
} weft_family;

typedef enum weft_child_kind {
    WEFT_CHILD_KERNEL,
    WEFT_CHILD_MARKER,
    WEFT_CHILD_USER
} weft_child_kind;

struct weft_child {
    weft_child_kind kind;
    weft_family *family;
    weft_child *parent;         /* NULL: the root's own child, or no kernel */
    weft_device_queue *queue;   /* NULL: user event */
    uint64_t bytes;             /* of the queue's room */
    weft_child *before, *after; /* in the family's list; guarded by its lock */
    uint32_t handles;           /* that kernels have; guarded likewise */
    bool held;                  /* it has not ended; guarded likewise */
    uint64_t *captured;         /* where its times are wanted; guarded likewise; NULL: nowhere */
    _Atomic uint64_t started;   /* nanoseconds; 0: not yet */
    uint64_t ended;
    uint64_t completed; /* guarded likewise */

    /* The error that it ends with may be its own, of what it waits for, or of its children. */
    weft_node node;
    _Atomic uint32_t unfinished; /* kernel: itself and its children */
    weft_work work;              /* kernels only: the memory of other nodes ends here */
};

/** What a node is made of. */
typedef struct weft_child_wish {
    weft_child_kind kind;
    weft_work *parent; /* the kernel that runs */
    weft_device_queue *queue;
    uint32_t wait_count;
    void *const *wait_list; /* valid events */
    bool event;             /* a kernel gets a handle */
    uint64_t extra;         /* bytes, WEFT_BLOCK_ALIGN aligned, behind the node */
} weft_child_wish;

/**
 * A node that has not been enqueued; `extra` is where its extra bytes are. *error is a CLK_ error
 * where there is none.
 */
weft_child *weft_child_create(const weft_child_wish *wish, void **extra, int32_t *error);
/** Enqueues it; cannot fail. `flags` are WEFT_ENQUEUE_*. The caller may lose it here, unless it
 *  asked for an event. */
void weft_child_commit(weft_child *child, const weft_child_wish *wish, uint32_t flags,
                       weft_cpu_runner *runner);

/** Services: see weft_services. `event` is valid. */
void weft_child_retain(weft_child *event);
void weft_child_release(weft_child *event);
void weft_child_capture(weft_child *event, uint64_t *value);
void weft_child_set_status(weft_child *event, int32_t status, weft_cpu_runner *runner);

/** A chunk of groups has ended on this thread: children that waited for their group may start. */
void weft_children_chunk_ended(weft_cpu_runner *runner);
/** All work-items of a work with a family have ended; calls done now or later. */
void weft_children_run_ended(weft_cpu_runner *runner, weft_work *work);

#endif
