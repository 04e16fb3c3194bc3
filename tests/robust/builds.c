// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* clBuildProgram with the real compiler: sources that crash it or use up its limits, and hosts that
 * forbid what it needs. Each test is a process of its own. */
#include "robust/child.h"
#include "robust/find_weft.h"

#include <CL/cl.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static const char good_source[] =
    "kernel void numbers(global uint *out) { out[get_global_id(0)] = get_global_id(0) * 3; }";

/** The device under test; its context. NULL: there is none. */
static cl_context new_context(cl_device_id *device) {
    cl_platform_id platform;
    return find_weft(&platform, device) ? clCreateContext(NULL, 1, device, NULL, NULL, NULL) : NULL;
}

/** What a build came to. */
typedef struct outcome {
    cl_int status;
    double seconds;
    char log[65536]; /* "" if it is longer than that */
} outcome;

static cl_program build_program(cl_context context, cl_device_id device, const char *source,
                                const char *options, outcome *outcome) {
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &outcome->status);
    outcome->log[0] = 0;
    if (!program)
        return NULL;
    double begin = seconds_now();
    outcome->status = clBuildProgram(program, 1, &device, options, NULL, NULL);
    outcome->seconds = seconds_now() - begin;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof outcome->log, outcome->log,
                          NULL);
    return program;
}

static void build_only(cl_context context, cl_device_id device, const char *source,
                       const char *options, outcome *outcome) {
    cl_program program = build_program(context, device, source, options, outcome);
    if (program)
        clReleaseProgram(program);
}

/** Builds good_source, runs it, checks the numbers: 0, or the line of what failed. */
static int use_device(cl_context context, cl_device_id device) {
    enum { COUNT = 256 };
    uint32_t out[COUNT];
    size_t global = COUNT;
    cl_int status;
    const char *source = good_source;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    REQUIRE(program);
    REQUIRE(clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "numbers", &status);
    REQUIRE(kernel);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, &status);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    REQUIRE(buffer && queue);
    REQUIRE(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL) ==
            CL_SUCCESS);
    REQUIRE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL) ==
            CL_SUCCESS);
    for (uint32_t i = 0; i < COUNT; i++)
        REQUIRE(out[i] == i * 3);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    return 0;
}

/* ---- sources -------------------------------------------------------------------------------- */

/** A source that must fail, and what its log must say. */
typedef struct bad_source {
    const char *source, *options, *log;
    const char *seconds, *megabytes; /* settings, NULL: default */
    double longest;                  /* seconds until the failure */
} bad_source;

static int fails_as_it_should(void *argument) {
    const bad_source *bad = argument;
    cl_device_id device;
    outcome built;
    if (bad->seconds)
        setenv("WEFT_COMPILER_SECONDS", bad->seconds, 1);
    if (bad->megabytes)
        setenv("WEFT_COMPILER_MEGABYTES", bad->megabytes, 1);
    alarm(100);
    cl_context context = new_context(&device);
    REQUIRE(context);
    build_only(context, device, bad->source, bad->options, &built);
    if (built.status != CL_BUILD_PROGRAM_FAILURE || !strstr(built.log, bad->log))
        fprintf(stderr, "# status %d, log: %.300s\n", built.status, built.log);
    REQUIRE(built.status == CL_BUILD_PROGRAM_FAILURE);
    REQUIRE(strstr(built.log, bad->log));
    REQUIRE(built.seconds < bad->longest);
    printf("# %.2f s\n", built.seconds);
    fflush(stdout);
    return use_device(context, device);
}

TEST(crash_of_clang) {
    bad_source bad = {.source = "#pragma clang __debug crash\nkernel void k(void) {}",
                      .log = "crashed with signal",
                      .longest = 60};
    CHECK_CHILD(fails_as_it_should, &bad);
}

TEST(fatal_error_of_clang) {
    bad_source bad = {.source = "#pragma clang __debug llvm_fatal_error\nkernel void k(void) {}",
                      .log = "weft: the compiler",
                      .longest = 60};
    CHECK_CHILD(fails_as_it_should, &bad);
}

#define DOUBLED(n, m)                                                                              \
    "#define X" #n " X" #m " X" #m " X" #m " X" #m " X" #m " X" #m " X" #m " X" #m "\n"
static const char exponential[] =
    "#define X0 1+\n" DOUBLED(1, 0) DOUBLED(2, 1) DOUBLED(3, 2) DOUBLED(4, 3) DOUBLED(5, 4)
        DOUBLED(6, 5) DOUBLED(7, 6) DOUBLED(8, 7) DOUBLED(9, 8) DOUBLED(10, 9) DOUBLED(11, 10)
            DOUBLED(12, 11) "kernel void k(global int *p) { *p = X12 0; }";

