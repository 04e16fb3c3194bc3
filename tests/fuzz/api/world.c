// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Drawing, judging, and the pool of objects. */

#include "api.h"

#include <stdarg.h>
#include <unistd.h>

entry_points cl;

/* ---- drawing --------------------------------------------------------------------------------- */

uint64_t draw(world *w, uint64_t below) {
    uint64_t z = (w->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return below ? z % below : z;
}

bool odd(world *w) {
    return !w->valid && draw(w, 8) == 0;
}

size_t draw_size(world *w, size_t most) {
    size_t size = (size_t)1 << draw(w, 14);
    if (draw(w, 3) == 0)
        size += draw(w, 64);
    if (draw(w, 6) == 0)
        size -= draw(w, size) % 9;
    return size > most ? most : size ? size : 1;
}

size_t draw_garbage(world *w) {
    static const size_t garbage[] = {
        0, SIZE_MAX,   SIZE_MAX - 1, SIZE_MAX / 2,   (size_t)1 << 63, (size_t)1 << 32,
        1, UINT32_MAX, INT32_MAX,    (size_t)1 << 48};
    return garbage[draw(w, sizeof(garbage) / sizeof(*garbage))];
}

/* ---- the pool -------------------------------------------------------------------------------- */

bool is_host_queue(const object *o) {
    return o->kind == QUEUE && !o->on_device;
}

bool is_device_queue(const object *o) {
    return o->kind == QUEUE && o->on_device;
}

bool is_buffer(const object *o) {
    return o->kind == MEM && o->type == CL_MEM_OBJECT_BUFFER;
}

bool is_pipe(const object *o) {
    return o->kind == MEM && o->type == CL_MEM_OBJECT_PIPE;
}

bool is_image(const object *o) {
    return o->kind == MEM && !is_buffer(o) && !is_pipe(o);
}

bool is_user_event(const object *o) {
    return o->kind == EVENT && o->command->is_user;
}

object *find(world *w, kind kind, const object *context, wanted *is_wanted) {
    unsigned start = w->count ? (unsigned)draw(w, w->count) : 0;
    for (unsigned i = 0; i < w->count; i++) {
        object *o = w->objects[(start + i) % w->count];
        if (o->kind == kind && o->refs && (!context || o->context == context) &&
            (!is_wanted || is_wanted(o)))
            return o;
    }
    return NULL;
}

arg arg_of(object *o) {
    return (arg){o ? o->handle : NULL, o};
}

arg pick(world *w, kind kind, const object *context, wanted *is_wanted) {
    static const enum kind handles[] = {DEVICE,  CONTEXT, QUEUE,  MEM,
                                        SAMPLER, PROGRAM, KERNEL, EVENT};
    if (odd(w)) {
        switch (draw(w, 6)) {
        case 0:
            return (arg){NULL, NULL};
        case 1:
            return (arg){w->junk, NULL};
        case 2: /* misaligned, inside something that is valid memory */
            return (arg){(unsigned char *)w->junk + 1 + draw(w, 7), NULL};
        case 3: {
            object *o = find(w, handles[draw(w, 8)], NULL, NULL);
            return (arg){o ? o->handle : NULL, o && o->kind == kind ? o : NULL};
        }
        default:
            return arg_of(find(w, kind, NULL, NULL));
        }
    }
    return arg_of(find(w, kind, context, is_wanted));
}

unsigned live_count(const world *w, kind kind) {
    unsigned count = 0;
    for (unsigned i = 0; i < w->count; i++)
        count += w->objects[i]->kind == kind && w->objects[i]->refs;
    return count;
}

bool is_full(world *w, kind kind) {
    static const unsigned most[KINDS] = {[DEVICE] = 8,  [CONTEXT] = 3, [QUEUE] = 8,
                                         [MEM] = 24,    [SAMPLER] = 4, [PROGRAM] = 10,
                                         [KERNEL] = 12, [EVENT] = 24,  [SVM] = 8};
    w->skipped = w->count + 20 >= MOST_OBJECTS || live_count(w, kind) >= most[kind];
    return w->skipped;
}

object *add(world *w, kind kind, void *handle, object *context) {
    object *o = calloc(1, sizeof(*o));
    if (!o || w->count == MOST_OBJECTS)
        wrong(w, "the fuzzer has no room for another object");
    o->kind = kind;
    o->name = w->number;
    o->handle = handle;
    o->refs = 1;
    o->lent = calloc(1, sizeof(*o->lent));
    o->context = context;
    w->objects[w->count++] = o;
    return o;
}

void drop_reference(object *o) {
    o->refs--;
}

bool has_device(const object *of, const object *device) {
    for (cl_uint i = 0; i < of->device_count; i++)
        if (of->devices[i] == device)
            return true;
    return false;
}

/* ---- saying ---------------------------------------------------------------------------------- */

const char *name_of(const arg *a) {
    static const char *const kinds[KINDS] = {"?",       "device",  "context", "queue", "mem",
                                             "sampler", "program", "kernel",  "event", "svm"};
    static _Thread_local char texts[8][40];
    static _Thread_local unsigned next;
    char *text = texts[next++ % 8];
    if (a->o)
        snprintf(text, sizeof(texts[0]), "%s%u", kinds[a->o->kind], a->o->name);
    else if (!a->handle)
        snprintf(text, sizeof(texts[0]), "NULL");
    else
        snprintf(text, sizeof(texts[0]), "(void *)%p /* none of these */", a->handle);
    return text;
}

void say(world *w, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    fprintf(stderr, "/* %u */ %s(%s);", w->number, w->function, text);
    fflush(stderr);
}

void wrong(world *w, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nWRONG: seed %llu, call %u, %s: %s\n", (unsigned long long)w->seed, w->number,
            w->function, text);
    fflush(stderr);
    _exit(3);
}

