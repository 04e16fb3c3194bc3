// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/queue.h"

#include "runtime/api.h"
#include "runtime/check.h"
#include "runtime/device_queue.h"
#include "runtime/info.h"

#include "weft/futex.h"

/* Nodes that a queue keeps for later commands; more are freed. */
enum { SPARE_NODES = 512 };

/* ---- nodes ----------------------------------------------------------------------------------- */

weft_command *weft_queue_take_node(cl_command_queue queue) {
    weft_node *node;

    pthread_mutex_lock(&queue->lock);
    if (!queue->spare) {
        queue->spare = atomic_exchange_explicit(&queue->returned, NULL, memory_order_acquire);
        atomic_store_explicit(&queue->returned_count, 0, memory_order_relaxed);
    }
    if ((node = queue->spare))
        queue->spare = node->link;
    pthread_mutex_unlock(&queue->lock);
    return node ? weft_command_of(node) : weft_malloc(sizeof(weft_command));
}

void weft_queue_return_node(cl_command_queue queue, weft_command *command) {
    weft_node *node = &command->node;

    command->base.type = NULL; /* so that a handle that is used too long is noticed */
    if (atomic_load_explicit(&queue->returned_count, memory_order_relaxed) >= SPARE_NODES) {
        weft_free(command);
        return;
    }
    atomic_fetch_add_explicit(&queue->returned_count, 1, memory_order_relaxed);
    node->link = atomic_load_explicit(&queue->returned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&queue->returned, &node->link, node,
                                                  memory_order_release, memory_order_relaxed))
        ;
}

static void free_nodes(weft_node *node) {
    while (node) {
        weft_node *next = node->link;
        weft_free(weft_command_of(node));
        node = next;
    }
}

static void finish_queue(weft_object *object) {
    cl_command_queue queue = (cl_command_queue)object;
    cl_context context = queue->context;

    pthread_mutex_lock(&context->lock);
    *(queue->newer ? &queue->newer->older : &context->queues) = queue->older;
    if (queue->older)
        queue->older->newer = queue->newer;
    pthread_mutex_unlock(&context->lock);
    free_nodes(queue->spare);
    free_nodes(atomic_load_explicit(&queue->returned, memory_order_acquire));
    weft_free(queue->property_list);
    pthread_mutex_destroy(&queue->lock);
}

const weft_class weft_queue_class = {"command queue", CL_INVALID_COMMAND_QUEUE, finish_queue, NULL};

/* ---- flush and finish ------------------------------------------------------------------------ */

void weft_queue_claim(weft_command *command) {
    command->deferred = false;
    command->queue->deferred--;
}

void weft_queue_flush(cl_command_queue queue) {
    weft_ready claimed = {0};
    weft_command *command;
    weft_node *node;

    pthread_mutex_lock(&queue->lock);
    for (command = queue->unflushed; command; command = command->after) {
        weft_command_advance(command, CL_SUBMITTED);
        if (command->deferred) {
            weft_queue_claim(command);
            weft_ready_add(&claimed, &command->node);
        }
    }
    queue->unflushed = NULL;
    pthread_mutex_unlock(&queue->lock);
    while ((node = weft_ready_take(&claimed)))
        weft_command_submit(weft_command_of(node), NULL);
}

/* A deferred command up to `number` for the calling thread; NULL: none. The lock is held. */
static weft_command *claim_one(cl_command_queue queue, uint64_t number) {
    weft_command *command = queue->deferred ? queue->first : NULL;

    while (command && !command->deferred)
        command = queue->in_order ? NULL : command->after;
    if (!command || command->number > number)
        return NULL;
    weft_queue_claim(command);
    weft_object_retain(&command->base);
    return command;
}

/* Sleeps until the commands up to `number` may have ended. The lock is held, and given up
 * meanwhile. */
