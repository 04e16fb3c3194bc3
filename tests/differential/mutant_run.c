// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Runs kernels of any signature, one after the other, and says what came out.
 *
 *   mutant-run LIST [--from N] [--size] [--dump FOLDER]
 *
 * LIST is written by mutants.py, one entry for each kernel:
 *
 *   mutant NAME FILE                      OpenCL C, or SPIR-V if it ends in .spv
 *   options TEXT
 *   align BYTES                           what buffers' sizes are rounded up to
 *   types SPACE:TYPE ...                  of the arguments: global, constant, local or value
 *   launch DIMENSIONS GLOBAL*3 OFFSET*3 LOCAL*3 SEED [BYTES of each argument's buffer]
 *   end
 *
 * Arguments are made from their types, or from what clGetKernelArgInfo says. Each buffer ends at a
 * page that nobody may touch. With --size its size is not known yet: an access behind the end makes
 * it larger and repeats the launch, and the sizes are printed; without, such an access is reported.
 * Lines:
 *
 *   NAME begin | NAME done | NAME build ERROR | NAME invalid WHY | NAME late | NAME crash
 *   NAME LAUNCH sizes BYTES...  | NAME LAUNCH outside ARGUMENT BYTES | NAME LAUNCH HASH
 */
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 24, MOST_LAUNCHES = 8, PAGE = 4096, TRIES = 6 };
enum { FRONT = 1 << 20, CAPACITY = 4 << 20, BACK = 1 << 20 };

typedef enum kind { SCALAR, BUFFER, LOCAL } kind;

/** One argument of the kernel at hand; the pages stay for all kernels. */
typedef struct argument {
    kind kind;
    size_t element;   /* bytes of what it points to, or of the scalar */
    bool known, real; /* the type is built in, and float or double or a vector of it */
    bool three;       /* a vector of three */
    bool wide;        /* of 64 bits each */
    char *pages;      /* FRONT + CAPACITY + BACK bytes that nobody may touch */
    char *base;       /* where the buffer begins */
    size_t bytes;
    cl_mem buffer;
    _Atomic(size_t) touched; /* end of the furthest page that was touched, from `base` */
    atomic_bool wild;        /* before the beginning, or much too far */
} argument;

typedef struct launch {
    cl_uint dimensions;
    size_t global[3], offset[3], local[3];
    unsigned seed;
    size_t bytes[MOST_ARGUMENTS];
} launch;

typedef struct mutant {
    char name[64], file[512], options[512];
    char types[1024];
    size_t align;
    int launches;
    launch launch[MOST_LAUNCHES];
} mutant;

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static argument arguments[MOST_ARGUMENTS];
static cl_uint argument_count;
static bool sizing;
static const char *folder; /* where the buffers go after each launch, as NAME-LAUNCH */
static char current[64];

static void say(const char *what) {
    char line[128];
    int length = snprintf(line, sizeof(line), "%s %s\n", current, what);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(7);
}

/** Opens a page between buffers and remembers it; any other fault ends the process. */
static void on_fault(int signal, siginfo_t *info, void *unused) {
    (void)signal, (void)unused;
    char *at = info->si_addr;
    for (cl_uint i = 0; i < argument_count; i++) {
        argument *a = &arguments[i];
        if (a->kind != BUFFER || at < a->pages || at >= a->pages + FRONT + CAPACITY + BACK)
            continue;
        char *page = at - (uintptr_t)at % PAGE;
        if (at < a->base || at >= a->pages + FRONT + CAPACITY)
            a->wild = true;
        else if ((size_t)(page + PAGE - a->base) > a->touched)
            a->touched = (size_t)(page + PAGE - a->base);
        mprotect(page, PAGE, PROT_READ | PROT_WRITE);
        return;
    }
    say("crash");
    _exit(9);
}

static void on_time(int signal) {
    (void)signal;
    say("late");
    _exit(8);
}

