// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * cl_khr_integer_dot_product: every function, of vectors and of packed words, with each combination
 * of signs, in kernels of all lanes and where the compiler may put a sum into the instruction. The
 * reference extends, multiplies and adds as the table of the specification says.
 */
#include "../api/common.h"

enum { ITEMS = 1 << 16 };

static cl_uint x[ITEMS], y[ITEMS], accumulators[ITEMS], result[ITEMS];

/** Words of random bytes, of limits (all products of these are in it), and of sums near overflow.
 */
static void fill(void) {
    static const unsigned char limits[] = {0x80, 0x7f, 0xff, 0, 1, 0x81, 0xfe, 0x40};
    cl_ulong state = 88172645463325252u;
    for (unsigned i = 0; i < ITEMS; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        cl_uint all = 0x01010101u;
        x[i] = (cl_uint)state;
        y[i] = (cl_uint)(state >> 32);
        if (i % 4 == 0) { /* the largest sums: 4 * -128 * -128, 4 * 255 * 255, 4 * 255 * -128 */
            x[i] = all * limits[i / 4 % 8];
            y[i] = all * limits[i / 32 % 8];
        } else if (i % 4 == 1) {
            for (unsigned byte = 0; byte < 4; byte++) {
                ((unsigned char *)&x[i])[byte] = limits[state >> (4 * byte) & 7];
                ((unsigned char *)&y[i])[byte] = limits[state >> (4 * byte + 16) & 7];
            }
        }
        static const cl_uint edges[] = {0,          1,          0x7fffffff, 0x80000000,
                                        0xffffffff, 0x7fff0000, 0x80010000, 0xfffe0000};
        accumulators[i] = i / 256 % 2 ? edges[state >> 40 & 7] : (cl_uint)(state >> 20);
    }
}

static cl_long extended(cl_uint word, unsigned byte, bool is_signed) {
    cl_uint bits = word >> 8 * byte & 255;
    return is_signed ? (cl_long)(cl_char)bits : (cl_long)bits;
}

/** dot, exactly. */
static cl_long dot(const char signs[3], cl_uint a, cl_uint b) {
    cl_long sum = 0;
    for (unsigned byte = 0; byte < 4; byte++)
        sum += extended(a, byte, signs[0] == 's') * extended(b, byte, signs[1] == 's');
    return sum;
}

/** "product = dot(a,b); result = add_sat(product, acc);" */
static cl_uint saturated(const char signs[3], cl_long product, cl_uint accumulator) {
    if (strcmp(signs, "uu") == 0) {
        cl_long sum = product + (cl_long)accumulator;
        return sum > CL_UINT_MAX ? CL_UINT_MAX : (cl_uint)sum;
    }
    cl_long sum = product + (cl_int)accumulator;
    return (cl_uint)(cl_int)(sum > CL_INT_MAX ? CL_INT_MAX : sum < CL_INT_MIN ? CL_INT_MIN : sum);
}

static cl_uint wanted(const char *form, const char signs[3], unsigned i) {
    cl_long product = dot(signs, x[i], y[i]);
    if (strcmp(form, "sum") == 0) /* three turns of a loop */
        return (cl_uint)product + (cl_uint)dot(signs, y[i], x[i]) +
               (cl_uint)dot(signs, x[i] + 2, y[i]) + accumulators[i];
    return strcmp(form, "saturated") == 0 ? saturated(signs, product, accumulators[i])
                                          : (cl_uint)product;
}

static const struct {
    const char *name, *packed, *vectors;
} forms[] = {
    {"product", "P(dot_4x8packed)(a, b)", "dot(A(a), B(b))"},
    {"saturated", "P(dot_acc_sat_4x8packed)(a, b, (R)c)", "dot_acc_sat(A(a), B(b), (R)c)"},
    {"sum", "sum(a, b, c, P(dot_4x8packed))", "sum(a, b, c, VECTORS)"},
};

