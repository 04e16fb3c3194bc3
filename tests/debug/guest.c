// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The program that debug.py runs under gdb and perf: guest FILE OPTIONS [REPEATS [drop]]
 * Builds FILE and runs its kernel "mix_items" over 64 items; prints c[0..3] and "done". With
 * "drop", everything is released and the same program is built once more before the end.
 */
#include "../api/common.h"

/* The harness leaves a test that fails; here there is none. */
#undef CHECK
#undef CHECK_EQ
#define CHECK(condition)      ((condition) ? (void)0 : (puts(#condition), exit(1)))
#define CHECK_EQ(got, wanted) CHECK((got) == (wanted))

static char *read_file(const char *path) {
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    CHECK(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = 0;
    fclose(file);
    return text;
}

static void run(cl_context context, const char *source, const char *options, int repeats) {
    enum { ITEMS = 64 };
    cl_int error = 1, n = 3;
    cl_float values[ITEMS];
    cl_mem buffers[3];
    size_t global = ITEMS, local = 16;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    cl_program program = weft_source(context, source);
    cl_device_id device = weft_device(0);

    CHECK_EQ(clBuildProgram(program, 1, &device, options, NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "mix_items", &error);
    CHECK_EQ(error, CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++)
        values[i] = (cl_float)i;
    for (cl_uint i = 0; i < 3; i++) {
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    sizeof(values), values, &error);
        CHECK_EQ(error, CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), CL_SUCCESS);
    }
    CHECK_EQ(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
    for (int i = 0; i < repeats; i++)
        CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                 CL_SUCCESS);
    CHECK_EQ(
        clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL),
        CL_SUCCESS);
    printf("c = %g %g %g %g\n", values[0], values[1], values[2], values[3]);
    for (cl_uint i = 0; i < 3; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    char *source = read_file(argv[1]);
    int repeats = argc > 3 ? atoi(argv[3]) : 1;
    cl_context context = weft_context(1);
    run(context, source, argv[2], repeats);
    if (argc > 4)
        run(context, source, argv[2], repeats);
    clReleaseContext(context);
    printf("done\n");
    return 0;
}
