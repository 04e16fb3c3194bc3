// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Programs: from source, binaries, SPIR-V, built-in kernels; compiling, linking, building. */

#include "rows.h"
#include "setup.h"

#include <sched.h>

/* ---- making ---------------------------------------------------------------------------------- */

belief has_state(const object *program, const object *device, program_state state) {
    belief any = NO;
    for (cl_uint i = 0; i < program->device_count; i++) {
        if (device && program->devices[i] != device)
            continue;
        belief one = program->unsure[i] ? MAYBE : program->states[i] == state ? YES : NO;
        any = one > any ? one : any;
    }
    return any;
}

void set_states(object *program, program_state state) {
    for (cl_uint i = 0; i < program->device_count; i++)
        program->states[i] = state, program->unsure[i] = false;
}

object *made_program(world *w, cl_program made, object *context, origin from) {
    object *program = add(w, PROGRAM, made, context);
    program->from = from;
    program->sources = from == FROM_BINARY;
    program->device_count = context->device_count;
    memcpy(program->devices, context->devices, sizeof(program->devices));
    return program;
}

void row_clCreateProgramWithSource(world *w) {
    if (is_full(w, PROGRAM))
        return;
    arg context = draw_context(w);
    unsigned source = draw(w, 12) ? (unsigned)draw(w, source_count - 1) : source_count - 1;
    const char *text = sources[source].text, *strings[2] = {text, ""};
    const size_t whole[2] = {strlen(text), 0};
    bool no_count = odd(w), no_strings = odd(w), hole = odd(w);
    if (hole)
        strings[1] = NULL;
    fault(w, no_count || no_strings || hole, CL_INVALID_VALUE);
    SAY("%s, %d, %s {source %u, %s}, &status", name_of(&context), no_count ? 0 : 2,
        no_strings ? "NULL" : "", source, hole ? "NULL" : "\"\"");
    cl_program made =
        cl.clCreateProgramWithSource(context.handle, no_count ? 0 : 2, no_strings ? NULL : strings,
                                     draw(w, 2) ? whole : NULL, errcode(w));
    if (!judge_object(w, made))
        return;
    object *program = made_program(w, made, context.o, FROM_SOURCE);
    program->source = source;
    program->sources = 1u << source;
}

cl_uint draw_devices(world *w, const object *of, cl_device_id *list, cl_uint room) {
    cl_uint count = of ? of->device_count : 1;
    if (count > room)
        count = room;
    for (cl_uint i = 0; i < count; i++)
        list[i] = of ? of->devices[i]->handle : w->objects[0]->handle;
    if (odd(w)) {
        arg other = pick(w, DEVICE, NULL, NULL);
        list[0] = other.handle;
        fault(w, !other.o || (of && !has_device(of, other.o)), CL_INVALID_DEVICE);
        if (other.o && of && has_device(of, other.o)) /* it may stand there twice now */
            list[0] = of->devices[0]->handle;
    }
    return count;
}

static void row_create_il(world *w, __typeof__(clCreateProgramWithIL) *create) {
    if (is_full(w, PROGRAM) || !create)
        return;
    uint32_t words[128];
    arg context = draw_context(w);
    memcpy(words, il_module, il_bytes);
    size_t bytes = il_bytes;
    bool none = odd(w), empty = odd(w), no_module = odd(w);
    if (no_module)
        words[0] = 1;
    fault(w, none || empty || no_module, CL_INVALID_VALUE);
    bool wild = odd(w);
    if (wild) {
        words[5 + draw(w, bytes / 4 - 5)] = (uint32_t)draw_garbage(w);
        may(w, true, CL_INVALID_VALUE);
    }
#ifndef WEFT_HAS_SPIRV
    fault(w, true, CL_INVALID_OPERATION);
#endif
    SAY("%s, %s, %zu, &status", name_of(&context),
        none   ? "NULL"
        : wild ? "changed"
               : "module",
        empty ? 0 : bytes);
    cl_program made = create(context.handle, none ? NULL : words, empty ? 0 : bytes, errcode(w));
    if (judge_object(w, made))
        made_program(w, made, context.o, FROM_IL)->wild = wild;
}

