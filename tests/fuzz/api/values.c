// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * What is in buffers. Commands are noted with the bytes that they write, copy or read, and compared
 * at the end of a sequence, when it is known which of them ran: a byte is looked at where the order
 * of commands, by wait lists, queues and what the host has waited for, leaves one value. Where two
 * writes, or a write and the read, may have run at once, anything is right.
 */
#include "api.h"

typedef enum touch_kind { TOUCH_WRITE, TOUCH_FILL, TOUCH_COPY, TOUCH_READ } touch_kind;

typedef struct touch {
    touch_kind kind;
    command *by, *since; /* since: when the bytes were written, mostly the command itself */
    const object *root;
    size_t at, size;
    const unsigned char *data; /* NULL: not known */
    size_t pattern_size;
    const object *from;
    size_t from_at;
    unsigned number;             /* of the call */
    unsigned char *value, *sure; /* of a copy */
} touch;

/** Memory of one read. */
typedef struct fresh {
    struct fresh *next;
    size_t bytes;
    unsigned char memory[];
} fresh;

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

/* ---- noting ---------------------------------------------------------------------------------- */

unsigned char *fresh_memory(world *w, size_t bytes) {
    fresh *f = bytes > HOST_BYTES ? NULL : malloc(sizeof(*f) + bytes + GUARD);
    if (!f)
        wrong(w, "the fuzzer is out of memory");
    *f = (fresh){.next = w->fresh, .bytes = bytes};
    memset(f->memory, GUARD_BYTE, bytes + GUARD);
    w->fresh = f;
    return f->memory;
}

/* The buffer that holds the bytes, and where they are in there. */
static const object *root_of(const object *mem, size_t *at) {
    for (; mem->parent && mem->parent->kind == MEM; mem = mem->parent)
        *at += mem->is_sub_buffer ? mem->origin : 0;
    return mem;
}

static touch *note(world *w, touch_kind kind, command *c, const object *mem, size_t at,
                   size_t size) {
    if (w->touch_count == w->touch_room) {
        w->touch_room = w->touch_room ? 2 * w->touch_room : 64;
        w->touches = realloc(w->touches, w->touch_room * sizeof(*w->touches));
        if (!w->touches)
            wrong(w, "the fuzzer is out of memory");
    }
    touch *t = &w->touches[w->touch_count++];
    *t = (touch){.kind = kind, .by = c, .since = c, .size = size, .number = w->number};
    t->root = root_of(mem, &at);
    t->at = at;
    return t;
}

void touch_write(world *w, command *c, const object *mem, size_t at, size_t size,
                 const unsigned char *data) {
    note(w, TOUCH_WRITE, c, mem, at, size)->data = data;
}

void touch_unmap(world *w, command *c, command *since, const object *mem, size_t at, size_t size,
                 const unsigned char *data) {
    touch *t = note(w, TOUCH_WRITE, c, mem, at, size);
    t->since = since;
    t->data = data;
}

void touch_fill(world *w, command *c, const object *mem, size_t at, size_t size,
                const unsigned char *pattern, size_t pattern_size) {
    touch *t = note(w, TOUCH_FILL, c, mem, at, size);
    t->data = pattern;
    t->pattern_size = pattern_size;
}

void touch_copy(world *w, command *c, const object *from, size_t from_at, const object *to,
                size_t to_at, size_t size) {
    touch *t = note(w, TOUCH_COPY, c, to, to_at, size);
    t->from = root_of(from, &from_at);
    t->from_at = from_at;
}

void touch_read(world *w, command *c, const object *mem, size_t at, size_t size,
                const unsigned char *into) {
    note(w, TOUCH_READ, c, mem, at, size)->data = into;
}

void touch_spoil(world *w, command *c, const object *mem) {
    size_t at = 0;
    const object *root = root_of(mem, &at);
    if (root->type == CL_MEM_OBJECT_BUFFER)
        touch_write(w, c, root, 0, root->size, NULL);
}

/* ---- the order of commands ------------------------------------------------------------------- */

/** For each command a set: what has ended for sure when it begins. */
typedef struct order {
    world *w;
    command **commands; /* as they were made */
    uint64_t *sets;
    unsigned count, words;
} order;

static bool has_failed(const command *c) {
    return c->final < 0 && !c->unsure;
}

static uint64_t *set_of(const order *o, const command *c) {
    return &o->sets[(size_t)c->index * o->words];
}

/* Does `first` end before `second` begins? */
static bool is_before(const order *o, const command *first, const command *second) {
    return set_of(o, second)[first->index / 64] >> first->index % 64 & 1;
}

static void join(const order *o, const command *c, const command *before) {
    uint64_t *set = set_of(o, c);
    const uint64_t *other = set_of(o, before);
    for (unsigned i = 0; i < o->words; i++)
        set[i] |= other[i];
    set[before->index / 64] |= (uint64_t)1 << before->index % 64;
}

/* One that fails may end as soon as one event of its wait list has failed: no matter what the
 * others do. */
static void order_one(const order *o, command *c) {
    bool ran = is_settled(c) && !has_failed(c) && !c->unsure;
    for (unsigned i = 0; i < c->before_count; i++)
        if (ran || !c->before[i].passes_errors)
            join(o, c, c->before[i].to);
    for (unsigned i = 0; i < c->index; i++)
        if (o->commands[i]->done_at && o->commands[i]->done_at < c->made_at)
            join(o, c, o->commands[i]);
}

