// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Who waits for whom, and what an end sets off: the steps that the host's commands
 * (runtime/command.c) and what kernels enqueue (device-cpu/child.c) have in common. Each embeds a
 * node in what it is about, and says by three functions what is its own.
 *
 * A node counts what it waits for in `unmet`: its own enqueueing, an edge for each end that it
 * waits for, and whatever else its owner counts. Whoever brings the count to zero puts the node
 * into a list of ready ones, which belongs to the calling thread, and sends that on its way when it
 * holds no lock. A ready node with nothing to run ends there and then, and so may make more ready:
 * any number of them, without recursion.
 *
 * Errors pass along wait lists, and not where order is all that counts. An end is the end: the
 * first status that is an end stays.
 *
 * All functions may be called from any thread; none allocates or takes a lock. They are here, and
 * not in a file of their own, so that compilers see through the table of functions: every enqueue
 * and every end passes here.
 */
#ifndef WEFT_GRAPH_H
#define WEFT_GRAPH_H

#include <CL/cl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One copy in each file that needs it, into which the owner's functions can be inlined. */
#define WEFT_GRAPH_ONCE __attribute__((noinline, unused))

typedef struct weft_node weft_node;

/** One end that a node waits for. Part of the waiter's memory: it may be gone as soon as the waiter
 *  has been told. */
typedef struct weft_edge {
    struct weft_edge *next;
    weft_node *waiter;
    bool order; /* no error passes */
} weft_edge;

/** A list of edges, newest first, that takes more without a lock until it is closed. NULL: none. */
typedef _Atomic(weft_edge *) weft_edges;

#define WEFT_EDGES_CLOSED ((weft_edge *)1)

/** Zeroed but for status and unmet, which start at what its owner says. */
struct weft_node {
    _Atomic int32_t status; /* CL_QUEUED .. CL_COMPLETE or an error: only ever falls */
    _Atomic uint32_t unmet; /* what it waits for */
    _Atomic int32_t failed; /* the error that it is to end with; 0: none yet */
    bool has_work;          /* it is to run when it is ready, not to end */
    weft_edges successors;  /* who waits for its end */
    weft_node *link;        /* in whatever list a thread builds for itself */
};

/** Nodes in a row, oldest first, of one thread. Zeroed: none. */
typedef struct weft_ready {
    weft_node *first, *last; /* last: meaningless where first is NULL */
} weft_ready;

/** What is the owner's own. */
typedef struct weft_graph {
    /** The node is to end with this status. Nobody has heard of it yet: what it used can be given
     *  back, what is known with the end can be written. Also called in vain, for nodes that have
     *  ended already, so it does nothing for those that several threads may end (user events). */
    void (*ending)(weft_node *node, int32_t status);
    /** The node has ended, and its status says so; its successors are told next. It may be freed
     *  here, and what else waited for the end may be put into the list. */
    void (*ended)(weft_node *node, int32_t status, weft_ready *ready);
    /** Sends a ready node with work on its way; it is the device's from here on. `context` is what
     *  weft_ready_run was given. */
    void (*start)(weft_node *node, void *context);
} weft_graph;

/* ---- lists ----------------------------------------------------------------------------------- */

static inline void weft_ready_add(weft_ready *ready, weft_node *node) {
    node->link = NULL;
    *(ready->first ? &ready->last->link : &ready->first) = node;
    ready->last = node;
}

/** The oldest, which is the list's no more. NULL: none. */
static inline weft_node *weft_ready_take(weft_ready *ready) {
    weft_node *node = ready->first;

    if (node)
        ready->first = node->link;
    return node;
}

/** False: the list is closed, and the edge is not used. */
static inline bool weft_edges_add(weft_edges *edges, weft_edge *edge) {
    weft_edge *head = atomic_load_explicit(edges, memory_order_acquire);

    do {
        if (head == WEFT_EDGES_CLOSED)
            return false;
        edge->next = head;
    } while (!atomic_compare_exchange_weak_explicit(edges, &head, edge, memory_order_acq_rel,
                                                    memory_order_acquire));
    return true;
}

