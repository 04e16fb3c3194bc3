// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * A pipe is a ring of packets. Both sides take places by counters that only grow, and give them
 * back in the order in which they took them, whatever the order of their commits: a byte per place
 * says that it is done, and the counter that the other side sees goes on to the first that is not.
 *
 *     head <= read_reserved <= tail <= write_reserved <= head + max_packets
 *
 * A lock of the pipe's own guards this; it is held for a copy of one packet at most.
 */

#include "pipe.h"

#include "weft/device.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { SPINS = 64 };

_Static_assert(sizeof(weft_pipe) <= WEFT_PIPE_PACKETS_AT, "packets lie behind the header");

uint64_t weft_pipe_bytes(uint32_t packet_size, uint32_t max_packets) {
    return WEFT_PIPE_PACKETS_AT + ((uint64_t)packet_size + WEFT_PIPE_MARKS) * max_packets;
}

static unsigned char *packet_at(weft_pipe *pipe, uint64_t number) {
    return (unsigned char *)pipe + WEFT_PIPE_PACKETS_AT +
           number % pipe->max_packets * pipe->packet_size;
}

/* Bit 0 of the byte of a place: read, bit 1: written. Two arrays, so that neither needs the
 * other. */
static unsigned char *marks(weft_pipe *pipe, uint32_t is_write) {
    return (unsigned char *)pipe + WEFT_PIPE_PACKETS_AT +
           (uint64_t)pipe->packet_size * pipe->max_packets + (is_write ? pipe->max_packets : 0);
}

static void lock(weft_pipe *pipe) {
    _Atomic uint32_t *word = (_Atomic uint32_t *)&pipe->reserved[0];

    for (uint32_t spins = 0; atomic_exchange_explicit(word, 1, memory_order_acquire);)
        if (++spins % SPINS == 0)
            sched_yield(); /* its owner is not running */
}

static void unlock(weft_pipe *pipe) {
    atomic_store_explicit((_Atomic uint32_t *)&pipe->reserved[0], 0, memory_order_release);
}

/* Takes places; false: there are not so many. The lock is held. */
static bool take(weft_pipe *pipe, uint32_t packets, uint32_t is_write, uint64_t *first) {
    uint64_t *reserved = is_write ? &pipe->write_reserved : &pipe->read_reserved;
    uint64_t room = is_write ? pipe->head + pipe->max_packets - pipe->write_reserved
                             : pipe->tail - pipe->read_reserved;

    if (packets > room)
        return false;
    *first = *reserved;
    *reserved += packets;
    return true;
}

/* Marks places as done and lets the other side see what is. The lock is held. Places outside of
 * what is reserved are nobody's, a place that is marked twice is marked once: a wrong reservation
 * does no more harm than that. */
static void give(weft_pipe *pipe, uint64_t slot, uint32_t packets, uint32_t is_write) {
    uint64_t *visible = is_write ? &pipe->tail : &pipe->head;
    uint64_t reserved = is_write ? pipe->write_reserved : pipe->read_reserved;
    unsigned char *done = marks(pipe, is_write);

    for (uint32_t i = 0; i < packets; i++)
        done[(slot + i) % pipe->max_packets] = 1;
    for (; *visible < reserved && done[*visible % pipe->max_packets]; (*visible)++)
        done[*visible % pipe->max_packets] = 0;
}

static int32_t move_one(weft_pipe *pipe, void *to, const void *from, uint32_t is_write) {
    uint64_t place;

    lock(pipe);
    bool taken = take(pipe, 1, is_write, &place);
    if (taken) {
        if (is_write)
            memcpy(packet_at(pipe, place), from, pipe->packet_size);
        else
            memcpy(to, packet_at(pipe, place), pipe->packet_size);
        give(pipe, place % pipe->max_packets, 1, is_write);
    }
    unlock(pipe);
    return taken ? 0 : -1;
}

int32_t weft_pipe_read(weft_pipe *pipe, void *packet) {
    return move_one(pipe, packet, NULL, 0);
}

int32_t weft_pipe_write(weft_pipe *pipe, const void *packet) {
    return move_one(pipe, NULL, packet, 1);
}

/* A reservation: its first place in the ring + 1 in the upper half, the number of packets below. */

uint64_t weft_pipe_reserve(weft_pipe *pipe, uint32_t packets, uint32_t is_write) {
    uint64_t first = 0;

    if (packets == 0)
        return 0;
    lock(pipe);
    bool taken = take(pipe, packets, is_write, &first);
    unlock(pipe);
    return taken ? (first % pipe->max_packets + 1) << 32 | packets : 0;
}

static bool is_reservation(const weft_pipe *pipe, uint64_t reservation) {
    return reservation >> 32 && reservation >> 32 <= pipe->max_packets &&
           (uint32_t)reservation <= pipe->max_packets;
}

int32_t weft_pipe_access(weft_pipe *pipe, uint64_t reservation, uint32_t index, void *packet,
                         uint32_t is_write) {
    unsigned char *place;

    if (!is_reservation(pipe, reservation) || index >= (uint32_t)reservation)
        return -1;
    /* The place is the reservation's alone until it is committed. */
    place = packet_at(pipe, (reservation >> 32) - 1 + index);
    if (is_write)
        memcpy(place, packet, pipe->packet_size);
    else
        memcpy(packet, place, pipe->packet_size);
    return 0;
}

void weft_pipe_commit(weft_pipe *pipe, uint64_t reservation, uint32_t is_write) {
    if (!is_reservation(pipe, reservation))
        return;
    lock(pipe);
    give(pipe, (reservation >> 32) - 1, (uint32_t)reservation, is_write);
    unlock(pipe);
}
