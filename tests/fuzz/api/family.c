// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Kernels that enqueue kernels: a script says what a kernel and its blocks enqueue, with which wait
 * lists, events and flags, and the model says what each call returns, which blocks run, what they
 * may rely on, and how the whole ends. Two such kernels may run at once, one of which shows an
 * event of its own to the other: "these events are only visible to the parent kernel".
 */
#include "family.h"

#include "rows.h"

/** As the kernel's text has it. */
typedef struct step {
    cl_uint op, into, waits, flags, items, from, to, value, need, parent, group, unused;
} step;

/** An event of the device, or a block whose event nobody asked for. */
typedef struct node {
    enum op op;
    unsigned step;
    bool is_set, runs, is_resolved, is_undefined; /* the last: its times */
    cl_int status;                                /* user event: what it is set to */
    unsigned waits[EVENTS], wait_count;
    unsigned parent; /* step whose script makes it */
} node;

typedef struct script {
    step steps[MOST_STEPS];
    bool bad[MOST_STEPS];          /* the call fails */
    unsigned captured[MOST_STEPS]; /* step whose times are wanted; 0: none */
    unsigned count;
    node nodes[MOST_STEPS];
    unsigned node_count;
    bool has_stuck_marker;
    cl_int results[RESULTS];
} script;

/** What a script's registers hold; a node's number and the handles that there are of it. */
typedef struct registers {
    int node[EVENTS];
    unsigned handles[EVENTS];
} registers;

enum { NOBODY = EVENTS }; /* `into`: no event is wanted */

/* ---- drawing a script ------------------------------------------------------------------------ */

static node *add_node(script *s, const step *at, unsigned parent) {
    node *n = &s->nodes[s->node_count++];
    *n = (node){.op = (enum op)at->op, .step = (unsigned)(at - s->steps), .parent = parent};
    return n;
}

/* Some of the registers; what is wrong with the list is the call's fault. */
static bool draw_list(world *w, const registers *r, step *at, bool may_be_empty) {
    bool good = true;
    unsigned count = may_be_empty ? (unsigned)draw(w, 3) : 1 + (unsigned)draw(w, 3);
    while (count--) {
        unsigned i = (unsigned)draw(w, EVENTS);
        for (unsigned n = 0; n < EVENTS && r->node[i] < 0; n++)
            i = (i + 1) % EVENTS;
        if (r->node[i] >= 0 || draw(w, 8) == 0)
            at->waits |= 1u << i;
        good &= r->node[i] >= 0 || !(at->waits >> i & 1);
    }
    return good && (may_be_empty || at->waits);
}

static void make_event(script *s, registers *r, const step *at, unsigned parent, bool good) {
    if (good) {
        node *n = add_node(s, at, parent);
        for (unsigned i = 0; i < EVENTS; i++)
            if (at->waits >> i & 1)
                n->waits[n->wait_count++] = (unsigned)r->node[i];
    }
    if (at->into == NOBODY)
        return;
    r->node[at->into] = good ? (int)s->node_count - 1 : -1;
    r->handles[at->into] = good;
}

static void draw_play(world *w, script *s, unsigned parent, unsigned depth);

static void draw_kernel(world *w, script *s, registers *r, step *at, unsigned parent,
                        unsigned depth) {
    bool locals = at->op == STEP_LOCALS;
    bool good = draw_list(w, r, at, !locals); /* a list that is empty is given all the same */
    at->flags = (cl_uint)draw(w, 3);
    at->items = draw(w, 16) ? 1 + (cl_uint)draw(w, 64) : 0;
    at->group = draw(w, 2) ? 0 : 1 + (cl_uint)draw(w, 16);
    if (draw(w, 16) == 0)
        at->group = 1 << 20, good &= !at->items; /* no size is looked at for no items */
    at->value = locals ? 64 : 0;
    if (locals && draw(w, 8) == 0)
        at->value = draw(w, 2) ? 0 : UINT32_MAX, good = false;
    at->into = draw(w, 3) ? (cl_uint)draw(w, EVENTS) : NOBODY;
    s->bad[at - s->steps] = !good;
    make_event(s, r, at, parent, good);
    if (good && at->items && depth < 3 && draw(w, 3) == 0)
        draw_play(w, s, (unsigned)(at - s->steps), depth + 1);
}

