// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Oracles of stages (docs/differential.md): runs what a stage of the compiler has left, in the
 * plainest way. A strand is what has a stack of its own in the worker's arena: a work-item, a lane
 * of a vector, a whole vector, or a group.
 */
#ifndef WEFT_RT_ORACLE_H
#define WEFT_RT_ORACLE_H

#include "reference.h"

/** What a strand is. */
enum {
    WEFT_RT_FREE_LANES = 0, /* an item; those of a vector meet where they exchange values only */
    WEFT_RT_LOCK_STEP = 1,  /* a lane, with or without item; all of a vector take the same way */
    WEFT_RT_VECTORS = 2     /* all lanes of a vector */
};

/** Why lanes meet. */
enum {
    WEFT_RT_ANY = 0,     /* value: a condition; true if it holds for some lane */
    WEFT_RT_SAME = 1,    /* the value, which is the same for all lanes whose mask is set */
    WEFT_RT_SOME = 2,    /* no result: some lane's mask is set */
    WEFT_RT_BALLOT = 3,  /* value: a condition; a bit for each lane whose mask is set */
    WEFT_RT_BARRIER = 4, /* no result: all lanes have come to one barrier */
    WEFT_RT_STEP = 5,    /* no result: all lanes have come so far, and see what others wrote */
    /* Behind these: WEFT_RT_EXCHANGE + exchange + arithmetic << 8 + bits << 16, numbers as in
     * norm/sub_groups.h and norm/group_arith.h. */
    WEFT_RT_EXCHANGE = 16
};

/** What a lane that is off loads, in each byte. Nobody may use it. */
#define WEFT_RT_GARBAGE UINT64_C(0xa5a5a5a5a5a5a5a5)

typedef struct weft_rt_strand {
    weft_rt_item item; /* ids: those of the first lane */
    struct weft_rt_crew *crew;
    uint64_t lane;                    /* this one's number in its vector */
    uint64_t lanes;                   /* of the vector, that have an item: the first ones */
    uint64_t first_lane;              /* local linear id of the vector's first lane */
    uint64_t unit;                    /* number of the vector in its group */
    uint64_t units;                   /* vectors of the group */
    void *context, *values, *results; /* of a region: see RegionParameter in group/plan.h */
    /* While it waits: */
    uint32_t waits; /* one of the states of oracle.c */
    uint32_t why;
    uint64_t value, other, mask, result;
    const uint64_t *place; /* where in the code, see weft_rt_meet */
    uint64_t place_length;
} weft_rt_strand;

/** One vector's, or item's, way through a region of the kernel: the next barrier's number. */
typedef uint32_t weft_rt_region_fn(weft_rt_strand *strand);

#ifdef __cplusplus
extern "C" {
#endif

/** What an entry does: strands of one kind, vectors of so many lanes; `linear`: those are items
 *  with consecutive linear ids, not parts of rows. */
void weft_rt_oracle(const weft_launch *launch, weft_worker *worker, uint64_t first, uint64_t count,
                    weft_rt_item_fn *run, uint32_t kind, uint64_t width, uint32_t linear);

/** A strand has come to a barrier. */
void weft_rt_oracle_barrier(weft_rt_strand *strand);

/**
 * A lane gives `value`, and gets a result when the others have come to the same place. Places are
 * ordered, as sequences of numbers are: what comes earlier in the code has the lower one, and each
 * turn of a loop begins with the loop's number and the number of the turn.
 */
uint64_t weft_rt_meet(weft_rt_strand *strand, uint32_t why, uint64_t value, uint64_t other,
                      uint32_t mask, const uint64_t *place, uint64_t place_length);

/** What an entry does: each group on one stack behind all that the arena has. */
void weft_rt_oracle_groups(const weft_launch *launch, weft_worker *worker, uint64_t first,
                           uint64_t count, weft_rt_item_fn *run);

/** All vectors of the group go through a region, those only that wait at barrier `id` if `checks`
 *  is set. `places`: where each waits; null: nobody keeps that. What the first that is alive came
 *  to. */
uint32_t weft_rt_oracle_items(weft_rt_strand *group, weft_rt_region_fn *region, uint64_t width,
                              uint32_t linear, uint32_t id, uint32_t checks, uint64_t state,
                              void *context, void *values, void *results);

/** What an entry does: the entry `run` on one stack behind all that the arena has. */
void weft_rt_oracle_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                          uint64_t count, weft_entry_fn *run);

#ifdef __cplusplus
}
#endif

#endif
