// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Platform, devices, contexts, queues, samplers, and the references of all objects. */

#include "rows.h"

/* ---- references ------------------------------------------------------------------------------ */

/* Does something that the application still holds keep it in memory? */
static bool is_kept(const world *w, const object *o) {
    for (unsigned i = 0; i < w->count; i++)
        if (w->objects[i]->refs && w->objects[i]->kind != SVM &&
            (w->objects[i]->parent == o || w->objects[i]->context == o))
            return true;
    return false;
}

/* One whose last reference the application has given back, and which is there all the same. */
static object *find_released(world *w, kind kind) {
    for (unsigned i = 0; i < w->count; i++) {
        object *o = w->objects[i];
        if (o->kind == kind && !o->refs && !atomic_load(o->lent) && is_kept(w, o))
            return o;
    }
    return NULL;
}

static void row_retain(world *w, kind kind, cl_int error, cl_int (*call)(void *)) {
    arg a = pick(w, kind, NULL, NULL);
    fault(w, !a.o, error);
    if (a.o && a.o->refs > 5)
        return;
    SAY("%s", name_of(&a));
    if (judge(w, call(a.handle)) && (kind != DEVICE || a.o->parent))
        a.o->refs++;
}

/* Unset, with commands that nobody could free any more. */
static bool would_hang(const object *o) {
    return is_user_event(o) && !o->command->settled && o->has_waiters && o->refs == 1;
}

static void drop_svm_of(world *w, const object *context) {
    for (unsigned i = 0; i < w->count; i++)
        if (w->objects[i]->kind == SVM && w->objects[i]->context == context)
            w->objects[i]->refs = 0;
}

static void row_release(world *w, kind kind, cl_int error, cl_int (*call)(void *)) {
    arg a = pick(w, kind, NULL, NULL);
    object *released = odd(w) ? find_released(w, kind) : NULL;
    if (released)
        a = (arg){released->handle, NULL};
    if (a.o && (would_hang(a.o) || (kind == CONTEXT && a.o->refs == 1 && draw(w, 4))))
        return;
    fault(w, !a.o, error);
    SAY("%s", released ? "/* released before */ ..." : name_of(&a));
    /* "it is deleted": what it still owns goes with it, as far as the application can see. */
    if (judge(w, call(a.handle)) && (kind != DEVICE || a.o->parent)) {
        a.o->refs--;
        if (!a.o->refs && kind == CONTEXT)
            drop_svm_of(w, a.o);
    }
}

#define REFERENCES(Type, KIND, error)                                                              \
    static cl_int retain_##Type(void *handle) {                                                    \
        return cl.clRetain##Type(handle);                                                          \
    }                                                                                              \
    static cl_int release_##Type(void *handle) {                                                   \
        return cl.clRelease##Type(handle);                                                         \
    }                                                                                              \
    void row_clRetain##Type(world *w) {                                                            \
        row_retain(w, KIND, error, retain_##Type);                                                 \
    }                                                                                              \
    void row_clRelease##Type(world *w) {                                                           \
        row_release(w, KIND, error, release_##Type);                                               \
    }

REFERENCES(Device, DEVICE, CL_INVALID_DEVICE)
REFERENCES(Context, CONTEXT, CL_INVALID_CONTEXT)
REFERENCES(CommandQueue, QUEUE, CL_INVALID_COMMAND_QUEUE)
REFERENCES(MemObject, MEM, CL_INVALID_MEM_OBJECT)
REFERENCES(Sampler, SAMPLER, CL_INVALID_SAMPLER)
REFERENCES(Program, PROGRAM, CL_INVALID_PROGRAM)
REFERENCES(Kernel, KERNEL, CL_INVALID_KERNEL)
REFERENCES(Event, EVENT, CL_INVALID_EVENT)

arg draw_context(world *w) {
    arg context = pick(w, CONTEXT, NULL, NULL);
    fault(w, !context.o, CL_INVALID_CONTEXT);
    return context;
}

/* ---- platform and devices -------------------------------------------------------------------- */

static cl_platform_id draw_platform(world *w) {
    bool bad = odd(w);
    fault(w, bad, CL_INVALID_PLATFORM);
    return bad ? (cl_platform_id)w->junk : w->platform;
}

