// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What kernels ask the device for while they run, where only some of the work-items ask. */

#include "common.h"

#include <fcntl.h>
#include <unistd.h>

static const char source[] = "kernel void some_print(global int *results) {\n"
                             "    int i = get_global_id(0);\n"
                             "    if (i % 7 == 3) results[i] = 100 + printf(\"item %d\\n\", i);\n"
                             "}\n";

enum { ITEMS = 1000 };

static cl_context context;
static cl_command_queue queue;

/* Runs the kernel with standard output going to a file; returns the text. */
static char *print_to_file(cl_kernel kernel, int *results) {
    char path[] = "/tmp/weft-services-XXXXXX";
    const size_t items = ITEMS;
    int file = mkstemp(path), saved = dup(1);
    CHECK(file >= 0 && saved >= 0);
    fflush(stdout);
    dup2(file, 1);
    cl_int status = clSetKernelArgSVMPointer(kernel, 0, results);
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clFinish(queue);
    dup2(saved, 1);
    CHECK_EQ(status, CL_SUCCESS);
    off_t bytes = lseek(file, 0, SEEK_END);
    char *text = calloc(1, (size_t)bytes + 1);
    CHECK_EQ(pread(file, text, (size_t)bytes, 0), bytes);
    close(saved);
    close(file);
    unlink(path);
    return text;
}

/* Each item that prints does so once, and gets printf's answer. */
TEST(some_items_print) {
    static int results[ITEMS];
    weft_need_compiler();
    cl_int error = 1;
    context = weft_context(1);
    queue = clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    cl_program program = weft_built(context, source, "");
    cl_kernel kernel = weft_kernel(program, "some_print");
    char *text = print_to_file(kernel, results);
    for (int i = 0; i < ITEMS; i++) {
        char line[32];
        snprintf(line, sizeof(line), "item %d\n", i);
        const char *there = strstr(text, line);
        CHECK_EQ(there != NULL, i % 7 == 3);
        CHECK(!there || !strstr(there + 1, line));
        CHECK_EQ(results[i], i % 7 == 3 ? 100 : 0);
    }
    free(text);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST_MAIN()
