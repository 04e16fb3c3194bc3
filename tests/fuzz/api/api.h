// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The API fuzzer: random calls, each with the statuses that the specification allows.
 *
 * A world is what one thread sees: objects, the model of each, a source of random numbers that
 * begins anew with each call. So one seed is one sequence, and a call stays the same call when
 * others before it are left out. Nothing here looks into Weft: what a call may answer follows from
 * its arguments, and from what earlier calls did.
 *
 * A row (rows.h) is a function that draws the arguments of one entry point, says which faults they
 * have, calls, has the answer judged and notes what has changed.
 */
#ifndef WEFT_FUZZ_API_H
#define WEFT_FUZZ_API_H

#include "CL/cl_ext_weft.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Weft's functions, by name -------------------------------------------------------------- */

/** Found by name in the library itself: a loader would keep the bad handles from Weft. */
typedef struct entry_points {
#define WEFT_ENTRY(name) __typeof__(name) *name;
#include "icd/entrypoints.def"
#define EXTENSION(name) __typeof__(name) *name;
#include "extensions.def"
#undef EXTENSION
} entry_points;

extern entry_points cl;

/* ---- the model ------------------------------------------------------------------------------- */

enum {
    MOST_OBJECTS = 1024,
    MOST_WAITS = 4,
    MOST_ARGS = 5,
    MOST_DEVICES = 4,
    MOST_MAPPINGS = 4,
    HOST_BYTES = 1 << 18
};

typedef enum kind {
    KIND_NONE,
    DEVICE,
    CONTEXT,
    QUEUE,
    MEM,
    SAMPLER,
    PROGRAM,
    KERNEL,
    EVENT,
    SVM, /* a pointer, no handle */
    KINDS
} kind;

typedef struct object object;

/** What an event stands for; in edges also commands whose event nobody asked for. */
typedef struct command {
    bool is_user;
    bool settled; /* nothing holds it back any more; what it ends with is `final` */
    bool unsure;  /* ... or anything else: a kernel of a mutilated binary */
    cl_int final;
    cl_command_type type;
    struct edge *edges;
    unsigned edge_count;
    struct command *next; /* of the world's */
    /* For values: */
    unsigned index; /* in the order of making */
    object *queue;
    struct edge *before; /* as edges, but they stay */
    unsigned before_count;
    unsigned made_at, done_at; /* by the world's clock; done: the host has seen it complete */
} command;

/** `passes_errors`: from a wait list; else only the order. */
typedef struct edge {
    command *to;
    bool passes_errors;
} edge;

typedef struct mapping {
    void *pointer;
    bool writes;
    size_t origin[3], region[3];
    command *command;
    const unsigned char *written; /* by the host, the whole region; NULL: nothing was */
} mapping;

typedef enum arg_kind {
    ARG_BUFFER,
    ARG_CONSTANT,
    ARG_LOCAL,
    ARG_VALUE,
    ARG_READ_IMAGE,
    ARG_WRITE_IMAGE,
    ARG_SAMPLER,
    ARG_PIPE,
    ARG_QUEUE
} arg_kind;

/** A kernel as its source has it. */
typedef struct kernel_text {
    const char *name;
    unsigned arg_count;
    arg_kind args[MOST_ARGS];
    size_t required[3];
} kernel_text;

typedef enum program_origin { FROM_SOURCE, FROM_BINARY, FROM_IL, FROM_BUILT_IN, FROM_LINK } origin;

/** What a program has for a device. */
typedef enum program_state { NOTHING, COMPILED, LIBRARY, EXECUTABLE, FAILED } program_state;