/* What needs an event: one there is, or none at all. */
static void draw_use(world *w, script *s, const registers *r, step *at) {
    for (unsigned n = 0; n < EVENTS && r->node[at->into] < 0; n++)
        at->into = (at->into + 1) % EVENTS;
    node *n = r->node[at->into] < 0 ? NULL : &s->nodes[r->node[at->into]];
    if (at->op == STEP_SET) {
        at->value = draw(w, 3) ? CL_COMPLETE : (cl_uint)(-1 - (int)draw(w, 40));
        if (n && n->op == STEP_USER && !n->is_set)
            n->is_set = true, n->status = (cl_int)at->value;
    } else if (at->op == STEP_CAPTURE && n && n->op <= STEP_LOCALS) {
        /* "undefined when called multiple times for the same event": but nothing worse than that */
        for (unsigned i = 0; i < MOST_STEPS; i++)
            if (s->captured[i] == n->step)
                n->is_undefined = true;
        s->captured[at - s->steps] = n->step;
    }
}

static void draw_step(world *w, script *s, registers *r, step *at, unsigned parent,
                      unsigned depth) {
    static const enum op ops[] = {STEP_KERNEL, STEP_KERNEL,  STEP_KERNEL, STEP_LOCALS,
                                  STEP_MARKER, STEP_USER,    STEP_SET,    STEP_SET,
                                  STEP_RETAIN, STEP_RELEASE, STEP_CAPTURE};
    at->op = ops[draw(w, COUNT(ops))];
    at->parent = parent;
    at->into = (cl_uint)draw(w, EVENTS);
    switch (at->op) {
    case STEP_KERNEL:
    case STEP_LOCALS:
        draw_kernel(w, s, r, at, parent, depth);
        break;
    case STEP_MARKER: {
        bool good = draw_list(w, r, at, false);
        s->bad[at - s->steps] = !good;
        make_event(s, r, at, parent, good);
        break;
    }
    case STEP_USER:
        make_event(s, r, at, parent, true);
        break;
    case STEP_RETAIN:
        r->handles[at->into]++;
        break;
    case STEP_RELEASE: /* the last handle's event is gone */
        if (r->node[at->into] >= 0 && --r->handles[at->into] == 0)
            at->value = 1, r->node[at->into] = -1;
        break;
    default:
        draw_use(w, s, r, at);
    }
}

static registers no_registers(void) {
    registers r;
    memset(&r, 0, sizeof(r));
    memset(r.node, -1, sizeof(r.node));
    return r;
}

/* Some steps, of the kernel or of a block. */
static void draw_play(world *w, script *s, unsigned parent, unsigned depth) {
    unsigned room = MOST_STEPS - s->count, from = s->count;
    unsigned count = room ? 1 + (unsigned)draw(w, depth ? 5 : 14) : 0;
    registers r = no_registers();
    if (count > room)
        count = room;
    s->steps[parent].from = from;
    s->steps[parent].to = s->count = from + count;
    for (unsigned i = from; i < from + count; i++)
        draw_step(w, s, &r, &s->steps[i], parent, depth);
}

/* Shows a user event to the other kernel, and sets it when that has had a look. */
static void make_keeper(script *s) {
    static const enum op ops[] = {STEP_USER, STEP_PUBLISH, STEP_SET, STEP_RELEASE};
    registers r = no_registers();
    for (unsigned i = 0; i < COUNT(ops); i++)
        s->steps[s->count++] = (step){.op = ops[i], .value = ops[i] == STEP_RELEASE};
    make_event(s, &r, &s->steps[1], 0, true);
    s->nodes[0].is_set = true;
    s->steps[0].from = 1, s->steps[0].to = s->count;
}

