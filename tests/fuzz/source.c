// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Source text: programs of a grammar over OpenCL C, and the same with words removed, doubled and
 * exchanged, through clBuildProgram.
 *
 *     fuzz-source [-seconds=N] [-seed=N] [-print=SEED] [-folder=DIR] [FILE...]
 *
 * The application must survive, every build must end within its limit with CL_SUCCESS or
 * CL_BUILD_PROGRAM_FAILURE and a log, and nothing may leak. A compiler that crashed or ran into a
 * limit is a finding: its source goes to DIR, and the exit status is 1. FILEs are sources to be
 * built (the corpus): these must not crash the compiler either.
 */
#include "busy.h"

#include <CL/cl.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 16, LIMIT_SECONDS = 20 };

/* ---- a source -------------------------------------------------------------------------------- */

static uint64_t state;
static char text[ROOM];
static size_t used;
static int depth;

static unsigned choose(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % below);
}

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void put(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text + used, ROOM - used, format, arguments);
    va_end(arguments);
    if (length > 0 && used + (size_t)length < ROOM)
        used += (size_t)length;
}

#define PICK(array) ((array)[choose(sizeof(array) / sizeof *(array))])

static const char *const scalars[] = {"char", "uchar", "short", "ushort", "int",
                                      "uint", "long",  "ulong", "float",  "double"};
static const char *const widths[] = {"", "", "", "2", "3", "4", "8", "16"};
/* Variables of the kernel, all of one type. */
static const char *const names[] = {"a", "b", "c", "d", "p[i]", "q[lid]", "v[n & 7]", "s.x", "s.y"};
static const char *const assigning[] = {"=", "+=", "-=", "*="};
/* What is there for integers and for floating point; all return something that converts to T. */
static const char *const unary[2][6] = {{"-", "+", "~", "-", "~", "+"},
                                        {"-", "+", "-", "+", "-", "+"}};
static const char *const binary[2][12] = {
    {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "<"},
    {"+", "-", "*", "/", "+", "*", "==", "!=", "<", ">", "<=", ">="}};
static const char *const functions_1[2][12] = {
    {"abs", "clz", "popcount", "abs", "convert_T_sat", "as_T", "clz", "popcount", "as_T", "abs",
     "convert_T", "clz"},
    {"sin", "exp", "log", "sqrt", "fabs", "floor", "rsqrt", "lgamma", "tan", "isnan", "signbit",
     "cbrt"}};
static const char *const functions_2[2][12] = {
    {"min", "max", "add_sat", "sub_sat", "hadd", "mul_hi", "rotate", "rhadd", "abs_diff", "min",
     "max", "add_sat"},
    {"min", "max", "pow", "fmod", "atan2", "fmin", "step", "hypot", "copysign", "fdim", "remainder",
     "nextafter"}};
static const char *const functions_3[2][4] = {{"clamp", "mad_sat", "mad_hi", "bitselect"},
                                              {"clamp", "mad", "fma", "mix"}};
static int is_float; /* of T: 0 or 1 */
static const char *const sizes[] = {"get_global_id",   "get_local_id",   "get_group_id",
                                    "get_global_size", "get_local_size", "get_num_groups"};

static void expression(void);

/** Once in two thousand times something of another kind: errors must be found too. */
static int kind(void) {
    return choose(2000) ? is_float : !is_float;
}

static void call(const char *name, int arguments) {
    put("convert_T(%s(", name);
    for (int i = 0; i < arguments; i++) {
        if (i)
            put(", ");
        put("(T)(");
        expression();
        put(")");
    }
    put("))");
}

static void expression(void) {
    if (++depth > 6) {
        put("%s", PICK(names));
    } else {
        switch (choose(14)) {
        case 0:
            put("(T)(%u)", choose(300));
            break;
        case 1:
            put("(T)(%u.%uf)", choose(100), choose(1000));
            break;
        case 2:
            put("convert_T(%s(T)(", PICK(unary[kind()]));
            expression();
            put("))");
            break;
        case 3:
        case 4:
        case 5:
            put("convert_T(");
            expression();
            put(" %s ", PICK(binary[kind()]));
            expression();
            put(")");
            break;
        case 6:
            call(PICK(functions_1[kind()]), 1);
            break;
        case 7:
            call(PICK(functions_2[kind()]), 2);
            break;
        case 8:
            call(PICK(functions_3[kind()]), 3);
            break;
        case 9:
            put("(n > %u ? ", choose(9));
            expression();
            put(" : ");
            expression();
            put(")");
            break;
        case 10:
            put("(T)(%s(%u))", PICK(sizes), choose(3));
            break;
        case 11:
            put("helper(");
            expression();
            put(", n)");
            break;
        default:
            put("%s", PICK(names));
        }
    }
    depth--;
}

static void statements(int count);

static void condition(void) {
    static const char *const conditions[] = {"n > 3", "lid < 2", "i & 1", "n == (int)i", "n", "p"};
    put("(%s)", PICK(conditions));
}