void row_clCreateProgramWithIL(world *w) {
    row_create_il(w, cl.clCreateProgramWithIL);
}

void row_clCreateProgramWithILKHR(world *w) {
    row_create_il(w, cl.clCreateProgramWithILKHR);
}

void row_clCreateProgramWithBuiltInKernels(world *w) {
    cl_device_id devices[MOST_DEVICES];
    char names[4096] = "";
    if (is_full(w, PROGRAM))
        return;
    arg context = draw_context(w);
    cl_uint count = draw_devices(w, context.o, devices, MOST_DEVICES);
    cl.clGetDeviceInfo(w->objects[0]->handle, CL_DEVICE_BUILT_IN_KERNELS, sizeof(names), names,
                       NULL);
    *strchrnul(names, ';') = 0; /* the first one */
    bool no_names = odd(w), unknown = odd(w) || !*names, no_devices = odd(w);
    fault(w, no_names || unknown || no_devices, CL_INVALID_VALUE);
    SAY("%s, %u, %s, \"%s\", &status", name_of(&context), count, no_devices ? "NULL" : "devices",
        no_names  ? ""
        : unknown ? "no.such"
                  : names);
    cl_program made =
        cl.clCreateProgramWithBuiltInKernels(context.handle, count, no_devices ? NULL : devices,
                                             no_names  ? NULL
                                             : unknown ? "no.such"
                                                       : names,
                                             errcode(w));
    if (judge_object(w, made))
        set_states(made_program(w, made, context.o, FROM_BUILT_IN), EXECUTABLE);
}

/* ---- building -------------------------------------------------------------------------------- */

typedef struct build_call {
    arg program;
    cl_device_id devices[MOST_DEVICES];
    const cl_device_id *device_list;
    cl_uint device_count;
    bool wants[MOST_DEVICES]; /* of the devices of what is built */
    const char *options;
    bool has_notify, has_user;
} build_call;

static void CL_CALLBACK on_built(cl_program program, void *user) {
    world *w = user;
    cl_uint devices = 0;
    if (cl.clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof(devices), &devices, NULL) ||
        cl.clRetainProgram(program) || cl.clReleaseProgram(program))
        wrong(w, "a build's callback cannot use the program");
    atomic_fetch_add(&w->builds_done, 1);
}

static bool is_attached(const world *w, const object *program, bool *unsure) {
    bool attached = false;
    for (unsigned i = 0; i < w->count; i++) {
        const object *o = w->objects[i];
        if (o->kind != KERNEL || o->parent != program)
            continue;
        attached |= o->refs > 0;
        *unsure = true; /* a command may keep it */
    }
    return attached;
}

/* What clBuildProgram, clCompileProgram and clLinkProgram have in common. */
static void draw_build(world *w, const object *of, const char *options, build_call *b) {
    bool whole = draw(w, 2);
    b->device_count = whole ? 0 : draw_devices(w, of, b->devices, MOST_DEVICES);
    b->device_list = whole ? NULL : b->devices;
    if (!whole && of && b->device_count > 1 && b->devices[0] == of->devices[0]->handle &&
        draw(w, 2)) /* one of them only */
        b->devices[0] = b->devices[draw(w, b->device_count)], b->device_count = 1;
    for (cl_uint i = 0; of && i < of->device_count; i++) {
        b->wants[i] = whole;
        for (cl_uint k = 0; k < b->device_count; k++)
            b->wants[i] |= of->devices[i]->handle == b->devices[k];
    }
    if (odd(w))
        b->device_list = b->device_list ? NULL : b->devices;
    fault(w, !b->device_list != !b->device_count, CL_INVALID_VALUE);
    b->options = options;
    b->has_notify = draw(w, 6) == 0;
    b->has_user = b->has_notify || odd(w);
    fault(w, b->has_user && !b->has_notify, CL_INVALID_VALUE);
}