/** All who wait, and nobody can any more. Called once. */
static inline weft_edge *weft_edges_close(weft_edges *edges) {
    return atomic_exchange(edges, WEFT_EDGES_CLOSED);
}

/** All who wait; the list goes on empty. */
static inline weft_edge *weft_edges_take(weft_edges *edges) {
    return atomic_exchange(edges, NULL);
}

/* ---- errors and statuses --------------------------------------------------------------------- */

/** The first error stays. */
static inline void weft_note_error(_Atomic int32_t *place, int32_t status) {
    int32_t none = CL_SUCCESS;

    if (status < 0)
        atomic_compare_exchange_strong(place, &none, status);
}

/** Lowers the status; false: it was there or further already, or it is an end. */
static inline bool weft_node_advance(weft_node *node, int32_t status) {
    int32_t before = atomic_load_explicit(&node->status, memory_order_relaxed);

    do {
        if (before <= CL_COMPLETE || before <= status)
            return false;
    } while (!atomic_compare_exchange_weak(&node->status, &before, status));
    return true;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/**
 * The node also waits until the list is closed or taken; false: it is closed. Only while something
 * else is still unmet, which is what its own enqueueing is counted for.
 */
static inline bool weft_node_await_list(weft_node *node, weft_edge *edge, weft_edges *list,
                                        bool order) {
    edge->waiter = node;
    edge->order = order;
    atomic_fetch_add_explicit(&node->unmet, 1, memory_order_relaxed);
    if (weft_edges_add(list, edge))
        return true;
    atomic_fetch_sub_explicit(&node->unmet, 1, memory_order_relaxed);
    return false;
}

/**
 * The node also waits for the end of another: because that is in its wait list, or for the sake of
 * order. False: that has ended, and its error has been passed on. The other lives until the call
 * returns. Only while something else is still unmet.
 */
static inline bool weft_node_await(weft_node *node, weft_edge *edge, weft_node *other, bool order) {
    if (weft_node_await_list(node, edge, &other->successors, order))
        return true;
    if (!order && atomic_load(&other->status) < 0)
        weft_note_error(&node->failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return false;
}

/** One of the things that the node waits for has come; true: it was the last. */
static inline bool weft_node_meet(weft_node *node) {
    return atomic_fetch_sub_explicit(&node->unmet, 1, memory_order_acq_rel) == 1;
}

/** What they waited for has come, with this status; oldest first. */
static inline void weft_edges_meet(weft_edge *newest, int32_t status, weft_ready *ready) {
    weft_edge *edge, *next, *oldest = NULL;

    for (edge = newest; edge; edge = next) {
        next = edge->next;
        edge->next = oldest;
        oldest = edge;
    }
    for (edge = oldest; edge; edge = next) {
        weft_node *waiter = edge->waiter;
        next = edge->next; /* the edge goes with its node */
        if (status < 0 && !edge->order)
            weft_note_error(&waiter->failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        if (weft_node_meet(waiter))
            weft_ready_add(ready, waiter);
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

/** Ends a node, with CL_COMPLETE or an error, and puts those that it makes ready into the list.
 *  False: it had ended already. The caller may lose it. */
static WEFT_GRAPH_ONCE bool weft_node_end(const weft_graph *graph, weft_node *node, int32_t status,
                                          weft_ready *ready) {
    weft_edge *waiters;

    graph->ending(node, status);
    if (!weft_node_advance(node, status))
        return false;
    waiters = weft_edges_close(&node->successors); /* their memory, not the node's */
    graph->ended(node, status, ready);
    weft_edges_meet(waiters, status, ready);
    return true;
}

/** Sends all in the list on their way, and all that this makes ready. No lock is held. */
static inline void weft_ready_run(const weft_graph *graph, weft_ready *ready, void *context) {
    weft_node *node;

    while ((node = weft_ready_take(ready))) {
        int32_t failed = atomic_load_explicit(&node->failed, memory_order_relaxed);
        if (failed || !node->has_work)
            weft_node_end(graph, node, failed ? failed : CL_COMPLETE, ready);
        else
            graph->start(node, context);
    }
}

#endif