static order make_order(world *w) {
    order o = {.w = w, .count = w->command_count, .words = w->command_count / 64 + 1};
    o.commands = calloc(o.count + 1, sizeof(*o.commands));
    o.sets = calloc((size_t)o.count * o.words + 1, sizeof(*o.sets));
    if (!o.commands || !o.sets)
        wrong(w, "the fuzzer is out of memory");
    for (command *c = w->commands; c; c = c->next)
        o.commands[c->index] = c;
    for (unsigned i = 0; i < o.count; i++)
        order_one(&o, o.commands[i]);
    return o;
}

/* ---- what a command sees --------------------------------------------------------------------- */

/** Bytes of a buffer: value[i] is what is at `at` + i, if sure[i]. */
typedef struct view {
    const object *root;
    size_t at, size;
    unsigned char *value, *sure;
} view;

/* The part of both, in the buffer; false: there is none. */
static bool meet(const view *v, const touch *t, size_t *from, size_t *to) {
    if (t->root != v->root || t->kind == TOUCH_READ)
        return false;
    *from = t->at > v->at ? t->at : v->at;
    *to = t->at + t->size < v->at + v->size ? t->at + t->size : v->at + v->size;
    return *from < *to;
}

static void doubt(view *v, size_t from, size_t to) {
    memset(v->sure + (from - v->at), 0, to - from);
}

static void apply(view *v, const touch *t, size_t from, size_t to) {
    for (size_t at = from; at < to; at++) {
        const size_t n = at - t->at;
        const bool sure = !t->by->unsure && (t->kind == TOUCH_COPY ? t->sure[n] : t->data != NULL);
        v->sure[at - v->at] = sure;
        if (sure)
            v->value[at - v->at] = t->kind == TOUCH_COPY   ? t->value[n]
                                   : t->kind == TOUCH_FILL ? t->data[n % t->pattern_size]
                                                           : t->data[n];
    }
}

/* Other writes of the same bytes that may have come before it or after it. */
static void doubt_rivals(const order *o, view *v, const touch *t, size_t from, size_t to) {
    for (const touch *rival = o->w->touches; rival < t; rival++) {
        size_t first, end;
        if (rival->by == t->by || has_failed(rival->by) || rival->by == t->since ||
            is_before(o, rival->by, t->since) || !meet(v, rival, &first, &end))
            continue;
        first = first > from ? first : from;
        end = end < to ? end : to;
        if (first < end)
            doubt(v, first, end);
    }
}

static void look(const order *o, view *v, const touch *by) {
    const world *w = o->w;
    size_t from, to;
    memset(v->sure, v->root->contents != NULL, v->size);
    if (v->root->contents)
        memcpy(v->value, v->root->contents + v->at, v->size);
    for (const touch *t = w->touches; t < by; t++)
        if (t->by != by->by && !has_failed(t->by) && is_before(o, t->by, by->by) &&
            meet(v, t, &from, &to)) {
            apply(v, t, from, to);
            doubt_rivals(o, v, t, from, to);
        }
    for (const touch *t = w->touches; t < w->touches + w->touch_count; t++)
        if (t->by != by->by && !has_failed(t->by) && !is_before(o, t->by, by->by) &&
            !is_before(o, by->by, t->by) && meet(v, t, &from, &to))
            doubt(v, from, to);
    if (v->root->is_anything)
        doubt(v, v->at, v->at + v->size);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void check_read(const order *o, const touch *t, const view *v) {
    world *w = o->w;
    uint64_t compared = 0;
    for (size_t i = 0; i < t->size; i++) {
        if (!v->sure[i])
            continue;
        compared++;
        if (t->data[i] == v->value[i])
            continue;
        w->function = "the end";
        wrong(w, "call %u read byte %zu of mem%u as %#x, not %#x", t->number, t->at + i,
              t->root->name, t->data[i], v->value[i]);
    }
    atomic_fetch_add_explicit(w->compared, compared, memory_order_relaxed);
}

/* Nothing is behind what was read. */
static void check_guards(world *w) {
    for (const fresh *f = w->fresh; f; f = f->next)
        for (size_t i = f->bytes; i < f->bytes + GUARD; i++)
            if (f->memory[i] != GUARD_BYTE)
                wrong(w, "a read of %zu bytes wrote byte %zu", f->bytes, i);
}

void check_values(world *w) {
    order o = make_order(w);
    for (touch *t = w->touches; t < w->touches + w->touch_count; t++) {
        if ((t->kind != TOUCH_COPY && t->kind != TOUCH_READ) || has_failed(t->by))
            continue;
        view v = {.root = t->kind == TOUCH_COPY ? t->from : t->root,
                  .at = t->kind == TOUCH_COPY ? t->from_at : t->at,
                  .size = t->size,
                  .value = calloc(1, t->size),
                  .sure = calloc(1, t->size)};
        if (!v.value || !v.sure)
            wrong(w, "the fuzzer is out of memory");
        look(&o, &v, t);
        if (t->kind == TOUCH_COPY) {
            t->value = v.value, t->sure = v.sure;
            continue;
        }
        if (!t->by->unsure)
            check_read(&o, t, &v);
        free(v.value), free(v.sure);
    }
    check_guards(w);
    free(o.commands), free(o.sets);
}

void forget_values(world *w) {
    for (unsigned i = 0; i < w->touch_count; i++)
        free(w->touches[i].value), free(w->touches[i].sure);
    free(w->touches);
    w->touches = NULL;
    w->touch_count = w->touch_room = 0;
    while (w->fresh) {
        fresh *next = w->fresh->next;
        free(w->fresh);
        w->fresh = next;
    }
}