/* The callback comes once if the call succeeds; everything after it may count on the end. */
static void await_build(world *w, const build_call *b, bool good) {
    if (b->has_notify && good)
        for (w->builds_due++; atomic_load(&w->builds_done) != w->builds_due;)
            sched_yield();
}

static const char *draw_options(world *w, const object *program) {
    static const char *const others[] = {"-cl-std=CL7.0", "-no-such-option", "-D", "-I"};
    if (odd(w)) {
        fault(w, true, CL_INVALID_BUILD_OPTIONS);
        return others[draw(w, COUNT(others))];
    }
    return program && program->from == FROM_SOURCE ? sources[program->source].options : NULL;
}

static void fault_of_attached(world *w, const object *program) {
    bool unsure = false;
    fault(w, is_attached(w, program, &unsure), CL_INVALID_OPERATION);
    may(w, unsure, CL_INVALID_OPERATION);
}

/* What the call leaves behind. One that failed for its arguments may or may not have begun. */
static void built(const world *w, object *program, const build_call *b, bool builds, bool at_fault,
                  program_state state) {
    bool good = w->answer == CL_SUCCESS;
    if (!program || w->answer == CL_INVALID_OPERATION) /* kernels are attached: it stays */
        return;
    for (cl_uint i = 0; i < program->device_count; i++) {
        if (!good && at_fault)
            program->unsure[i] = true;
        if (!b->wants[i] || (!good && at_fault))
            continue;
        program->unsure[i] = false;
        if (good && builds)
            program->states[i] = state;
        else if (program->from == FROM_SOURCE)
            program->states[i] = FAILED;
        else
            program->unsure[i] = true;
    }
}

void row_clBuildProgram(world *w) {
    build_call b = {.program = pick(w, PROGRAM, NULL, NULL)};
    object *program = b.program.o;
    fault(w, !program, CL_INVALID_PROGRAM);
    draw_build(w, program, draw_options(w, program), &b);
    bool at_fault = true,
         builds = program && (program->from != FROM_SOURCE || (sources[program->source].builds &&
                                                               !sources[program->source].includes));
    if (program) {
        fault_of_attached(w, program);
        fault(w, program->from == FROM_BUILT_IN || program->from == FROM_LINK,
              CL_INVALID_OPERATION);
        at_fault = w->must_fail;
        if (!builds && b.has_notify)
            may(w, true, CL_BUILD_PROGRAM_FAILURE);
        else
            fault(w, !builds, CL_BUILD_PROGRAM_FAILURE);
        may(w, program->wild, CL_BUILD_PROGRAM_FAILURE);
        may(w, program->wild, CL_INVALID_BINARY);
        may(w, program->wild, CL_INVALID_OPERATION);
        w->any_error = program->wild;
    }
    SAY("%s, %u, %s, \"%s\", %s, %s", name_of(&b.program), b.device_count,
        b.device_list ? "devices" : "NULL", b.options ? b.options : "", b.has_notify ? "f" : "NULL",
        b.has_user ? "user" : "NULL");
    bool good =
        judge(w, cl.clBuildProgram(b.program.handle, b.device_count, b.device_list, b.options,
                                   b.has_notify ? on_built : NULL, b.has_user ? w : NULL));
    await_build(w, &b, good);
    built(w, program, &b, builds, at_fault, EXECUTABLE);
}

/** What clCompileProgram is given beside the text. */
typedef struct headers {
    cl_uint count, given; /* the second: what the call says */
    cl_program programs[2];
    arg picked[2];
    const char *names[2];
    const cl_program *program_list;
    const char **name_list;
} headers;

static bool is_header(const object *o) {
    return o->kind == PROGRAM && o->from == FROM_SOURCE && o->source == HEADER_SOURCE;
}