/** Of processor time, and much more of the clock's: the machine may be busy. */
static void limit(double seconds) {
    struct itimerval t = {
        .it_value = {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
    setitimer(ITIMER_PROF, &t, NULL);
    t.it_value.tv_sec = (time_t)(seconds * 60);
    setitimer(ITIMER_REAL, &t, NULL);
}

/* The stacks of reference execution have no room for a signal's frame, and threads of an
 * implementation may have all signals blocked: what it starts gets a stack for signals, and faults.
 */
typedef struct beginning {
    void *(*function)(void *);
    void *argument;
} beginning;

static void give_stack(void) {
    enum { STACK = 1 << 16 };
    stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
    if (stack.ss_sp)
        sigaltstack(&stack, NULL);
}

static void *begin(void *argument) {
    beginning what = *(beginning *)argument;
    free(argument);
    give_stack();
    sigset_t faults;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    sigaddset(&faults, SIGBUS);
    pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
    return what.function(what.argument);
}

/** Found before the C library's, since this program exports it. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument) {
    typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    creator *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    beginning *what = malloc(sizeof(*what));
    if (!what || !create)
        return EAGAIN;
    *what = (beginning){function, argument};
    int error = create(thread, attributes, begin, what);
    if (error)
        free(what);
    return error;
}

static void need(cl_int error, const char *what) {
    if (!error)
        return;
    printf("%s invalid %s:%d\n", current, what, error);
    fflush(stdout);
    exit(3);
}

static void set_up(void) {
    cl_platform_id platform;
    cl_int error;
    need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    need(error, "clCreateCommandQueueWithProperties");
    give_stack();
    struct sigaction fault = {.sa_sigaction = on_fault,
                              .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    struct sigaction late = {.sa_handler = on_time};
    sigaction(SIGSEGV, &fault, NULL);
    sigaction(SIGBUS, &fault, NULL);
    sigaction(SIGPROF, &late, NULL);
    sigaction(SIGALRM, &late, NULL);
}

/* ---- programs ----------------------------------------------------------------------------------
 */

static char *contents(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(3);
    }
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    char *text = calloc(1, *bytes + 1);
    rewind(file);
    *bytes = fread(text, 1, *bytes, file);
    fclose(file);
    return text;
}

/** NULL, and the log is printed, if it cannot be built. */
static cl_program build(const mutant *m) {
    static char log[1 << 14];
    size_t bytes, length = strlen(m->file);
    char *text = contents(m->file, &bytes);
    cl_int error;
    cl_program program =
        length > 4 && strcmp(m->file + length - 4, ".spv") == 0
            ? clCreateProgramWithIL(context, text, bytes, &error)
            : clCreateProgramWithSource(context, 1, (const char *[]){text}, &bytes, &error);
    free(text);
    if (!error)
        error = clBuildProgram(program, 1, &device, m->options, NULL, NULL);
    if (!error)
        return program;
    log[0] = 0;
    if (program) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
        clReleaseProgram(program);
    }
    printf("%s build %d\n", m->name, error);
    for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n"))
        printf("| %s\n", line);
    return NULL;
}

/* ---- arguments ---------------------------------------------------------------------------------
 */

/** Bytes of a built-in type, 0 if it is none; what it is made of goes to the argument. */
static size_t bytes_of(const char *type, argument *a) {
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{"char", 1},  {"uchar", 1},  {"short", 2},  {"ushort", 2},
                 {"int", 4},   {"uint", 4},   {"long", 8},   {"ulong", 8},
                 {"float", 4}, {"double", 8}, {"size_t", 8}, {"half", 2}};
    size_t letters = strcspn(type, "0123456789*");
    int width = atoi(type + letters);
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (strlen(types[i].name) == letters && strncmp(types[i].name, type, letters) == 0) {
            a->known = true;
            a->real = strncmp(type, "float", 5) == 0 || strncmp(type, "double", 6) == 0;
            a->wide = types[i].bytes == 8;
            a->three = width == 3;
            return types[i].bytes * (size_t)(width == 0 ? 1 : width == 3 ? 4 : width);
        }
    a->known = a->real = a->wide = a->three = false;
    return 0;
}

/** The type and place of an argument, from what clGetKernelArgInfo says. */
static bool ask(cl_kernel kernel, cl_uint index, char *type, size_t bytes, kind *place) {
    cl_kernel_arg_address_qualifier space;
    if (clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, bytes, type, NULL) ||
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space,
                           NULL))
        return false;
    *place = space == CL_KERNEL_ARG_ADDRESS_PRIVATE ? SCALAR
             : space == CL_KERNEL_ARG_ADDRESS_LOCAL ? LOCAL
                                                    : BUFFER;
    return true;
}

