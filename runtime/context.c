// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context.h"

#include "CL/cl_ext_weft.h"
#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/info.h"
#include "runtime/log.h"

/* ---- destructor callbacks -------------------------------------------------------------------- */

bool weft_destructor_push(pthread_mutex_t *lock, weft_destructor **list,
                          void(CL_CALLBACK *function)(void *, void *), void *user_data) {
    weft_destructor *entry = weft_malloc(sizeof(*entry));
    if (!entry)
        return false;
    entry->function = function;
    entry->user_data = user_data;
    pthread_mutex_lock(lock);
    entry->next = *list;
    *list = entry;
    pthread_mutex_unlock(lock);
    return true;
}

void weft_destructor_run(weft_destructor **list, void *object) {
    while (*list) {
        weft_destructor *entry = *list;
        *list = entry->next;
        entry->function(object, entry->user_data);
        weft_free(entry);
    }
}

/* ---- create, retain, release ----------------------------------------------------------------- */

static void finish_context(weft_object *object) {
    cl_context context = (cl_context)object;
    weft_destructor_run(&context->destructors, context);
    weft_svm_finish(context);
    for (cl_uint i = 0; i < context->device_count; i++)
        weft_release(&context->devices[i]);
    weft_free(context->devices);
    weft_free(context->properties);
    pthread_mutex_destroy(&context->lock);
}

const weft_class weft_context_class = {"context", CL_INVALID_CONTEXT, finish_context, NULL};

int weft_context_slot(cl_context context, cl_device_id device) {
    for (cl_uint i = 0; i < context->device_count; i++)
        if (context->devices[i] == device)
            return (int)i;
    return -1;
}

cl_device_id weft_context_memory_device(cl_context context) {
    cl_device_id device = context->devices[0];
    while (context->device_count > 1 && device->parent)
        device = device->parent;
    return device;
}

/** Number of values, the 0 included. */
static size_t property_count(const cl_context_properties *properties) {
    size_t count = 0;
    while (properties[count])
        count += 2;
    return count + 1;
}

static cl_int check_properties(const cl_context_properties *properties) {
    bool has_platform = false, has_sync = false, has_untrusted = false;
    for (; properties && *properties; properties += 2) {
        bool *seen = NULL;
        if (properties[0] == CL_CONTEXT_PLATFORM) {
            WEFT_CHECK(NULL, weft_is_platform((void *)properties[1]), CL_INVALID_PLATFORM,
                       "if platform value specified in properties is not a valid platform");
            seen = &has_platform;
        } else if (properties[0] == CL_CONTEXT_INTEROP_USER_SYNC) {
            WEFT_CHECK(NULL, properties[1] == CL_TRUE || properties[1] == CL_FALSE,
                       CL_INVALID_PROPERTY,
                       "if the value specified for a supported property name is not valid");
            seen = &has_sync;
        } else if (properties[0] == CL_CONTEXT_UNTRUSTED_SOURCE_WEFT) {
            WEFT_CHECK(NULL, properties[1] == CL_TRUE || properties[1] == CL_FALSE,
                       CL_INVALID_PROPERTY,
                       "if the value specified for a supported property name is not valid");
            seen = &has_untrusted;
        }
        WEFT_CHECK(NULL, seen, CL_INVALID_PROPERTY,
                   "if context property name in properties is not a supported property name");
        WEFT_CHECK(NULL, !*seen, CL_INVALID_PROPERTY,
                   "if the same property name is specified more than once");
        *seen = true;
    }
    return CL_SUCCESS;
}

static cl_int check_clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                    const cl_device_id *devices, bool has_notify,
                                    const void *user_data) {
    WEFT_TRY(check_properties(properties));
    WEFT_CHECK(NULL, devices, CL_INVALID_VALUE, "if devices is NULL");
    WEFT_CHECK(NULL, num_devices > 0, CL_INVALID_VALUE, "if num_devices is equal to zero");
    WEFT_CHECK(NULL, has_notify || !user_data, CL_INVALID_VALUE,
               "if pfn_notify is NULL but user_data is not NULL");
    for (cl_uint i = 0; i < num_devices; i++)
        WEFT_CHECK(NULL, weft_is_device(devices[i]), CL_INVALID_DEVICE,
                   "if devices contains an invalid device");
    return CL_SUCCESS;
}

static bool has_true(const cl_context_properties *properties, cl_context_properties name) {
    for (; properties && *properties; properties += 2)
        if (properties[0] == name)
            return properties[1] == CL_TRUE;
    return false;
}

/** Allocates; the caller sets notify. Everything was checked. NULL: out of memory. */
static cl_context make_context(const cl_context_properties *properties, cl_uint num_devices,
                               const cl_device_id *devices) {
    cl_context context = weft_calloc(1, sizeof(*context));
    if (!context)
        return NULL;
    context->devices = weft_calloc(num_devices, sizeof(cl_device_id) + sizeof(cl_command_queue));
    if (properties) {
        context->property_bytes = property_count(properties) * sizeof(*properties);
        context->properties = weft_memdup(properties, context->property_bytes);
    }
    if (!context->devices || (properties && !context->properties)) {
        weft_free(context->devices);
        weft_free(context->properties);
        weft_free(context);
        return NULL;
    }
    for (cl_uint i = 0; i < num_devices; i++)
        if (weft_context_slot(context, devices[i]) < 0) { /* "Duplicate devices ... are ignored." */
            context->devices[context->device_count++] = devices[i];
            weft_retain(devices[i]);
        }
    context->default_queues = (cl_command_queue *)(void *)(context->devices + num_devices);
    context->platform = devices[0]->platform;
    /* What the setting forbids, no application allows. */
    context->untrusted_source = context->platform->settings.untrusted_source ||
                                has_true(properties, CL_CONTEXT_UNTRUSTED_SOURCE_WEFT);
    pthread_mutex_init(&context->lock, NULL);
    weft_svm_init(&context->svm);
    weft_object_init(&context->base, &weft_context_class, &context->platform->base);
    return context;
}

