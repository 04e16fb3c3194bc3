// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The steps of weft/graph.h alone: what the host's commands and kernels' children have in common.
 */

#include "harness.h"

#include "weft/graph.h"

#include <pthread.h>
#include <sched.h>

enum { ROOM = 64, CHAIN = 1000 * 1000, RACERS = 4, ROUNDS = 500 };

/* A node, and what was done with it. */
typedef struct item {
    weft_node node;
    weft_edge edges[2];
    _Atomic int ending, ended, started;
    int32_t status; /* that it ended with */
} item;

static item *item_of(weft_node *node) {
    return (item *)((char *)node - offsetof(item, node));
}

static void on_ending(weft_node *node, int32_t status) {
    (void)status;
    item_of(node)->ending++;
}

/* Its memory may be gone now: nobody looks at its edges any more. */
static void lose(item *it) {
    memset(it->edges, 0xee, sizeof(it->edges));
}

static void on_ended(weft_node *node, int32_t status, weft_ready *ready) {
    (void)ready;
    lose(item_of(node));
    item_of(node)->status = status;
    item_of(node)->ended++;
}

/* Who was started, in which order. */
typedef struct starts {
    item *of[ROOM];
    int count;
} starts;

static void on_start(weft_node *node, void *context) {
    starts *s = context;

    lose(item_of(node));
    item_of(node)->started++;
    if (s)
        s->of[s->count++ % ROOM] = item_of(node);
}

static const weft_graph graph = {on_ending, on_ended, on_start};

static void make(item *it, bool has_work) {
    memset(it, 0, sizeof(*it));
    atomic_init(&it->node.status, CL_QUEUED);
    atomic_init(&it->node.unmet, 1);
    it->node.has_work = has_work;
}

/* Its own enqueueing is met. */
static void commit(item *it, starts *s) {
    weft_ready ready = {0};

    if (weft_node_meet(&it->node))
        weft_ready_add(&ready, &it->node);
    weft_ready_run(&graph, &ready, s);
}

static bool finish(item *it, int32_t status, starts *s) {
    weft_ready ready = {0};
    bool first = weft_node_end(&graph, &it->node, status, &ready);

    weft_ready_run(&graph, &ready, s);
    return first;
}

/* ---- one thread ---- */

TEST(who_waits_starts_when_the_last_has_ended) {
    item a, b, c;
    starts s = {0};

    make(&a, true);
    make(&b, true);
    make(&c, true);
    CHECK(weft_node_await(&c.node, &c.edges[0], &a.node, false));
    CHECK(weft_node_await(&c.node, &c.edges[1], &b.node, false));
    commit(&c, &s);
    CHECK_EQ(s.count, 0);
    CHECK(finish(&b, CL_COMPLETE, &s));
    CHECK_EQ(s.count, 0);
    CHECK(finish(&a, CL_COMPLETE, &s));
    CHECK_EQ(s.count, 1);
    CHECK(s.of[0] == &c);
    CHECK_EQ(atomic_load(&c.node.status), CL_QUEUED); /* whoever runs it says more */
}