static void sleep_finisher(cl_command_queue queue, uint64_t number) {
    uint32_t word = atomic_load(&queue->finish_word);

    queue->finishers++;
    if (number < queue->finish_number)
        queue->finish_number = number;
    pthread_mutex_unlock(&queue->lock);
    if (!weft_futex_spin(&queue->finish_word, word))
        weft_futex_wait(&queue->finish_word, word);
    pthread_mutex_lock(&queue->lock);
    if (--queue->finishers == 0)
        queue->finish_number = UINT64_MAX;
}

/* Takes chunks of the oldest command. */
static bool help_with(weft_command *command, weft_waiter *waiter) {
    cl_device_id device = command->queue->device;
    bool helped =
        command->node.has_work && device->ops->help(device->device, &command->work, waiter);

    if (waiter->next)
        weft_command_run(waiter->next, waiter);
    return helped;
}

void weft_queue_finish(cl_command_queue queue) {
    weft_waiter waiter = {queue, 0, NULL};
    weft_command *command;
    uint64_t tried = 0;
    bool others;

    pthread_mutex_lock(&queue->lock);
    waiter.number = queue->number;
    while (queue->first && queue->first->number <= waiter.number) {
        if ((command = claim_one(queue, waiter.number))) {
            others = queue->deferred > 0;
            pthread_mutex_unlock(&queue->lock);
            if (others)
                weft_queue_flush(queue);
            weft_command_run(command, &waiter);
        } else if (queue->first->number != tried) {
            command = queue->first;
            tried = command->number;
            weft_object_retain(&command->base);
            pthread_mutex_unlock(&queue->lock);
            if (help_with(command, &waiter))
                tried = 0;
        } else {
            sleep_finisher(queue, waiter.number);
            continue;
        }
        weft_object_release(&command->base);
        pthread_mutex_lock(&queue->lock);
    }
    pthread_mutex_unlock(&queue->lock);
}

/* ---- who may use a piece of memory ----------------------------------------------------------- */

static bool overlaps(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;

    return x < y ? y - x < a_bytes : x - y < b_bytes;
}

/*
 * May a command that has not left its queue use the memory? What compiled or native code reaches is
 * not known: any address. One linear transfer lies in the command itself, so it can be read here;
 * others may be gone already. The queue's lock is held.
 */
static bool may_use(const weft_command *command, const void *memory, size_t bytes) {
    const weft_transfer *transfer = &command->transfer;

    if (!command->node.has_work || atomic_load(&command->node.status) <= CL_COMPLETE)
        return false;
    if (command->work.kind != WEFT_WORK_TRANSFER || command->work.transfer.items != transfer ||
        transfer->rows != 1 || transfer->planes != 1)
        return true;
    return overlaps(transfer->to, transfer->row_bytes, memory, bytes) ||
           (transfer->from && overlaps(transfer->from, transfer->row_bytes, memory, bytes));
}

static void await_users(cl_command_queue queue, const void *memory, size_t bytes) {
    weft_command *command;

    pthread_mutex_lock(&queue->lock);
    uint64_t limit = queue->number;
    do {
        /* The newest one first: in an in-order queue there is then no other. */
        for (command = queue->last; command; command = command->before)
            if (command->number <= limit && may_use(command, memory, bytes))
                break;
        if (!command)
            break;
        weft_object_retain(&command->base);
        pthread_mutex_unlock(&queue->lock);
        weft_command_wait(command);
        weft_object_release(&command->base);
        pthread_mutex_lock(&queue->lock);
    } while (true);
    pthread_mutex_unlock(&queue->lock);
}

/* The context's queues, with a reference each. False: out of memory. */
static bool hold_queues(cl_context context, cl_command_queue **queues, size_t *count) {
    size_t total = 0;

    *count = 0;
    pthread_mutex_lock(&context->lock);
    for (cl_command_queue queue = context->queues; queue; queue = queue->older)
        total++;
    *queues = total ? weft_malloc(total * sizeof(cl_command_queue)) : NULL;
    for (cl_command_queue queue = context->queues; queue && *queues; queue = queue->older)
        if (weft_object_try_retain(&queue->base))
            (*queues)[(*count)++] = queue;
    pthread_mutex_unlock(&context->lock);
    return *queues || !total;
}