struct object {
    kind kind;
    unsigned name; /* number of the call that made it */
    void *handle;
    cl_uint refs;          /* the application's */
    _Atomic cl_uint *lent; /* references that callbacks give back some time */
    object *context;       /* NULL: a device, a context */
    object *parent;        /* sub-device, sub-buffer, image of another object, kernel's program */
    object *devices[MOST_DEVICES]; /* context, program; queue: one */
    cl_uint device_count;
    cl_uint units;
    /* queue */
    bool in_order, on_device, profiles;
    cl_uint queue_size;
    command *last, *barrier, **pending;
    unsigned pending_count;
    /* memory object */
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size, origin, sizes[3], row, slice, element;
    cl_image_format format;
    const unsigned char *contents; /* at first; NULL: anything */
    bool is_anything;              /* others may change it at any time */
    mapping mappings[MOST_MAPPINGS];
    unsigned mapping_count;
    bool is_sub_buffer;
    /* program, kernel */
    origin from;
    program_state states[MOST_DEVICES];
    bool unsure[MOST_DEVICES]; /* a build failed in a way that may have begun it or not */
    unsigned source;           /* kernel, program of one source */
    unsigned sources;          /* program: a bit for each source whose kernels it has */
    bool wild;                 /* of a binary whose numbers were changed: any error will do */
    const kernel_text *text;
    bool is_set[MOST_ARGS];
    object *arg_objects[MOST_ARGS];
    size_t local_bytes[MOST_ARGS];
    /* event */
    command *command;
    bool has_waiters; /* something would wait for ever if nobody sets it */
    /* SVM */
    bool is_usm, used;
    cl_uint usm_type;
    object *used_by;
};

/** How a row's calls went. */
typedef struct tally {
    _Atomic uint64_t good, refused;
} tally;

typedef struct world {
    uint64_t seed, random;
    unsigned number; /* of the call */
    const char *function;
    bool valid;   /* this call has nothing wrong with it, as far as drawing goes */
    bool trace;   /* print the calls */
    bool skipped; /* the row called nothing */
    object *objects[MOST_OBJECTS];
    unsigned count;
    command *commands;
    unsigned command_count, clock;
    struct touch *touches; /* values.c */
    unsigned touch_count, touch_room;
    struct fresh *fresh;
    cl_platform_id platform;
    unsigned char *host_in, *host_out; /* HOST_BYTES each, and room behind */
    /* what may come */
    cl_int allowed[24];
    unsigned allowed_count;
    bool must_fail, any_error;
    cl_int status; /* where errcode_ret points */
    cl_int answer; /* what the call returned */
    bool has_errcode;
    unsigned contexts_made;
    _Atomic unsigned contexts_gone;
    _Atomic unsigned callbacks_due, callbacks_done, builds_done;
    unsigned builds_due;
    _Atomic unsigned *progress;          /* calls, for who watches */
    _Atomic uint64_t *compared;          /* bytes of memory */
    struct tally *tally;                 /* of the row that runs; NULL: nobody counts */
    unsigned weights[256], weight_total; /* of rows */
    uint64_t junk[32];
} world;

/* ---- drawing --------------------------------------------------------------------------------- */

uint64_t draw(world *w, uint64_t below);
/** True now and then, but never in a call that is to be valid. */
bool odd(world *w);
/** Small sizes mostly, powers of two and their neighbours; never 0. */
size_t draw_size(world *w, size_t most);
/** What nobody means: 0, huge, off by one. */
size_t draw_garbage(world *w);

/** A handle and its model; `o` is NULL if it is not valid as what it is passed for. */
typedef struct arg {
    void *handle;
    object *o;
} arg;

typedef bool wanted(const object *o);
/** Of the kind, of `context` if that is not NULL, and such that `is_wanted` (may be NULL) says so;
 *  in calls that may be wrong now and then NULL, another context's, another type's or junk. */
arg pick(world *w, kind kind, const object *context, wanted *is_wanted);
/** As pick, never wrong; NULL: there is none. */
object *find(world *w, kind kind, const object *context, wanted *is_wanted);
unsigned live_count(const world *w, kind kind);
bool is_full(world *w, kind kind);

bool is_host_queue(const object *o);
bool is_device_queue(const object *o);
bool is_buffer(const object *o);
bool is_image(const object *o);
bool is_pipe(const object *o);
bool is_user_event(const object *o);
/** Would be so for the handle passed; false for invalid ones. */
#define IS(arg, what) ((arg).o && what((arg).o))

/* ---- judging --------------------------------------------------------------------------------- */