static void loop(void) {
    unsigned number = choose(100), shape = choose(3);
    switch (shape) {
    case 0:
        put("for (int k%u = 0; k%u < %s; k%u++) {\n", number, number, choose(2) ? "n" : "lid + 3",
            number);
        break;
    case 1:
        put("while (n-- > %u) {\n", choose(9));
        break;
    default:
        put("do {\n");
        statements(2);
        put("} while (n++ < (int)lid);\n{\n");
    }
    statements(2);
    if (choose(4) == 0 && shape < 2) {
        put("if ");
        condition();
        put(" %s;\n", choose(2) ? "break" : "continue");
    }
    put("}\n");
}

static void special(void) {
    switch (choose(9)) {
    case 0:
        put("barrier(CLK_%s_MEM_FENCE);\n", choose(2) ? "LOCAL" : "GLOBAL");
        break;
    case 1:
        put("atomic_%s(counter, %u);\n", choose(2) ? "add" : "xor", choose(9));
        break;
    case 2:
        put("printf(\"%%d %%v4hlx\\n\", n, (int4)(n));\n");
        break;
    case 3:
        put("switch (n & 3) {\ncase 0: ");
        statements(1);
        put("case 1: break;\ndefault: ");
        statements(1);
        put("}\n");
        break;
    case 4:
        put("return;\n");
        break;
    case 5:
        put("{ event_t e = async_work_group_copy(q, p, 4, 0);\nwait_group_events(1, &e); }\n");
        break;
    case 6:
        put("prefetch(p, 3);\nmem_fence(CLK_LOCAL_MEM_FENCE);\n");
        break;
    case 7:
        put("struct S t = {a, b};\ns = t;\n");
        break;
    default:
        put("vstore4((float4)(n), lid, (local float *)q);\n");
    }
}

static void statements(int count) {
    for (int i = 0; i < count && ++depth < 8; i++, depth--) {
        switch (choose(8)) {
        case 0:
            put("if ");
            condition();
            put(" {\n");
            statements(2);
            put("} else {\n");
            statements(1);
            put("}\n");
            break;
        case 1:
            loop();
            break;
        case 2:
            special();
            break;
        default:
            put("%s %s ", PICK(names), PICK(assigning));
            expression();
            put(";\n");
        }
    }
}

static void kernel(unsigned number) {
    static const char *const attributes[] = {
        "", "", "__attribute__((reqd_work_group_size(8, 1, 1)))",
        "__attribute__((vec_type_hint(T)))", "__attribute__((work_group_size_hint(64, 1, 1)))"};
    put("%s kernel void k%u(global T *p, local T *q, global volatile int *counter, int n,\n"
        "               constant T *w) {\n"
        "size_t i = get_global_id(0), lid = get_local_id(0);\n"
        "T a = p[i], b = w[n & 3], c = b, d = (T)(n);\nT v[8];\nstruct S s;\n"
        "for (int z = 0; z < 8; z++) v[z] = p[z];\ns.x = a;\ns.y = b;\n",
        PICK(attributes), number);
    depth = 0;
    statements(3 + (int)choose(8));
    put("p[i] = a + b + c + d + v[n & 7] + s.x;\n}\n");
}

/** One word away, twice, or another's: what is not a program any more. */
static void spoil(void) {
    for (unsigned n = 1 + choose(4); n > 0 && used > 16; n--) {
        size_t at = choose((unsigned)used), length = 1 + choose(12), other = choose((unsigned)used);
        if (at + length > used)
            length = used - at;
        if (other + length > used)
            other = 0;
        switch (choose(4)) {
        case 0:
            memmove(text + at, text + at + length, used - at - length + 1);
            used -= length;
            break;
        case 1:
            if (used + length < ROOM) {
                memmove(text + at + length, text + at, used - at + 1);
                used += length;
            }
            break;
        case 2:
            memmove(text + at, text + other, length);
            break;
        default:
            text[at] = (char)choose(256);
        }
    }
    text[used] = 0;
}

static void make_source(uint64_t seed) {
    state = seed * 0x9e3779b97f4a7c15u + 1;
    choose(2);
    used = 0;
    unsigned scalar = choose(10), width = choose(8);
    is_float = scalar >= 8;
    put("typedef %s%s T;\nstruct S { T x, y; };\n", scalars[scalar], widths[width]);
    put("#define convert_T convert_%s%s\n#define convert_T_sat convert_%s%s_sat\n", scalars[scalar],
        widths[width], scalars[scalar], widths[width]);
    put("#define as_T as_%s%s\n", scalars[scalar], widths[width]);
    if (choose(4) == 0)
        put("#define M(x, y) x##y\n#if __OPENCL_C_VERSION__ >= 200\nglobal int shared = "
            "3;\n#endif\n");
    put("T helper(T a, int n) { for (int i = 0; i < n; i++) a += a; return a; }\n");
    for (unsigned i = 0, count = 1 + choose(3); i < count; i++)
        kernel(i);
    if (choose(3) == 0)
        spoil();
}