static void draw_headers(world *w, const object *of, headers *h) {
    static const char *const names[] = {"header.h", "header.h", "other.h"};
    const object *context = of ? of->context : NULL;
    h->count = draw(w, 2) ? 0 : 1 + (cl_uint)draw(w, 2);
    for (cl_uint i = 0; i < h->count; i++) {
        h->picked[i] = pick(w, PROGRAM, context, draw(w, 4) ? is_header : NULL);
        if (w->valid && !h->picked[i].o)
            h->count = i;
        const object *o = h->picked[i].o;
        h->programs[i] = h->picked[i].handle;
        h->names[i] = names[draw(w, COUNT(names))];
        if (i == h->count)
            break;
        fault(w, !o, CL_INVALID_PROGRAM);
        /* "program embedded headers": of one without text nothing more is said */
        fault(w, o && o->from != FROM_SOURCE, CL_INVALID_VALUE);
        may(w, o && (o->from != FROM_SOURCE || o->context != context), CL_INVALID_PROGRAM);
        may(w, o && (o->from != FROM_SOURCE || o->context != context), CL_INVALID_OPERATION);
    }
    h->program_list = h->count ? h->programs : NULL;
    h->name_list = h->count ? h->names : NULL;
    h->given = h->count;
    if (odd(w)) {
        *(draw(w, 2) ? (const void **)&h->program_list : (const void **)&h->name_list) =
            h->count ? NULL : (const void *)h->names;
        fault(w, true, CL_INVALID_VALUE);
        may(w, true, CL_INVALID_PROGRAM);
    }
}

/* "If multiple header names in header_include_names match, the first one encountered will be
 * used." */
static bool compiles(const object *program, const headers *h) {
    if (program->from == FROM_IL)
        return true;
    if (program->from != FROM_SOURCE || !sources[program->source].builds)
        return false;
    for (cl_uint i = 0; i < h->count && sources[program->source].includes; i++)
        if (strcmp(h->names[i], "header.h") == 0)
            return h->picked[i].o && is_header(h->picked[i].o);
    return !sources[program->source].includes;
}

void row_clCompileProgram(world *w) {
    build_call b = {.program = pick(w, PROGRAM, NULL, NULL)};
    headers h = {0};
    object *program = b.program.o;
    fault(w, !program, CL_INVALID_PROGRAM);
    draw_build(w, program, draw_options(w, program), &b);
    draw_headers(w, program, &h);
    bool at_fault = true, builds = program && compiles(program, &h);
    if (program) {
        fault_of_attached(w, program);
        bool has_text = program->from == FROM_SOURCE || program->from == FROM_IL;
        fault(w, !has_text, CL_INVALID_OPERATION);
        at_fault = w->must_fail;
        if (b.has_notify && !builds)
            may(w, true, CL_COMPILE_PROGRAM_FAILURE);
        else
            fault(w, has_text && !builds, CL_COMPILE_PROGRAM_FAILURE);
        w->any_error = program->wild;
    }
    may(w, w->must_fail, CL_INVALID_COMPILER_OPTIONS);
    SAY("%s, %u, %s, \"%s\", %u, %s {%s, %s}, %s {%s, %s}, %s, %s", name_of(&b.program),
        b.device_count, b.device_list ? "devices" : "NULL", b.options ? b.options : "", h.given,
        h.program_list ? "" : "NULL", name_of(&h.picked[0]), name_of(&h.picked[1]),
        h.name_list ? "" : "NULL", h.names[0] ? h.names[0] : "", h.names[1] ? h.names[1] : "",
        b.has_notify ? "f" : "NULL", b.has_user ? "user" : "NULL");
    bool good =
        judge(w, cl.clCompileProgram(b.program.handle, b.device_count, b.device_list, b.options,
                                     h.given, h.program_list, h.name_list,
                                     b.has_notify ? on_built : NULL, b.has_user ? w : NULL));
    await_build(w, &b, good);
    built(w, program, &b, builds, at_fault, COMPILED);
}

/* ---- linking --------------------------------------------------------------------------------- */

static bool is_object(const object *o) { /* for one device at least; of a link, a library */
    return o->kind == PROGRAM &&
           (has_state(o, NULL, COMPILED) == YES || has_state(o, NULL, LIBRARY) == YES);
}

static belief has_object(const object *program, const object *device) {
    belief object = has_state(program, device, COMPILED);
    return object ? object : has_state(program, device, LIBRARY);
}

