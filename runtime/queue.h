// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** cl_command_queue: the list of its commands that have not ended. */
#ifndef WEFT_QUEUE_H
#define WEFT_QUEUE_H

#include "runtime/command.h"

/** So many commands may be enqueued before deferred ones are handed to the device. */
#define WEFT_DEFER_LIMIT 32

struct _cl_command_queue {
    weft_object base; /* parent: the context */
    cl_context context;
    cl_device_id device;
    cl_uint slot; /* of the device in the context */
    cl_command_queue_properties properties;
    cl_queue_properties *property_list; /* as given, with the 0; NULL: none */
    size_t property_bytes;
    bool in_order, profiles;
    int8_t priority; /* of its commands' work */
    bool frugal;
    bool timed;            /* its commands' times are taken: profiles, or there is a timeline */
    uint32_t trace_number; /* in the timeline, from 1; 0: there is none */

    cl_command_queue newer, older; /* in the context's list, guarded by the context's lock */

    /* Queues on the device (device_queue.c) have these and nothing below. */
    weft_device_queue *on_device; /* NULL: a queue of the host's */
    cl_uint size;

    pthread_mutex_t lock;          /* guards everything down to the futex */
    weft_command *first, *last;    /* oldest first */
    weft_command *unflushed;       /* the first that was enqueued after the last flush */
    weft_command *barrier;         /* the last barrier that has not ended */
    uint64_t number;               /* of the last command */
    uint32_t deferred;             /* commands in stage DEFERRED */
    uint32_t since_deferral;       /* commands enqueued since the oldest of these */
    uint32_t finishers;            /* threads in weft_queue_finish that sleep */
    uint64_t finish_number;        /* the least number that one of them waits for */
    weft_node *spare;              /* nodes not in use */
    _Atomic uint32_t finish_word;  /* changes when a finisher should look */
    _Atomic(weft_node *) returned; /* nodes given back, not yet in spare */
    _Atomic uint32_t returned_count;
};

/** Submits what is deferred, marks all as submitted. Never runs anything on this thread, unless the
 *  device has no threads. */
void weft_queue_flush(cl_command_queue queue);
/** Waits until all commands enqueued so far have ended; helps. */
void weft_queue_finish(cl_command_queue queue);

/**
 * Waits until no command enqueued so far in any queue of the context may use the bytes
 * [memory, memory + bytes): every kernel, every native kernel, and transfers there may; what only
 * orders may not. False: out of memory, nothing was waited for. Thread-safe; waits for user events
 * that such commands wait for.
 */
bool weft_context_await_users(cl_context context, const void *memory, size_t bytes);

/** A node, its memory not initialised but for what a node keeps. NULL: out of memory. */
weft_command *weft_queue_take_node(cl_command_queue queue);
/** Gives back the memory of a node. */
void weft_queue_return_node(cl_command_queue queue, weft_command *command);

/** Queue lock held: takes a deferred command for the caller. */
void weft_queue_claim(weft_command *command);

#endif
