// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Who waits for an event: a list that takes edges without a lock until the event ends. The host's
 * commands (runtime/command.c) and what kernels enqueue (device-cpu/child.c) are graphs of these.
 */
#ifndef WEFT_EDGES_H
#define WEFT_EDGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/** One waiter. Part of the waiter's memory: it may be gone as soon as the waiter has been told. */
typedef struct weft_edge {
    struct weft_edge *next;
    void *waiter;
} weft_edge;

/** NULL: nobody waits. */
typedef _Atomic(weft_edge *) weft_edges;

#define WEFT_EDGES_CLOSED ((weft_edge *)1)

/** Puts `edge` of `waiter` in front; false: the event has ended. Any thread. */
static inline bool weft_edges_add(weft_edges *edges, weft_edge *edge, void *waiter) {
    weft_edge *head = atomic_load_explicit(edges, memory_order_acquire);

    edge->waiter = waiter;
    do {
        if (head == WEFT_EDGES_CLOSED)
            return false;
        edge->next = head;
    } while (!atomic_compare_exchange_weak_explicit(edges, &head, edge, memory_order_acq_rel,
                                                    memory_order_acquire));
    return true;
}

/** The event has ended: all who waited, newest first. Called once. */
static inline weft_edge *weft_edges_close(weft_edges *edges) {
    return atomic_exchange(edges, WEFT_EDGES_CLOSED);
}

#endif