/* The names that sources give to the linker: what stands there twice cannot be linked. */
static bool collide(unsigned sources_a, unsigned sources_b) {
    /* small and none; what the header defines */
    static const unsigned same[] = {1 << 1 | 1 << 2, 1 << 3 | 1 << HEADER_SOURCE};
    bool found = sources_a & sources_b;
    for (size_t i = 0; i < COUNT(same); i++)
        found |= sources_a & same[i] && sources_b & same[i];
    return found;
}

/** What is linked. */
typedef struct inputs {
    cl_uint count;
    cl_program list[3];
    arg picked[3];
    unsigned sources;
    bool collide, unsure, wild, good; /* good: all are programs of the context */
} inputs;

static void draw_inputs(world *w, const arg *context, inputs *in) {
    in->count = odd(w) ? 0 : (cl_uint)(1 + draw(w, 3));
    in->good = true;
    for (cl_uint i = 0; i < in->count; i++) {
        arg a = pick(w, PROGRAM, context->o, is_object);
        if (!a.o && w->valid && i) {
            in->count = i;
            break;
        }
        in->picked[i] = a;
        in->list[i] = a.handle;
        bool other = a.o && context->o && a.o->context != context->o;
        fault(w, !a.o || other, CL_INVALID_PROGRAM);
        may(w, other, CL_INVALID_CONTEXT);
        in->good &= a.o && !other;
        if (!a.o)
            continue;
        in->collide |= collide(in->sources, a.o->sources);
        in->sources |= a.o->sources;
        in->wild |= a.o->wild || a.o->from == FROM_IL;
    }
}

/* "All of the programs contain a compiled binary or library for the device", or "none": then there
 * is no link for it, and any other case is CL_INVALID_OPERATION. */
static void fault_of_inputs(world *w, const object *context, const build_call *b, inputs *in,
                            program_state made, program_state *states) {
    unsigned links = 0;
    bool mixed = false;
    for (cl_uint d = 0; in->good && d < context->device_count; d++) {
        unsigned sure = 0, maybe = 0;
        states[d] = NOTHING;
        for (cl_uint i = 0; i < in->count && b->wants[d]; i++) {
            belief there = has_object(in->picked[i].o, context->devices[d]);
            sure += there == YES;
            maybe += there == MAYBE;
        }
        in->unsure |= maybe != 0;
        mixed |= sure && sure < in->count;
        links += sure == in->count;
        if (sure == in->count)
            states[d] = made;
    }
    w->any_error = in->unsure || in->wild;
    if (in->good && in->count && !in->unsure)
        fault(w, mixed || !links, CL_INVALID_OPERATION);
    may(w, !in->good, CL_INVALID_OPERATION);
    may(w, in->collide, CL_LINK_PROGRAM_FAILURE);
}

/* In a call that is to be valid: some of the texts are compiled first. */
static void compile_some(world *w, const object *context) {
    const char *name = "header.h";
    object *header = find(w, PROGRAM, context, is_header);
    for (unsigned i = 0; i < w->count; i++) {
        object *o = w->objects[i];
        bool unsure = false;
        if (o->kind != PROGRAM || !o->refs || o->context != context || o->from != FROM_SOURCE ||
            is_attached(w, o, &unsure) || unsure || !sources[o->source].builds || is_object(o) ||
            (sources[o->source].includes && !header) || draw(w, 2))
            continue;
        w->function = "clCompileProgram";
        expect_nothing(w);
        SAY("program%u, 0, NULL, \"%s\", %s header.h, NULL, NULL", o->name,
            sources[o->source].options, header ? "with" : "without");
        judge(w, cl.clCompileProgram(o->handle, 0, NULL, sources[o->source].options, header != NULL,
                                     header ? (const cl_program *)&header->handle : NULL,
                                     header ? &name : NULL, NULL, NULL));
        set_states(o, COMPILED);
    }
    w->function = "clLinkProgram";
    expect_nothing(w);
}

