// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Commands. A command and its event are one node: struct _cl_event. User events are nodes without a
 * queue.
 *
 * An enqueue function checks its arguments, then
 *
 *     weft_command *command = weft_command_create(queue, CL_COMMAND_X, count, list);
 *     if (!command) return CL_OUT_OF_HOST_MEMORY;
 *     ... says what is to be done (weft_command_transfer, weft_command_host, command->work; nothing
 *         at all for a command that only orders), and what it keeps alive (weft_command_hold);
 *         where that fails: weft_command_discard(command) and return the error ...
 *     return weft_command_enqueue(command, blocking, event);
 *
 * How it runs: a command is a node of the graph (weft/graph.h) and waits for its own enqueueing,
 * the events of its wait list, and, if the queue is in order or the command is a marker or barrier
 * for all before it, its coming to the head of its queue's list. A ready command that is small
 * stays deferred: most likely its thread waits for it next and runs it itself. Deferral ends with
 * clFlush, every call that implies it, and after DEFER_LIMIT commands.
 */
#ifndef WEFT_COMMAND_H
#define WEFT_COMMAND_H

#include "runtime/context.h"
#include "runtime/kernel.h"
#include "runtime/mem.h"
#include "weft/device.h"
#include "weft/graph.h"

typedef struct _cl_event weft_command;

/** A callback that waits for its turn, with a strong reference to the event. */
typedef struct weft_callback weft_callback;

#define WEFT_COMMAND_EDGES 2
#define WEFT_COMMAND_MEMS  2

/** CL_PROFILING_COMMAND_*, nanoseconds of the device clock; 0: not yet. */
typedef struct weft_profile {
    cl_ulong queued;
    _Atomic cl_ulong submitted;
    _Atomic cl_ulong started; /* the first of its threads */
    cl_ulong ended, completed;
} weft_profile;

struct _cl_event {
    weft_object base; /* parent: the queue; a user event's: the context */
    cl_context context;
    cl_command_queue queue; /* NULL: user event */
    cl_command_type type;

    weft_node node;
    _Atomic uint32_t waiters; /* threads that sleep on its status */
    _Atomic(weft_callback *) callbacks;

    /* In the queue's list of commands that have not ended, guarded by the queue's lock. */
    weft_command *before, *after;
    uint64_t number; /* of the command in its queue, from 1 */
    bool deferred;   /* ready, and nobody runs it yet; guarded likewise */
    bool needs_head; /* must be first in the list to be ready */
    bool is_barrier; /* later commands wait for it */
    bool timed;      /* its times are taken */

    cl_uint wait_count;
    const cl_event *wait_list; /* the application's, during the call */
    weft_edge edges[WEFT_COMMAND_EDGES], *more_edges;

    weft_profile profile;

    /* What is dropped before the end is published. */
    cl_kernel kernel;               /* strong; NULL: none */
    cl_mem mems[WEFT_COMMAND_MEMS]; /* strong */
    cl_uint mem_count;
    void *heap;                             /* freed */
    void (*release)(weft_command *command); /* called first; NULL: nothing */

    weft_work work; /* filled in where the node has work */
    union {
        weft_args args;         /* kernels; valid if kernel is set */
        weft_transfer transfer; /* one item */
    };
};

/** The command that a node is part of. */
static inline weft_command *weft_command_of(weft_node *node) {
    return (weft_command *)((char *)node - offsetof(struct _cl_event, node));
}

/** CL_INVALID_EVENT_WAIT_LIST and CL_INVALID_CONTEXT as every enqueue function wants them.
 *  `function`: __func__. */
cl_int weft_check_wait_list(const char *function, cl_context context, cl_uint count,
                            const cl_event *list);
#define WEFT_CHECK_WAIT_LIST(context, count, list)                                                 \
    WEFT_TRY(weft_check_wait_list(__func__, (context), (count), (list)))

/** A new command of `queue`, with room for what it waits for. NULL: out of memory. */
weft_command *weft_command_create(cl_command_queue queue, cl_command_type type, cl_uint count,
                                  const cl_event *list);
/** The command's work is `count` transfers, to be filled in by the caller (zeroed). NULL: out of
 *  memory. */
weft_transfer *weft_command_transfer(weft_command *command, cl_uint count);
/** The command's work is a function that runs on a thread of the device. Returns its status. */
void weft_command_host(weft_command *command, int32_t (*run)(void *user), void *user);
/** Keeps a memory object until the command has ended; at most WEFT_COMMAND_MEMS times. */
void weft_command_hold(weft_command *command, cl_mem mem);
/** Undoes create, for calls that fail. */
void weft_command_discard(weft_command *command);

/**
 * Puts the command in its queue; cannot fail. With `blocking` waits for its end: then an error of
 * the wait list is CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, and another error of the command
 * is returned as it is. The command may be gone when this returns, unless `event` holds it.
 */
cl_int weft_command_enqueue(weft_command *command, cl_bool blocking, cl_event *event);

/* ---- inside the graph (command.c, queue.c, event.c) ------------------------------------------ */

/** A thread that waits, and what it may run: commands of `queue` up to `number`. */
typedef struct weft_waiter {
    cl_command_queue queue;
    uint64_t number;
    weft_command *next; /* claimed for this thread by a completion of its own */
} weft_waiter;

/** Ends a command or user event with a status, and makes ready who waited for it; any number of
 *  them, without recursion. False: it had ended already (user events). */
bool weft_command_end(weft_command *command, cl_int status, weft_runner *runner);
/** Lowers the status, unless it is there or further already; calls back. */
void weft_command_advance(weft_command *command, cl_int status);
/** Hands a claimed command to the device. */
void weft_command_submit(weft_command *command, weft_runner *runner);
/** Runs a claimed command, and those that its end hands to the waiter, on this thread. */
void weft_command_run(weft_command *command, weft_waiter *waiter);
/** Sleeps or helps until the event has ended. */
void weft_command_wait(weft_command *command);

#endif
