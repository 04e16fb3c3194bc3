// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * cl_khr_work_group_uniform_arithmetic: every function and type, in groups of one to three
 * dimensions, some smaller at the edge. The host combines each group's values in the order of
 * linear local ids, as the tables of the specification say. Products of floats are exact: of powers
 * of two.
 */
#include "../api/common.h"

enum { MOST = 2048 };

typedef union value {
    cl_int i;
    cl_uint j;
    cl_long l;
    cl_ulong m;
    _Float16 h;
    cl_float f;
    cl_double d;
} value;

static const struct type {
    const char *name;
    char letter;
    size_t bytes;
} types[] = {{"int", 'i', 4},   {"uint", 'j', 4},   {"long", 'l', 8}, {"ulong", 'm', 8},
             {"float", 'f', 4}, {"double", 'd', 8}, {"half", 'h', 2}};
static const char *const forms[] = {"reduce", "scan_inclusive", "scan_exclusive"};
static const char *const words[] = {"logical_and", "logical_or", "logical_xor", "and",
                                    "or",          "xor",        "mul"};
enum { FORMS = 3, WORDS = 7, TYPES = 7, LOGICAL = 3, BITWISE = 6, INTEGERS = 4 };

static bool exists(unsigned word, unsigned type) {
    return word < LOGICAL ? type == 0 : word < BITWISE ? type < INTEGERS : true;
}

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#ifndef cl_khr_work_group_uniform_arithmetic\n"
    "#error no macro\n"
    "#endif\n"
    "#define K(form, word, type)                                                                 "
    "\\\n"
    "    kernel void form##_##word##_##type(global const type *in, global type *out) {           "
    "\\\n"
    "        size_t i = get_global_linear_id();                                                  "
    "\\\n"
    "        out[i] = work_group_##form##_##word(in[i]);                                         "
    "\\\n"
    "    }\n"
    "#define F(word, type)                                                                       "
    "\\\n"
    "    K(reduce, word, type) K(scan_inclusive, word, type) K(scan_exclusive, word, type)\n"
    "#define I(word) F(word, int) F(word, uint) F(word, long) F(word, ulong)\n"
    "F(logical_and, int) F(logical_or, int) F(logical_xor, int)\n"
    "I(and) I(or) I(xor) I(mul) F(mul, float) F(mul, double) F(mul, half)\n";

static void get(const struct type *type, const void *array, size_t i, value *v) {
    memset(v, 0, sizeof *v);
    memcpy(v, (const char *)array + i * type->bytes, type->bytes);
}

/** "For and, the identity value is true (non-zero) ... ~0 (all bits set)"; 0 for or, xor; 1. */
static value identity(unsigned word, const struct type *type) {
    value v = {.m = 0};
    if (word == 0)
        v.i = 1;
    else if (word == LOGICAL)
        v.m = ~(cl_ulong)0;
    else if (word >= BITWISE)
        switch (type->letter) {
        case 'f':
            v.f = 1;
            break;
        case 'd':
            v.d = 1;
            break;
        case 'h':
            v.h = 1;
            break;
        default:
            v.m = 1;
        }
    return v;
}

static value combined(unsigned word, const struct type *type, value a, value b) {
    value v = {.m = 0};
    if (word < LOGICAL) {
        bool x = a.i != 0, y = b.i != 0;
        v.i = word == 0 ? x && y : word == 1 ? x || y : x != y;
    } else if (word < BITWISE) {
        v.m = word == LOGICAL ? a.m & b.m : word == LOGICAL + 1 ? a.m | b.m : a.m ^ b.m;
    } else if (type->letter == 'f') {
        v.f = a.f * b.f;
    } else if (type->letter == 'd') {
        v.d = a.d * b.d;
    } else if (type->letter == 'h') {
        v.h = (_Float16)(a.h * b.h);
    } else {
        v.m = a.m * b.m; /* the low 32 bits are those of int and uint */
    }
    return v;
}

static bool same(unsigned word, const struct type *type, value got, value wanted) {
    if (word < LOGICAL)
        return (got.i != 0) == (wanted.i != 0);
    return memcmp(&got, &wanted, type->bytes) == 0;
}

/** Values of which neither the products nor the bits are the same for most groups. */
static void fill(unsigned word, const struct type *type, void *array, size_t count) {
    cl_ulong state = 88172645463325252u + word;
    double last = 1;
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        value v = {.m = 0};
        double power = state % 8 == 0 ? -1 : (state & 1) ? 2 : 0.5;
        if (word < LOGICAL)
            v.i = (cl_int)(state % 64 == 0 ? 0 : state >> 33) * (word == 1 ? state % 32 == 0 : 1);
        else if (word < BITWISE)
            v.m = word == LOGICAL       ? ~((cl_ulong)1 << (state >> 8 & 63))
                  : word == LOGICAL + 1 ? (cl_ulong)1 << (state >> 8 & 63)
                                        : state;
        else if (type->letter == 'f')
            v.f = (cl_float)power;
        else if (type->letter == 'd')
            v.d = power;
        else if (type->letter == 'h') /* by turns a power and its reciprocal: no half overflows */
            v.h = (_Float16)(last = i % 2 ? 1 / last : power);
        else
            v.m = state | 1;
        memcpy((char *)array + i * type->bytes, &v, type->bytes);
    }
}