/** If there is the fault, the call must fail, with this code or that of another fault. */
void fault(world *w, bool there, cl_int code);
/** The call may fail with this code whatever else. */
void may(world *w, bool there, cl_int code);
/** Says the call (printf's format, without the function's name) before it is made. */
void say(world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define SAY(...)                                                                                   \
    do {                                                                                           \
        atomic_fetch_add_explicit(w->progress, 1, memory_order_relaxed);                           \
        if (w->trace)                                                                              \
            say(w, __VA_ARGS__);                                                                   \
    } while (0)
/** For SAY; good until the eighth call from now. */
const char *name_of(const arg *a);
/** Ends the process if the status is not one of those allowed. True: CL_SUCCESS. */
bool judge(world *w, cl_int status);
/** As judge, for functions that return an object and a status through errcode(). */
bool judge_object(world *w, const void *result);
/** &w->status, or sometimes NULL. */
cl_int *errcode(world *w);
/** Ends the process as judge does; a sentence that says what is wrong. */
_Noreturn void wrong(world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- objects --------------------------------------------------------------------------------- */

object *add(world *w, kind kind, void *handle, object *context);
arg arg_of(object *o);
/** The application's last reference but one of the given kind went; it may not be picked again. */
void drop_reference(object *o);
bool has_device(const object *of, const object *device);

/* ---- commands -------------------------------------------------------------------------------- */

typedef struct waits {
    cl_uint count;
    const cl_event *list;
    cl_event events[MOST_WAITS];
    object *objects[MOST_WAITS];
    cl_event out; /* where `event` points */
    cl_event *event;
} waits;

/** Draws a wait list and whether an event is wanted, and notes their faults. `context` may be
 *  NULL. */
void draw_waits(world *w, object *context, waits *list);
const char *waits_text(const waits *list);
bool is_settled(command *c);
/** Would a blocking command with this list wait for ever? */
bool is_held_back(object *queue, const waits *list);
/** A blocking command's end: an error of the wait list is the call's. */
void fault_of_blocking(world *w, const waits *list);
enum { ORDER_PLAIN = 0, ORDER_ALL = 1, ORDER_BARRIER = 2 };
/** Notes the command that a successful enqueue made, and its event. */
command *enqueued(world *w, object *queue, const waits *list, cl_command_type type, int order,
                  bool unsure);
command *new_command(world *w, cl_command_type type);
/** A host queue, or now and then something that is none, with its fault noted. */
arg draw_queue(world *w);

/** The host has seen its end, without error. */
void seen_done(world *w, command *c);

/* ---- values (values.c) ----------------------------------------------------------------------- */

/* What commands do to bytes of a buffer (or of a sub-buffer). Data stays as it is until the end;
 * NULL: nobody knows what is written. */
void touch_write(world *w, command *c, const object *mem, size_t at, size_t size,
                 const unsigned char *data);
void touch_fill(world *w, command *c, const object *mem, size_t at, size_t size,
                const unsigned char *pattern, size_t pattern_size);
void touch_copy(world *w, command *c, const object *from, size_t from_at, const object *to,
                size_t to_at, size_t size);
/** `into` is where the bytes are at the end of the sequence. */
void touch_read(world *w, command *c, const object *mem, size_t at, size_t size,
                const unsigned char *into);
/** As touch_write, of what the host wrote after `since` had ended. */
void touch_unmap(world *w, command *c, command *since, const object *mem, size_t at, size_t size,
                 const unsigned char *data);
/** All of the object, and of the buffer that it is part of, may be anything afterwards. */
void touch_spoil(world *w, command *c, const object *mem);
/** Memory that nobody else writes to, until the end of the sequence. */
unsigned char *fresh_memory(world *w, size_t bytes);
/** Compares what was read with what must have been read, where the order of commands says that. */
void check_values(world *w);
void forget_values(world *w);

/* ---- sequences ------------------------------------------------------------------------------- */

void world_begin(world *w, uint64_t seed);
/** Makes the call that belongs to this number. */
void world_call(world *w, unsigned number, const char *only);
/** Lets go of everything; ends the process if something stays. */
void world_end(world *w);

typedef struct shared shared;
/** Objects that all threads use (shared.c). */
shared *shared_begin(cl_platform_id platform);
void shared_call(world *w, unsigned number, shared *all);
/** Ends the process if something stays. */
void shared_end(shared *all);

/** Texts, binaries and formats that all worlds use; once per process, before the first world. */
void setup_programs(cl_platform_id platform);

#endif