/** Whichever limit is met first. */
TEST(exponential_macros_in_time) {
    bad_source bad = {.source = exponential, .log = "limit of", .seconds = "3", .longest = 30};
    CHECK_CHILD(fails_as_it_should, &bad);
}

TEST(exponential_macros_in_memory) {
    bad_source bad = {.source = exponential,
                      .log = "memory limit of 128 MiB",
                      .seconds = "60",
                      .megabytes = "128",
                      .longest = 120};
    CHECK_CHILD(fails_as_it_should, &bad);
}

/** Work without end in the front end: a constant expression, a template-like recursion of
 *  macros. */
TEST(endless_recursion_of_types) {
    static char source[400000];
    size_t at = (size_t)sprintf(source, "kernel void k(global int *p) { *p = ");
    for (int i = 0; i < 100000; i++)
        source[at++] = '(';
    at += (size_t)sprintf(source + at, "1");
    for (int i = 0; i < 100000; i++)
        source[at++] = ')';
    sprintf(source + at, "; }");
    bad_source bad = {.source = source, .log = "nesting", .longest = 60};
    CHECK_CHILD(fails_as_it_should, &bad);
}

/** A long sum is a deep tree: ends as a program or as a failure, never otherwise. */
static int deep_expression(void *argument) {
    enum { TERMS = 200000 };
    char *source = malloc(TERMS * 2 + 200);
    cl_device_id device;
    outcome built;
    (void)argument;
    cl_context context = new_context(&device);
    REQUIRE(context && source);
    size_t at = (size_t)sprintf(source, "kernel void k(global int *p, int x) { *p = 0");
    for (int i = 0; i < TERMS; i++)
        at += (size_t)sprintf(source + at, "+x");
    sprintf(source + at, "; }");
    build_only(context, device, source, NULL, &built);
    free(source);
    REQUIRE(built.status == CL_SUCCESS ||
            (built.status == CL_BUILD_PROGRAM_FAILURE && built.log[0]));
    return use_device(context, device);
}

TEST(deep_expression_ends) {
    CHECK_CHILD(deep_expression, NULL);
}

/** A file on disk that includes itself. */
TEST(file_that_includes_itself) {
    char folder[] = "/tmp/weft-include-XXXXXX", path[64], options[64];
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/self.h", folder);
    snprintf(options, sizeof options, "-I %s", folder);
    FILE *file = fopen(path, "w");
    CHECK(file);
    fprintf(file, "#include \"self.h\"\n");
    fclose(file);
    bad_source bad = {.source = "#include \"self.h\"\nkernel void k(void) {}",
                      .options = options,
                      .log = "nested too deeply",
                      .longest = 60 + 1};
    int failed = in_child(fails_as_it_should, &bad);
    unlink(path);
    rmdir(folder);
    CHECK_EQ(failed, 0);
}

/** Read anew each time, though the source is the same. */
static int changed_file(void *folder) {
    cl_device_id device;
    outcome built;
    for (int round = 0; round < 2; round++) {
        FILE *file = fopen("changing.h", "w");
        REQUIRE(file);
        fprintf(file, round ? "#error changed\n" : "#define VALUE 1\n");
        fclose(file);
        cl_context context = new_context(&device);
        REQUIRE(context);
        build_only(context, device,
                   "#include \"changing.h\"\nkernel void k(global int *p) { *p = VALUE; }", "-I .",
                   &built);
        REQUIRE(built.status == (round ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS));
        REQUIRE(!round || strstr(built.log, "changed"));
    }
    (void)folder;
    return 0;
}

TEST(changed_include_file_is_seen) {
    char folder[] = "/tmp/weft-include-XXXXXX", before[4096];
    CHECK(getcwd(before, sizeof before) && mkdtemp(folder) && chdir(folder) == 0);
    int failed = in_child(changed_file, folder);
    unlink("changing.h");
    CHECK(chdir(before) == 0);
    rmdir(folder);
    CHECK_EQ(failed, 0);
}

/** "builds, or over the limit" */
static int fifty_megabytes(void *argument) {
    static const char line[] = "/* a line of a large program that somebody generated */ ;\n";
    size_t bytes = 50 << 20, at = 0;
    cl_device_id device;
    outcome built;
    char *source = malloc(bytes + 200);
    (void)argument;
    alarm(150);
    REQUIRE(source);
    for (int i = 0; at < bytes; i++)
        at += i % 8 ? (size_t)sprintf(source + at, "constant int c%d = %d;\n", i, i)
                    : (size_t)sprintf(source + at, "%s", line);
    strcpy(source + at, good_source);
    cl_context context = new_context(&device);
    REQUIRE(context);
    build_only(context, device, source, NULL, &built);
    free(source);
    printf("# status %d in %.1f s: %.200s\n", built.status, built.seconds, built.log);
    fflush(stdout);
    REQUIRE(built.status == CL_SUCCESS ||
            (built.status == CL_BUILD_PROGRAM_FAILURE && strstr(built.log, "limit of")));
    REQUIRE(built.seconds < 130); /* of the memory limit: nobody waits for that of time */
    return use_device(context, device);
}