/** Sizes in items; 0 for the local size: the device's choice, which must then be the whole. */
static const struct shape {
    cl_uint dimensions;
    size_t global[3], local[3];
} shapes[] = {{1, {256, 1, 1}, {64, 1, 1}},  {1, {100, 1, 1}, {7, 1, 1}}, {1, {9, 1, 1}, {1, 1, 1}},
              {2, {23, 10, 1}, {5, 3, 1}},   {2, {64, 4, 1}, {16, 2, 1}}, {3, {6, 5, 4}, {3, 2, 2}},
              {1, {1000, 1, 1}, {500, 1, 1}}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/** The group that begins at `from`; false (said) where a result differs. */
static bool check_group(const struct shape *s, const size_t from[3], unsigned form, unsigned word,
                        const struct type *type, const void *in, const void *out) {
    value before = identity(word, type), total = before;
    for (int pass = 0; pass < 2; pass++) /* the total is known behind the first */
        for (size_t z = from[2]; z < smaller(from[2] + s->local[2], s->global[2]); z++)
            for (size_t y = from[1]; y < smaller(from[1] + s->local[1], s->global[1]); y++)
                for (size_t x = from[0]; x < smaller(from[0] + s->local[0], s->global[0]); x++) {
                    size_t i = (z * s->global[1] + y) * s->global[0] + x;
                    value v, got;
                    get(type, in, i, &v);
                    if (pass == 0) {
                        total = combined(word, type, total, v);
                        continue;
                    }
                    value after = combined(word, type, before, v);
                    value wanted = form == 0 ? total : form == 1 ? after : before;
                    get(type, out, i, &got);
                    if (!same(word, type, got, wanted)) {
                        printf("# work_group_%s_%s(%s), item %zu: 0x%llx, not 0x%llx\n",
                               forms[form], words[word], type->name, i, (unsigned long long)got.m,
                               (unsigned long long)wanted.m);
                        return false;
                    }
                    before = after;
                }
    return true;
}

static void check_shape(const struct shape *s, cl_command_queue queue, cl_kernel kernel,
                        cl_mem buffers[2], unsigned form, unsigned word, const struct type *type) {
    static cl_ulong in[MOST], out[MOST];
    size_t count = s->global[0] * s->global[1] * s->global[2];
    fill(word, type, in, count);
    CHECK_EQ(
        clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, count * type->bytes, in, 0, NULL, NULL),
        CL_SUCCESS);
    for (cl_uint i = 0; i < 2; i++)
        CHECK_EQ(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), CL_SUCCESS);
    CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, s->dimensions, NULL, s->global, s->local, 0,
                                    NULL, NULL),
             CL_SUCCESS);
    CHECK_EQ(
        clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, count * type->bytes, out, 0, NULL, NULL),
        CL_SUCCESS);
    bool good = true;
    for (size_t z = 0; z < s->global[2]; z += s->local[2])
        for (size_t y = 0; y < s->global[1]; y += s->local[1])
            for (size_t x = 0; x < s->global[0]; x += s->local[0])
                good = good && check_group(s, (size_t[3]){x, y, z}, form, word, type, in, out);
    CHECK(good);
}

static void check_all(unsigned form, const char *standard) {
    cl_int error = CL_SUCCESS;
    cl_context context = weft_context(1);
    cl_command_queue queue = clCreateCommandQueue(context, weft_device(0), 0, &error);
    cl_program program = weft_built(context, source, standard);
    cl_mem buffers[2];
    for (int i = 0; i < 2; i++)
        buffers[i] = clCreateBuffer(context, 0, MOST * sizeof(cl_ulong), NULL, &error);
    unsigned overloads = 0;
    for (unsigned word = 0; word < WORDS; word++)
        for (unsigned type = 0; type < TYPES; type++) {
            if (!exists(word, type))
                continue;
            char name[64];
            snprintf(name, sizeof name, "%s_%s_%s", forms[form], words[word], types[type].name);
            cl_kernel kernel = weft_kernel(program, name);
            for (unsigned shape = 0; shape < SHAPES; shape++)
                check_shape(&shapes[shape], queue, kernel, buffers, form, word, &types[type]);
            clReleaseKernel(kernel);
            overloads++;
        }
    CHECK_EQ(overloads, 3 + 3 * 4 + 7);
    for (int i = 0; i < 2; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST(reductions) {
    check_all(0, "-cl-std=CL2.0");
}
TEST(inclusive_scans) {
    check_all(1, "-cl-std=CL3.0");
}
TEST(exclusive_scans) {
    check_all(2, "-cl-std=CL2.0");
}

/* A name of these is an identifier like others where the program defines it, and in 1.2, which the
 * extension does not serve. */
TEST(own_functions_of_these_names) {
    static const char text[] =
        "#if __OPENCL_C_VERSION__ < 200 && defined(cl_khr_work_group_uniform_arithmetic)\n"
        "#error not in 1.2\n"
        "#endif\n"
        "int work_group_reduce_xor(int a) { return a + 1; }\n"
        "kernel void k(global int *p) { int work_group_scan_inclusive_or = 2;\n"
        "    p[0] = work_group_reduce_xor(p[0]) + work_group_scan_inclusive_or; }\n";
    static const char *const standards[] = {"", "-cl-std=CL2.0", "-cl-std=CL3.0"};
    cl_int error = CL_SUCCESS;
    cl_context context = weft_context(1);
    cl_command_queue queue = clCreateCommandQueue(context, weft_device(0), 0, &error);
    for (unsigned i = 0; i < 3; i++) {
        cl_int number = 5;
        size_t one = 1;
        cl_program program = weft_built(context, text, standards[i]);
        cl_kernel kernel = weft_kernel(program, "k");
        cl_mem buffer =
            clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof number, &number, &error);
        CHECK_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
        CHECK_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
                 CL_SUCCESS);
        CHECK_EQ(
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL),
            CL_SUCCESS);
        CHECK_EQ(number, 8);
        clReleaseMemObject(buffer);
        clReleaseKernel(kernel);
        clReleaseProgram(program);
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

TEST_MAIN()
