// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Programs: from source, binaries, SPIR-V, built-in kernels; compiling, linking, building. */

#include "rows.h"
#include "setup.h"

#include <sched.h>

/* ---- making ---------------------------------------------------------------------------------- */

static object *made_program(world *w, cl_program made, object *context, origin from) {
    object *program = add(w, PROGRAM, made, context);
    program->from = from;
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
    if (judge_object(w, made))
        made_program(w, made, context.o, FROM_SOURCE)->source = source;
}

/* Bytes of a binary: as it was, cut short, one bit changed, or changed behind the checksum's back.
 */
typedef struct given {
    unsigned char *mine; /* freed afterwards */
    const unsigned char *bytes;
    size_t size;
    bool wild;
} given;

static given draw_binary(world *w, unsigned device) {
    const binary *b = &binaries[device % 2];
    given g = {.bytes = b->bytes, .size = b->size};
    if (w->valid || draw(w, 4) == 0)
        return g;
    if (draw(w, 3)) {
        g.bytes = g.mine = draw_wild_binary(w, b);
        g.wild = true;
        may(w, true, CL_INVALID_BINARY);
        return g;
    }
    g.mine = malloc(b->size);
    if (!g.mine)
        wrong(w, "the fuzzer is out of memory");
    memcpy(g.mine, b->bytes, b->size);
    g.bytes = g.mine;
    if (draw(w, 2))
        g.size = draw(w, b->size - 1) + 1;
    else
        g.mine[draw(w, b->size)] ^= (unsigned char)(1u << draw(w, 8));
    fault(w, true, CL_INVALID_BINARY);
    return g;
}