void row_clGetPlatformIDs(world *w) {
    cl_platform_id platforms[2];
    cl_uint entries = (cl_uint)draw(w, 3), count = 0, *ret = draw(w, 4) ? &count : NULL;
    cl_platform_id *list = draw(w, 4) ? platforms : NULL;
    fault(w, (!entries && list) || (!ret && !list), CL_INVALID_VALUE);
    SAY("%u, %s, %s", entries, list ? "platforms" : "NULL", ret ? "&count" : "NULL");
    if (judge(w, cl.clGetPlatformIDs(entries, list, ret)) && ret && count != 1)
        wrong(w, "%u platforms", count);
}

void row_clGetDeviceIDs(world *w) {
    static const cl_device_type types[] = {CL_DEVICE_TYPE_ALL,         CL_DEVICE_TYPE_CPU,
                                           CL_DEVICE_TYPE_DEFAULT,     CL_DEVICE_TYPE_GPU,
                                           CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CUSTOM};
    cl_device_id devices[4];
    cl_platform_id platform = draw_platform(w);
    cl_device_type type = types[draw(w, COUNT(types))];
    bool bad_type = odd(w);
    if (bad_type)
        type = draw(w, 2) ? 0 : (cl_device_type)1 << 40;
    cl_uint entries = (cl_uint)draw(w, 4), count = 0, *ret = draw(w, 4) ? &count : NULL;
    cl_device_id *list = draw(w, 4) ? devices : NULL;
    fault(w, (!entries && list) || (!ret && !list), CL_INVALID_VALUE);
    fault(w, bad_type, CL_INVALID_DEVICE_TYPE);
    fault(w,
          !bad_type &&
              type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM) &&
              type != CL_DEVICE_TYPE_ALL,
          CL_DEVICE_NOT_FOUND);
    SAY("platform, %#llx, %u, %s, %s", (unsigned long long)type, entries, list ? "devices" : "NULL",
        ret ? "&count" : "NULL");
    judge(w, cl.clGetDeviceIDs(platform, type, entries, list, ret));
}

/* Domains depend on the machine: the device says which it has. Its parts have all of its units. */
static void draw_domain(world *w, const object *device, cl_device_partition_property *list) {
    static const cl_device_affinity_domain domains[] = {
        CL_DEVICE_AFFINITY_DOMAIN_NUMA,     CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE};
    cl_device_affinity_domain there = 0, domain = domains[draw(w, COUNT(domains))];
    if (device)
        cl.clGetDeviceInfo(device->handle, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof(there),
                           &there, NULL);
    bool bad = odd(w);
    if (bad)
        domain = draw(w, 2) ? domain | 1 << 9 : 0;
    list[0] = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
    list[1] = (cl_device_partition_property)domain, list[2] = 0;
    fault(w, bad || (device && !(there & domain)), CL_INVALID_VALUE);
    /* "valid but not supported", or "could not be further partitioned" */
    may(w, !bad, CL_DEVICE_PARTITION_FAILED);
}

static void partition_by_domain(world *w, const arg *device) {
    cl_device_partition_property list[3], type[3] = {0};
    cl_device_id made[16] = {0};
    cl_uint count = 0, sum = 0;
    draw_domain(w, device->o, list);
    SAY("%s, {affinity, %#lx}, 16, devices, &count", name_of(device), (long)list[1]);
    if (!judge(w, cl.clCreateSubDevices(device->handle, list, 16, made, &count)))
        return;
    for (cl_uint i = 0; i < count; i++) {
        object *part = add(w, DEVICE, made[i], NULL);
        part->parent = device->o;
        cl.clGetDeviceInfo(made[i], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(part->units), &part->units,
                           NULL);
        if (cl.clGetDeviceInfo(made[i], CL_DEVICE_PARTITION_TYPE, sizeof(type), type, NULL) ||
            type[0] != list[0] || !type[1] || type[2] ||
            (list[1] != CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE && type[1] != list[1]))
            wrong(w, "a part says that it is one by %#lx, %#lx", (long)type[0], (long)type[1]);
        sum += part->units;
    }
    if (count < 2 || sum != device->o->units)
        wrong(w, "%u parts with %u of %u units", count, sum, device->o->units);
}