/* ---- a build --------------------------------------------------------------------------------- */

static struct {
    unsigned built, refused, crashed, late, limited;
    double longest;
} count;

static const char *folder = ".";
static cl_context context;
static cl_device_id device;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void finish(const char *why) {
    fprintf(stderr, "fuzz-source: %s\n", why);
    exit(2);
}

static void keep_finding(const char *name, const char *log) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.cl", folder, name);
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(text, 1, used, file);
        fclose(file);
    }
    printf("%s: %.160s\n", path, log);
    fflush(stdout);
}

static void build(const char *name, const char *options) {
    const char *source = text;
    cl_int error = 1;
    size_t bytes = 0;
    double begin = now();
    cl_program program = clCreateProgramWithSource(context, 1, &source, &used, &error);
    if (!program)
        finish("clCreateProgramWithSource failed");
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    double seconds = now() - begin;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = calloc(1, bytes + 1);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    clReleaseProgram(program);
    if (seconds > count.longest)
        count.longest = seconds;
    if (error != CL_SUCCESS && error != CL_BUILD_PROGRAM_FAILURE) {
        keep_finding(name, log);
        finish("clBuildProgram returned another error");
    }
    if (error == CL_BUILD_PROGRAM_FAILURE && !log[0]) {
        keep_finding(name, "no log");
        finish("a build failed without a log");
    }
    count.built += error == CL_SUCCESS;
    count.refused += error != CL_SUCCESS;
    bool crashed = strstr(log, "weft: the compiler crashed") ||
                   strstr(log, "the compiler gave up") || strstr(log, "weft: the compiler made") ||
                   strstr(log, "weft: the compiler ended") || strstr(log, "the compiler ended by");
    bool limited = strstr(log, "over the memory limit") || strstr(log, "over the time limit");
    count.crashed += crashed;
    count.limited += limited;
    bool late = is_late(seconds, LIMIT_SECONDS);
    count.late += late;
    if (crashed || limited || late)
        keep_finding(name, log);
    free(log);
}

static void open_device(void) {
    cl_platform_id platform;
    char seconds[16];
    snprintf(seconds, sizeof seconds, "%d", LIMIT_SECONDS);
    setenv("WEFT_COMPILER_SECONDS", seconds, 1);
    setenv("WEFT_CACHE", "0", 1);
    setenv("WEFT_BUILD_CACHE_MEGABYTES", "0", 1);
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        finish("there is no device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    if (!context)
        finish("there is no context");
}

static long resident_kib(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident * 4;
}

static int open_files(void) {
    int files = 0;
    DIR *list = opendir("/proc/self/fd");
    while (list && readdir(list))
        files++;
    if (list)
        closedir(list);
    return files;
}

static void build_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        finish(path);
    used = fread(text, 1, ROOM - 1, file);
    text[used] = 0;
    fclose(file);
    build(strrchr(path, '/') ? strrchr(path, '/') + 1 : path, "-cl-std=CL2.0");
}

int main(int argc, char **argv) {
    static const char *const options[] = {"", "-cl-std=CL2.0", "-cl-opt-disable",
                                          "-cl-fast-relaxed-math -cl-std=CL2.0"};
    double seconds = 10;
    uint64_t seed = (uint64_t)time(NULL) << 20;
    bool files = false;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc; i++) {
        if (sscanf(argv[i], "-seconds=%lf", &seconds) == 1 ||
            sscanf(argv[i], "-seed=%lu", &seed) == 1)
            continue;
        if (strncmp(argv[i], "-folder=", 8) == 0) {
            folder = argv[i] + 8;
        } else if (strncmp(argv[i], "-print=", 7) == 0) {
            make_source(strtoull(argv[i] + 7, NULL, 10));
            fwrite(text, 1, used, stdout);
            return 0;
        } else {
            if (!context)
                open_device();
            files = true;
            build_file(argv[i]);
        }
    }
    if (!context)
        open_device();
    long memory = 0;
    int descriptors = 0;
    double end = now() + seconds;
    unsigned number = 0;
    for (; !files && now() < end; number++) {
        char name[64];
        snprintf(name, sizeof name, "seed-%lu", (unsigned long)(seed + number));
        make_source(seed + number);
        build(name, options[number % 4]);
        if (number == 20) { /* what the first builds allocate stays */
            memory = resident_kib();
            descriptors = open_files();
        }
    }
    if (number > 20)
        printf("memory %+ld KiB, descriptors %+d since the 20th build\n", resident_kib() - memory,
               open_files() - descriptors);
    printf("%u built, %u refused, %u crashes, %u limits, %u late, longest %.1f s\n", count.built,
           count.refused, count.crashed, count.limited, count.late, count.longest);
    bool leaks = number > 20 && (resident_kib() - memory > 8192 || open_files() != descriptors);
    return count.crashed || count.late || leaks ? 1 : 0;
}