/* ---- judging --------------------------------------------------------------------------------- */

void may(world *w, bool there, cl_int code) {
    if (there && w->allowed_count < sizeof(w->allowed) / sizeof(*w->allowed))
        w->allowed[w->allowed_count++] = code;
}

void fault(world *w, bool there, cl_int code) {
    may(w, there, code);
    w->must_fail = w->must_fail || there;
}

static void count(world *w, bool good) {
    if (w->tally)
        atomic_fetch_add_explicit(good ? &w->tally->good : &w->tally->refused, 1,
                                  memory_order_relaxed);
}

bool judge(world *w, cl_int status) {
    w->answer = status;
    if (w->trace)
        fprintf(stderr, " /* %d */\n", status);
    bool good = status == CL_SUCCESS ? !w->must_fail : w->any_error;
    for (unsigned i = 0; i < w->allowed_count && !good; i++)
        good = status == w->allowed[i];
    if (!good) {
        char list[400] = "";
        size_t used = 0;
        for (unsigned i = 0; i < w->allowed_count && used < sizeof(list) - 16; i++)
            used += (size_t)snprintf(list + used, sizeof(list) - used, " %d", w->allowed[i]);
        wrong(w, "status %d, but allowed are%s%s", status, w->must_fail ? "" : " 0", list);
    }
    count(w, status == CL_SUCCESS);
    return status == CL_SUCCESS;
}

cl_int *errcode(world *w) {
    w->status = 12345;
    w->has_errcode = draw(w, 16) != 0;
    return w->has_errcode ? &w->status : NULL;
}

bool judge_object(world *w, const void *result) {
    if (!w->has_errcode) {
        if (w->trace)
            fprintf(stderr, " /* %s */\n", result ? "something" : "NULL");
        if (result ? w->must_fail : !w->must_fail && !w->allowed_count && !w->any_error)
            wrong(w, "returned %s", result ? "an object" : "NULL");
        count(w, result != NULL);
        return result != NULL;
    }
    if ((result != NULL) != (w->status == CL_SUCCESS))
        wrong(w, "returned %p and status %d", result, w->status);
    return judge(w, w->status);
}
