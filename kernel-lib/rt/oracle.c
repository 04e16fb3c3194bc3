// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "oracle.h"

#include "exchange.h"
#include "fiber.h"

/** What a strand waits for. */
enum { TURN, OTHERS, BARRIER, NOTHING };

/** All strands of a group. */
typedef struct weft_rt_crew {
    weft_rt_strand shared; /* what all begin with */
    uint32_t kind, linear;
    uint64_t width;  /* lanes of a vector */
    uint64_t each;   /* strands of a vector */
    uint64_t bytes;  /* of a strand's part of the arena */
    uint64_t failed; /* a promise was broken: nothing runs any more */
    void *loop;      /* stack pointer of the loop over the group, while a strand runs */
} weft_rt_crew;

/** Ends the command with an error: the stage that the oracle is of is wrong, or the program. */
static void weft_rt_fail(weft_rt_crew *crew) {
    weft_rt_item *item = &crew->shared.item;
    if (!crew->failed)
        item->launch->services->fault(item->launch, item->worker, WEFT_FAULT_DIVERGENCE, 0, "");
    crew->failed = 1;
}

/* ---- vectors --------------------------------------------------------------------------------- */

/** Vectors of the group: of each row, or of all items one after the other. */
static uint64_t weft_rt_count_vectors(const weft_rt_item *group, uint64_t width, uint32_t linear) {
    uint64_t rows = group->local_size[1] * group->local_size[2];
    uint64_t vectors = (group->local_size[0] + width - 1) / width;
    return linear ? (group->group_items + width - 1) / width : rows * vectors;
}

/** The items of the vector `unit`. */
static void weft_rt_describe_vector(weft_rt_strand *strand, uint64_t unit, uint64_t width,
                                    uint32_t linear) {
    weft_rt_item *item = &strand->item;
    const uint64_t *size = item->local_size;
    uint64_t vectors = (size[0] + width - 1) / width;
    uint64_t x = linear ? 0 : unit % vectors * width;
    uint64_t first = linear ? unit * width : unit / vectors * size[0] + x;
    uint64_t left = linear ? item->group_items - first : size[0] - x;
    strand->unit = unit;
    strand->lanes = left < width ? left : width;
    strand->first_lane = item->local_linear_id = first;
    item->local_id[0] = first % size[0];
    item->local_id[1] = first / size[0] % size[1];
    item->local_id[2] = first / size[0] / size[1];
}

/** From the ids of the first lane to those of another, behind the end of the row as well. */
static void weft_rt_describe_lane(weft_rt_strand *strand, uint64_t lane, uint32_t linear) {
    weft_rt_item *item = &strand->item;
    const uint64_t *size = item->local_size;
    strand->lane = lane;
    item->local_linear_id += lane;
    item->local_id[0] += lane;
    if (!linear)
        return;
    item->local_id[0] = item->local_linear_id % size[0];
    item->local_id[1] = item->local_linear_id / size[0] % size[1];
    item->local_id[2] = item->local_linear_id / size[0] / size[1];
}

/* ---- strands --------------------------------------------------------------------------------- */

/** All of a strand. Its last place is never gone back to. */
static void weft_rt_run_strand(void *argument) {
    weft_rt_strand *strand = argument;
    weft_rt_enter(&strand->item, 0, 0, 0, (void (*)(void))strand->item.run);
    strand->waits = NOTHING;
    weft_rt_switch(&strand->item.stack, strand->crew->loop);
}

/** At the upper end of its part of the arena; its stack grows down from there. */
static weft_rt_strand *weft_rt_strand_at(const weft_rt_crew *crew, uint64_t at) {
    unsigned char *arena = crew->shared.item.worker->private_memory;
    return (weft_rt_strand *)(arena + (at + 1) * crew->bytes -
                              (sizeof(weft_rt_strand) + 63) / 64 * 64);
}

/** Strands of a vector that there are: free lanes are items. */
static uint64_t weft_rt_strands_of(const weft_rt_crew *crew, uint64_t unit) {
    return crew->kind == WEFT_RT_FREE_LANES ? weft_rt_strand_at(crew, unit * crew->each)->lanes
                                            : crew->each;
}