TEST(an_ended_one_is_not_waited_for) {
    item a, b, c;
    starts s = {0};

    make(&a, true);
    make(&b, true);
    make(&c, true);
    finish(&a, CL_COMPLETE, &s);
    CHECK(!weft_node_await(&b.node, &b.edges[0], &a.node, false));
    commit(&b, &s);
    CHECK_EQ(s.count, 1);
    make(&a, true);
    finish(&a, -5, &s);
    CHECK(!weft_node_await(&c.node, &c.edges[0], &a.node, false));
    commit(&c, &s);
    CHECK_EQ(s.count, 1);
    CHECK_EQ(c.status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

/* ... "and not where order is all that counts", whether the error is there before or after. */
TEST(errors_pass_by_wait_lists_only) {
    item a, by_list, by_order, late;
    starts s = {0};

    make(&a, true);
    make(&by_list, true);
    make(&by_order, true);
    make(&late, true);
    weft_node_await(&by_list.node, &by_list.edges[0], &a.node, false);
    weft_node_await(&by_order.node, &by_order.edges[0], &a.node, true);
    commit(&by_list, &s);
    commit(&by_order, &s);
    finish(&a, -5, &s);
    CHECK_EQ(by_list.started, 0);
    CHECK_EQ(by_list.status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(by_order.started, 1);
    weft_node_await(&late.node, &late.edges[0], &a.node, true);
    commit(&late, &s);
    CHECK_EQ(late.started, 1);
}

/* clSetUserEventStatus twice crashed the process once: the second end freed the event again. */
TEST(an_end_is_the_end) {
    static const int32_t ends[] = {CL_COMPLETE, -1, -2, -1000, 5};
    starts s = {0};
    item a;

    for (int i = 0; i < 2; i++) {
        make(&a, true);
        CHECK(finish(&a, ends[i], &s));
        for (unsigned other = 0; other < sizeof(ends) / sizeof(ends[0]); other++) {
            CHECK(!finish(&a, ends[other], &s));
            CHECK(!weft_node_advance(&a.node, ends[other]));
        }
        CHECK_EQ(a.ended, 1);
        CHECK_EQ(atomic_load(&a.node.status), ends[i]);
    }
}

TEST(statuses_only_fall) {
    item a;

    make(&a, true);
    CHECK(!weft_node_advance(&a.node, CL_QUEUED));
    CHECK(weft_node_advance(&a.node, CL_RUNNING));
    CHECK(!weft_node_advance(&a.node, CL_SUBMITTED));
    CHECK_EQ(atomic_load(&a.node.status), CL_RUNNING);
    CHECK(weft_node_advance(&a.node, CL_COMPLETE));
}

TEST(the_first_error_stays) {
    _Atomic int32_t place = 0;

    weft_note_error(&place, CL_COMPLETE);
    CHECK_EQ(place, 0);
    weft_note_error(&place, -5);
    weft_note_error(&place, -6);
    CHECK_EQ(place, -5);
}

TEST(who_waited_first_starts_first) {
    item a, rest[20];
    starts s = {0};

    make(&a, true);
    for (int i = 0; i < 20; i++) {
        make(&rest[i], true);
        weft_node_await(&rest[i].node, &rest[i].edges[0], &a.node, i % 2);
        commit(&rest[i], &s);
    }
    finish(&a, CL_COMPLETE, &s);
    CHECK_EQ(s.count, 20);
    for (int i = 0; i < 20; i++)
        CHECK(s.of[i] == &rest[i]);
}

/* A chain of ends without work needs no stack: this one would take some 100 MB. */
TEST(a_long_chain_does_not_recurse) {
    item *chain = malloc(CHAIN * sizeof(*chain));
    starts s = {0};

    CHECK(chain);
    for (int i = 0; i < CHAIN; i++) {
        make(&chain[i], false);
        if (i) {
            weft_node_await(&chain[i].node, &chain[i].edges[0], &chain[i - 1].node, false);
            commit(&chain[i], &s);
        }
    }
    CHECK_EQ(chain[CHAIN - 1].ended, 0);
    commit(&chain[0], &s);
    CHECK_EQ(chain[CHAIN - 1].ended, 1);
    CHECK_EQ(chain[CHAIN - 1].status, CL_COMPLETE);
    free(chain);
}

TEST(a_list_that_is_taken_goes_on) {
    weft_edges list = NULL;
    weft_ready ready = {0};
    starts s = {0};
    item a, b;

    make(&a, true);
    make(&b, true);
    CHECK(weft_node_await_list(&a.node, &a.edges[0], &list, true));
    commit(&a, &s);
    weft_edges_meet(weft_edges_take(&list), CL_COMPLETE, &ready);
    weft_ready_run(&graph, &ready, &s);
    CHECK_EQ(a.started, 1);
    CHECK(weft_node_await_list(&b.node, &b.edges[0], &list, true));
    weft_edges_meet(weft_edges_close(&list), CL_COMPLETE, &ready);
    commit(&b, &s);
    CHECK_EQ(b.started, 1);
    CHECK(!weft_node_await_list(&a.node, &a.edges[1], &list, true));
}

/* ---- several threads ---- */

/* All threads make each round's step at about the same time. */
typedef struct race {
    item event, waiters[RACERS][8];
    _Atomic int round, here, ends;
} race;

typedef struct racer {
    race *r;
    int index;
} racer;

/* Waits for the event with eight nodes, and ends the event on the way. */
static void *run_racer(void *argument) {
    const racer *me = argument;
    race *r = me->r;

    for (int round = 1; round <= ROUNDS; round++) {
        while (atomic_load(&r->round) < round)
            sched_yield();
        for (int i = 0; i < 8; i++) {
            item *it = &r->waiters[me->index][i];
            make(it, i % 2);
            weft_node_await(&it->node, &it->edges[0], &r->event.node, false);
            commit(it, NULL);
            if (i == me->index && finish(&r->event, -1 - me->index, NULL))
                atomic_fetch_add(&r->ends, 1);
        }
        atomic_fetch_add(&r->here, 1);
    }
    return NULL;
}

/* However they meet, one ends the event, and each waiter ends once with the event's error. */
TEST(one_of_many_ends_it_and_all_waiters_hear_once) {
    race *r = calloc(1, sizeof(*r));
    pthread_t threads[RACERS];
    racer racers[RACERS];
    int wrong = 0;

    for (int i = 0; i < RACERS; i++) {
        racers[i] = (racer){r, i};
        CHECK_EQ(pthread_create(&threads[i], NULL, run_racer, &racers[i]), 0);
    }
    for (int round = 1; round <= ROUNDS; round++) {
        make(&r->event, false);
        atomic_store(&r->ends, 0);
        atomic_store(&r->here, 0);
        atomic_store(&r->round, round);
        while (atomic_load(&r->here) < RACERS)
            sched_yield();
        wrong += r->ends != 1 || r->event.ended != 1;
        for (int i = 0; i < RACERS * 8; i++) {
            const item *it = &r->waiters[i / 8][i % 8];
            wrong += it->ended != 1 || it->started ||
                     it->status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        }
    }
    for (int i = 0; i < RACERS; i++)
        pthread_join(threads[i], NULL);
    free(r);
    CHECK_EQ(wrong, 0);
}

TEST_MAIN()
