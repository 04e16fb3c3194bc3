// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What the specification promises of threads and of chains of events, at the size that shows it. */

#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* Sanitizers multiply memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CHAIN = 50000, STACK = 1 << 20 };
#else
enum { CHAIN = 1000000, STACK = 64 << 10 };
#endif

typedef struct fixture {
    cl_context context;
    cl_command_queue queues[2];
    cl_mem mem;
    cl_program program;
} fixture;

static fixture begin(cl_command_queue_properties properties, const char *source) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    fixture f = {.context = weft_context(1)};
    cl_int error = 1;
    for (int i = 0; i < 2; i++) {
        f.queues[i] = clCreateCommandQueueWithProperties(f.context, weft_device(0), list, &error);
        CHECK_EQ(error, CL_SUCCESS);
    }
    f.mem = clCreateBuffer(f.context, 0, 4096, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    if (source)
        f.program = weft_built(f.context, source, NULL);
    return f;
}

static void end(fixture *f) {
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(clFinish(f->queues[i]), CL_SUCCESS);
        CHECK_EQ(clReleaseCommandQueue(f->queues[i]), CL_SUCCESS);
    }
    CHECK_EQ(clReleaseMemObject(f->mem), CL_SUCCESS);
    if (f->program)
        CHECK_EQ(clReleaseProgram(f->program), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(f->context), CL_SUCCESS);
}

/* ---- chains ---------------------------------------------------------------------------------- */

static cl_event gate_of(cl_context context) {
    cl_int error = 1;
    cl_event gate = clCreateUserEvent(context, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return gate;
}

/* Links behind the gate, each waiting for the one before, from queue to queue; only the last one is
 * kept. The returned event is the last, NULL: a call failed. */
static cl_event hang_chain(fixture *f, cl_event gate, int links) {
    cl_event before = gate, next = NULL;
    for (int i = 0; i < links; i++) {
        if (clEnqueueMarkerWithWaitList(f->queues[i & 1], 1, &before, &next) != CL_SUCCESS)
            return NULL;
        if (before != gate)
            clReleaseEvent(before);
        before = next;
    }
    return before;
}

static void *open_gate(void *gate) {
    return (void *)(intptr_t)clSetUserEventStatus(gate, CL_COMPLETE);
}

static void *fail_gate(void *gate) {
    return (void *)(intptr_t)clSetUserEventStatus(gate, -5);
}

/* On a thread with a small stack: recursion over the chain would end the process. */
static cl_int on_small_stack(void *(*run)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    void *result = NULL;
    pthread_attr_init(&attributes);
    CHECK_EQ(pthread_attr_setstacksize(&attributes, STACK), 0);
    CHECK_EQ(pthread_create(&thread, &attributes, run, argument), 0);
    pthread_join(thread, &result);
    pthread_attr_destroy(&attributes);
    return (cl_int)(intptr_t)result;
}

static void need_memory(void) {
    long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && pages / 1024 * page < (4 << 20))
        SKIP("less than 4 GiB of memory are free");
}