/* Parts of equal size, or by counts. */
static unsigned draw_partition(world *w, const object *device, cl_device_partition_property *list) {
    cl_uint units = device ? device->units : 2;
    unsigned parts = 0;
    switch (draw(w, 3)) {
    case 0: {
        cl_uint each = (cl_uint)(1 + draw(w, units + 1));
        list[0] = CL_DEVICE_PARTITION_EQUALLY, list[1] = each, list[2] = 0;
        fault(w, each > units, CL_INVALID_DEVICE_PARTITION_COUNT);
        may(w, each > units, CL_INVALID_VALUE);
        fault(w, each >= units, CL_DEVICE_PARTITION_FAILED);
        return units / each;
    }
    case 1: {
        cl_uint sum = 0;
        list[0] = CL_DEVICE_PARTITION_BY_COUNTS;
        for (parts = 0; parts < 3 && sum < units; parts++)
            sum += (cl_uint)(list[1 + parts] = (cl_device_partition_property)(1 + draw(w, units)));
        list[1 + parts] = CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, list[2 + parts] = 0;
        fault(w, sum > units, CL_INVALID_DEVICE_PARTITION_COUNT);
        fault(w, units < 2, CL_DEVICE_PARTITION_FAILED);
        return parts;
    }
    default:
        list[0] = (cl_device_partition_property)draw_garbage(w);
        list[1] = list[2] = 0;
        fault(w, true, CL_INVALID_VALUE);
        return 0;
    }
}

static unsigned short weight_of_sub_devices(const world *w) {
    unsigned count = 0;
    for (unsigned i = 0; i < w->count; i++)
        count += w->objects[i]->kind == DEVICE && w->objects[i]->parent && w->objects[i]->refs;
    return (unsigned short)count;
}

void row_clCreateSubDevices(world *w) {
    cl_device_partition_property list[6] = {0};
    cl_device_id made[16] = {0};
    cl_uint count = 0;
    if (weight_of_sub_devices(w) > 3)
        return;
    arg device = pick(w, DEVICE, NULL, NULL);
    fault(w, !device.o, CL_INVALID_DEVICE);
    if (draw(w, 3) == 0) {
        partition_by_domain(w, &device);
        return;
    }
    unsigned parts = draw_partition(w, device.o, list);
    cl_device_partition_property *properties = odd(w) ? NULL : list;
    fault(w, !properties, CL_INVALID_VALUE);
    bool ask = draw(w, 3) == 0;
    cl_uint room = odd(w) && parts ? parts - 1 : parts;
    fault(w, !ask && (room < parts || parts > 8), CL_INVALID_VALUE);
    if (parts > 8)
        return;
    SAY("%s, {%ld, %ld, %ld...}, %u, %s, &count", name_of(&device), (long)list[0], (long)list[1],
        (long)list[2], room, ask ? "NULL" : "devices");
    if (!judge(w,
               cl.clCreateSubDevices(device.handle, properties, room, ask ? NULL : made, &count)))
        return;
    if (count != parts)
        wrong(w, "%u parts of %u", count, parts);
    for (cl_uint i = 0; !ask && i < count; i++) {
        object *part = add(w, DEVICE, made[i], NULL);
        part->parent = device.o;
        cl.clGetDeviceInfo(made[i], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(part->units), &part->units,
                           NULL);
    }
}

void row_clGetDeviceAndHostTimer(world *w) {
    cl_ulong times[2];
    arg device = pick(w, DEVICE, NULL, NULL);
    cl_ulong *a = odd(w) ? NULL : &times[0], *b = odd(w) ? NULL : &times[1];
    fault(w, !device.o, CL_INVALID_DEVICE);
    fault(w, !a || !b, CL_INVALID_VALUE);
    SAY("%s, %p, %p", name_of(&device), (void *)a, (void *)b);
    judge(w, cl.clGetDeviceAndHostTimer(device.handle, a, b));
}

void row_clGetHostTimer(world *w) {
    cl_ulong time;
    arg device = pick(w, DEVICE, NULL, NULL);
    cl_ulong *a = odd(w) ? NULL : &time;
    fault(w, !device.o, CL_INVALID_DEVICE);
    fault(w, !a, CL_INVALID_VALUE);
    SAY("%s, %p", name_of(&device), (void *)a);
    judge(w, cl.clGetHostTimer(device.handle, a));
}