/* "if event objects in event_wait_list are not valid events": another kernel's is none. */
static void make_thief(world *w, script *s) {
    s->steps[s->count++] = (step){.op = STEP_TAKE};
    for (unsigned i = 1 + (unsigned)draw(w, 3); i; i--) {
        enum op op = draw(w, 2) ? STEP_KERNEL : STEP_MARKER;
        s->bad[s->count] = true;
        s->steps[s->count++] = (step){.op = op,
                                      .items = 1,
                                      .waits = 1,
                                      .into = 1 + (cl_uint)draw(w, 4),
                                      .flags = (cl_uint)draw(w, 3)};
    }
    s->steps[s->count++] = (step){.op = STEP_DONE};
    s->steps[0].from = 1, s->steps[0].to = s->count;
}

/* ---- the model ------------------------------------------------------------------------------- */

static node *node_of(script *s, unsigned step) {
    for (unsigned i = 0; i < s->node_count; i++)
        if (s->nodes[i].step == step)
            return &s->nodes[i];
    return NULL;
}

/* What it ends with; a block that has run passes on what its own blocks end with. */
static cl_int resolve(script *s, node *n) {
    if (n->is_resolved)
        return n->status;
    n->is_resolved = true;
    if (n->op ==
        STEP_USER) { /* "it may be set once"; nobody is left to: the family's end sets it */
        n->status = n->is_set ? n->status : CL_INVALID_EVENT;
        return n->status;
    }
    for (unsigned i = 0; i < n->wait_count; i++)
        if (resolve(s, &s->nodes[n->waits[i]]) < 0)
            n->status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    const node *parent = n->parent ? node_of(s, n->parent) : NULL;
    n->runs = n->op <= STEP_LOCALS && n->status == 0 && s->steps[n->step].items &&
              (!parent || parent->runs);
    for (unsigned i = 0; n->runs && i < s->node_count; i++)
        if (s->nodes[i].parent == n->step && s->nodes[i].op <= STEP_LOCALS &&
            resolve(s, &s->nodes[i]) < 0)
            n->status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return n->status;
}

/* The steps whose blocks have ended when the node has. */
static cl_uint ended_with(const script *s, const node *n) {
    cl_uint mask = 0;
    if (n->op <= STEP_LOCALS) {
        mask |= 1u << n->step;
        for (unsigned i = 0; i < s->node_count; i++)
            if (s->nodes[i].parent == n->step && s->nodes[i].op <= STEP_LOCALS)
                mask |= ended_with(s, &s->nodes[i]);
    } else {
        for (unsigned i = 0; i < n->wait_count; i++)
            mask |= ended_with(s, &s->nodes[n->waits[i]]);
    }
    return mask;
}

/* Markers and user events are not what the kernel's own end depends on; of an event that nobody
 * sets "an error" is all that the page on it promises. */
static cl_int predict(script *s) {
    cl_int status = CL_COMPLETE;
    for (unsigned i = 0; i < s->node_count; i++) {
        node *n = &s->nodes[i];
        resolve(s, n);
        s->has_stuck_marker |= n->op == STEP_MARKER && n->status < 0;
        if (n->op <= STEP_LOCALS && !n->parent && n->status < 0)
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        for (unsigned k = 0; n->op <= STEP_LOCALS && k < n->wait_count; k++)
            s->steps[n->step].need |= ended_with(s, &s->nodes[n->waits[k]]);
    }
    return status;
}

static bool is_played(script *s, unsigned step) {
    const unsigned parent = s->steps[step].parent;
    const node *n = parent ? node_of(s, parent) : NULL;
    return !parent || (n && n->runs);
}

