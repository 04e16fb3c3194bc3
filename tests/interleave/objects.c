// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Objects (runtime/object.c) and the tables that find them: references are counted by many threads
 * and each object is finished once; a look-up gives a live object of the right type or none. */

#include "world.h"

#include "runtime/builtin.h"
#include "runtime/device_queue.h"
#include "runtime/kept_images.h"
#include "runtime/svm.h"

static cl_command_queue queue;
static cl_mem mem, part;
static cl_kernel kernel;
static cl_program program;
static int finished;

static void setup(void) {
    make_world("1");
}

/* ---- a queue goes while the context's queues are looked through --------------------------------
 */

static void release_queue(void *unused) {
    (void)unused;
    GOOD(weft_clReleaseCommandQueue(queue));
}

static void look_through(void *unused) {
    (void)unused;
    EXPLORE_CHECK(weft_context_await_users(the_context, mem->data, mem->size));
}

static void make_and_release(void *unused) {
    (void)unused;
    GOOD(weft_clReleaseCommandQueue(make_queue(0)));
}

static void queues_go(void) {
    mem = make_buffer();
    queue = make_queue(0);
    GOOD(fill(queue, mem, 0, 1, 0, NULL, NULL));
    explore_thread("releases", release_queue, NULL);
    explore_thread("looks", look_through, NULL);
    explore_thread("makes", make_and_release, NULL);
}

static void queues_are_gone(void) {
    EXPLORE_CHECK(!the_context->queues);
    GOOD(weft_clReleaseMemObject(mem));
    check_nothing_left();
}

/* ---- two make the default queue of a device, a third asks for it -------------------------------
 */

static void make_default(void *unused) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                            CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
                                        0};
    cl_int status;
    (void)unused;
    cl_command_queue made =
        weft_clCreateCommandQueueWithProperties(the_context, the_device, list, &status);
    GOOD(status);
    EXPLORE_CHECK(weft_is_device_queue(made));
    explore_point("has it");
    EXPLORE_CHECK(atomic_load(&made->base.application) > 0);
    GOOD(weft_clReleaseCommandQueue(made));
}

static void ask_for_default(void *unused) {
    (void)unused;
    cl_command_queue there = weft_default_queue_retain(the_context, the_device);
    if (!there)
        return;
    EXPLORE_CHECK(weft_is_device_queue(there));
    explore_point("holds it");
    EXPLORE_CHECK(weft_is_device_queue(there) && there->on_device);
    weft_release(&there);
}

static void default_queues(void) {
    explore_thread("makes a", make_default, NULL);
    explore_thread("makes b", make_default, NULL);
    explore_thread("asks", ask_for_default, NULL);
}

static void no_default(void) {
    EXPLORE_CHECK(!the_context->default_queues[0]);
    check_nothing_left();
}

/* ---- a buffer and a part of it, callbacks at its end -------------------------------------------
 */

static void CL_CALLBACK is_finished(cl_mem which, void *unused) {
    (void)which;
    (void)unused;
    explore_point("in a destructor");
    finished++;
}

static void add_callback(void *unused) {
    (void)unused;
    GOOD(weft_clSetMemObjectDestructorCallback(mem, is_finished, NULL));
    GOOD(weft_clReleaseMemObject(mem));
}

static void release_part(void *unused) {
    (void)unused;
    GOOD(weft_clReleaseMemObject(part));
}

static void parts(void) {
    const cl_buffer_region region = {0, 64};
    cl_int status;

    finished = 0;
    mem = make_buffer();
    part = weft_clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    GOOD(status);
    GOOD(weft_clRetainMemObject(mem));
    explore_thread("releases a", add_callback, NULL);
    explore_thread("releases b", add_callback, NULL);
    explore_thread("releases the part", release_part, NULL);
}

static void all_finished(void) {
    EXPLORE_EQ(finished, 2);
    check_nothing_left();
}

/* ---- two release what only one may -------------------------------------------------------------
 */

static int let_go;

