// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/object.h"

void weft_object_init(weft_object *object, const weft_class *type, weft_object *parent) {
    object->type = type;
    object->parent = parent;
    object->process = weft_process_number();
    atomic_init(&object->application, 1);
    atomic_init(&object->strong, 1);
    atomic_init(&object->weak, 1);
    if (parent) {
        object->dispatch = parent->dispatch;
        weft_object_retain(parent);
    }
}

void weft_object_retain(weft_object *object) {
    atomic_fetch_add_explicit(&object->strong, 1, memory_order_relaxed);
}

bool weft_object_try_retain(weft_object *object) {
    uint32_t count = atomic_load_explicit(&object->strong, memory_order_relaxed);
    while (count)
        if (atomic_compare_exchange_weak(&object->strong, &count, count + 1))
            return true;
    return false;
}

void weft_object_retain_weak(weft_object *object) {
    atomic_fetch_add_explicit(&object->weak, 1, memory_order_relaxed);
}

void weft_object_release_weak(weft_object *object) {
    if (atomic_fetch_sub_explicit(&object->weak, 1, memory_order_acq_rel) != 1)
        return;
    if (object->type->free)
        object->type->free(object);
    else
        weft_free(object);
}

static bool was_last(weft_object *object) {
    return object && atomic_fetch_sub_explicit(&object->strong, 1, memory_order_acq_rel) == 1;
}

/* A loop, not recursion: the parent may be released for the last time as well. */
static void finish(weft_object *object) {
    do {
        weft_object *parent = object->parent;
        object->type->finish(object);
        weft_object_release_weak(object);
        object = parent;
    } while (was_last(object));
}

/* What this thread is finishing: an application's destructor callback may release another object,
 * whose callback releases the next, and so on. Beyond a few they wait for the outermost. */
enum { MOST_NESTED = 16 };
static _Thread_local unsigned nested __attribute__((tls_model("initial-exec")));
static _Thread_local weft_object *waiting __attribute__((tls_model("initial-exec")));

void weft_object_release(weft_object *object) {
    if (!was_last(object))
        return;
    if (nested == MOST_NESTED) {
        object->later = waiting;
        waiting = object;
        return;
    }
    nested++;
    finish(object);
    while (nested == 1 && (object = waiting)) {
        waiting = object->later;
        finish(object);
    }
    nested--;
}

cl_int weft_object_app_retain(weft_object *object) {
    weft_object_retain(object);
    atomic_fetch_add_explicit(&object->application, 1, memory_order_relaxed);
    return CL_SUCCESS;
}

cl_int weft_object_app_release(weft_object *object) {
    uint32_t count = atomic_load_explicit(&object->application, memory_order_relaxed);
    do {
        if (count == 0)
            return object->type->invalid;
    } while (!atomic_compare_exchange_weak(&object->application, &count, count - 1));
    weft_object_release(object);
    return CL_SUCCESS;
}