static void check_step(world *w, script *s, unsigned i) {
    const node *n = node_of(s, i);
    const cl_int code = s->results[AT_CODES + i], items = s->results[AT_COUNTS + i];
    const cl_int expected = n && n->runs ? (cl_int)s->steps[i].items : 0;
    if ((code != 0) != (is_played(s, i) && s->bad[i]))
        wrong(w, "step %u of a family returned %d, but it is %s", i, code,
              s->bad[i] ? "wrong" : "right");
    if (items != expected)
        wrong(w, "step %u of a family ran %d items, not %d", i, items, expected);
    if (!s->captured[i] || !is_played(s, i))
        return;
    const node *of = node_of(s, s->captured[i]);
    cl_ulong times[2];
    memcpy(times, &s->results[AT_TIMES + 4 * i], sizeof(times));
    if (of->is_undefined)
        return;
    if (of->runs ? !times[0] || times[1] < times[0] : times[0] || times[1])
        wrong(w, "step %u of a family has times %llu, %llu", i, (unsigned long long)times[0],
              (unsigned long long)times[1]);
}

static void print_script(const script *s) {
    static const char *const names[STEPS] = {"?",       "kernel",  "locals",  "marker",
                                             "user",    "set",     "release", "retain",
                                             "capture", "publish", "take",    "done"};
    for (unsigned i = 0; i < s->count; i++)
        fprintf(
            stderr,
            "/*   %2u %s: into %u, waits %#x, flags %u, items %u in groups of %u, steps %u to %u, "
            "value %d%s */\n",
            i, i ? names[s->steps[i].op] : "family", s->steps[i].into, s->steps[i].waits,
            s->steps[i].flags, s->steps[i].items, s->steps[i].group, s->steps[i].from,
            s->steps[i].to, (int)s->steps[i].value, s->bad[i] ? ", wrong" : "");
}

/* ---- playing it ------------------------------------------------------------------------------ */

/** Everything that the scripts need, and nobody else. */
typedef struct stage {
    world *w;
    cl_context context;
    cl_program program;
    cl_kernel kernel;
    cl_command_queue on_device, host[2];
    cl_mem steps[2], results[2], other;
} stage;

static void need(world *w, const char *what, cl_int status) {
    atomic_fetch_add_explicit(w->progress, 1, memory_order_relaxed);
    if (status != CL_SUCCESS)
        wrong(w, "%s for a family: %d", what, status);
}

static cl_mem make_buffer(stage *g, size_t bytes, const void *data) {
    cl_int status = 1;
    cl_mem made = cl.clCreateBuffer(g->context, CL_MEM_COPY_HOST_PTR, bytes,
                                    (void *)(uintptr_t)data, &status);
    need(g->w, "clCreateBuffer", status);
    return made;
}

static cl_command_queue make_queue(stage *g, cl_device_id device, cl_queue_properties bits) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, 0};
    cl_int status = 1;
    cl_command_queue made =
        cl.clCreateCommandQueueWithProperties(g->context, device, list, &status);
    need(g->w, "clCreateCommandQueueWithProperties", status);
    return made;
}

