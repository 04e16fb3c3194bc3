// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Logical threads: stacks of their own, on one thread of the system. Who goes on is decided at each
 * step; changing to another costs about as much as a call. */

#include "threads.h"

#include <stdio.h>
#include <sys/mman.h>

#if !defined(__x86_64__)
#error "threads.c changes stacks by the calling convention of x86-64"
#endif

enum { STACK_BYTES = 256 * 1024 };

logical_thread threads[MOST_THREADS];
int thread_count, current = -1;
void *step_stack_end;

static unsigned char *stacks;
static void *main_stack_pointer;
static uint64_t waits; /* numbers them */

/* The variables of a thread (steps.h), and what they are at its start. */
extern unsigned char __start_weft_local[] __attribute__((weak));
extern unsigned char __stop_weft_local[] __attribute__((weak));
static unsigned char local_at_start[LOCAL_BYTES];
static size_t local_bytes;

/* Saves what a call must keep, and comes back as the other. */
void stack_change(void **from, void *to);
__asm__(".text\n"
        ".globl stack_change\n"
        ".type stack_change, @function\n"
        "stack_change:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n"
        "    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n"
        "    popq %rbx\n    popq %rbp\n"
        "    ret\n"
        ".size stack_change, .-stack_change\n");

static unsigned char *stack_of(int number) {
    return stacks + (size_t)number * STACK_BYTES;
}

static void change_to(int to) {
    int from = current;
    void **save = from < 0 ? &main_stack_pointer : &threads[from].stack_pointer;

    if (from >= 0)
        memcpy(threads[from].local, __start_weft_local, local_bytes);
    memcpy(__start_weft_local, to < 0 ? local_at_start : threads[to].local, local_bytes);
    current = to;
    step_stack_end = to < 0 ? NULL : stack_of(to) + STACK_BYTES;
    stack_change(save, to < 0 ? main_stack_pointer : threads[to].stack_pointer);
}

/* ---- who can go on --------------------------------------------------------------------------- */

bool thread_is_ready(int number) {
    logical_thread *thread = &threads[number];

    if (thread->state == THREAD_AWAITING && thread->is_true(thread->is_true_argument))
        thread->state = THREAD_READY;
    return thread->state == THREAD_READY;
}

static void go_on(bool yields) {
    int next = schedule_choose(current, yields);

    if (next != current)
        change_to(next);
}

void thread_step(const step_site *site) {
    if (current < 0)
        return;
    threads[current].site = site;
    go_on(false);
}

void thread_yield(const step_site *site) {
    if (current < 0)
        return;
    threads[current].site = site;
    go_on(true);
}

void thread_block(thread_state state, const void *on, const step_site *site) {
    if (current < 0)
        explore_fail("begin or end of the scenario would wait for ever");
    logical_thread *thread = &threads[current];
    thread->site = site;
    thread->state = state;
    thread->on = on;
    thread->since = ++waits;
    go_on(false);
}

void threads_wake(thread_state state, const void *on, int count) {
    while (count-- > 0) {
        logical_thread *oldest = NULL;
        for (int i = 0; i < thread_count; i++)
            if (threads[i].state == state && threads[i].on == on &&
                (!oldest || threads[i].since < oldest->since))
                oldest = &threads[i];
        if (!oldest)
            return;
        oldest->state = THREAD_READY;
    }
}

void explore_await(bool (*is_true)(void *argument), void *argument) {
    static const step_site site = {"scenario", "explore_await", "await", "", 0};

    threads[current].is_true = is_true;
    threads[current].is_true_argument = argument;
    thread_block(THREAD_AWAITING, NULL, &site);
    races_saw_all();
}

void threads_abandon(void) {
    change_to(-1);
    abort(); /* nobody comes back */
}

/* ---- life ------------------------------------------------------------------------------------ */

static void thread_main(void) {
    logical_thread *thread = &threads[current];
    if (thread->product)
        thread->product(thread->argument);
    else
        thread->run(thread->argument);
    thread->state = THREAD_ENDED;
    threads_wake(THREAD_JOINING, (const void *)(intptr_t)current, MOST_THREADS);
    go_on(false);
    abort();
}

int thread_add(const char *name, void (*run)(void *), void *(*product)(void *), void *argument) {
    if (thread_count == MOST_THREADS)
        explore_fail("more than %d threads", MOST_THREADS);
    logical_thread *thread = &threads[thread_count];
    void **top = (void **)(void *)(stack_of(thread_count) + STACK_BYTES) - 1;

    memset(thread, 0, sizeof(*thread));
    thread->name = name;
    thread->run = run;
    thread->product = product;
    thread->argument = argument;
    memcpy(thread->local, local_at_start, local_bytes);
    *top = NULL;                             /* where thread_main would return to */
    *--top = (void *)(uintptr_t)thread_main; /* and six registers */
    thread->stack_pointer = top - 6;
    memset(thread->stack_pointer, 0, 6 * sizeof(void *));
    schedule_added(thread);
    races_started(thread_count);
    return thread_count++;
}

void threads_run(void (*begin)(void)) {
    thread_count = 0;
    waits = 0;
    memcpy(__start_weft_local, local_at_start, local_bytes);
    begin();
    go_on(false);
}

void threads_init(void) {
    local_bytes = (size_t)(__stop_weft_local - __start_weft_local);
    if (local_bytes > LOCAL_BYTES)
        abort();
    memcpy(local_at_start, __start_weft_local, local_bytes);
    stacks = mmap(NULL, (size_t)MOST_THREADS * STACK_BYTES, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stacks == MAP_FAILED)
        abort();
}
