// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "weft/trace.h"

#include "weft/shim.h"

#include <sys/syscall.h>
#include <unistd.h>

/* The block that this thread fills, and whose trace's it is. Initial-exec: no access allocates. */
static _Thread_local weft_trace_block *mine __attribute__((tls_model("initial-exec")));

weft_trace *weft_trace_create(uint32_t megabytes) {
    size_t bytes = (size_t)megabytes << 20, head = 4096;
    weft_trace *trace = weft_mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (trace == MAP_FAILED)
        return NULL;
    /* A forked child has no part in the parent's timeline. Before Linux 4.14 it records into its
     * own copy, and nobody writes that: the process number differs. */
    madvise(trace, bytes, MADV_WIPEONFORK);
    trace->start = weft_trace_now();
    trace->process = getpid();
    trace->bytes = bytes;
    trace->blocks = (weft_trace_block *)(void *)((char *)trace + head);
    trace->block_count = (uint32_t)((bytes - head) / sizeof(weft_trace_block));
    return trace;
}

/* A fresh block for the calling thread; NULL: none are left. */
static weft_trace_block *take_block(weft_trace *trace) {
    uint32_t index = atomic_load_explicit(&trace->taken, memory_order_relaxed);

    if (index >= trace->block_count)
        return NULL;
    index = atomic_fetch_add_explicit(&trace->taken, 1, memory_order_relaxed);
    if (index >= trace->block_count)
        return NULL;
    weft_trace_block *block = &trace->blocks[index];
    block->trace = trace;
    block->thread = (int32_t)syscall(SYS_gettid);
    pthread_getname_np(pthread_self(), block->thread_name, sizeof(block->thread_name));
    return block;
}

void weft_trace_add(weft_trace *trace, weft_trace_kind kind, const char *name,
                    const uint64_t times[4], uint64_t id, uint64_t value) {
    weft_trace_block *block = mine;
    uint32_t count = 0;

    if (block && block->trace == trace)
        count = atomic_load_explicit(&block->count, memory_order_relaxed);
    if (!block || block->trace != trace || count == WEFT_TRACE_BLOCK_EVENTS) {
        block = mine = take_block(trace);
        count = 0;
    }
    if (!block) {
        atomic_fetch_add_explicit(&trace->dropped, 1, memory_order_relaxed);
        return;
    }
    weft_trace_event *event = &block->events[count];
    memcpy(event->times, times, sizeof(event->times));
    event->id = id;
    event->value = value;
    event->kind = (uint32_t)kind;
    strncpy(event->name, name ? name : "", sizeof(event->name) - 1);
    /* Release: whoever reads the count sees the event. */
    atomic_store_explicit(&block->count, count + 1, memory_order_release);
}