TEST(source_of_50_megabytes) {
    CHECK_CHILD(fifty_megabytes, NULL);
}

/* ---- the process ---------------------------------------------------------------------------- */

/** The compiler process of this process: the one that holds our pidfd. -1: none. */
static pid_t find_compiler(void) {
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    pid_t found = -1;
    while (folder && found < 0 && (entry = readdir(folder))) {
        char path[300], text[512] = "", wanted[32];
        snprintf(path, sizeof path, "/proc/%s/fdinfo/4", entry->d_name);
        FILE *file = fopen(path, "re");
        if (!file)
            continue;
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        snprintf(wanted, sizeof wanted, "\nPid:\t%d\n", getpid());
        if (strstr(text, wanted))
            found = (pid_t)atoi(entry->d_name);
    }
    if (folder)
        closedir(folder);
    return found;
}

static void *kill_compiler(void *argument) {
    /* In the middle of the build. The job's child is a copy of the server, but without our
     * pidfd. */
    usleep(300000);
    pid_t pid = find_compiler();
    *(pid_t *)argument = pid > 0 && kill(pid, SIGKILL) == 0 ? pid : -1;
    return NULL;
}

static int killed_in_a_build(void *argument) {
    cl_device_id device;
    outcome built;
    pthread_t killer;
    pid_t killed = 0;
    (void)argument;
    cl_context context = new_context(&device);
    REQUIRE(context);
    REQUIRE(use_device(context, device) == 0);
    if (find_compiler() < 0)
        return CHILD_SKIP; /* a kernel without pidfd, or another user's /proc */
    REQUIRE(pthread_create(&killer, NULL, kill_compiler, &killed) == 0);
    build_only(context, device, exponential, NULL, &built);
    pthread_join(killer, NULL);
    REQUIRE(killed > 0);
    REQUIRE(built.status == CL_BUILD_PROGRAM_FAILURE);
    REQUIRE(strstr(built.log, "compiler"));
    REQUIRE(built.seconds < 10);
    return use_device(context, device);
}

TEST(kill_9_of_the_compiler_fails_one_build) {
    CHECK_CHILD(killed_in_a_build, NULL);
}

static int unloaded(void *argument) {
    cl_device_id device;
    cl_platform_id platform;
    (void)argument;
    cl_context context = new_context(&device);
    REQUIRE(context && use_device(context, device) == 0);
    pid_t server = find_compiler();
    if (server < 0)
        return CHILD_SKIP;
    REQUIRE(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) ==
            CL_SUCCESS);
    REQUIRE(clUnloadPlatformCompiler(platform) == CL_SUCCESS);
    REQUIRE(process_ends(server, 10));
    return 0;
}

TEST(unload_platform_compiler_ends_it) {
    CHECK_CHILD(unloaded, NULL);
}

/* ---- hosts ---------------------------------------------------------------------------------- */

static int work_here(void *argument) {
    cl_device_id device;
    (void)argument;
    cl_context context = new_context(&device);
    REQUIRE(context);
    return use_device(context, device);
}

static int without_proc(void *argument) {
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("weft", "/proc", "tmpfs", 0, NULL) != 0)
        return CHILD_SKIP;
    REQUIRE(access("/proc/self", F_OK) != 0);
    return work_here(argument);
}

TEST(no_proc) {
    CHECK_CHILD(without_proc, NULL);
}

static int close_descriptors(void *argument) {
    cl_device_id device;
    outcome built;
    (void)argument;
    cl_context context = new_context(&device);
    REQUIRE(context && use_device(context, device) == 0);
    syscall(SYS_close_range, 3, ~0u, 0);
    build_only(context, device, "kernel void other(global int *p) { *p = 5; }", NULL, &built);
    REQUIRE(built.status == CL_SUCCESS);
    return use_device(context, device);
}

TEST(all_descriptors_above_2_closed) {
    CHECK_CHILD(close_descriptors, NULL);
}

static void *work_in_thread(void *argument) {
    return (void *)(intptr_t)work_here(argument);
}