static void weft_rt_start_vector(weft_rt_crew *crew, uint64_t unit) {
    for (uint64_t lane = 0; lane < crew->each; lane++) {
        weft_rt_strand *strand = weft_rt_strand_at(crew, unit * crew->each + lane);
        *strand = crew->shared;
        weft_rt_describe_vector(strand, unit, crew->width, crew->linear);
        weft_rt_describe_lane(strand, lane, crew->linear);
        strand->item.stack = weft_rt_new_stack(strand, weft_rt_run_strand, strand);
    }
}

/** Until it waits. */
static void weft_rt_go_on(weft_rt_crew *crew, weft_rt_strand *strand) {
    if (strand->waits == TURN)
        weft_rt_switch(&crew->loop, strand->item.stack);
}

static void weft_rt_wait(weft_rt_strand *strand, uint32_t what) {
    strand->waits = what;
    weft_rt_switch(&strand->item.stack, strand->crew->loop);
}

/* ---- meeting --------------------------------------------------------------------------------- */

/** Less than 0: `a` comes before `b`. */
static int weft_rt_compare_places(const weft_rt_strand *a, const weft_rt_strand *b) {
    for (uint64_t at = 0; at < a->place_length && at < b->place_length; at++)
        if (a->place[at] != b->place[at])
            return a->place[at] < b->place[at] ? -1 : 1;
    return (a->place_length > b->place_length) - (a->place_length < b->place_length);
}

/** The first place at which some lane of the vector waits for others; null: none does. */
static weft_rt_strand *weft_rt_first_place(const weft_rt_crew *crew, weft_rt_strand *const *lanes,
                                           uint64_t count) {
    weft_rt_strand *first = 0;
    for (uint64_t lane = 0; lane < count; lane++)
        if (lanes[lane]->waits == OTHERS &&
            (!first || weft_rt_compare_places(lanes[lane], first) < 0))
            first = lanes[lane];
    if (crew->kind != WEFT_RT_LOCK_STEP || !first)
        return first;
    for (uint64_t lane = 0; lane < count; lane++) /* all lanes take each branch together */
        if (lanes[lane]->waits != OTHERS || weft_rt_compare_places(lanes[lane], first) != 0)
            return 0;
    return first;
}

/** What the lanes that are at the place of `first` bring there. */
static void weft_rt_collect(const weft_rt_strand *first, weft_rt_strand *const *lanes,
                            uint64_t count, weft_rt_values *values) {
    values->present = 0;
    for (uint64_t lane = 0; lane < values->width; lane++) {
        values->value[lane] = WEFT_RT_GARBAGE;
        values->other[lane] = 0;
        if (lane >= count || lanes[lane]->waits != OTHERS ||
            weft_rt_compare_places(lanes[lane], first) != 0 || !lanes[lane]->mask)
            continue;
        values->present |= UINT64_C(1) << lane;
        values->value[lane] = lanes[lane]->value;
        values->other[lane] = lanes[lane]->other;
    }
}

/** What is the same for all lanes that are on; if none is, it must not matter. */
static uint64_t weft_rt_same(weft_rt_crew *crew, const weft_rt_values *values, uint64_t any) {
    uint64_t found = 0, same = any;
    for (uint64_t lane = 0; lane < values->width; lane++) {
        if (!(values->present >> lane & 1))
            continue;
        if (found && values->value[lane] != same)
            weft_rt_fail(crew);
        same = values->value[lane];
        found = 1;
    }
    return same;
}

static uint64_t weft_rt_bits(const weft_rt_values *values) {
    uint64_t bits = 0;
    for (uint64_t lane = 0; lane < values->width; lane++)
        if (values->present >> lane & 1)
            bits |= (values->value[lane] & 1) << lane;
    return bits;
}