/* A list of the context's devices; what is wrong with it is noted. */
static cl_uint draw_devices(world *w, const object *of, cl_device_id *list, cl_uint room) {
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

void row_clCreateProgramWithBinary(world *w) {
    cl_device_id devices[MOST_DEVICES];
    const unsigned char *bytes[MOST_DEVICES];
    size_t sizes[MOST_DEVICES];
    given all[MOST_DEVICES];
    cl_int each[MOST_DEVICES];
    bool wild = false;
    if (is_full(w, PROGRAM))
        return;
    arg context = draw_context(w);
    cl_uint count = draw_devices(w, context.o, devices, MOST_DEVICES);
    for (cl_uint i = 0; i < count; i++) {
        all[i] = draw_binary(w, i);
        bytes[i] = all[i].bytes, sizes[i] = all[i].size;
        wild |= all[i].wild;
    }
    bool no_count = odd(w), no_list = odd(w), hole = odd(w), no_status = draw(w, 2);
    if (hole)
        *(draw(w, 2) ? (void **)(void *)&bytes[0] : (void **)(void *)&sizes[0]) = NULL;
    fault(w, no_count || no_list || hole, CL_INVALID_VALUE);
    SAY("%s, %u, %s {...}, {%zu...}, {%p %s...}, %s, &status", name_of(&context),
        no_count ? 0 : count, no_list ? "NULL" : "", sizes[0], (const void *)bytes[0],
        wild          ? "/* numbers changed */"
        : all[0].mine ? "/* changed */"
                      : "",
        no_status ? "NULL" : "each");
    cl_program made =
        cl.clCreateProgramWithBinary(context.handle, no_count ? 0 : count, no_list ? NULL : devices,
                                     sizes, bytes, no_status ? NULL : each, errcode(w));
    bool good = judge_object(w, made);
    for (cl_uint i = 0; i < count; i++)
        free(all[i].mine);
    if (good)
        made_program(w, made, context.o, FROM_BINARY)->wild = wild;
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
        made_program(w, made, context.o, FROM_BUILT_IN)->state = EXECUTABLE;
}

/* ---- building -------------------------------------------------------------------------------- */

typedef struct build_call {
    arg program;
    cl_device_id devices[MOST_DEVICES];
    const cl_device_id *device_list;
    cl_uint device_count;
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
static void built(const world *w, object *program, bool builds, bool at_fault,
                  program_state state) {
    bool good = w->answer == CL_SUCCESS;
    if (!program || w->answer == CL_INVALID_OPERATION) /* kernels are attached: it stays */
        return;
    program->is_unsure = false;
    if (good && builds)
        program->state = state;
    else if (at_fault)
        program->is_unsure = true;
    else if (program->from == FROM_SOURCE)
        program->state = FAILED;
}

void row_clBuildProgram(world *w) {
    build_call b = {.program = pick(w, PROGRAM, NULL, NULL)};
    object *program = b.program.o;
    fault(w, !program, CL_INVALID_PROGRAM);
    draw_build(w, program, draw_options(w, program), &b);
    bool at_fault = true,
         builds = program && (program->from != FROM_SOURCE || sources[program->source].builds);
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
    built(w, program, builds, at_fault, EXECUTABLE);
}

void row_clCompileProgram(world *w) {
    build_call b = {.program = pick(w, PROGRAM, NULL, NULL)};
    object *program = b.program.o;
    fault(w, !program, CL_INVALID_PROGRAM);
    draw_build(w, program, draw_options(w, program), &b);
    bool at_fault = true,
         builds = program && (program->from == FROM_IL ||
                              (program->from == FROM_SOURCE && sources[program->source].builds));
    const char *names[1] = {"header.h"};
    bool headers = odd(w);
    fault(w, headers, CL_INVALID_VALUE);
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
    SAY("%s, %u, %s, \"%s\", 0, NULL, %s, %s, %s", name_of(&b.program), b.device_count,
        b.device_list ? "devices" : "NULL", b.options ? b.options : "", headers ? "names" : "NULL",
        b.has_notify ? "f" : "NULL", b.has_user ? "user" : "NULL");
    bool good =
        judge(w, cl.clCompileProgram(b.program.handle, b.device_count, b.device_list, b.options, 0,
                                     NULL, headers ? names : NULL, b.has_notify ? on_built : NULL,
                                     b.has_user ? w : NULL));
    await_build(w, &b, good);
    built(w, program, builds, at_fault, COMPILED);
}

static bool is_compiled(const object *o) {
    return o->kind == PROGRAM && o->from == FROM_SOURCE && o->state == COMPILED;
}

void row_clLinkProgram(world *w) {
    build_call b = {0};
    cl_program inputs[2];
    arg picked[2] = {{0}};
    if (is_full(w, PROGRAM))
        return;
    arg context = draw_context(w);
    cl_uint count = odd(w) ? 0 : (cl_uint)(1 + draw(w, 2));
    bool ready = true;
    for (cl_uint i = 0; i < count; i++) {
        picked[i] = pick(w, PROGRAM, context.o, is_compiled);
        inputs[i] = picked[i].handle;
        fault(w, !picked[i].o, CL_INVALID_PROGRAM);
        fault(w, picked[i].o && context.o && picked[i].o->context != context.o, CL_INVALID_PROGRAM);
        may(w, picked[i].o && context.o && picked[i].o->context != context.o, CL_INVALID_CONTEXT);
        ready &= picked[i].o && is_compiled(picked[i].o);
    }
    const cl_program *list = odd(w) ? NULL : inputs;
    fault(w, !count || !list, CL_INVALID_VALUE);
    bool bad_options = odd(w), library = draw(w, 3) == 0;
    draw_build(w, context.o,
               bad_options ? "-no-such-option"
               : library   ? "-create-library"
                           : "",
               &b);
    b.has_user = b.has_user && !b.has_notify, b.has_notify = false;
    fault(w, bad_options, CL_INVALID_LINKER_OPTIONS);
    fault(w, !ready && count, CL_INVALID_OPERATION);
    may(w, count == 2, CL_LINK_PROGRAM_FAILURE); /* the same names twice */
    w->any_error = !ready;
    SAY("%s, %u, %s, \"%s\", %u, %s {%s, %s}, NULL, %s, &status", name_of(&context), b.device_count,
        b.device_list ? "devices" : "NULL", b.options, count, list ? "" : "NULL",
        name_of(&picked[0]), name_of(&picked[1]), b.has_user ? "user" : "NULL");
    w->status = 12345;
    w->has_errcode = true;
    cl_program made = cl.clLinkProgram(context.handle, b.device_count, b.device_list, b.options,
                                       count, list, NULL, b.has_user ? w : NULL, &w->status);
    bool good = judge(w, w->status);
    /* "clLinkProgram returns a valid non-zero program object" also if linking fails. */
    if (good && !made)
        wrong(w, "linked, but nothing came of it");
    if (!made)
        return;
    object *program = made_program(w, made, context.o, FROM_LINK);
    program->state = !good ? FAILED : library ? LIBRARY : EXECUTABLE;
    program->source = picked[0].o ? picked[0].o->source : 0;
    program->wild = count == 2;
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
