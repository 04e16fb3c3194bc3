// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* cl_khr_fp16 where the API meets it: queries, arguments of kernels and what is said of them,
 * program-scope variables, patterns, printf. What is computed: ../builtins/half.c. */

#include "common.h"

#include <math.h>
#include <unistd.h>

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#ifndef cl_khr_fp16\n"
    "#error no macro\n"
    "#endif\n"
    "global half kept = 1.5h;\n"
    "constant half3 many[2] = {(half3)(1.0h, 2.0h, 3.0h), (half3)(4.0h, 5.0h, 6.0h)};\n"
    "kernel void arguments(global half *out, half one, half2 two, half3 three, half4 four,\n"
    "                      half16 sixteen) {\n"
    "    out[0] = one + two.y + three.z + four.w + sixteen.sf;\n"
    "    out[1] = one * 2.0h;\n"
    "    kept += many[1].z;\n"
    "    out[2] = kept;\n"
    "}\n"
    "kernel void print(half x, half4 v) {\n"
    "    printf(\"%.2f %hd %v4hf %v4ha\\n\", x, (short)x, v, v);\n"
    "}\n";

static cl_ushort bits_of(double x) {
    _Float16 half = (_Float16)x;
    cl_ushort bits;
    memcpy(&bits, &half, sizeof bits);
    return bits;
}

TEST(queries) {
    cl_device_fp_config config = 0,
                        wanted = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM;
    cl_uint native = 0, preferred = 0, shorts = 0;
    char extensions[8192];
    cl_device_id device = weft_device(0);
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_HALF_FP_CONFIG, sizeof config, &config, NULL),
             CL_SUCCESS);
    CHECK_EQ(config, wanted);
    CHECK_EQ(
        clGetDeviceInfo(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, sizeof native, &native, NULL),
        CL_SUCCESS);
    CHECK_EQ(
        clGetDeviceInfo(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, sizeof shorts, &shorts, NULL),
        CL_SUCCESS);
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, sizeof preferred,
                             &preferred, NULL),
             CL_SUCCESS);
    CHECK_EQ(native, shorts);
    CHECK_EQ(preferred, 1);
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL),
             CL_SUCCESS);
    CHECK(strstr(extensions, "cl_khr_fp16 "));
}

/** Runs `kernel` once. */
static void run_once(cl_context context, cl_kernel kernel, cl_mem out, void *data, size_t bytes) {
    const size_t one = 1;
    cl_int error = 1;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
    if (out)
        CHECK_EQ(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
                 CL_SUCCESS);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    clReleaseCommandQueue(queue);
}

TEST(kernel_arguments_and_variables) {
    static const size_t sizes[] = {sizeof(cl_mem), 2, 4, 8, 8, 32};
    static const char *const names[] = {"half*", "half", "half2", "half3", "half4", "half16"};
    cl_ushort value[16], out[4] = {0}, pattern = bits_of(7);
    cl_int error = 1;
    cl_context context = weft_context(1);
    cl_program program = weft_built(context, source, "-cl-std=CL2.0 -cl-kernel-arg-info");
    cl_kernel kernel = weft_kernel(program, "arguments");
    cl_mem buffer = clCreateBuffer(context, 0, sizeof out, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
    for (cl_uint i = 0; i < 6; i++) {
        char name[32] = "";
        for (unsigned k = 0; k < 16; k++)
            value[k] = bits_of(k + 10 * i);
        CHECK_EQ(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL),
                 CL_SUCCESS);
        CHECK_STR(name, names[i]);
        if (!i)
            continue;
        CHECK_EQ(clSetKernelArg(kernel, i, sizes[i] * 2, value), CL_INVALID_ARG_SIZE);
        CHECK_EQ(clSetKernelArg(kernel, i, sizes[i] - 1, value), CL_INVALID_ARG_SIZE);
        CHECK_EQ(clSetKernelArg(kernel, i, sizes[i], value), CL_SUCCESS);
    }
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, weft_device(0), NULL, &error);
    CHECK_EQ(
        clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0, sizeof out, 0, NULL, NULL),
        CL_SUCCESS);
    CHECK_EQ(clFinish(queue), CL_SUCCESS);
    clReleaseCommandQueue(queue);
    run_once(context, kernel, buffer, out, sizeof out);
    CHECK_EQ(out[0], bits_of(10 + 21 + 32 + 43 + 65));
    CHECK_EQ(out[1], bits_of(20));
    CHECK_EQ(out[2], bits_of(7.5));
    CHECK_EQ(out[3], pattern);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/** Scalars become doubles, as C has it; "%v4hf" prints a vector of halves. */
TEST(printf_of_half) {
    cl_context context = weft_context(1);
    cl_program program = weft_built(context, source, "-cl-std=CL2.0");
    cl_kernel kernel = weft_kernel(program, "print");
    cl_ushort x = bits_of(-2.25),
              v[4] = {bits_of(0.5), bits_of(INFINITY), bits_of(0x1p-24), bits_of(-65504)};
    char text[256] = "";
    CHECK_EQ(clSetKernelArg(kernel, 0, sizeof x, &x), CL_SUCCESS);
    CHECK_EQ(clSetKernelArg(kernel, 1, sizeof v, v), CL_SUCCESS);
    FILE *file = tmpfile();
    CHECK(file);
    fflush(stdout);
    int saved = dup(1);
    dup2(fileno(file), 1);
    run_once(context, kernel, NULL, NULL, 0);
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    rewind(file);
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    text[bytes] = 0;
    fclose(file);
    CHECK_STR(text, "-2.25 -2 0.500000,inf,0.000000,-65504.000000 "
                    "0x1p-1,inf,0x1p-24,-0x1.ffcp+15\n");
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/** What is no array of vectors is aligned to one half; vstorea_half16 ended the process (piglit).
 */
TEST(vstorea_half_to_an_array_that_is_not_aligned) {
    cl_context context = weft_context(1);
    cl_program program = weft_built(
        context,
        "kernel void odd(global float *out, int at) {\n"
        "    ushort bits[64];\n"
        "    private half *mine = (private half *)bits;\n"
        "    for (int i = 0; i < 48; i++) vstore_half((float)i, i, mine);\n"
        "    vstorea_half16((float16)(at), 1, mine + at);\n"
        "    out[get_global_id(0)] = vloada_half8(1, mine + at + 7).s7 + vload_half(at, mine);\n"
        "}\n",
        "-cl-std=CL2.0");
    cl_kernel kernel = weft_kernel(program, "odd");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 20 * sizeof(float), NULL, NULL);
    for (cl_int at = 1; at < 16; at += 2) {
        float out[20] = {0};
        CHECK_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
        CHECK_EQ(clSetKernelArg(kernel, 1, sizeof at, &at), CL_SUCCESS);
        run_once(context, kernel, buffer, out, sizeof out);
        CHECK_EQ((int)out[0], 2 * at);
    }
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

TEST_MAIN()