TEST(a_chain_of_a_million_ends) {
    need_memory();
    fixture f = begin(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    cl_event gate = gate_of(f.context), last = hang_chain(&f, gate, CHAIN);
    CHECK(last);
    CHECK_EQ(on_small_stack(open_gate, gate), CL_SUCCESS);
    CHECK_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
    CHECK_EQ(clReleaseEvent(last), CL_SUCCESS);
    CHECK_EQ(clReleaseEvent(gate), CL_SUCCESS);
    end(&f);
}

TEST(an_error_goes_along_a_chain_of_a_million) {
    need_memory();
    fixture f = begin(0, NULL); /* in order: heads of lists and wait lists at once */
    cl_event gate = gate_of(f.context), last = hang_chain(&f, gate, CHAIN);
    CHECK(last);
    CHECK_EQ(on_small_stack(fail_gate, gate), CL_SUCCESS);
    CHECK_EQ(clWaitForEvents(1, &last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(clReleaseEvent(last), CL_SUCCESS);
    CHECK_EQ(clReleaseEvent(gate), CL_SUCCESS);
    end(&f);
}

/* The application holds nothing any more when the chain ends, and the queues are gone, too. */
TEST(a_chain_that_nobody_holds) {
    fixture f = begin(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    cl_event gate = gate_of(f.context), last = hang_chain(&f, gate, CHAIN / 10);
    CHECK(last);
    CHECK_EQ(clReleaseEvent(last), CL_SUCCESS);
    CHECK_EQ(clRetainContext(f.context), CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(clRetainCommandQueue(f.queues[i]), CL_SUCCESS);
        CHECK_EQ(clReleaseCommandQueue(f.queues[i]), CL_SUCCESS);
    }
    CHECK_EQ(on_small_stack(open_gate, gate), CL_SUCCESS);
    CHECK_EQ(clReleaseEvent(gate), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(f.context), CL_SUCCESS);
    end(&f);
}

/* ---- callbacks: the states in their order ---------------------------------------------------- */

typedef struct order {
    _Atomic int heard;
    cl_int states[3], statuses[3];
} order;

static void hear(order *o, cl_int state, cl_int status) {
    int at = atomic_load(&o->heard);
    if (at < 3) {
        o->states[at] = state;
        o->statuses[at] = status;
    }
    atomic_store(&o->heard, at + 1); /* one thread calls them all */
}

static void CL_CALLBACK submitted(cl_event event, cl_int status, void *user) {
    (void)event;
    hear(user, CL_SUBMITTED, status);
}

static void CL_CALLBACK running(cl_event event, cl_int status, void *user) {
    (void)event;
    hear(user, CL_RUNNING, status);
}

static void CL_CALLBACK complete(cl_event event, cl_int status, void *user) {
    (void)event;
    hear(user, CL_COMPLETE, status);
}

static void check_order(fixture *f, cl_event gate, cl_event event, cl_int end_status) {
    static const cl_int wanted[3] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
    order o = {0};
    /* Against the order in which they will come. */
    CHECK_EQ(clSetEventCallback(event, CL_COMPLETE, complete, &o), CL_SUCCESS);
    CHECK_EQ(clSetEventCallback(event, CL_SUBMITTED, submitted, &o), CL_SUCCESS);
    CHECK_EQ(clSetEventCallback(event, CL_RUNNING, running, &o), CL_SUCCESS);
    CHECK_EQ(clSetUserEventStatus(gate, end_status), CL_SUCCESS);
    CHECK_EQ(clFinish(f->queues[0]), CL_SUCCESS);
    for (int i = 0; i < 20000 && atomic_load(&o.heard) < 3; i++)
        usleep(500);
    CHECK_EQ(o.heard, 3);
    for (int i = 0; i < 3 && end_status == CL_COMPLETE; i++) {
        CHECK_EQ(o.states[i], wanted[i]);
        CHECK_EQ(o.statuses[i], wanted[i]);
    }
    /* "or ... an error code if the command was abnormally terminated" */
    for (int i = 0; i < 3 && end_status < 0; i++)
        CHECK(o.statuses[i] == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
              (o.states[i] == CL_SUBMITTED && o.statuses[i] == CL_SUBMITTED));
}

TEST(callbacks_for_all_states_come_in_their_order) {
    fixture f = begin(0, NULL);
    for (int i = 0; i < 200; i++) {
        cl_event gate = gate_of(f.context), event;
        CHECK_EQ(clEnqueueFillBuffer(f.queues[0], f.mem, &i, 4, 0, 4096, 1, &gate, &event),
                 CL_SUCCESS);
        check_order(&f, gate, event, i % 4 == 3 ? -3 : CL_COMPLETE);
        CHECK_EQ(clReleaseEvent(event), CL_SUCCESS);
        CHECK_EQ(clReleaseEvent(gate), CL_SUCCESS);
    }
    end(&f);
}

/* ---- one kernel, many threads ---------------------------------------------------------------- */

enum { THREADS = 8, SETS = 4000 };

static const char TORN[] = "kernel void look(global int *torn, long8 v) {\n"
                           "    if (any(v != (long8)(v.s0))) torn[0] = 1;\n"
                           "}\n";

typedef struct setter {
    cl_kernel kernel;
    cl_long value;
    cl_int failed;
} setter;

static void *set_often(void *argument) {
    setter *s = argument;
    cl_long8 value;
    for (int i = 0; i < 8; i++)
        value.s[i] = s->value;
    for (int i = 0; i < SETS && !s->failed; i++)
        s->failed = clSetKernelArg(s->kernel, 1, sizeof(value), &value);
    return NULL;
}

/* "clSetKernelArg is safe to call from any host thread, and is safe to call re-entrantly so long as
 * concurrent calls operate on different cl_kernel objects": on the same one, too, here. What runs
 * has seen one whole value. */
TEST(arguments_set_by_many_threads_are_never_torn) {
    fixture f = begin(0, TORN);
    cl_kernel kernel = weft_kernel(f.program, "look");
    setter setters[THREADS];
    pthread_t threads[THREADS];
    cl_int torn = 0, zero = 0;
    const size_t one = 1;
    CHECK_EQ(clEnqueueFillBuffer(f.queues[0], f.mem, &zero, 4, 0, 4096, 0, NULL, NULL), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof(f.mem), &f.mem), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof(cl_long8), &(cl_long8){{0}}), CL_SUCCESS);
    for (int i = 0; i < THREADS; i++) {
        setters[i] = (setter){kernel, i * INT64_C(0x0101010101010101), CL_SUCCESS};
        CHECK_EQ(pthread_create(&threads[i], NULL, set_often, &setters[i]), 0);
    }
    for (int i = 0; i < SETS; i++)
        CHECK_EQ(clEnqueueNDRangeKernel(f.queues[0], kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
                 CL_SUCCESS);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK_EQ(setters[i].failed, CL_SUCCESS);
    }
    CHECK_EQ(clEnqueueReadBuffer(f.queues[0], f.mem, CL_TRUE, 0, 4, &torn, 0, NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(torn, 0);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    end(&f);
}

TEST_MAIN()