static void release_too_often(void *unused) {
    (void)unused;
    cl_int status = weft_clReleaseMemObject(mem);
    EXPLORE_CHECK(status == CL_SUCCESS || status == CL_INVALID_MEM_OBJECT);
    let_go += status == CL_SUCCESS;
}

/* Weft itself has a reference, as while a command uses it: the handle is good for asking. */
static void too_often(void) {
    let_go = 0;
    mem = make_buffer();
    weft_retain(mem);
    explore_thread("releases a", release_too_often, NULL);
    explore_thread("releases b", release_too_often, NULL);
}

static void once_let_go(void) {
    EXPLORE_EQ(let_go, 1);
    EXPLORE_EQ(atomic_load(&mem->base.strong), 1);
    weft_release(&mem);
    check_nothing_left();
}

/* ---- a kernel keeps only the handle of its argument ---------------------------------------------
 */

static void CL_CALLBACK note(int *out, int value) {
    *out = value;
}

static long made; /* blocks, beside the registered kernel's */

static void built_in(void) {
    static const cl_built_in_kernel_weft row = {.name = "interleave.note",
                                                .signature = "global int *out, int value",
                                                .function = (void (*)(void))note};
    const cl_built_in_plugin_weft plugin = {CL_BUILT_IN_KERNEL_ABI_WEFT,
                                            sizeof(cl_built_in_kernel_weft), 1, &row};
    cl_int status, value = 5;

    GOOD(weft_clRegisterBuiltInKernelsWEFT((cl_platform_id)the_device->platform, &plugin, 0, NULL));
    made = explore_live_blocks();
    program = weft_clCreateProgramWithBuiltInKernels(the_context, 1, &the_device, "interleave.note",
                                                     &status);
    GOOD(status);
    kernel = weft_clCreateKernel(program, "interleave.note", &status);
    GOOD(status);
    mem = make_buffer();
    queue = make_queue(0);
    GOOD(weft_clSetKernelArg(kernel, 0, sizeof(mem), &mem));
    GOOD(weft_clSetKernelArg(kernel, 1, sizeof(value), &value));
    made = explore_live_blocks() - made;
}

static cl_int launched;

static void launch(void *unused) {
    size_t global = 1;

    (void)unused;
    launched = weft_clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    GOOD(weft_clReleaseKernel(kernel));
    GOOD(weft_clFinish(queue));
}

static void release_argument(void *unused) {
    (void)unused;
    GOOD(weft_clReleaseMemObject(mem));
}

static void release_program(void *unused) {
    (void)unused;
    GOOD(weft_clReleaseProgram(program));
}

static void arguments(void) {
    explore_thread("launches", launch, NULL);
    explore_thread("releases", release_argument, NULL);
    explore_thread("releases the program", release_program, NULL);
}

/* The kernel ran with its buffer, or the launch was refused since that is gone; and all that was
 * made is. */
static void argument_is_gone(void) {
    EXPLORE_CHECK(launched == CL_SUCCESS || launched == CL_INVALID_KERNEL_ARGS ||
                  launched == CL_INVALID_MEM_OBJECT);
    EXPLORE_CHECK(!queue->first);
    GOOD(weft_clReleaseCommandQueue(queue));
    EXPLORE_EQ(explore_live_blocks() - lasting_blocks(), -made);
}

/* ---- shared virtual memory is made, found and freed --------------------------------------------
 */

static void alloc_and_free(void *unused) {
    (void)unused;
    unsigned char *memory = weft_clSVMAlloc(the_context, CL_MEM_READ_WRITE, 64, 0);
    EXPLORE_CHECK(memory);
    memory[0] = 1;
    weft_clSVMFree(the_context, memory);
}

static void *shared;

static void use_shared(void *unused) {
    unsigned char byte = 3;

    (void)unused;
    GOOD(weft_clEnqueueSVMMemFill(queue, shared, &byte, 1, 64, 0, NULL, NULL));
    GOOD(weft_clFinish(queue));
    EXPLORE_EQ(((unsigned char *)shared)[63], 3);
}

