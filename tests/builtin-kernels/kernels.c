// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Built-in kernels: Weft's own, those of a plug-in, those that this program registers. */

#include "api/common.h"

#include <CL/cl_ext_weft.h>
#include <pthread.h>

typedef struct fixture {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem a, b;
} fixture;

enum { BYTES = 1 << 20 };

static cl_program create(cl_context context, const char *names, cl_int wanted) {
    cl_device_id device = weft_device(0);
    cl_int error = 1;
    cl_program program = clCreateProgramWithBuiltInKernels(context, 1, &device, names, &error);
    CHECK_EQ(error, wanted);
    CHECK(!program == (wanted != CL_SUCCESS));
    return program;
}

static fixture begin(const char *names) {
    fixture f = {.context = weft_context(1)};
    cl_int error = 1;
    f.queue = clCreateCommandQueueWithProperties(f.context, weft_device(0), NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f.program = create(f.context, names, CL_SUCCESS);
    f.a = clCreateBuffer(f.context, 0, BYTES, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    f.b = clCreateBuffer(f.context, 0, BYTES, NULL, &error);
    CHECK_EQ(error, CL_SUCCESS);
    return f;
}

static void end(fixture *f) {
    CHECK_EQ(clFinish(f->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(f->a), CL_SUCCESS);
    CHECK_EQ(clReleaseMemObject(f->b), CL_SUCCESS);
    CHECK_EQ(clReleaseProgram(f->program), CL_SUCCESS);
    CHECK_EQ(clReleaseCommandQueue(f->queue), CL_SUCCESS);
    CHECK_EQ(clReleaseContext(f->context), CL_SUCCESS);
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
    CHECK_EQ(clSetKernelArg(kernel, index, size, value), CL_SUCCESS);
}

static void run(fixture *f, cl_kernel kernel, cl_uint dimensions, const size_t *global,
                const size_t *local) {
    CHECK_EQ(
        clEnqueueNDRangeKernel(f->queue, kernel, dimensions, NULL, global, local, 0, NULL, NULL),
        CL_SUCCESS);
}

static void read_back(fixture *f, cl_mem mem, size_t bytes, void *to) {
    CHECK_EQ(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, bytes, to, 0, NULL, NULL), CL_SUCCESS);
}

static void write_to(fixture *f, cl_mem mem, size_t bytes, const void *from) {
    CHECK_EQ(clEnqueueWriteBuffer(f->queue, mem, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
             CL_SUCCESS);
}

/* ---- lists and programs ---------------------------------------------------------------------- */

TEST(device_lists_them) {
    char names[1024];
    cl_name_version versions[32];
    size_t size = 0;
    CHECK_EQ(
        clGetDeviceInfo(weft_device(0), CL_DEVICE_BUILT_IN_KERNELS, sizeof(names), names, NULL),
        CL_SUCCESS);
    CHECK(strstr(names, "weft.memcpy;weft.sgemm;test.add;test.values") == names);
    CHECK(!strstr(names, "unseen"));
    CHECK_EQ(clGetDeviceInfo(weft_device(0), CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
                             sizeof(versions), versions, &size),
             CL_SUCCESS);
    CHECK(size / sizeof(versions[0]) >= 6);
    CHECK_STR(versions[0].name, "weft.memcpy");
    CHECK_STR(versions[2].name, "test.add");
    CHECK_EQ(versions[2].version, CL_MAKE_VERSION(1, 2, 3));
}

TEST(program_has_the_kernels_that_are_named) {
    fixture f = begin("test.add;weft.memcpy;test.add");
    char names[128];
    size_t count = 0, size = 77;
    cl_build_status status = 1;
    CHECK_EQ(clGetProgramInfo(f.program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
             CL_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(clGetProgramInfo(f.program, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL),
             CL_SUCCESS);
    CHECK_STR(names, "test.add;weft.memcpy");
    CHECK_EQ(clGetProgramInfo(f.program, CL_PROGRAM_SOURCE, sizeof(names), names, NULL),
             CL_SUCCESS);
    CHECK_STR(names, "");
    CHECK_EQ(clGetProgramInfo(f.program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL),
             CL_SUCCESS);
    CHECK_EQ(size, 0);
    CHECK_EQ(clGetProgramBuildInfo(f.program, weft_device(0), CL_PROGRAM_BUILD_STATUS,
                                   sizeof(status), &status, NULL),
             CL_SUCCESS);
    CHECK_EQ(status, CL_BUILD_SUCCESS);
    cl_kernel kernels[2];
    cl_uint made = 0;
    CHECK_EQ(clCreateKernelsInProgram(f.program, 2, kernels, &made), CL_SUCCESS);
    CHECK_EQ(made, 2);
    CHECK_EQ(clReleaseKernel(kernels[0]), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(kernels[1]), CL_SUCCESS);
    cl_int error = 1;
    CHECK(!clCreateKernel(f.program, "weft.sgemm", &error));
    CHECK_EQ(error, CL_INVALID_KERNEL_NAME);
    CHECK_EQ(clBuildProgram(f.program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clCompileProgram(f.program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK(!clLinkProgram(f.context, 0, NULL, NULL, 1, &f.program, NULL, NULL, &error));
    CHECK_EQ(error, CL_INVALID_OPERATION);
    end(&f);
}

TEST(program_errors) {
    cl_context context = weft_context(1);
    cl_device_id device = weft_device(0), none = NULL;
    cl_int error = 1;
    const char *const bad[] = {
        "",           ";",           "weft.nothing", "weft.memcpy;", "weft.memcpy; test.add",
        "weft.memcp", "weft.memcpyy"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        create(context, bad[i], CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithBuiltInKernels(context, 1, &device, NULL, &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithBuiltInKernels(context, 0, &device, "weft.memcpy", &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithBuiltInKernels(context, 1, NULL, "weft.memcpy", &error));
    CHECK_EQ(error, CL_INVALID_VALUE);
    CHECK(!clCreateProgramWithBuiltInKernels(context, 1, &none, "weft.memcpy", &error));
    CHECK_EQ(error, CL_INVALID_DEVICE);
    CHECK(!clCreateProgramWithBuiltInKernels(NULL, 1, &device, "weft.memcpy", &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

/* ---- information ----------------------------------------------------------------------------- */

static const char *arg_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    static char text[256];
    CHECK_EQ(clGetKernelArgInfo(kernel, index, name, sizeof(text), text, NULL), CL_SUCCESS);
    return text;
}

static uint64_t arg_number(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    uint64_t value = 0;
    CHECK_EQ(clGetKernelArgInfo(kernel, index, name, sizeof(value), &value, NULL), CL_SUCCESS);
    return value;
}

TEST(argument_info) {
    fixture f = begin("test.add;test.values;test.scratch");
    cl_kernel add = weft_kernel(f.program, "test.add"), values, scratch;
    values = weft_kernel(f.program, "test.values");
    scratch = weft_kernel(f.program, "test.scratch");
    CHECK_STR(arg_text(add, 0, CL_KERNEL_ARG_TYPE_NAME), "int*");
    CHECK_STR(arg_text(add, 1, CL_KERNEL_ARG_NAME), "in");
    CHECK_STR(arg_text(add, 2, CL_KERNEL_ARG_TYPE_NAME), "int");
    CHECK_EQ(arg_number(add, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER), CL_KERNEL_ARG_ADDRESS_GLOBAL);
    CHECK_EQ(arg_number(add, 0, CL_KERNEL_ARG_TYPE_QUALIFIER), CL_KERNEL_ARG_TYPE_NONE);
    CHECK_EQ(arg_number(add, 1, CL_KERNEL_ARG_TYPE_QUALIFIER),
             CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT);
    CHECK_EQ(arg_number(add, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER), CL_KERNEL_ARG_ADDRESS_PRIVATE);
    CHECK_EQ(arg_number(add, 2, CL_KERNEL_ARG_ACCESS_QUALIFIER), CL_KERNEL_ARG_ACCESS_NONE);
    CHECK_STR(arg_text(values, 2, CL_KERNEL_ARG_TYPE_NAME), "uchar");
    CHECK_STR(arg_text(values, 5, CL_KERNEL_ARG_TYPE_NAME), "int");
    CHECK_STR(arg_text(values, 6, CL_KERNEL_ARG_TYPE_NAME), "uint");
    CHECK_EQ(arg_number(scratch, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER), CL_KERNEL_ARG_ADDRESS_LOCAL);
    char text[64];
    CHECK_EQ(clGetKernelArgInfo(add, 3, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL),
             CL_INVALID_ARG_INDEX);
    CHECK_EQ(clReleaseKernel(add), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(values), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(scratch), CL_SUCCESS);
    end(&f);
}

TEST(kernel_info) {
    fixture f = begin("test.scratch");
    cl_kernel kernel = weft_kernel(f.program, "test.scratch");
    char name[64];
    cl_uint count = 0;
    size_t sizes[3] = {0};
    cl_ulong local = 0;
    CHECK_EQ(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL),
             CL_SUCCESS);
    CHECK_STR(name, "test.scratch");
    CHECK_EQ(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(name), name, NULL), CL_SUCCESS);
    CHECK_STR(name, "");
    CHECK_EQ(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL), CL_SUCCESS);
    CHECK_EQ(count, 3);
    CHECK_EQ(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(sizes),
                                      sizes, NULL),
             CL_SUCCESS);
    CHECK(sizes[0] >= 1u << 30 && sizes[2] >= 1u << 30);
    set(kernel, 1, 512, NULL);
    CHECK_EQ(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local), &local,
                                      NULL),
             CL_SUCCESS);
    CHECK_EQ(local, 1024 + 512);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    end(&f);
}

TEST(arguments_are_checked_against_the_signature) {
    fixture f = begin("test.add;test.scratch");
    cl_kernel add = weft_kernel(f.program, "test.add");
    cl_kernel scratch = weft_kernel(f.program, "test.scratch");
    size_t one = 1;
    int n = 1;
    cl_sampler no_buffer = (cl_sampler)f.queue;
    CHECK_EQ(clSetKernelArg(add, 3, sizeof(n), &n), CL_INVALID_ARG_INDEX);
    CHECK_EQ(clSetKernelArg(add, 2, 8, &n), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(add, 2, sizeof(n), NULL), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(add, 0, sizeof(n), &f.a), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clSetKernelArg(add, 0, sizeof(f.a), &no_buffer), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clSetKernelArg(scratch, 1, 16, &n), CL_INVALID_ARG_VALUE);
    CHECK_EQ(clSetKernelArg(scratch, 1, 0, NULL), CL_INVALID_ARG_SIZE);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, add, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_INVALID_KERNEL_ARGS);
    CHECK_EQ(clReleaseKernel(add), CL_SUCCESS);
    CHECK_EQ(clReleaseKernel(scratch), CL_SUCCESS);
    end(&f);
}

/* ---- calls ----------------------------------------------------------------------------------- */

TEST(values_of_every_type_arrive) {
    fixture f = begin("test.values");
    cl_kernel kernel = weft_kernel(f.program, "test.values");
    double out[10];
    size_t one = 1;
    set(kernel, 0, sizeof(f.a), &f.a);
    set(kernel, 1, 1, &(cl_char){-7});
    set(kernel, 2, 1, &(cl_uchar){200});
    set(kernel, 3, 2, &(cl_short){-30000});
    set(kernel, 4, 2, &(cl_ushort){60000});
    set(kernel, 5, 4, &(cl_int){-2000000000});
    set(kernel, 6, 4, &(cl_uint){4000000000u});
    set(kernel, 7, 8, &(cl_long){-(INT64_C(1) << 50)});
    set(kernel, 8, 8, &(cl_ulong){UINT64_C(1) << 52});
    set(kernel, 9, 4, &(cl_float){1.5f});
    set(kernel, 10, 8, &(cl_double){-2.25});
    run(&f, kernel, 1, &one, NULL);
    read_back(&f, f.a, sizeof(out), out);
    CHECK(out[0] == -7 && out[1] == 200 && out[2] == -30000 && out[3] == 60000);
    CHECK(out[4] == -2e9 && out[5] == 4e9);
    CHECK(out[6] == -(double)(INT64_C(1) << 50) && out[7] == (double)(INT64_C(1) << 52));
    CHECK(out[8] == 1.5 && out[9] == -2.25);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    end(&f);
}

TEST(groups_know_where_they_are) {
    fixture f = begin("test.groups");
    cl_kernel kernel = weft_kernel(f.program, "test.groups");
    const size_t global[3] = {10, 7, 3}, local[3] = {4, 3, 2}, offset[3] = {100, 20, 3};
    static cl_ulong out[3 * 3 * 2 * 8];
    cl_uint tag = 42;
    set(kernel, 0, sizeof(f.a), &f.a);
    set(kernel, 1, sizeof(tag), &tag);
    CHECK_EQ(clEnqueueNDRangeKernel(f.queue, kernel, 3, offset, global, local, 0, NULL, NULL),
             CL_SUCCESS);
    read_back(&f, f.a, sizeof(out), out);
    for (size_t i = 0; i < 18; i++) {
        const size_t id[3] = {i % 3, i / 3 % 3, i / 9};
        for (int d = 0; d < 3; d++) {
            size_t first = id[d] * local[d], rest = global[d] - first;
            CHECK_EQ(out[8 * i + d], first + offset[d]);
            CHECK_EQ(out[8 * i + 3 + d], rest < local[d] ? rest : local[d]);
        }
        CHECK_EQ(out[8 * i + 6], 3 + 100 * (4 + 100 * 10));
        CHECK_EQ(out[8 * i + 7], 42);
    }
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    end(&f);
}

TEST(local_memory_of_both_kinds) {
    fixture f = begin("test.scratch");
    cl_kernel kernel = weft_kernel(f.program, "test.scratch");
    enum { GROUPS = 1000 };
    static int out[GROUPS];
    size_t global = GROUPS;
    int n = 16;
    set(kernel, 0, sizeof(f.a), &f.a);
    set(kernel, 1, sizeof(int) * 16, NULL);
    set(kernel, 2, sizeof(n), &n);
    run(&f, kernel, 1, &global, NULL);
    read_back(&f, f.a, sizeof(out), out);
    for (int i = 0; i < GROUPS; i++)
        CHECK_EQ(out[i], 3 * (16 * i + 120));
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    end(&f);
}

TEST(memcpy_copies_any_size_in_any_groups) {
    fixture f = begin("weft.memcpy");
    cl_kernel kernel = weft_kernel(f.program, "weft.memcpy");
    static unsigned char from[BYTES], to[BYTES];
    const size_t sizes[] = {1, 127, 4096, 1000003 % BYTES, BYTES}, locals[] = {0, 1, 64, 1000};
    for (size_t i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 7 + i / 251);
    write_to(&f, f.a, BYTES, from);
    set(kernel, 0, sizeof(f.b), &f.b);
    set(kernel, 1, sizeof(f.a), &f.a);
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
        for (size_t l = 0; l < sizeof(locals) / sizeof(locals[0]); l++) {
            cl_uint zero = 0;
            CHECK_EQ(clEnqueueFillBuffer(f.queue, f.b, &zero, 4, 0, BYTES, 0, NULL, NULL),
                     CL_SUCCESS);
            run(&f, kernel, 1, &sizes[s], locals[l] ? &locals[l] : NULL);
            read_back(&f, f.b, BYTES, to);
            CHECK(memcmp(from, to, sizes[s]) == 0);
            for (size_t i = sizes[s]; i < BYTES; i++)
                CHECK(to[i] == 0);
        }
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    end(&f);
}

static float element(size_t i) {
    return (float)((int)(i * 2654435761u >> 20) % 17) - 8;
}

/* Small integers: every order of the additions gives the same. */
static void check_sgemm(fixture *f, cl_kernel kernel, const size_t size[2], cl_uint k,
                        const size_t *local, float alpha, float beta) {
    size_t n = size[0], m = size[1], a_pitch = k + 3, b_pitch = n + 1, c_pitch = n + 2;
    static float a[BYTES / 4], b[BYTES / 4], c[BYTES / 4], got[BYTES / 4];
    cl_uint pitches[3] = {(cl_uint)a_pitch, (cl_uint)b_pitch, (cl_uint)c_pitch};
    cl_int error;
    CHECK(m * a_pitch <= BYTES / 4 && k * b_pitch <= BYTES / 4 && m * c_pitch <= BYTES / 4);
    for (size_t i = 0; i < BYTES / 4; i++) {
        a[i] = element(i);
        b[i] = element(i + 99);
        c[i] = beta == 0 ? __builtin_nanf("") : element(i + 7);
    }
    cl_mem out = clCreateBuffer(f->context, CL_MEM_COPY_HOST_PTR, BYTES, c, &error);
    CHECK_EQ(error, CL_SUCCESS);
    write_to(f, f->a, BYTES, a);
    write_to(f, f->b, BYTES, b);
    set(kernel, 0, sizeof(k), &k);
    set(kernel, 1, sizeof(alpha), &alpha);
    set(kernel, 2, sizeof(f->a), &f->a);
    set(kernel, 3, sizeof(pitches[0]), &pitches[0]);
    set(kernel, 4, sizeof(f->b), &f->b);
    set(kernel, 5, sizeof(pitches[1]), &pitches[1]);
    set(kernel, 6, sizeof(beta), &beta);
    set(kernel, 7, sizeof(out), &out);
    set(kernel, 8, sizeof(pitches[2]), &pitches[2]);
    run(f, kernel, 2, size, local);
    read_back(f, out, BYTES, got);
    for (size_t y = 0; y < m; y++)
        for (size_t x = 0; x < c_pitch; x++) {
            float sum = 0, wanted = c[y * c_pitch + x];
            for (size_t i = 0; i < k && x < n; i++)
                sum += a[y * a_pitch + i] * b[i * b_pitch + x];
            if (x < n)
                wanted = alpha * sum + (beta == 0 ? 0 : beta * wanted);
            if (memcmp(&got[y * c_pitch + x], &wanted, 4) != 0 && got[y * c_pitch + x] != wanted)
                FAIL("%zu x %zu x %u: element %zu, %zu is %g, not %g", m, n, k, y, x,
                     (double)got[y * c_pitch + x], (double)wanted);
        }
    CHECK_EQ(clReleaseMemObject(out), CL_SUCCESS);
}

TEST(sgemm_is_right_for_any_shape) {
    fixture f = begin("weft.sgemm");
    cl_kernel kernel = weft_kernel(f.program, "weft.sgemm");
    const size_t shapes[][2] = {{1, 1},  {64, 64}, {65, 63},  {130, 5},
                                {3, 70}, {31, 33}, {128, 96}, {200, 101}};
    const size_t locals[][2] = {{1, 1}, {7, 5}, {128, 3}, {16, 256}};
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        check_sgemm(&f, kernel, shapes[i], 1, NULL, 1, 0);
        check_sgemm(&f, kernel, shapes[i], 129, NULL, 2, 0);
        check_sgemm(&f, kernel, shapes[i], 300, NULL, -1, 3);
        check_sgemm(&f, kernel, shapes[i], 0, NULL, 1, 2);
    }
    for (size_t i = 0; i < sizeof(locals) / sizeof(locals[0]); i++)
        check_sgemm(&f, kernel, (const size_t[2]){131, 67}, 140, locals[i], 1, 1);
    CHECK_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    end(&f);
}

/* ---- registering ----------------------------------------------------------------------------- */

static clRegisterBuiltInKernelsWEFT_fn registrar(void) {
    clRegisterBuiltInKernelsWEFT_fn function =
        (clRegisterBuiltInKernelsWEFT_fn)clGetExtensionFunctionAddressForPlatform(
            weft_platform(), "clRegisterBuiltInKernelsWEFT");
    CHECK(function);
    return function;
}

static cl_int add_kernels(cl_uint count, const cl_built_in_kernel_weft *kernels, char *why) {
    const cl_built_in_plugin_weft plugin = {CL_BUILT_IN_KERNEL_ABI_WEFT,
                                            sizeof(cl_built_in_kernel_weft), count, kernels};
    return registrar()(weft_platform(), &plugin, 200, why);
}

static pthread_t called_by;

static void note_thread(int *out, int value) {
    called_by = pthread_self();
    *out = value;
}

static void nothing(void) {}

TEST(application_registers_a_function) {
    const cl_built_in_kernel_weft kernel = {.name = "app.note",
                                            .signature = "global int *out, int value",
                                            .function = (void (*)(void))note_thread};
    char why[200] = "?", extensions[4096];
    size_t one = 1;
    int value = 321, got = 0;
    CHECK_EQ(clGetPlatformInfo(weft_platform(), CL_PLATFORM_EXTENSIONS, sizeof(extensions),
                               extensions, NULL),
             CL_SUCCESS);
    CHECK(strstr(extensions, CL_WEFT_BUILT_IN_KERNELS_EXTENSION_NAME));
    CHECK_EQ(add_kernels(1, &kernel, why), CL_SUCCESS);
    CHECK_STR(why, "");
    fixture f = begin("app.note");
    cl_kernel note = weft_kernel(f.program, "app.note");
    set(note, 0, sizeof(f.a), &f.a);
    set(note, 1, sizeof(value), &value);
    for (int i = 0; i < 20; i++) { /* never on a thread that waits */
        run(&f, note, 1, &one, NULL);
        CHECK_EQ(clFinish(f.queue), CL_SUCCESS);
        CHECK(!pthread_equal(called_by, pthread_self()));
    }
    read_back(&f, f.a, sizeof(got), &got);
    CHECK_EQ(got, 321);
    CHECK_EQ(clReleaseKernel(note), CL_SUCCESS);
    end(&f);
}

TEST(bad_registrations_are_refused_with_a_sentence) {
    void (*function)(void) = nothing;
    const struct {
        cl_int status;
        const char *part;
        cl_built_in_kernel_weft kernel;
    } bad[] = {
        {CL_INVALID_KERNEL_NAME, "name", {NULL, "", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_NAME, "name", {"", "", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_NAME, "name", {"a;b", "", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_NAME, "already", {"weft.memcpy", "", function, 0, 0, 0, {0}}},
        {CL_INVALID_VALUE, "flag", {"x.a", "", function, 2, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "no function", {"x.a", "", NULL, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "signature", {"x.a", NULL, function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "address space", {"x.a", "int *p", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "one of", {"x.a", "float4 p", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "one of", {"x.a", "global int p", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "no type", {"x.a", "int a,", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION,
         "no type",
         {"x.a", "unsigned float a", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "star", {"x.a", "global int **p", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "follows", {"x.a", "int a b", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "cannot be", {"x.a", "int a[3]", function, 0, 0, 0, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "local memory", {"x.a", "", function, 0, 0, 1 << 30, {0}}},
        {CL_INVALID_KERNEL_DEFINITION, "local size", {"x.a", "", function, 0, 0, 0, {4, 0, 1}}},
        {CL_INVALID_KERNEL_DEFINITION,
         "local size",
         {"x.a", "", function, 0, 0, 0, {1 << 20, 1, 1}}},
    };
    char why[200];
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        /* All or none: the first of the two is good. */
        const cl_built_in_kernel_weft two[] = {{"x.first", "", function, 0, 0, 0, {0}},
                                               bad[i].kernel};
        strcpy(why, "?");
        CHECK_EQ(add_kernels(2, two, why), bad[i].status);
        if (!strstr(why, bad[i].part))
            FAIL("number %zu: %s", i, why);
    }
    cl_context context = weft_context(1);
    create(context, "x.first", CL_INVALID_VALUE);
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST(bad_tables_are_refused) {
    cl_built_in_plugin_weft plugin = {CL_BUILT_IN_KERNEL_ABI_WEFT, sizeof(cl_built_in_kernel_weft),
                                      1, NULL};
    char why[8] = "?";
    CHECK_EQ(registrar()(weft_platform(), NULL, 0, NULL), CL_INVALID_VALUE);
    CHECK_EQ(registrar()(weft_platform(), &plugin, sizeof(why), why), CL_INVALID_VALUE);
    CHECK_STR(why, "the tab"); /* cut, with its end */
    plugin.kernel_count = 0;
    CHECK_EQ(registrar()(NULL, &plugin, 0, NULL), CL_INVALID_PLATFORM);
    CHECK_EQ(registrar()(weft_platform(), &plugin, 0, NULL), CL_SUCCESS);
    plugin.abi++;
    CHECK_EQ(registrar()(weft_platform(), &plugin, 0, NULL), CL_INVALID_VALUE);
    plugin.abi--;
    plugin.kernel_bytes--;
    CHECK_EQ(registrar()(weft_platform(), &plugin, 0, NULL), CL_INVALID_VALUE);
}

enum { THREADS = 8, EACH = 20 };

static void *register_many(void *argument) {
    char names[EACH][32];
    cl_built_in_kernel_weft kernels[EACH];
    intptr_t failed = 0;
    for (int i = 0; i < EACH; i++) {
        snprintf(names[i], sizeof(names[i]), "thread%d.kernel%d", *(int *)argument, i);
        kernels[i] = (cl_built_in_kernel_weft){
            .name = names[i], .signature = "global int *a", .function = nothing};
        const cl_built_in_plugin_weft plugin = {CL_BUILT_IN_KERNEL_ABI_WEFT,
                                                sizeof(cl_built_in_kernel_weft), 1, &kernels[i]};
        failed += registrar()(weft_platform(), &plugin, 0, NULL) != CL_SUCCESS;
    }
    return (void *)failed;
}

TEST(many_threads_register) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK_EQ(pthread_create(&threads[i], NULL, register_many, &numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        pthread_join(threads[i], &failed);
        CHECK(!failed);
    }
    cl_context context = weft_context(1);
    for (int i = 0; i < THREADS; i++) {
        char names[64];
        snprintf(names, sizeof(names), "thread%d.kernel0;thread%d.kernel%d", i, i, EACH - 1);
        CHECK_EQ(clReleaseProgram(create(context, names, CL_SUCCESS)), CL_SUCCESS);
    }
    CHECK_EQ(clReleaseContext(context), CL_SUCCESS);
}

TEST_MAIN()