/** False if an argument is of a kind that is not made here. */
static bool learn(cl_kernel kernel, const char *types) {
    need(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(argument_count), &argument_count, NULL),
         "clGetKernelInfo");
    if (argument_count > MOST_ARGUMENTS)
        return false;
    for (cl_uint i = 0; i < argument_count; i++) {
        argument *a = &arguments[i];
        char type[256] = "", space[16];
        int read = 0;
        if (sscanf(types, "%15[a-z]:%255s%n", space, type, &read) == 2) {
            types += read + (types[read] == ' ');
            a->kind = *space == 'v' ? SCALAR : *space == 'l' ? LOCAL : BUFFER;
        } else if (!ask(kernel, i, type, sizeof(type), &a->kind)) {
            return false;
        }
        a->element = bytes_of(type, a);
        if (a->kind == BUFFER && !a->pages)
            a->pages = mmap(NULL, FRONT + CAPACITY + BACK, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (a->pages == MAP_FAILED)
            return false;
    }
    return true;
}

/** Small numbers; of reals, some with a fraction and a few below zero. */
static void fill(char *at, size_t bytes, const argument *a, uint32_t state) {
    size_t step = a->real || a->known ? (a->wide               ? 8
                                         : a->element % 4 == 0 ? 4
                                         : a->element % 2      ? 1
                                                               : 2)
                                      : 4;
    for (size_t i = 0; i + step <= bytes; i += step) {
        state = state * 1664525u + 1013904223u;
        int number = (int)(state >> 8) % 251;
        double fraction = (number - 20) / 16.0;
        float narrow = (float)fraction;
        int64_t whole = number;
        memcpy(at + i, a->real ? a->wide ? (void *)&fraction : (void *)&narrow : (void *)&whole,
               step);
    }
}

static size_t items(const size_t *count) {
    return count[0] * count[1] * count[2];
}

/** A scalar, a vector or a structure of a size that only the implementation knows. */
static bool set_value(cl_kernel kernel, cl_uint index, const argument *a, const launch *l) {
    size_t all = 1;
    for (int d = 0; d < 3; d++)
        all *= l->global[d] + l->offset[d];
    const size_t chosen[][8] = {
        {l->seed / 2 % 7, l->seed / 2 % 7, l->seed / 2 % 7, l->seed / 2 % 7, l->seed / 2 % 5, 6, 1,
         l->seed / 2 % 3},
        {all, all, all, all, all, l->global[0], l->global[0], l->seed / 2 % 17}};
    _Alignas(128) char bytes[1024];
    size_t number = chosen[l->seed & 1][(l->seed / 14 + index * 5) % 8];
    fill(bytes, sizeof(bytes), a, l->seed + index);
    if (a->element && a->element <= 8 && !a->real) {
        int64_t whole = (int64_t)number;
        memcpy(bytes, &whole, sizeof(whole));
    }
    if (a->element)
        return !clSetKernelArg(kernel, index, a->element, bytes);
    for (size_t size = 1; size <= sizeof(bytes); size++)
        if (!clSetKernelArg(kernel, index, size, bytes))
            return true;
    return false;
}

/** The first guess is one element for each item: many kernels touch no more. */
static size_t first_size(const argument *a, const launch *l, size_t align) {
    size_t ids = 1;
    for (cl_uint d = 0; d < 3; d++)
        ids *= l->global[d] + l->offset[d];
    size_t bytes = ids * (a->element ? a->element : 16);
    if (!a->known && align < 128)
        align = 128;
    return (bytes + align - 1) / align * align;
}

/** Opens the pages of a buffer of so many bytes, whose last one is the last of a page. */
static void place(argument *a, size_t bytes) {
    mprotect(a->pages, FRONT + CAPACITY + BACK, PROT_NONE);
    char *page = a->pages + FRONT;
    size_t all = (bytes + PAGE - 1) / PAGE * PAGE;
    mprotect(page, all, PROT_READ | PROT_WRITE);
    a->base = page + all - bytes;
    a->bytes = bytes;
    a->touched = 0;
    a->wild = false;
}

static bool set_argument(cl_kernel kernel, cl_uint i, const launch *l) {
    argument *a = &arguments[i];
    cl_int error;
    if (a->kind == SCALAR)
        return set_value(kernel, i, a, l);
    if (a->kind == LOCAL)
        return !clSetKernelArg(kernel, i,
                               (items(l->local) * 8 + 1024) * (a->element ? a->element : 16), NULL);
    /* What lies between the page's begin and the buffer's is the same in all runs: of a mutant that
     * reads it nothing can be said, and what the last one left there is no difference. */
    memset(a->pages + FRONT, 0xa5, (size_t)(a->base - (a->pages + FRONT)));
    fill(a->base, a->bytes, a, i * 77 + 12345);
    a->buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, a->bytes, a->base, &error);
    return !error && !clSetKernelArg(kernel, i, sizeof(a->buffer), &a->buffer);
}

/* ---- launches ----------------------------------------------------------------------------------
 */