/* A loop of which the compiler does not know how often it turns, at places of the item's own. */
static const char source[] =
    "#define JOIN2(x, y, z) x##_##y##_##z\n"
    "#define JOIN(x, y, z) JOIN2(x, y, z)\n"
    "#define P(name) JOIN(name, SIGNS, R)\n"
    "#define VECTORS(a, b) dot(A(a), B(b))\n"
    "#define sum(a, b, c, dot)                                                                   "
    "\\\n"
    "    ({                                                                                       "
    "\\\n"
    "        uint total = c;                                                                      "
    "\\\n"
    "        for (uint turn = 0; turn < turns; turn++) {                                          "
    "\\\n"
    "            uint left = turn == 1 ? b : a + turn, right = turn == 1 ? a : b;                 "
    "\\\n"
    "            total += dot(left, right);                                                       "
    "\\\n"
    "        }                                                                                    "
    "\\\n"
    "        total;                                                                               "
    "\\\n"
    "    })\n"
    "kernel void k(global const uint *x, global const uint *y, global const uint *z,\n"
    "              global uint *out, uint turns, uint branch) {\n"
    "    size_t i = get_global_id(0);\n"
    "    uint a = x[i], b = y[i], c = z[i];\n"
    "    if (branch && (x[i] ^ y[i]) == 0x12345678)\n" /* never, but nobody knows */
    "        return;\n"
    "    out[i] = (uint)FORM;\n"
    "}\n";

static void run(const char *options) {
    weft_run(&(weft_one_run){.source = source,
                             .options = options,
                             .items = ITEMS - 3, /* a last vector that is not full */
                             .in = {x, y, accumulators},
                             .in_bytes = {sizeof x, sizeof y, sizeof accumulators},
                             .out = result,
                             .out_bytes = sizeof result,
                             .words = {3, 1}, /* turns, branch */
                             .word_count = 2});
}

static void check(const char signs[3], unsigned form, bool packed, const char *standard) {
    char options[512];
    snprintf(
        options, sizeof options, "-cl-std=%s -DSIGNS=%s -DR=%s -DA=as_%s -DB=as_%s \"-DFORM=%s\"",
        standard, signs, strcmp(signs, "uu") ? "int" : "uint", signs[0] == 's' ? "char4" : "uchar4",
        signs[1] == 's' ? "char4" : "uchar4", packed ? forms[form].packed : forms[form].vectors);
    run(options);
    for (unsigned i = 0; i < ITEMS - 3; i++) {
        cl_uint want = wanted(forms[form].name, signs, i);
        if (result[i] != want) {
            printf("# %s: 0x%08x 0x%08x 0x%08x gives 0x%08x, not 0x%08x\n", options, x[i], y[i],
                   accumulators[i], result[i], want);
            CHECK(false);
            return;
        }
    }
}

static void check_signs(const char signs[3]) {
    fill();
    for (unsigned form = 0; form < sizeof forms / sizeof forms[0]; form++)
        for (int packed = 0; packed < 2; packed++)
            check(signs, form, packed, packed ? "CL1.2" : "CL2.0");
}

TEST(unsigned_bytes) {
    check_signs("uu");
}
TEST(signed_bytes) {
    check_signs("ss");
}
TEST(unsigned_by_signed) {
    check_signs("us");
}
TEST(signed_by_unsigned) {
    check_signs("su");
}

/* "8-bit support is mandatory, added 8-bit acceleration properties" (revision 2.0.0). */
TEST(queries) {
    cl_device_integer_dot_product_capabilities_khr capabilities = 0;
    cl_device_id device = weft_device(0);
    CHECK_EQ(clGetDeviceInfo(device, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
                             sizeof capabilities, &capabilities, NULL),
             CL_SUCCESS);
    CHECK_EQ(capabilities, CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                               CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR);
    static const cl_device_info names[] = {
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR};
    for (unsigned i = 0; i < 2; i++) {
        cl_device_integer_dot_product_acceleration_properties_khr properties = {0};
        size_t size = 0;
        CHECK_EQ(clGetDeviceInfo(device, names[i], sizeof properties, &properties, &size),
                 CL_SUCCESS);
        CHECK_EQ(size, sizeof properties);
        CHECK_EQ(properties.signed_accelerated, CL_TRUE);
        CHECK_EQ(properties.accumulating_saturating_mixed_signedness_accelerated, CL_TRUE);
    }
}

/* "OpenCL C compilers supporting this extension will define the extension macro", and features. */
TEST(macros) {
    static const char text[] = "#if !defined(cl_khr_integer_dot_product) ||"
                               " !defined(__opencl_c_integer_dot_product_input_4x8bit) ||"
                               " !defined(__opencl_c_integer_dot_product_input_4x8bit_packed)\n"
                               "#error no macro\n"
                               "#endif\n"
                               "kernel void k(global int *p) { *p = 1; }\n";
    cl_context context = weft_context(1);
    static const char *const standards[] = {"", "-cl-std=CL2.0", "-cl-std=CL3.0"};
    for (unsigned i = 0; i < 3; i++)
        clReleaseProgram(weft_built(context, text, standards[i]));
    clReleaseContext(context);
}

TEST_MAIN()
