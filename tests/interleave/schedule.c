// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Who goes on. The natural next is the running thread, or the first of those that are ready if it
 * cannot go on or yields. A schedule is the list of the decisions that went otherwise: "b17>2,40>0"
 * (at the 17th decision thread 2). Schedules are
 *
 *  - enumerated, depth first: all with at most so many preemptions (a thread that could go on has
 *    to wait). Most faults need one or two (CHESS, Musuvathi and Qadeer 2007). Points are before
 *    steps only;
 *  - drawn, with points before and behind steps: half of them change threads at random, often or
 *    seldom; half give each thread a priority and lower the running one's at one to three random
 *    steps (PCT, Burckhardt and others 2010), which finds a fault of that depth with a known
 *    probability.
 */

#include "schedule.h"

#include <stdio.h>

bool schedule_points_behind, schedule_traces;

static enum { ENUMERATED, RANDOM, PRIORITIES, WRITTEN } kind;
static uint64_t decisions, signature;

/* Decisions that were not the natural ones. */
enum { MOST_TURNS = 4096 };
typedef struct turn {
    uint32_t at;
    uint8_t to;
} turn;
static turn turns[MOST_TURNS];
static size_t turn_count;

/* WRITTEN: what is to be done. */
static turn wanted[MOST_TURNS];
static size_t wanted_count, wanted_next;

/* ENUMERATED: the decisions with more than one way, and which was taken. */
static struct {
    uint8_t ways, taken;
} path[MOST_STEPS];
static size_t path_known, path_length;
static unsigned preemptions_allowed, preemptions;

/* RANDOM: one in so many decisions, on average. PRIORITIES: where the running thread falls. */
static uint64_t state;
static uint32_t one_in;
enum { MOST_FALLS = 3 };
static uint64_t falls[MOST_FALLS], usual_length = 100;
static uint32_t lowest;

