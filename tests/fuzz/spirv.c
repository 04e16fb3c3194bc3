// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * SPIR-V: modules with words, operands and instructions changed, through clCreateProgramWithIL and
 * clBuildProgram.
 *
 *     fuzz-spirv [-seconds=N] [-seed=N] [-folder=DIR] FILE...
 *
 * Every FILE is built as it is, then changed ones are built until the time is over. The application
 * must survive; a build must end within its limit with CL_SUCCESS or CL_BUILD_PROGRAM_FAILURE and a
 * log. A compiler that crashed or ran into a limit is a finding: the module goes to DIR, and the
 * exit status is 1.
 */
#include "busy.h"

#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOM = 1 << 16, SEEDS = 512, LIMIT_SECONDS = 20, HEADER = 5 };

typedef struct module {
    uint32_t *words;
    size_t count;
} module;

static module seeds[SEEDS];
static size_t seed_count;
static uint32_t words[ROOM];
static size_t used;
static uint64_t state;
static const char *folder = ".";
static cl_context context;
static cl_device_id device;
static unsigned tried, built, refused, not_taken, findings;

static unsigned choose(size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return below ? (unsigned)((state >> 33) % below) : 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- changes --------------------------------------------------------------------------------- */

/** Index of the first word of some instruction, and its length; false: there is none. */
static bool pick(const uint32_t *from, size_t count, size_t *at, size_t *length) {
    static size_t starts[ROOM];
    size_t number = 0;
    for (size_t i = HEADER; i < count; i += from[i] >> 16) {
        if (!(from[i] >> 16) || (from[i] >> 16) > count - i)
            break;
        starts[number++] = i;
    }
    if (!number)
        return false;
    *at = starts[choose(number)];
    *length = from[*at] >> 16;
    return true;
}

static void insert(size_t at, const uint32_t *from, size_t count) {
    if (used + count > ROOM)
        return;
    memmove(words + at + count, words + at, (used - at) * sizeof(*words));
    memcpy(words + at, from, count * sizeof(*words));
    used += count;
}

static void change_operand(size_t at, size_t length) {
    if (length < 2)
        return;
    uint32_t *word = &words[at + 1 + choose(length - 1)];
    switch (choose(5)) {
    case 0:
        *word ^= 1u << choose(32);
        break;
    case 1:
        *word = choose(words[3] + 2); /* another id */
        break;
    case 2:
        *word += choose(3) - 1u;
        break;
    case 3:
        *word = choose(2) ? UINT32_MAX : 0;
        break;
    default:
        *word = words[HEADER + choose(used - HEADER)];
    }
}

static void change(void) {
    static uint32_t copy[ROOM];
    size_t at, length, other, other_length;
    if (used <= HEADER || !pick(words, used, &at, &length))
        return;
    const module *from = &seeds[choose(seed_count)];
    switch (choose(9)) {
    case 0: /* one away */
        memmove(words + at, words + at + length, (used - at - length) * sizeof(*words));
        used -= length;
        break;
    case 1: /* one twice */
        memcpy(copy, words + at, length * sizeof(*words));
        insert(at, copy, length);
        break;
    case 2: /* one from another module */
        if (pick(from->words, from->count, &other, &other_length))
            insert(at, from->words + other, other_length);
        break;
    case 3: /* another opcode of the same length */
        if (pick(words, used, &other, &other_length))
            words[at] = (words[at] & 0xffff0000) | (words[other] & 0xffff);
        break;
    case 4:
        words[at] = (words[at] & 0xffff0000) | choose(412);
        break;
    case 5: /* header: version, generator, bound */
        if (choose(20) == 0)
            words[1 + choose(4)] ^= 1u << choose(32);
        break;
    default:
        change_operand(at, length);
    }
}

/* ---- builds ---------------------------------------------------------------------------------- */

static void keep(uint64_t seed, const char *log) {
    char path[4096];
    findings++;
    snprintf(path, sizeof(path), "%s/finding-%llu.spv", folder, (unsigned long long)seed);
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(words, sizeof(*words), used, file);
        fclose(file);
    }
    printf("%s: %.300s\n", path, log);
    fflush(stdout);
}

static void build(uint64_t seed) {
    cl_int error = 1;
    size_t bytes = 0;
    double begin = now();
    cl_program program = clCreateProgramWithIL(context, words, used * sizeof(*words), &error);
    tried++;
    if (!program) {
        not_taken++;
        if (error != CL_INVALID_VALUE)
            keep(seed, "clCreateProgramWithIL returned another error");
        return;
    }
    error = clBuildProgram(program, 1, &device, NULL, NULL, NULL);
    double seconds = now() - begin;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = calloc(1, bytes + 1);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    clReleaseProgram(program);
    built += error == CL_SUCCESS;
    refused += error == CL_BUILD_PROGRAM_FAILURE;
    if (error != CL_SUCCESS && error != CL_BUILD_PROGRAM_FAILURE)
        keep(seed, "clBuildProgram returned another error");
    else if (error && !*log)
        keep(seed, "a build failed without a log");
    else if (is_late(seconds, LIMIT_SECONDS) || strstr(log, "weft: the compiler") ||
             strstr(log, "the compiler ended by") || strstr(log, "limit of"))
        keep(seed, log);
    free(log);
}

static bool read_seed(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || seed_count == SEEDS)
        return false;
    module *to = &seeds[seed_count];
    used = fread(words, sizeof(*words), ROOM, file);
    fclose(file);
    to->words = malloc(used * sizeof(*words) + 1);
    to->count = used;
    if (!to->words || used <= HEADER)
        return false;
    memcpy(to->words, words, used * sizeof(*words));
    seed_count++;
    return true;
}

static void open_device(void) {
    cl_platform_id platform;
    char seconds[16];
    snprintf(seconds, sizeof(seconds), "%d", LIMIT_SECONDS);
    setenv("WEFT_COMPILER_SECONDS", seconds, 1);
    setenv("WEFT_CACHE", "0", 1);
    setenv("WEFT_BUILD_CACHE_MEGABYTES", "0", 1);
    if (clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS)
        context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    if (!context) {
        fprintf(stderr, "fuzz-spirv: there is no device\n");
        exit(2);
    }
}

static void run(uint64_t seed, double seconds) {
    double end = now() + seconds;
    for (; now() < end; seed++) {
        state = seed * 0x9e3779b97f4a7c15u + 1;
        choose(2);
        const module *from = &seeds[choose(seed_count)];
        memcpy(words, from->words, from->count * sizeof(*words));
        used = from->count;
        for (unsigned n = 1 + choose(choose(4) ? 2 : 12); n; n--)
            change();
        build(seed);
    }
}

int main(int argc, char **argv) {
    double seconds = 0;
    uint64_t seed = (uint64_t)time(NULL) * 1000003u;
    open_device();
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-seconds=", 9) == 0)
            seconds = atof(argv[i] + 9);
        else if (strncmp(argv[i], "-seed=", 6) == 0)
            seed = strtoull(argv[i] + 6, NULL, 0);
        else if (strncmp(argv[i], "-folder=", 8) == 0)
            folder = argv[i] + 8;
        else if (read_seed(argv[i]))
            build(0);
    }
    if (!seed_count) {
        fprintf(stderr, "usage: fuzz-spirv [-seconds=N] [-seed=N] [-folder=DIR] FILE...\n");
        return 2;
    }
    run(seed, seconds);
    printf("%u modules: %u built, %u refused, %u not SPIR-V, %u findings\n", tried, built, refused,
           not_taken, findings);
    clReleaseContext(context);
    return findings ? 1 : 0;
}