static uint64_t mix(uint64_t state, uint64_t word) {
    return (state ^ word) * UINT64_C(0x100000001b3);
}

/** True for bytes that nobody needs to write: behind the third element of a vector of three, and in
 * structures, of which it is not known. */
static bool is_padding(const argument *a, size_t at) {
    return !a->known || (a->three && at % a->element >= a->element / 4 * 3);
}

/** FNV-1a over what a buffer has; all numbers that are none are one. */
static uint64_t hash(uint64_t state, const argument *a) {
    for (size_t i = 0; i + 4 <= a->bytes; i += 4) {
        uint32_t word;
        memcpy(&word, a->base + i, 4);
        for (size_t k = 0; k < 4; k++)
            if (is_padding(a, i + k))
                word &= ~(UINT32_C(0xff) << 8 * k);
        if (a->real && a->wide && i % 8 == 4 && (word & 0x7ff00000) == 0x7ff00000 && word << 12)
            word = 0x7ff80000;
        else if (a->real && !a->wide && (word & 0x7fffffff) > 0x7f800000)
            word = 0x7fc00000;
        state = mix(state, word);
    }
    for (size_t i = a->bytes / 4 * 4; i < a->bytes; i++)
        state = mix(state, (unsigned char)a->base[i]);
    return state;
}

static cl_int enqueue(cl_kernel kernel, const launch *l, uint64_t *result) {
    cl_event event = NULL;
    cl_int error = clEnqueueNDRangeKernel(queue, kernel, l->dimensions, l->offset, l->global,
                                          l->local[0] ? l->local : NULL, 0, NULL, &event);
    if (!error)
        error = clWaitForEvents(1, &event); /* says if the kernel's own checks have failed */
    if (event)
        clReleaseEvent(event);
    *result = UINT64_C(0xcbf29ce484222325);
    for (cl_uint i = 0; i < argument_count && !error; i++) {
        argument *a = &arguments[i];
        if (a->kind != BUFFER)
            continue;
        void *map = clEnqueueMapBuffer(queue, a->buffer, CL_TRUE, CL_MAP_READ, 0, a->bytes, 0, NULL,
                                       NULL, &error);
        *result = hash(*result, a);
        if (!error)
            error = clEnqueueUnmapMemObject(queue, a->buffer, map, 0, NULL, NULL);
    }
    return error ? error : clFinish(queue);
}

/** One execution with the sizes as they are; an empty text, or why it cannot be. */
static const char *execute(cl_kernel kernel, const launch *l, uint64_t *result) {
    static char text[64];
    bool good = true;
    for (cl_uint i = 0; i < argument_count; i++)
        if (arguments[i].kind == BUFFER)
            place(&arguments[i], arguments[i].bytes);
    for (cl_uint i = 0; i < argument_count; i++)
        good = good && set_argument(kernel, i, l);
    cl_int error = good ? enqueue(kernel, l, result) : CL_INVALID_ARG_VALUE;
    for (cl_uint i = 0; i < argument_count; i++) {
        if (arguments[i].buffer)
            clReleaseMemObject(arguments[i].buffer);
        arguments[i].buffer = NULL;
    }
    snprintf(text, sizeof(text), error ? "launch:%d" : "", error);
    return text;
}

/** True if some buffer was too small; `wild` if none can be large enough. */
static bool grow(bool *wild) {
    bool grown = false;
    *wild = false;
    for (cl_uint i = 0; i < argument_count; i++) {
        argument *a = &arguments[i];
        if (a->kind != BUFFER)
            continue;
        *wild = *wild || a->wild;
        if (a->touched > a->bytes) {
            a->bytes = a->touched;
            grown = true;
        }
    }
    return grown;
}

static void dump(const char *name, int number) {
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s-%d", folder, name, number);
    FILE *file = fopen(path, "wb");
    for (cl_uint i = 0; file && i < argument_count; i++)
        if (arguments[i].kind == BUFFER)
            fwrite(arguments[i].base, 1, arguments[i].bytes, file);
    if (!file || fclose(file)) {
        perror(path);
        exit(3);
    }
}

