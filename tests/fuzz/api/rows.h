// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** One row per entry point; one that is missing does not link. */
#ifndef WEFT_FUZZ_ROWS_H
#define WEFT_FUZZ_ROWS_H

#include "api.h"

typedef struct row {
    const char *name;
    void (*run)(world *w);
} row;

extern const row rows[];
extern const unsigned row_count;
enum { MOST_ROWS = 256 };
/** How often each comes, in parts of what is returned. */
unsigned row_weights(unsigned *weights);

#define WEFT_ENTRY(name)              void row_##name(world *w);
#define WEFT_ENTRY_ABSENT(name, stub) void row_##name(world *w);
#include "icd/entrypoints.def"
#define EXTENSION(name) void row_##name(world *w);
#include "extensions.def"
#undef EXTENSION

/** Of each row, in the table's order; memory that parent and children share. */
extern tally *tallies;

/* What rows of several files share. */

void expect_nothing(world *w);
cl_int release_handle(kind kind, void *handle);
/** A context, with the fault of one that is none. */
arg draw_context(world *w);
/** A memory object of the queue's context that satisfies `what`; notes what is wrong with it. */
arg draw_mem(world *w, const object *queue, wanted *what);
/** May the host read (or write) it? */
void fault_of_access(world *w, const object *mem, bool read);
/** In a call that was valid, often: reads what the command, the queue's last, has written to the
 *  buffer, and a little around it. */
void read_back(world *w, object *queue, const waits *of, const object *buffer, size_t at,
               size_t size);
/** Never such that nothing would end the wait; notes what a blocking call may return. */
bool draw_blocking(world *w, object *queue, const waits *list);
/** Memory of the application's: `out` may be written by commands, else only read. */
void *draw_host(world *w, size_t bytes, bool out);
/** Flags of clCreateBuffer and others, with their faults. */
cl_mem_flags draw_mem_flags(world *w, bool host_ptrs);
/** What sub-buffers and images of other objects may not ask for. */
void fault_of_parent_flags(world *w, cl_mem_flags flags, cl_mem_flags of);
cl_mem_flags inherited_flags(cl_mem_flags flags, cl_mem_flags of);
/** What a callback gets: often a reference of another object, one older than `of`. */
typedef struct loan {
    world *w;
    kind kind;
    void *handle; /* NULL: nothing was lent */
    _Atomic cl_uint *lent;
} loan;
loan *draw_loan(world *w, kind kind, const object *of);
/** Releases what was lent; counts the callback. */
void give_back(loan *l);
/** "The user event callbacks can call API functions": these are called there. */
void call_from_callback(world *w, void *event);

/** Is it so for the device (NULL: for one of the program's)? */
typedef enum belief { NO, MAYBE, YES } belief;
belief has_state(const object *program, const object *device, program_state state);
/** For all of its devices. */
void set_states(object *program, program_state state);
object *made_program(world *w, cl_program made, object *context, origin from);
/** A list of the context's devices (or of a program's); what is wrong with it is noted. */
cl_uint draw_devices(world *w, const object *of, cl_device_id *list, cl_uint room);

/** Two kernels that enqueue kernels, in the context and nothing else of the world (family.c). */
void play_families(world *w, const object *context);

/** A query: draws the parameter's name and the room for its value. `ask` is called up to twice. */
typedef struct parameter {
    cl_uint name;
    size_t bytes; /* 0: as the query says */
} parameter;
typedef cl_int asks(world *w, const void *of, cl_uint name, size_t size, void *value, size_t *ret);
/** Returns the number of the parameter in the table if the query succeeded and its value is in
 *  `value` (of 4096 bytes), else -1. */
int draw_query(world *w, const char *of_text, const parameter *table, unsigned count, asks *ask,
               const void *of, void *value);
/** CL_X_REFERENCE_COUNT's value. */
void check_references(world *w, const object *o, const void *value);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