bool weft_context_await_users(cl_context context, const void *memory, size_t bytes) {
    cl_command_queue *queues;
    size_t count;

    if (!hold_queues(context, &queues, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        await_users(queues[i], memory, bytes);
        weft_release(&queues[i]);
    }
    weft_free(queues);
    return true;
}

/* ---- flush and finish, the calls ------------------------------------------------------------- */

cl_int CL_API_CALL weft_clFlush(cl_command_queue command_queue) {
    WEFT_CHECK_QUEUE(command_queue);
    weft_queue_flush(command_queue);
    return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clFinish(cl_command_queue command_queue) {
    WEFT_CHECK_QUEUE(command_queue);
    weft_trace *trace = command_queue->context->platform->trace;
    uint64_t start = weft_trace_begin(trace);
    weft_queue_finish(command_queue);
    weft_trace_end(trace, WEFT_TRACE_WAIT, __func__ + strlen("weft_"), start, 0, 0);
    return CL_SUCCESS;
}

/* ---- creating -------------------------------------------------------------------------------- */

static const cl_command_queue_properties HOST_PROPERTIES =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
static const cl_command_queue_properties DEVICE_PROPERTIES =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

static cl_int check_properties(const char *function, cl_context context,
                               cl_command_queue_properties properties) {
    if (properties & ~(HOST_PROPERTIES | DEVICE_PROPERTIES))
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if values specified in properties are not valid");
    if ((properties & CL_QUEUE_ON_DEVICE_DEFAULT && !(properties & CL_QUEUE_ON_DEVICE)) ||
        (properties & CL_QUEUE_ON_DEVICE && !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)))
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "if CL_QUEUE_ON_DEVICE is set, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE "
                         "must also be set");
    return CL_SUCCESS;
}

static bool is_hint(cl_queue_properties value) {
    return value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
           value == CL_QUEUE_PRIORITY_LOW_KHR;
}
/* One check serves both hints. */
_Static_assert(CL_QUEUE_PRIORITY_HIGH_KHR == CL_QUEUE_THROTTLE_HIGH_KHR &&
                   CL_QUEUE_PRIORITY_MED_KHR == CL_QUEUE_THROTTLE_MED_KHR &&
                   CL_QUEUE_PRIORITY_LOW_KHR == CL_QUEUE_THROTTLE_LOW_KHR,
               "hints have the same values");

/* Takes one property. False: unknown, said before, or not a value of it. */
static bool take_property(const cl_queue_properties *pair, weft_queue_wish *wish, cl_uint *said) {
    static const cl_queue_properties names[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_SIZE,
                                                CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR};
    for (cl_uint i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (pair[0] != names[i])
            continue;
        if (*said & 1u << i || (i >= 2 && !is_hint(pair[1])))
            return false;
        *said |= 1u << i;
        if (i == 0)
            wish->properties = (cl_command_queue_properties)pair[1];
        else
            *(i == 1 ? &wish->size : i == 2 ? &wish->priority : &wish->throttle) = pair[1];
        return true;
    }
    return false;
}

static cl_int parse_properties(const char *function, cl_context context,
                               const cl_queue_properties *list, weft_queue_wish *wish) {
    cl_uint said = 0;
    size_t at = 0;

    for (; list && list[at]; at += 2)
        if (!take_property(&list[at], wish, &said))
            return weft_fail(context, function, CL_INVALID_VALUE,
                             "if values specified in properties are not valid");
    if (list) {
        wish->list = list;
        wish->list_bytes = (at + 1) * sizeof(*list);
    }
    WEFT_TRY(check_properties(function, context, wish->properties));
    if (said & 2 && !(wish->properties & CL_QUEUE_ON_DEVICE))
        return weft_fail(context, function, CL_INVALID_VALUE,
                         "CL_QUEUE_SIZE can only be specified if CL_QUEUE_ON_DEVICE is set");
    if (!(said & 2))
        wish->size = WEFT_DEVICE_QUEUE_PREFERRED;
    return CL_SUCCESS;
}