static void linked(world *w, cl_program made, object *context, const build_call *b,
                   const inputs *in, const program_state *states, bool good) {
    object *program = made_program(w, made, context, FROM_LINK);
    program->sources = in->sources;
    program->wild = in->collide || in->unsure || in->wild;
    program->device_count = 0;
    for (cl_uint d = 0; d < context->device_count; d++) {
        if (!b->wants[d])
            continue;
        program->devices[program->device_count] = context->devices[d];
        program->states[program->device_count++] = good ? states[d] : FAILED;
    }
}

void row_clLinkProgram(world *w) {
    build_call b = {0};
    inputs in = {0};
    program_state states[MOST_DEVICES] = {NOTHING};
    if (is_full(w, PROGRAM))
        return;
    object *home = find(w, CONTEXT, NULL, NULL);
    if (w->valid && home && draw(w, 2))
        compile_some(w, home);
    arg context = draw_context(w);
    draw_inputs(w, &context, &in);
    const cl_program *list = odd(w) ? NULL : in.list;
    fault(w, !in.count || !list, CL_INVALID_VALUE);
    bool bad_options = odd(w), library = draw(w, 3) == 0;
    draw_build(w, context.o,
               bad_options ? "-no-such-option"
               : library   ? "-create-library"
                           : "",
               &b);
    b.has_user = b.has_user && !b.has_notify, b.has_notify = false;
    fault(w, bad_options, CL_INVALID_LINKER_OPTIONS);
    if (context.o)
        fault_of_inputs(w, context.o, &b, &in, library ? LIBRARY : EXECUTABLE, states);
    SAY("%s, %u, %s, \"%s\", %u, %s {%s, %s, %s}, NULL, %s, &status", name_of(&context),
        b.device_count, b.device_list ? "devices" : "NULL", b.options, in.count, list ? "" : "NULL",
        name_of(&in.picked[0]), name_of(&in.picked[1]), name_of(&in.picked[2]),
        b.has_user ? "user" : "NULL");
    w->status = 12345;
    w->has_errcode = true;
    cl_program made = cl.clLinkProgram(context.handle, b.device_count, b.device_list, b.options,
                                       in.count, list, NULL, b.has_user ? w : NULL, &w->status);
    bool good = judge(w, w->status);
    /* "clLinkProgram returns a valid non-zero program object" also if linking fails. */
    if (good && !made)
        wrong(w, "linked, but nothing came of it");
    if (made)
        linked(w, made, context.o, &b, &in, states, good);
}

/* ---- constants and callbacks ----------------------------------------------------------------- */

static bool is_il(const object *o) {
    return o->kind == PROGRAM && o->from == FROM_IL;
}

void row_clSetProgramSpecializationConstant(world *w) {
    const cl_uint value = 5;
    arg program = pick(w, PROGRAM, NULL, is_il);
    bool bad_id = odd(w), bad_size = odd(w), none = odd(w);
    fault(w, !program.o || !is_il(program.o), CL_INVALID_PROGRAM);
    fault(w, bad_id, CL_INVALID_SPEC_ID);
    fault(w, bad_size || none, CL_INVALID_VALUE);
    w->any_error = program.o && program.o->wild;
    SAY("%s, %d, %d, %s", name_of(&program), bad_id ? 8 : 7, bad_size ? 2 : 4,
        none ? "NULL" : "&value");
    judge(w, cl.clSetProgramSpecializationConstant(program.handle, bad_id ? 8 : 7,
                                                   bad_size ? 2 : sizeof(value),
                                                   none ? NULL : &value));
}

static void CL_CALLBACK on_program_gone(cl_program program, void *user) {
    (void)program;
    give_back(user);
}

void row_clSetProgramReleaseCallback(world *w) {
    arg program = pick(w, PROGRAM, NULL, NULL);
    bool none = odd(w);
    fault(w, !program.o, CL_INVALID_PROGRAM);
    fault(w, none, CL_INVALID_VALUE);
    SAY("%s, %s, lent", name_of(&program), none ? "NULL" : "on_program_gone");
    loan *lent = draw_loan(w, KIND_NONE, NULL);
    if (!judge(w,
               cl.clSetProgramReleaseCallback(program.handle, none ? NULL : on_program_gone, lent)))
        give_back(lent);
}