static int in_small_thread(void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    void *result;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, *(size_t *)argument);
    REQUIRE(pthread_create(&thread, &attributes, work_in_thread, NULL) == 0);
    pthread_join(thread, &result);
    REQUIRE((intptr_t)result == 0);
    /* The thread that started the compiler is gone; the compiler is not. */
    pid_t before = find_compiler();
    usleep(100000);
    REQUIRE(work_here(NULL) == 0);
    REQUIRE(before == find_compiler());
    return 0;
}

TEST(stack_of_64_kib_and_spawning_thread_ends) {
    size_t stack = 64 * 1024;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    stack = 1 << 20;
#endif
    CHECK_CHILD(in_small_thread, &stack);
}

/** CL_COMPILER_NOT_AVAILABLE with the reason in the log; a binary made before still runs. */
static int only_binaries(cl_context context, cl_device_id device, const unsigned char *binary,
                         size_t bytes, const char *why) {
    cl_int status, each;
    cl_kernel kernel;
    outcome built;
    build_only(context, device, "kernel void another(void) {}", NULL, &built);
    if (built.status != CL_COMPILER_NOT_AVAILABLE || !strstr(built.log, why))
        fprintf(stderr, "# status %d, log: %.300s\n", built.status, built.log);
    REQUIRE(built.status == CL_COMPILER_NOT_AVAILABLE);
    REQUIRE(strstr(built.log, why) && strstr(built.log, "weft-compiler"));
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &bytes, &binary, &each, &status);
    REQUIRE(program && each == CL_SUCCESS);
    REQUIRE(clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS);
    kernel = clCreateKernel(program, "numbers", &status);
    REQUIRE(kernel);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return 0;
}

typedef struct binary {
    unsigned char data[65536];
    size_t bytes;
} binary;

/** In a process of its own: the binary of good_source. */
static int make_binary(void *argument) {
    binary *made = argument;
    unsigned char *data = made->data;
    cl_device_id device;
    outcome built;
    cl_context context = new_context(&device);
    REQUIRE(context);
    cl_program program = build_program(context, device, good_source, NULL, &built);
    REQUIRE(built.status == CL_SUCCESS);
    REQUIRE(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof made->bytes, &made->bytes,
                             NULL) == CL_SUCCESS);
    REQUIRE(made->bytes <= sizeof made->data);
    REQUIRE(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL) == CL_SUCCESS);
    return 0;
}

static int forbidden_by_limit(void *argument) {
    const binary *made = argument;
    struct rlimit none = {0, 0};
    cl_device_id device;
    cl_context context = new_context(&device);
    REQUIRE(context);
    if (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0)
        return CHILD_SKIP;
    REQUIRE(setrlimit(RLIMIT_NPROC, &none) == 0);
    return only_binaries(context, device, made->data, made->bytes, strerror(EAGAIN));
}

static int forbidden_by_seccomp(void *argument) {
    const binary *made = argument;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    cl_device_id device;
    cl_context context = new_context(&device);
    REQUIRE(context);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
        return CHILD_SKIP;
    return only_binaries(context, device, made->data, made->bytes, strerror(EPERM));
}

static int compiler_is_missing(void *argument) {
    const binary *made = argument;
    cl_device_id device;
    setenv("WEFT_COMPILER", "/nowhere/weft-compiler", 1);
    cl_context context = new_context(&device);
    REQUIRE(context);
    return only_binaries(context, device, made->data, made->bytes, strerror(ENOENT));
}

static void with_binary(int (*body)(void *)) {
    binary *made =
        mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(made != MAP_FAILED);
    CHECK_CHILD(make_binary, made);
    CHECK_CHILD(body, made);
    munmap(made, sizeof *made);
}

TEST(processes_forbidden_by_limit) {
    with_binary(forbidden_by_limit);
}

TEST(processes_forbidden_by_seccomp) {
    with_binary(forbidden_by_seccomp);
}

TEST(compiler_missing) {
    with_binary(compiler_is_missing);
}

/* ---- children ------------------------------------------------------------------------------- */

static volatile sig_atomic_t child_signals;

static void count_signal(int number) {
    (void)number;
    child_signals++;
}

static int no_child_shows(void *argument) {
    struct sigaction action = {.sa_handler = count_signal};
    sigaction(SIGCHLD, &action, NULL);
    REQUIRE(work_here(argument) == 0);
    pid_t server = find_compiler();
    REQUIRE(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD);
    if (server > 0)
        kill(server, SIGKILL);
    usleep(100000);
    REQUIRE(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD);
    REQUIRE(child_signals == 0);
    return 0;
}

TEST(no_child_and_no_sigchld) {
    CHECK_CHILD(no_child_shows, NULL);
}

TEST_MAIN()