static uint64_t weft_rt_result(weft_rt_crew *crew, const weft_rt_strand *strand,
                               const weft_rt_strand *first, const weft_rt_values *values) {
    switch (strand->why) {
    case WEFT_RT_ANY:
        return weft_rt_bits(values) != 0;
    case WEFT_RT_SAME:
        return weft_rt_same(crew, values, first->value);
    case WEFT_RT_SOME:
        if (!values->present)
            weft_rt_fail(crew);
        return 0;
    case WEFT_RT_STEP:
        return 0;
    case WEFT_RT_BALLOT:
        return weft_rt_bits(values);
    default:
        return weft_rt_exchange(values, strand->why - WEFT_RT_EXCHANGE, strand->lane);
    }
}

/** Gives their results to all that are where the first of them is; 0: nobody waits for others. */
static uint64_t weft_rt_let_meet(weft_rt_crew *crew, weft_rt_strand *const *lanes, uint64_t count) {
    weft_rt_strand *first = weft_rt_first_place(crew, lanes, count);
    weft_rt_values values = {.width = crew->width};
    uint32_t together[64];
    if (!first)
        return 0;
    weft_rt_collect(first, lanes, count, &values);
    for (uint64_t lane = 0; lane < count; lane++)
        together[lane] =
            lanes[lane]->waits == OTHERS && weft_rt_compare_places(lanes[lane], first) == 0;
    uint32_t barrier = first->why == WEFT_RT_BARRIER;
    for (uint64_t lane = 0; lane < count; lane++) {
        if (!together[lane])
            continue;
        lanes[lane]->result = barrier ? 0 : weft_rt_result(crew, lanes[lane], first, &values);
        lanes[lane]->waits = barrier ? BARRIER : TURN;
    }
    return 1;
}

/** All lanes of a vector to the next barrier or their end. */
static void weft_rt_run_vector(weft_rt_crew *crew, uint64_t unit) {
    weft_rt_strand *lanes[64];
    uint64_t count = weft_rt_strands_of(crew, unit), ended = 0, waiting = 0;
    for (uint64_t lane = 0; lane < count; lane++)
        lanes[lane] = weft_rt_strand_at(crew, unit * crew->each + lane);
    do {
        for (uint64_t lane = 0; lane < count && !crew->failed; lane++)
            weft_rt_go_on(crew, lanes[lane]);
    } while (!crew->failed && weft_rt_let_meet(crew, lanes, count));
    for (uint64_t lane = 0; lane < count; lane++) {
        ended += lanes[lane]->waits == NOTHING;
        waiting += lanes[lane]->waits == BARRIER;
    }
    /* Lanes in lock step end, or come to a barrier, together. */
    if (!crew->failed && crew->kind == WEFT_RT_LOCK_STEP && ended != count && waiting != count)
        weft_rt_fail(crew);
}

uint64_t weft_rt_meet(weft_rt_strand *strand, uint32_t why, uint64_t value, uint64_t other,
                      uint32_t mask, const uint64_t *place, uint64_t place_length) {
    strand->why = why;
    strand->value = value;
    strand->other = other;
    strand->mask = mask;
    strand->place = place;
    strand->place_length = place_length;
    weft_rt_wait(strand, OTHERS);
    return strand->result;
}