static cl_context create_context(const cl_context_properties *properties, cl_uint num_devices,
                                 const cl_device_id *devices,
                                 void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                           void *),
                                 void *user_data, cl_int *errcode_ret) {
    cl_context context = NULL;
    cl_int status = weft_platform_refresh(devices[0]->platform);
    if (status == CL_SUCCESS) {
        context = make_context(properties, num_devices, devices);
        status = context ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    }
    if (context) {
        context->notify = notify;
        context->notify_user = user_data;
        weft_log(WEFT_LOG_OBJECT, "context %p: %u devices", (void *)context, context->device_count);
    }
    if (errcode_ret)
        *errcode_ret = status;
    return context;
}

cl_context weft_clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                const cl_device_id *devices,
                                void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t,
                                                              void *),
                                void *user_data, cl_int *errcode_ret) {
    cl_int status =
        check_clCreateContext(properties, num_devices, devices, pfn_notify != NULL, user_data);
    if (status == CL_SUCCESS)
        return create_context(properties, num_devices, devices, pfn_notify, user_data, errcode_ret);
    if (errcode_ret)
        *errcode_ret = status;
    return NULL;
}

static cl_int check_clCreateContextFromType(const cl_context_properties *properties,
                                            bool has_notify, const void *user_data) {
    WEFT_TRY(check_properties(properties));
    WEFT_CHECK(NULL, has_notify || !user_data, CL_INVALID_VALUE,
               "if pfn_notify is NULL but user_data is not NULL");
    WEFT_CHECK(NULL, weft_platform_current(), CL_INVALID_PLATFORM,
               "if properties is NULL and no platform could be selected");
    return CL_SUCCESS;
}

cl_context weft_clCreateContextFromType(const cl_context_properties *properties,
                                        cl_device_type device_type,
                                        void(CL_CALLBACK *pfn_notify)(const char *, const void *,
                                                                      size_t, void *),
                                        void *user_data, cl_int *errcode_ret) {
    cl_device_id devices[WEFT_MAX_DEVICES];
    cl_uint count = 0;
    cl_int status = check_clCreateContextFromType(properties, pfn_notify != NULL, user_data);
    if (status == CL_SUCCESS)
        status = weft_clGetDeviceIDs(weft_platform_current(), device_type, WEFT_MAX_DEVICES,
                                     devices, &count);
    if (status == CL_SUCCESS)
        return create_context(properties, count, devices, pfn_notify, user_data, errcode_ret);
    if (errcode_ret)
        *errcode_ret = status;
    return NULL;
}

cl_int weft_clRetainContext(cl_context context) {
    WEFT_CHECK_CONTEXT(context);
    return weft_object_app_retain(&context->base);
}

cl_int weft_clReleaseContext(cl_context context) {
    WEFT_CHECK_CONTEXT(context);
    return weft_object_app_release(&context->base);
}

cl_int weft_clSetContextDestructorCallback(cl_context context,
                                           void(CL_CALLBACK *pfn_notify)(cl_context, void *),
                                           void *user_data) {
    WEFT_CHECK_CONTEXT(context);
    WEFT_CHECK(context, pfn_notify, CL_INVALID_VALUE, "if pfn_notify is NULL");
    /* One list type serves contexts, memory objects and programs: handles are pointers. */
    return weft_destructor_push(&context->lock, &context->destructors,
                                (void(CL_CALLBACK *)(void *, void *))(void (*)(void))pfn_notify,
                                user_data)
               ? CL_SUCCESS
               : CL_OUT_OF_HOST_MEMORY;
}

/* ---- information ----------------------------------------------------------------------------- */

static cl_int get_devices(const void *object, weft_info_out *out) {
    const struct _cl_context *context = object;
    weft_info_put(out, context->devices, context->device_count * sizeof(cl_device_id));
    return CL_SUCCESS;
}

static cl_int get_properties(const void *object, weft_info_out *out) {
    const struct _cl_context *context = object;
    weft_info_put(out, context->properties, context->property_bytes);
    return CL_SUCCESS;
}

static const weft_info_row context_rows[] = {
    WEFT_INFO_GETTER(CL_CONTEXT_REFERENCE_COUNT, weft_info_references),
    WEFT_INFO_FIELD(CL_CONTEXT_NUM_DEVICES, struct _cl_context, device_count),
    WEFT_INFO_GETTER(CL_CONTEXT_DEVICES, get_devices),
    WEFT_INFO_GETTER(CL_CONTEXT_PROPERTIES, get_properties),
};

cl_int weft_clGetContextInfo(cl_context context, cl_context_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret) {
    WEFT_CHECK_CONTEXT(context);
    return WEFT_INFO_GET(context, context_rows, context, param_name, param_value_size, param_value,
                         param_value_size_ret);
}