cl_int weft_queue_check_owner(const char *function, cl_context context, cl_device_id device) {
    if (!weft_is_context(context))
        return weft_fail(NULL, function, CL_INVALID_CONTEXT, "if context is not a valid context");
    if (!weft_is_device(device) || weft_context_slot(context, device) < 0)
        return weft_fail(context, function, CL_INVALID_DEVICE,
                         "if device is not a valid device or is not associated with context");
    return CL_SUCCESS;
}

cl_int weft_queue_make(cl_context context, cl_device_id device, const weft_class *type,
                       const weft_queue_wish *wish, cl_command_queue *result) {
    cl_command_queue queue = weft_aligned_alloc(64, sizeof(*queue));
    cl_queue_properties *list = NULL;

    if (wish->list_bytes)
        list = weft_memdup(wish->list, wish->list_bytes);
    if (!queue || (wish->list_bytes && !list)) {
        weft_free(queue);
        weft_free(list);
        return CL_OUT_OF_HOST_MEMORY;
    }
    memset(queue, 0, sizeof(*queue));
    weft_object_init(&queue->base, type, &context->base);
    queue->context = context;
    queue->device = device;
    queue->slot = (cl_uint)weft_context_slot(context, device);
    queue->properties = wish->properties;
    queue->property_list = list;
    queue->property_bytes = wish->list_bytes;
    queue->in_order = !(wish->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    queue->profiles = wish->properties & CL_QUEUE_PROFILING_ENABLE;
    queue->timed = queue->profiles || context->platform->trace || context->platform->settings.ran;
    if (context->platform->trace)
        queue->trace_number = atomic_fetch_add(&context->platform->trace->queues, 1) + 1;
    queue->priority = wish->priority == CL_QUEUE_PRIORITY_HIGH_KHR  ? 1
                      : wish->priority == CL_QUEUE_PRIORITY_LOW_KHR ? -1
                                                                    : 0;
    queue->frugal = wish->throttle == CL_QUEUE_THROTTLE_LOW_KHR;
    queue->finish_number = UINT64_MAX;
    pthread_mutex_init(&queue->lock, NULL);
    *result = queue;
    return CL_SUCCESS;
}

static cl_int make_host_queue(cl_context context, cl_device_id device, const weft_queue_wish *wish,
                              cl_command_queue *result) {
    WEFT_TRY(weft_queue_make(context, device, &weft_queue_class, wish, result));
    cl_command_queue queue = *result;
    pthread_mutex_lock(&context->lock);
    queue->older = context->queues;
    if (queue->older)
        queue->older->newer = queue;
    context->queues = queue;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}

cl_command_queue CL_API_CALL weft_clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties,
    cl_int *errcode_ret) {
    cl_command_queue queue = NULL;
    weft_queue_wish wish = {0};
    cl_int status = weft_queue_check_owner(__func__, context, device);

    if (status == CL_SUCCESS)
        status = parse_properties(__func__, context, properties, &wish);
    if (status == CL_SUCCESS && wish.properties & CL_QUEUE_ON_DEVICE)
        status = weft_device_queue_create(__func__, context, device, &wish, &queue);
    else if (status == CL_SUCCESS)
        status = make_host_queue(context, device, &wish, &queue);
    if (errcode_ret)
        *errcode_ret = status;
    return queue;
}

/* cl_khr_create_command_queue: the same function, for applications of OpenCL 1.2. */
cl_command_queue CL_API_CALL weft_clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr *properties,
    cl_int *errcode_ret) {
    return weft_clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

cl_command_queue CL_API_CALL weft_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                       cl_command_queue_properties properties,
                                                       cl_int *errcode_ret) {
    cl_command_queue queue = NULL;
    weft_queue_wish wish = {.properties = properties};
    cl_int status = weft_queue_check_owner(__func__, context, device);

    if (status == CL_SUCCESS && properties & ~HOST_PROPERTIES)
        status = weft_fail(context, __func__, CL_INVALID_VALUE,
                           "if values specified in properties are not valid");
    if (status == CL_SUCCESS)
        status = make_host_queue(context, device, &wish, &queue);
    if (errcode_ret)
        *errcode_ret = status;
    return queue;
}