void weft_rt_oracle_barrier(weft_rt_strand *strand) {
    weft_rt_wait(strand, BARRIER);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/** True if somebody has still to run behind a barrier. */
static uint64_t weft_rt_pass_barrier(weft_rt_crew *crew, uint64_t strands) {
    uint64_t alive = 0;
    for (uint64_t at = 0; at < strands; at++) {
        weft_rt_strand *strand = weft_rt_strand_at(crew, at);
        if (strand->lane >= weft_rt_strands_of(crew, strand->unit) || strand->waits != BARRIER)
            continue;
        strand->waits = TURN;
        alive = 1;
    }
    return alive;
}

static void weft_rt_run_crew(weft_rt_crew *crew) {
    uint64_t units = crew->shared.units;
    for (uint64_t unit = 0; unit < units; unit++)
        weft_rt_start_vector(crew, unit);
    do {
        for (uint64_t unit = 0; unit < units; unit++)
            weft_rt_run_vector(crew, unit);
    } while (!crew->failed && weft_rt_pass_barrier(crew, units * crew->each));
}

void weft_rt_oracle(const weft_launch *launch, weft_worker *worker, uint64_t first, uint64_t count,
                    weft_rt_item_fn *run, uint32_t kind, uint64_t width, uint32_t linear) {
    weft_rt_crew crew = {.kind = kind, .linear = linear, .width = width};
    crew.each = kind == WEFT_RT_VECTORS ? 1 : width;
    crew.bytes = launch->run_bytes / crew.each;
    crew.shared.item.launch = launch;
    crew.shared.item.worker = worker;
    crew.shared.item.run = run;
    crew.shared.crew = &crew;
    for (uint64_t group = first; group < first + count && !crew.failed; group++) {
        weft_rt_describe(&crew.shared.item, group);
        crew.shared.units = weft_rt_count_vectors(&crew.shared.item, width, linear);
        weft_rt_run_crew(&crew);
    }
}

/* ---- one stack for all ----------------------------------------------------------------------- */

/** Something to do on a stack behind all that the arena has. */
typedef struct weft_rt_errand {
    const weft_launch *launch;
    weft_worker *worker;
    uint64_t first, count;
    weft_rt_item_fn *group; /* or: */
    weft_entry_fn *entry;
    void *stack, *back;
} weft_rt_errand;

static void weft_rt_run_groups(const weft_rt_errand *errand) {
    for (uint64_t at = errand->first; at < errand->first + errand->count; at++) {
        weft_rt_strand group = {.item = {.launch = errand->launch, .worker = errand->worker}};
        weft_rt_describe(&group.item, at);
        weft_rt_enter(&group.item, 0, 0, 0, (void (*)(void))errand->group);
    }
}

static void weft_rt_run_errand(void *argument) {
    weft_rt_errand *errand = argument;
    if (errand->group)
        weft_rt_run_groups(errand);
    else
        weft_rt_enter(errand->launch, errand->worker, errand->first, errand->count,
                      (void (*)(void))errand->entry);
    weft_rt_switch(&errand->stack, errand->back);
}

static void weft_rt_run_on_stack(weft_rt_errand *errand) {
    uint64_t end = (uint64_t)errand->worker->private_end / 64 * 64;
    errand->stack = weft_rt_new_stack((void *)end, weft_rt_run_errand, errand);
    weft_rt_switch(&errand->back, errand->stack);
}

void weft_rt_oracle_groups(const weft_launch *launch, weft_worker *worker, uint64_t first,
                           uint64_t count, weft_rt_item_fn *run) {
    weft_rt_errand errand = {launch, worker, first, count, .group = run};
    weft_rt_run_on_stack(&errand);
}

void weft_rt_oracle_entry(const weft_launch *launch, weft_worker *worker, uint64_t first,
                          uint64_t count, weft_entry_fn *run) {
    weft_rt_errand errand = {launch, worker, first, count, .entry = run};
    weft_rt_run_on_stack(&errand);
}

/* ---- regions --------------------------------------------------------------------------------- */

uint32_t weft_rt_oracle_items(weft_rt_strand *group, weft_rt_region_fn *region, uint64_t width,
                              uint32_t linear, uint32_t id, uint32_t checks, uint64_t state,
                              void *context, void *values, void *results) {
    uint64_t units = weft_rt_count_vectors(&group->item, width, linear);
    uint32_t keeps = state != UINT64_MAX, last = 0;
    uint32_t *places = (uint32_t *)((unsigned char *)context + (keeps ? units * state : 0));
    for (uint64_t unit = 0; unit < units; unit++) {
        weft_rt_strand vector = *group;
        weft_rt_describe_vector(&vector, unit, width, linear);
        vector.units = units;
        vector.context = context;
        vector.values = values;
        vector.results = results;
        if (checks && places[unit] != id)
            continue;
        last = (uint32_t)weft_rt_enter(&vector, 0, 0, 0, (void (*)(void))region);
        if (keeps)
            places[unit] = last;
    }
    for (uint64_t unit = 0; keeps && unit < units; unit++)
        if (places[unit])
            return places[unit];
    return keeps ? 0 : last;
}