void row_clUnloadCompiler(world *w) {
    SAY("%s", "");
    judge(w, cl.clUnloadCompiler());
}

void row_clUnloadPlatformCompiler(world *w) {
    cl_platform_id platform = draw_platform(w);
    SAY("%s", platform == w->platform ? "platform" : "junk");
    judge(w, cl.clUnloadPlatformCompiler(platform));
}

/* ---- contexts -------------------------------------------------------------------------------- */

static void CL_CALLBACK on_error(const char *text, const void *data, size_t bytes, void *user) {
    (void)data, (void)bytes;
    if (!text || user != (void *)on_error)
        abort();
}

static void CL_CALLBACK on_context_gone(cl_context context, void *user) {
    world *w = user;
    (void)context;
    atomic_fetch_add(&w->contexts_gone, 1);
}

/* At most two pairs and what is wrong with them. */
static const cl_context_properties *draw_context_properties(world *w, cl_context_properties *list) {
    bool bad_platform = odd(w), unknown = odd(w), twice = odd(w);
    if (draw(w, 2) && !bad_platform && !unknown && !twice)
        return NULL;
    size_t at = 0;
    list[at++] = CL_CONTEXT_PLATFORM;
    list[at++] = (cl_context_properties)(bad_platform ? (void *)w->junk : (void *)w->platform);
    if (twice || draw(w, 2)) {
        list[at++] = twice ? CL_CONTEXT_PLATFORM : CL_CONTEXT_INTEROP_USER_SYNC;
        list[at++] = twice ? (cl_context_properties)w->platform : CL_TRUE;
    }
    if (unknown) {
        list[at++] = 0x7777;
        list[at++] = 1;
    }
    list[at] = 0;
    fault(w, bad_platform, CL_INVALID_PLATFORM);
    fault(w, unknown || twice, CL_INVALID_PROPERTY);
    return list;
}

/* Every context says when it goes: that is how what stays is found. */
static void made_context(world *w, cl_context handle) {
    cl_device_id devices[MOST_DEVICES] = {0};
    object *context = add(w, CONTEXT, handle, NULL);
    size_t bytes = 0;
    w->contexts_made++;
    if (cl.clSetContextDestructorCallback(handle, on_context_gone, w) ||
        cl.clGetContextInfo(handle, CL_CONTEXT_DEVICES, sizeof(devices), devices, &bytes))
        wrong(w, "a new context does not answer");
    for (size_t i = 0; i < bytes / sizeof(*devices); i++)
        for (unsigned j = 0; j < w->count; j++)
            if (w->objects[j]->kind == DEVICE && w->objects[j]->refs &&
                w->objects[j]->handle == devices[i])
                context->devices[context->device_count++] = w->objects[j];
    if (context->device_count != bytes / sizeof(*devices))
        wrong(w, "a new context has devices that nobody knows");
}

void row_clCreateContext(world *w) {
    cl_context_properties list[8];
    cl_device_id devices[2];
    arg picked[2] = {{0}};
    if (is_full(w, CONTEXT))
        return;
    const cl_context_properties *properties = draw_context_properties(w, list);
    cl_uint count = odd(w) ? 0 : (cl_uint)(1 + draw(w, 2));
    for (cl_uint i = 0; i < count; i++) {
        picked[i] = pick(w, DEVICE, NULL, NULL);
        devices[i] = picked[i].handle;
        fault(w, !picked[i].o, CL_INVALID_DEVICE);
    }
    const cl_device_id *given = odd(w) ? NULL : devices;
    bool notify = draw(w, 2), user = notify || odd(w);
    fault(w, !given || !count || (user && !notify), CL_INVALID_VALUE);
    SAY("%s, %u, %s {%s, %s}, %s, %s, &status", properties ? "list" : "NULL", count,
        given ? "" : "NULL", count ? name_of(&picked[0]) : "", count > 1 ? name_of(&picked[1]) : "",
        notify ? "on_error" : "NULL", user ? "user" : "NULL");
    cl_context made = cl.clCreateContext(properties, count, given, notify ? on_error : NULL,
                                         user ? (void *)on_error : NULL, errcode(w));
    if (judge_object(w, made))
        made_context(w, made);
}