cl_int CL_API_CALL weft_clSetCommandQueueProperty(cl_command_queue command_queue,
                                                  cl_command_queue_properties properties,
                                                  cl_bool enable,
                                                  cl_command_queue_properties *old_properties) {
    (void)enable;
    (void)old_properties;
    WEFT_CHECK_ANY_QUEUE(command_queue);
    WEFT_CHECK(command_queue->context, !(properties & ~HOST_PROPERTIES), CL_INVALID_VALUE,
               "if values specified in properties are not valid");
    WEFT_CHECK(command_queue->context, false, CL_INVALID_OPERATION,
               "if no devices in the context associated with command_queue support modifying the "
               "properties of a command-queue");
    return CL_SUCCESS;
}

cl_int CL_API_CALL weft_clRetainCommandQueue(cl_command_queue command_queue) {
    WEFT_CHECK_ANY_QUEUE(command_queue);
    return weft_object_app_retain(&command_queue->base);
}

cl_int CL_API_CALL weft_clReleaseCommandQueue(cl_command_queue command_queue) {
    WEFT_CHECK_ANY_QUEUE(command_queue);
    /* "clReleaseCommandQueue performs an implicit flush" */
    if (!command_queue->on_device)
        weft_queue_flush(command_queue);
    return weft_object_app_release(&command_queue->base);
}

/* ---- info ------------------------------------------------------------------------------------ */

static cl_int get_size(const void *object, weft_info_out *out) {
    const struct _cl_command_queue *queue = object;

    if (!queue->on_device) /* "command_queue is not a valid command-queue for param_name" */
        return CL_INVALID_COMMAND_QUEUE;
    weft_info_put(out, &queue->size, sizeof(queue->size));
    return CL_SUCCESS;
}

/* "Return the current default command queue for the underlying device." */
static cl_int get_default(const void *object, weft_info_out *out) {
    const struct _cl_command_queue *queue = object;
    cl_command_queue current = weft_default_queue_retain(queue->context, queue->device);

    weft_info_put(out, &current, sizeof(current));
    weft_release(&current);
    return CL_SUCCESS;
}

static cl_int get_list(const void *object, weft_info_out *out) {
    const struct _cl_command_queue *queue = object;

    weft_info_put(out, queue->property_list, queue->property_bytes);
    return CL_SUCCESS;
}

static const weft_info_row QUEUE_INFO[] = {
    WEFT_INFO_FIELD(CL_QUEUE_CONTEXT, struct _cl_command_queue, context),
    WEFT_INFO_FIELD(CL_QUEUE_DEVICE, struct _cl_command_queue, device),
    WEFT_INFO_GETTER(CL_QUEUE_REFERENCE_COUNT, weft_info_references),
    WEFT_INFO_FIELD(CL_QUEUE_PROPERTIES, struct _cl_command_queue, properties),
    WEFT_INFO_GETTER(CL_QUEUE_SIZE, get_size),
    WEFT_INFO_GETTER(CL_QUEUE_DEVICE_DEFAULT, get_default),
    WEFT_INFO_GETTER(CL_QUEUE_PROPERTIES_ARRAY, get_list),
};

cl_int CL_API_CALL weft_clGetCommandQueueInfo(cl_command_queue command_queue,
                                              cl_command_queue_info param_name,
                                              size_t param_value_size, void *param_value,
                                              size_t *param_value_size_ret) {
    WEFT_CHECK_ANY_QUEUE(command_queue);
    return WEFT_INFO_GET(command_queue->context, QUEUE_INFO, command_queue, param_name,
                         param_value_size, param_value, param_value_size_ret);
}