static void set_up(stage *g, const object *context, cl_device_id device, script *scripts) {
    static const cl_int zeros[8];
    const char *text = family_text;
    cl_int status = 1;
    g->context = context->handle;
    g->program = cl.clCreateProgramWithSource(g->context, 1, &text, NULL, &status);
    need(g->w, "clCreateProgramWithSource", status);
    need(g->w, "clBuildProgram",
         cl.clBuildProgram(g->program, 1, &device, "-cl-std=CL2.0", NULL, NULL));
    g->kernel = cl.clCreateKernel(g->program, "family", &status);
    need(g->w, "clCreateKernel", status);
    g->on_device =
        make_queue(g, device, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    g->other = make_buffer(g, sizeof(zeros), zeros);
    for (int i = 0; i < 2; i++) {
        g->host[i] = make_queue(g, device, draw(g->w, 4));
        g->steps[i] = make_buffer(g, sizeof(scripts[i].steps), scripts[i].steps);
        g->results[i] = make_buffer(g, sizeof(scripts[i].results), scripts[i].results);
    }
}

static void take_down(stage *g) {
    for (int i = 0; i < 2; i++) {
        need(g->w, "clReleaseMemObject", cl.clReleaseMemObject(g->steps[i]));
        need(g->w, "clReleaseMemObject", cl.clReleaseMemObject(g->results[i]));
        need(g->w, "clReleaseCommandQueue", cl.clReleaseCommandQueue(g->host[i]));
    }
    need(g->w, "clReleaseMemObject", cl.clReleaseMemObject(g->other));
    need(g->w, "clReleaseCommandQueue", cl.clReleaseCommandQueue(g->on_device));
    need(g->w, "clReleaseKernel", cl.clReleaseKernel(g->kernel));
    need(g->w, "clReleaseProgram", cl.clReleaseProgram(g->program));
}

static cl_event start(stage *g, int i) {
    const size_t one = 1;
    cl_event event = NULL;
    const void *args[] = {&g->on_device, &g->steps[i], &g->results[i], &g->other};
    for (cl_uint at = 0; at < COUNT(args); at++)
        need(g->w, "clSetKernelArg", cl.clSetKernelArg(g->kernel, at, sizeof(void *), args[at]));
    need(g->w, "clEnqueueNDRangeKernel",
         cl.clEnqueueNDRangeKernel(g->host[i], g->kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    need(g->w, "clFlush", cl.clFlush(g->host[i]));
    return event;
}

static void finish(stage *g, int i, cl_event event, script *s, cl_int expected) {
    world *w = g->w;
    cl_int status = 1;
    cl_int waited = cl.clWaitForEvents(1, &event);
    need(
        w, "clGetEventInfo",
        cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
    need(w, "clReleaseEvent", cl.clReleaseEvent(event));
    if ((status < 0) != (waited != CL_SUCCESS) || status > 0)
        wrong(w, "a family has status %d, waiting for it %d", status, waited);
    if (status != expected && !(s->has_stuck_marker && status < 0))
        wrong(w, "a family ended with %d, not %d", status, expected);
    need(w, "clEnqueueReadBuffer",
         cl.clEnqueueReadBuffer(g->host[i], g->results[i], CL_TRUE, 0, sizeof(s->results),
                                s->results, 0, NULL, NULL));
    if (s->results[AT_BAD])
        wrong(w, "a block of a family began before %s",
              s->results[AT_BAD] & 1 ? "what it waits for" : "its parent's end");
    for (unsigned at = 1; at < s->count; at++)
        check_step(w, s, at);
}

void play_families(world *w, const object *context) {
    script *scripts = calloc(2, sizeof(*scripts));
    stage g = {.w = w};
    cl_event events[2];
    cl_int expected[2];
    if (!scripts)
        wrong(w, "the fuzzer is out of memory");
    bool meet = draw(w, 8) == 0;
    for (int i = 0; i < 2; i++) {
        scripts[i].steps[0].items = 1;
        scripts[i].count = 1;
        if (!meet)
            draw_play(w, &scripts[i], 0, 0);
        else if (i)
            make_thief(w, &scripts[i]);
        else
            make_keeper(&scripts[i]);
        expected[i] = predict(&scripts[i]);
    }
    w->function = "clEnqueueNDRangeKernel";
    SAY("two families%s", meet ? " that meet" : "");
    if (w->trace)
        fputc('\n', stderr), print_script(&scripts[0]), print_script(&scripts[1]);
    set_up(&g, context, context->devices[draw(w, context->device_count)]->handle, scripts);
    for (int i = 0; i < 2; i++)
        events[i] = start(&g, i);
    for (int i = 1; i >= 0; i--)
        finish(&g, i, events[i], &scripts[i], expected[i]);
    take_down(&g);
    free(scripts);
}