void row_clCreateContextFromType(world *w) {
    static const cl_device_type types[] = {CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU,
                                           CL_DEVICE_TYPE_DEFAULT};
    cl_context_properties list[8];
    if (is_full(w, CONTEXT))
        return;
    const cl_context_properties *properties = draw_context_properties(w, list);
    cl_device_type type = types[draw(w, COUNT(types))];
    if (odd(w)) {
        type = draw(w, 2) ? 0 : CL_DEVICE_TYPE_GPU;
        fault(w, true, type ? CL_DEVICE_NOT_FOUND : CL_INVALID_DEVICE_TYPE);
    }
    bool notify = draw(w, 2), user = notify || odd(w);
    fault(w, user && !notify, CL_INVALID_VALUE);
    SAY("%s, %#llx, %s, %s, &status", properties ? "list" : "NULL", (unsigned long long)type,
        notify ? "on_error" : "NULL", user ? "user" : "NULL");
    cl_context made = cl.clCreateContextFromType(properties, type, notify ? on_error : NULL,
                                                 user ? (void *)on_error : NULL, errcode(w));
    if (judge_object(w, made))
        made_context(w, made);
}

static void CL_CALLBACK on_destroyed(cl_context context, void *user) {
    (void)context;
    give_back(user);
}

void row_clSetContextDestructorCallback(world *w) {
    arg context = draw_context(w);
    bool none = odd(w);
    fault(w, none, CL_INVALID_VALUE);
    SAY("%s, %s, lent", name_of(&context), none ? "NULL" : "on_destroyed");
    loan *lent = draw_loan(w, KIND_NONE, NULL);
    if (!judge(w,
               cl.clSetContextDestructorCallback(context.handle, none ? NULL : on_destroyed, lent)))
        give_back(lent);
}

/* ---- samplers -------------------------------------------------------------------------------- */

static cl_addressing_mode draw_addressing(world *w, bool normalized) {
    bool bad = odd(w);
    cl_addressing_mode mode = (cl_addressing_mode)(CL_ADDRESS_NONE + draw(w, 5));
    fault(w, bad, CL_INVALID_VALUE);
    /* "CL_ADDRESS_REPEAT and CL_ADDRESS_MIRRORED_REPEAT ... can only be used with normalized" is
     * said of what kernels read, not of making the sampler. */
    (void)normalized;
    return bad ? 0x77 : mode;
}

void row_clCreateSampler(world *w) {
    if (is_full(w, SAMPLER))
        return;
    arg context = draw_context(w);
    cl_bool normalized = draw(w, 2) ? CL_TRUE : CL_FALSE;
    cl_addressing_mode mode = draw_addressing(w, normalized);
    cl_filter_mode filter = draw(w, 2) ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
    SAY("%s, %u, %#x, %#x, &status", name_of(&context), normalized, mode, filter);
    cl_sampler made = cl.clCreateSampler(context.handle, normalized, mode, filter, errcode(w));
    if (judge_object(w, made))
        add(w, SAMPLER, made, context.o);
}

void row_clCreateSamplerWithProperties(world *w) {
    cl_sampler_properties list[8];
    size_t at = 0;
    if (is_full(w, SAMPLER))
        return;
    arg context = draw_context(w);
    bool unknown = odd(w), twice = odd(w);
    if (draw(w, 2)) {
        list[at++] = CL_SAMPLER_NORMALIZED_COORDS;
        list[at++] = draw(w, 2);
    }
    if (draw(w, 2) || twice) {
        list[at++] = CL_SAMPLER_ADDRESSING_MODE;
        list[at++] = draw_addressing(w, true);
    }
    if (unknown || twice) {
        list[at++] = twice ? CL_SAMPLER_ADDRESSING_MODE : 0x7777;
        list[at++] = CL_ADDRESS_CLAMP;
    }
    list[at] = 0;
    fault(w, unknown || twice, CL_INVALID_VALUE);
    SAY("%s, list of %zu, &status", name_of(&context), at / 2);
    cl_sampler made = cl.clCreateSamplerWithProperties(context.handle, list, errcode(w));
    if (judge_object(w, made))
        add(w, SAMPLER, made, context.o);
}