static uint64_t draw(void) {
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- the kinds ------------------------------------------------------------------------------- */

/* The n-th of the set. */
static int member(uint32_t set, unsigned n) {
    while (n--)
        set &= set - 1;
    return __builtin_ctz(set);
}

static int choose_enumerated(uint32_t ready, int natural, bool preempts) {
    uint32_t others = ready & ~(1u << natural);
    unsigned ways = 1;

    if (others && (!preempts || preemptions < preemptions_allowed))
        ways += (unsigned)__builtin_popcount(others);
    if (ways == 1)
        return natural;
    if (path_length < path_known) {
        if (path[path_length].ways != ways)
            explore_fail("the scenario takes another way if it is run again");
    } else {
        path[path_length].ways = (uint8_t)ways;
        path[path_length].taken = 0;
        path_known++;
    }
    unsigned taken = path[path_length++].taken;
    preemptions += preempts && taken;
    return taken ? member(others, taken - 1) : natural;
}

static int choose_random(uint32_t ready, int natural) {
    if (draw() % one_in)
        return natural;
    return member(ready, (unsigned)(draw() % (unsigned)__builtin_popcount(ready)));
}

static int choose_by_priority(uint32_t ready, int running, bool yields) {
    int best = -1;

    for (int i = 0; i < MOST_FALLS && running >= 0; i++)
        if (falls[i] == decisions)
            threads[running].priority = --lowest;
    if (yields)
        threads[running].priority = --lowest;
    for (int i = 0; i < thread_count; i++)
        if (ready >> i & 1 && (best < 0 || threads[i].priority > threads[best].priority))
            best = i;
    return best;
}

static int choose_written(uint32_t ready, int natural) {
    if (wanted_next == wanted_count || wanted[wanted_next].at != decisions)
        return natural;
    int to = wanted[wanted_next++].to;
    return ready >> to & 1 ? to : natural;
}

_Static_assert(MOST_THREADS <= 32, "a set of threads is a word");

static uint32_t ready_set(void) {
    uint32_t ready = 0;

    for (int i = 0; i < thread_count; i++)
        ready |= (uint32_t)thread_is_ready(i) << i;
    return ready;
}

static int choose(uint32_t ready, int running, bool yields) {
    bool goes_on = running >= 0 && ready >> running & 1;
    uint32_t first = yields && goes_on && ready != 1u << running ? ready & ~(1u << running) : ready;
    int natural = goes_on && !yields ? running : __builtin_ctz(first), next = natural;

    if (++decisions > MOST_STEPS)
        explore_fail("no end after %d steps", MOST_STEPS);
    if ((ready & (ready - 1)) || kind == PRIORITIES) {
        switch (kind) {
        case ENUMERATED:
            next = choose_enumerated(first, natural, goes_on && !yields);
            break;
        case RANDOM:
            next = choose_random(first, natural);
            break;
        case PRIORITIES:
            next = choose_by_priority(ready, running, yields && goes_on);
            break;
        case WRITTEN:
            next = choose_written(ready, natural);
            break;
        }
    }
    if (next != natural && turn_count < MOST_TURNS) {
        turns[turn_count++] = (turn){(uint32_t)decisions, (uint8_t)next};
        signature = (signature ^ (decisions << 4 | (unsigned)next)) * UINT64_C(0x100000001b3);
    }
    return next;
}

int schedule_choose(int running, bool yields) {
    uint32_t ready = ready_set();

    return ready ? choose(ready, running, yields) : -1;
}

void schedule_added(logical_thread *thread) {
    if (kind == PRIORITIES)
        thread->priority = 1000000 + (uint32_t)(draw() % 1000000);
}

/* ---- which comes next ------------------------------------------------------------------------ */

void schedule_enumerate(unsigned allowed) {
    kind = ENUMERATED;
    schedule_points_behind = false;
    preemptions_allowed = allowed;
    path_known = 0;
}

bool schedule_next(void) {
    path_known = path_length;
    while (path_known && path[path_known - 1].taken + 1 == path[path_known - 1].ways)
        path_known--;
    if (!path_known)
        return false;
    path[path_known - 1].taken++;
    return true;
}

void schedule_draw(uint64_t number) {
    schedule_points_behind = true;
    state = number * UINT64_C(0xd1342543de82ef95);
    if (decisions > usual_length)
        usual_length = decisions;
    if (number & 1) {
        kind = RANDOM;
        one_in = 1u << (1 + draw() % 5);
        return;
    }
    kind = PRIORITIES;
    lowest = 1000;
    memset(falls, 0, sizeof(falls));
    for (uint64_t i = 0, count = draw() % (MOST_FALLS + 1); i < count; i++)
        falls[i] = 1 + draw() % usual_length;
}

bool schedule_read(const char *text) {
    kind = WRITTEN;
    wanted_count = 0;
    if (*text != 'a' && *text != 'b')
        return false;
    schedule_points_behind = *text++ == 'b';
    while (*text && wanted_count < MOST_TURNS) {
        unsigned at, to;
        int read = 0;
        if (sscanf(text, "%u>%u%n", &at, &to, &read) != 2 || to >= MOST_THREADS)
            return false;
        wanted[wanted_count++] = (turn){at, (uint8_t)to};
        text += read;
        text += *text == ',';
    }
    return true;
}

void schedule_begin(void) {
    decisions = path_length = turn_count = wanted_next = 0;
    preemptions = 0;
    signature = schedule_points_behind ? UINT64_C(0xcbf29ce484222325) : 14695981039;
}

uint64_t schedule_signature(void) {
    return signature;
}

uint64_t schedule_steps(void) {
    return decisions;
}

void schedule_write(char *text, size_t room) {
    size_t at = (size_t)snprintf(text, room, "%s", schedule_points_behind ? "b" : "a");

    for (size_t i = 0; i < turn_count && at < room; i++)
        at += (size_t)snprintf(text + at, room - at, "%s%u>%u", i ? "," : "", turns[i].at,
                               turns[i].to);
}