/** False if the kernel is to be given up: its accesses know no bounds. */
static bool run_launch(cl_kernel kernel, const mutant *m, int number) {
    const launch *l = &m->launch[number];
    uint64_t result = 0;
    bool again = true, wild = false;
    for (cl_uint i = 0; i < argument_count; i++)
        arguments[i].bytes = l->bytes[i] ? l->bytes[i] : first_size(&arguments[i], l, m->align);
    for (int i = 0; again && i < (sizing ? TRIES : 1); i++) {
        const char *why = execute(kernel, l, &result);
        if (*why) {
            printf("%s invalid %s\n", m->name, why);
            return false;
        }
        size_t before[MOST_ARGUMENTS];
        for (cl_uint k = 0; k < argument_count; k++)
            before[k] = arguments[k].bytes;
        again = grow(&wild);
        for (cl_uint k = 0; !sizing && k < argument_count; k++)
            if (arguments[k].kind == BUFFER &&
                (arguments[k].wild || arguments[k].bytes > before[k]))
                printf("%s %d outside %u %zu\n", m->name, number, k,
                       arguments[k].bytes - before[k]);
    }
    if (sizing && (again || wild)) {
        printf("%s invalid bounds\n", m->name);
        return false;
    }
    if (sizing) {
        printf("%s %d sizes", m->name, number);
        for (cl_uint i = 0; i < argument_count; i++)
            printf(" %zu", arguments[i].kind == BUFFER ? arguments[i].bytes : 0);
        printf("\n");
    }
    if (folder)
        dump(m->name, number);
    printf("%s %d %016llx\n", m->name, number, (unsigned long long)result);
    return true;
}

static void run(const mutant *m) {
    cl_kernel kernel;
    cl_uint count = 0;
    snprintf(current, sizeof(current), "%s", m->name);
    printf("%s begin\n", m->name);
    fflush(stdout); /* if it hangs or crashes, it is known where */
    limit(sizing ? 0.6 : 6);
    argument_count = 0;
    cl_program program = build(m);
    if (!program)
        return;
    if (clCreateKernelsInProgram(program, 1, &kernel, &count) || !learn(kernel, &m->types[0])) {
        printf("%s invalid kernel\n", m->name);
    } else {
        bool good = true;
        for (int i = 0; i < m->launches && good; i++)
            good = run_launch(kernel, m, i);
        if (good)
            printf("%s done\n", m->name);
        clReleaseKernel(kernel);
    }
    clReleaseProgram(program);
}

/* ---- the list ----------------------------------------------------------------------------------
 */

static void read_launch(mutant *m, char *words) {
    size_t numbers[11 + MOST_ARGUMENTS] = {0};
    int count = 0;
    if (m->launches == MOST_LAUNCHES)
        return;
    for (char *word = strtok(words, " \n"); word && count < 11 + MOST_ARGUMENTS;
         word = strtok(NULL, " \n"))
        numbers[count++] = strtoull(word, NULL, 10);
    launch *l = &m->launch[m->launches++];
    memset(l, 0, sizeof(*l));
    l->dimensions = (cl_uint)numbers[0];
    memcpy(l->global, numbers + 1, sizeof(l->global));
    memcpy(l->offset, numbers + 4, sizeof(l->offset));
    memcpy(l->local, numbers + 7, sizeof(l->local));
    l->seed = (unsigned)numbers[10];
    memcpy(l->bytes, numbers + 11, sizeof(l->bytes));
}

int main(int argc, char **argv) {
    static char line[4096];
    static mutant m;
    const char *path = NULL;
    int from = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--size") == 0)
            sizing = true;
        else if (strcmp(argv[i], "--dump") == 0 && i + 1 < argc)
            folder = argv[++i];
        else if (strcmp(argv[i], "--from") == 0 && i + 1 < argc)
            from = atoi(argv[++i]);
        else
            path = argv[i];
    }
    FILE *list = path ? fopen(path, "r") : NULL;
    if (!list)
        return 2;
    set_up();
    for (int number = -1; fgets(line, sizeof(line), list);) {
        if (sscanf(line, "mutant %63s %511s", m.name, m.file) == 2) {
            number++;
            m.launches = 0;
            m.align = 1;
            m.options[0] = m.types[0] = 0;
        } else if (strncmp(line, "options ", 8) == 0) {
            line[strcspn(line, "\n")] = 0;
            snprintf(m.options, sizeof(m.options), "%.511s", line + 8);
        } else if (strncmp(line, "types ", 6) == 0) {
            line[strcspn(line, "\n")] = 0;
            snprintf(m.types, sizeof(m.types), "%.1023s", line + 6);
        } else if (strncmp(line, "align ", 6) == 0) {
            m.align = strtoull(line + 6, NULL, 10);
        } else if (strncmp(line, "launch ", 7) == 0) {
            read_launch(&m, line + 7);
        } else if (strncmp(line, "end", 3) == 0 && number >= from) {
            run(&m);
        }
    }
    fclose(list);
    return 0;
}
