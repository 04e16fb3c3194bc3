// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* device-cpu/pipe.c: the ring alone, also from several threads, and with reservations that were
 * never given. */

#include "device-cpu/pipe.h"
#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static weft_pipe *make_pipe(uint32_t size, uint32_t packets) {
    weft_pipe *pipe = aligned_alloc(128, (weft_pipe_bytes(size, packets) + 127) / 128 * 128);
    memset(pipe, 0, weft_pipe_bytes(size, packets));
    pipe->packet_size = size;
    pipe->max_packets = packets;
    return pipe;
}

TEST(first_in_first_out) {
    weft_pipe *pipe = make_pipe(4, 5);
    uint32_t value = 0, next = 0;
    CHECK_EQ(weft_pipe_read(pipe, &value), -1);
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK_EQ(weft_pipe_write(pipe, &i), 0);
        if (i % 5 < 3)
            continue;
        CHECK_EQ(weft_pipe_read(pipe, &value), 0);
        CHECK_EQ(value, next++);
        while (i % 5 == 4 && weft_pipe_read(pipe, &value) == 0)
            CHECK_EQ(value, next++);
    }
    CHECK_EQ(next, 1000);
    free(pipe);
}

/* Packets become visible in the order of the reservations, not of the commits. */
TEST(commits_in_any_order) {
    weft_pipe *pipe = make_pipe(4, 4);
    uint32_t value = 0;
    uint64_t a = weft_pipe_reserve(pipe, 2, 1), b = weft_pipe_reserve(pipe, 1, 1);
    CHECK(a && b && a != b);
    CHECK_EQ(weft_pipe_reserve(pipe, 2, 1), 0);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_EQ(weft_pipe_access(pipe, a, i, &i, 1), 0);
    CHECK_EQ(weft_pipe_access(pipe, b, 0, &(uint32_t){2}, 1), 0);
    CHECK_EQ(weft_pipe_access(pipe, b, 1, &value, 1), -1);
    weft_pipe_commit(pipe, b, 1);
    CHECK_EQ(weft_pipe_read(pipe, &value), -1);
    weft_pipe_commit(pipe, a, 1);
    uint64_t c = weft_pipe_reserve(pipe, 2, 0), d = weft_pipe_reserve(pipe, 1, 0);
    CHECK(c && d);
    CHECK_EQ(weft_pipe_access(pipe, d, 0, &value, 0), 0);
    CHECK_EQ(value, 2);
    CHECK_EQ(weft_pipe_access(pipe, c, 1, &value, 0), 0);
    CHECK_EQ(value, 1);
    weft_pipe_commit(pipe, d, 0);
    CHECK_EQ(weft_pipe_reserve(pipe, 2, 1), 0); /* one place is free: the oldest are still read */
    weft_pipe_commit(pipe, c, 0);
    CHECK(weft_pipe_reserve(pipe, 4, 1));
    free(pipe);
}

TEST(reservations_that_were_never_given) {
    weft_pipe *pipe = make_pipe(8, 4);
    const uint64_t wrong[] = {0, 1, 5, (uint64_t)5 << 32 | 1, (uint64_t)1 << 32 | 5, UINT64_MAX};
    uint64_t value = 0;
    CHECK_EQ(weft_pipe_reserve(pipe, 0, 1), 0);
    CHECK_EQ(weft_pipe_reserve(pipe, 5, 1), 0);
    CHECK_EQ(weft_pipe_reserve(pipe, UINT32_MAX, 0), 0);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        CHECK_EQ(weft_pipe_access(pipe, wrong[i], 0, &value, 1), -1);
        weft_pipe_commit(pipe, wrong[i], 0);
        weft_pipe_commit(pipe, wrong[i], 1);
    }
    CHECK_EQ(pipe->tail, 0);
    CHECK_EQ(pipe->head, 0);
    free(pipe);
}

enum { THREADS = 4, EACH = 20000 };

typedef struct side {
    weft_pipe *pipe;
    _Atomic uint64_t *sum;
    uint32_t number;
} side;

static void *write_all(void *argument) {
    side *mine = argument;
    for (uint32_t i = 0; i < EACH; i++) {
        uint32_t value = mine->number * EACH + i;
        while (i % 3 && weft_pipe_write(mine->pipe, &value))
            sched_yield();
        if (i % 3)
            continue;
        uint64_t id;
        while (!(id = weft_pipe_reserve(mine->pipe, 1, 1)))
            sched_yield();
        weft_pipe_access(mine->pipe, id, 0, &value, 1);
        weft_pipe_commit(mine->pipe, id, 1);
    }
    return NULL;
}

static void *read_all(void *argument) {
    side *mine = argument;
    for (uint32_t i = 0; i < EACH; i++) {
        uint32_t value;
        while (weft_pipe_read(mine->pipe, &value))
            sched_yield();
        atomic_fetch_add(mine->sum, value);
    }
    return NULL;
}

TEST(many_writers_and_readers) {
    weft_pipe *pipe = make_pipe(4, 7);
    _Atomic uint64_t sum = 0;
    pthread_t threads[2 * THREADS];
    side sides[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        sides[i] = (side){pipe, &sum, i};
        CHECK_EQ(pthread_create(&threads[i], NULL, write_all, &sides[i]), 0);
        CHECK_EQ(pthread_create(&threads[THREADS + i], NULL, read_all, &sides[i]), 0);
    }
    for (int i = 0; i < 2 * THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(sum, (uint64_t)THREADS * EACH * (THREADS * EACH - 1) / 2);
    CHECK_EQ(pipe->head, THREADS * EACH);
    CHECK_EQ(pipe->head, pipe->write_reserved);
    free(pipe);
}

TEST_MAIN()