static void svm(void) {
    queue = make_queue(0);
    shared = weft_clSVMAlloc(the_context, CL_MEM_READ_WRITE, 64, 0);
    explore_thread("allocates a", alloc_and_free, NULL);
    explore_thread("allocates b", alloc_and_free, NULL);
    explore_thread("uses", use_shared, NULL);
}

static void svm_is_freed(void) {
    weft_clSVMFree(the_context, shared);
    GOOD(weft_clReleaseCommandQueue(queue));
    EXPLORE_CHECK(explore_live_blocks() - lasting_blocks() <= 1); /* the table's room */
}

/* ---- images that are kept for the next build ---------------------------------------------------
 */

static int images[2]; /* references */
static weft_kept_images *kept;

static void retain_image(weft_image *image) {
    explore_point("retains an image");
    EXPLORE_CHECK(*(int *)image > 0);
    ++*(int *)image;
}

static void release_image(weft_image *image) {
    explore_point("releases an image");
    EXPLORE_CHECK(*(int *)image > 0);
    --*(int *)image;
}

static const weft_device_ops image_ops = {.image_retain = retain_image,
                                          .image_release = release_image};
static weft_blob *codes[2];

static void find_or_add(void *number) {
    int i = (int)(intptr_t)number;
    weft_image *found = weft_kept_images_find(kept, NULL, codes[i]);

    if (!found) {
        found = (weft_image *)&images[i];
        ++images[i]; /* as loading it */
        weft_kept_images_add(kept, &image_ops, NULL, codes[i], found);
    }
    EXPLORE_CHECK(found == (weft_image *)&images[i]);
    release_image(found);
}

static void drop_kept(void *unused) {
    (void)unused;
    weft_kept_images_drop(kept, NULL);
}

static void kept_images(void) {
    kept = &the_device->platform->kept_images;
    for (int i = 0; i < 2; i++) {
        images[i] = 0;
        codes[i] = weft_blob_create("code", 4);
    }
    explore_thread("builds a", find_or_add, (void *)0);
    explore_thread("builds b", find_or_add, (void *)1);
    explore_thread("drops", drop_kept, NULL);
}

static void images_are_gone(void) {
    weft_kept_images_drop(kept, NULL);
    for (int i = 0; i < 2; i++) {
        EXPLORE_EQ(images[i], 0);
        weft_blob_release(&codes[i]);
    }
    check_nothing_left();
}

static const explore_scenario scenarios[] = {
    {"queues_go",
     NULL,
     queues_go,
     queues_are_gone,
     {{FAULT_SPLIT, "was_last", "fetch_sub", "&object->strong", 1,
       "references are counted by looking and then storing"},
      {FAULT_RELAXED, "was_last", "fetch_sub", "&object->strong", 1,
       "who finishes an object need not see what others did to it"},
      {FAULT_SPLIT, "weft_object_try_retain", "compare_exchange", "&object->strong", 1,
       "an object is held again that is being finished"}}},
    {"default_queues",
     NULL,
     default_queues,
     no_default,
     {{FAULT_UNLOCKED, "settle_default", "lock", "&context->lock", 1,
       "the default queue is settled without the lock"}}},
    {"a_buffer_and_a_part_of_it", NULL, parts, all_finished, {{0}}},
    {"released_too_often",
     NULL,
     too_often,
     once_let_go,
     {{FAULT_SPLIT, "weft_object_app_release", "compare_exchange", "&object->application", 1,
       "the application's references are counted by looking and then storing"}}},
    {"a_kernel_and_its_argument",
     built_in,
     arguments,
     argument_is_gone,
     {{FAULT_SPLIT, "weft_object_release_weak", "fetch_sub", "&object->weak", 1,
       "references to the handle are counted by looking and then storing"}}},
    {"shared_virtual_memory", NULL, svm, svm_is_freed, {{0}}},
    {"kept_images", NULL, kept_images, images_are_gone, {{0}}},
};

int main(int argc, char **argv) {
    return explore_main(argc, argv, setup, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
