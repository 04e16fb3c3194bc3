// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Builds are confined (confine.c says from what): seen from outside while one runs; where the
 * kernel refuses; and what an application sees of a build that does what it may not. */
#include "robust/client_test.h"
#include "robust/find_weft.h"

#include <CL/cl.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* ---- a compiler that is told what to try ------------------------------------------------------
 */

TEST(a_call_that_no_build_may_make) {
    char log[4096];
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    double begin = seconds_now();
    int32_t status = build(compiler, "-socket", log);
    double seconds = seconds_now() - begin;
    pid_t after = server_of(compiler);
    weft_compiler_destroy(compiler);
    if (status == CL_SUCCESS)
        SKIP("this kernel has no seccomp");
    CHECK_EQ(status, CL_BUILD_PROGRAM_FAILURE);
    CHECK_STR(log, "weft: the build was ended: it made a system call that no build may make "
                   "(number 41)\n");
    CHECK(seconds < 10 && server > 0 && after == server);
}

TEST(a_call_that_libraries_can_do_without) {
    weft_compiler *compiler = new_compiler();
    int32_t status = build(compiler, "-harmless", NULL);
    int32_t aborted = build(compiler, "-crash", NULL);
    weft_compiler_destroy(compiler);
    CHECK_EQ(status, CL_SUCCESS);
    CHECK_EQ(aborted, CL_BUILD_PROGRAM_FAILURE);
}

/** Processes whose parent is `parent` or, if that is 0, whose group is `group`. */
static int find_processes(pid_t parent, pid_t group, pid_t *found, int most) {
    int count = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        char path[300], line[512];
        int its_parent, its_group;
        char state;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = atoi(entry->d_name) > 0 ? fopen(path, "re") : NULL;
        if (!file)
            continue;
        size_t bytes = fread(line, 1, sizeof line - 1, file);
        fclose(file);
        line[bytes] = 0;
        const char *end = strrchr(line, ')');
        if (end && sscanf(end, ") %c %d %d", &state, &its_parent, &its_group) == 3 &&
            state != 'Z' && (parent ? its_parent == parent : its_group == group) && count < most)
            found[count++] = atoi(entry->d_name);
    }
    if (processes)
        closedir(processes);
    return count;
}

/** Nor does it keep the job's socket open, on which the application waits. */
TEST(nothing_outlives_its_job) {
    char log[4096];
    pid_t found[4];
    weft_compiler *compiler = new_compiler();
    int32_t status = build(compiler, "-stray -describe", log);
    pid_t job = (pid_t)described(log, "job");
    int left = 1;
    for (double end = seconds_now() + 10; left && seconds_now() < end; usleep(10000))
        left = find_processes(0, job, found, 4);
    double begin = seconds_now();
    int32_t silent = build(compiler, "-stray -silent", NULL);
    double seconds = seconds_now() - begin;
    weft_compiler_destroy(compiler);
    CHECK_EQ(status, CL_SUCCESS);
    CHECK(job > 0);
    CHECK_EQ(left, 0);
    CHECK_EQ(silent, CL_BUILD_PROGRAM_FAILURE);
    CHECK(seconds < 10);
}

static void *build_sleeper(void *compiler) {
    (void)build(compiler, "-nap", NULL);
    return NULL;
}

/** A process that has been taken over could otherwise write into the times of another job, which
 *  the server then ends, and read which kernels it is at. */
TEST(no_job_has_the_memory_of_another) {
    enum { TRIES = 50 };
    char log[4096];
    long shared = -1, job = -1;
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    bool beside = false;
    for (int i = 0; i < TRIES && !beside; i++) {
        pid_t found[4];
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, build_sleeper, compiler) == 0);
        while (find_processes(server, 0, found, 4) == 0)
            usleep(1000);
        int32_t status = build(compiler, "-describe", log);
        beside = find_processes(server, 0, found, 4) > 0 && found[0] != described(log, "job");
        pthread_join(thread, NULL);
        CHECK_EQ(status, CL_SUCCESS);
        shared = described(log, "shared");
        job = described(log, "job");
    }
    weft_compiler_destroy(compiler);
    CHECK(server > 0 && job > 0 && beside);
    CHECK_EQ(shared, 1);
}

/* ---- the real compiler ------------------------------------------------------------------------
 */

typedef struct guest {
    cl_context context;
    cl_device_id device;
    const char *source, *options;
    cl_int status;
    volatile bool ended;
    char log[8192];
} guest;

static bool open_guest(guest *guest) {
    cl_platform_id platform;
    setenv("WEFT_CACHE", "0", 1);
    if (find_weft(&platform, &guest->device))
        guest->context = clCreateContext(NULL, 1, &guest->device, NULL, NULL, NULL);
    return guest->context != NULL;
}

static void *build_guest(void *argument) {
    guest *guest = argument;
    cl_program program =
        clCreateProgramWithSource(guest->context, 1, &guest->source, NULL, &guest->status);
    guest->log[0] = 0;
    if (program) {
        guest->status = clBuildProgram(program, 1, &guest->device, guest->options, NULL, NULL);
        clGetProgramBuildInfo(program, guest->device, CL_PROGRAM_BUILD_LOG, sizeof guest->log,
                              guest->log, NULL);
        clReleaseProgram(program);
    }
    guest->ended = true;
    return NULL;
}

/** The compiler process of this one: it holds, as descriptor 4, a pidfd of ours. -1: none. */
static pid_t own_server(void) {
    pid_t server = -1;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        char path[300], line[128];
        int pid;
        snprintf(path, sizeof path, "/proc/%s/fdinfo/4", entry->d_name);
        FILE *file = atoi(entry->d_name) > 0 ? fopen(path, "re") : NULL;
        while (file && fgets(line, sizeof line, file))
            if (sscanf(line, "Pid: %d", &pid) == 1 && pid == getpid() &&
                atoi(entry->d_name) != getpid())
                server = atoi(entry->d_name);
        if (file)
            fclose(file);
    }
    if (processes)
        closedir(processes);
    return server;
}

/** The text behind `word` in a file of /proc/PID, "" without one. */
static const char *said(pid_t pid, const char *file, const char *word, char text[128]) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    FILE *stream = fopen(path, "re");
    text[0] = 0;
    while (stream && fgets(line, sizeof line, stream))
        if (strncmp(line, word, strlen(word)) == 0)
            snprintf(text, 128, "%s", line + strlen(word) + strspn(line + strlen(word), " \t"));
    if (stream)
        fclose(stream);
    text[strcspn(text, "\n")] = 0;
    return text;
}

/** Each line of what is to be seen of a process that is confined. */
static bool looks_confined(pid_t pid) {
    static const struct {
        const char *file, *word, *text;
    } lines[] = {
        {"status", "NoNewPrivs:", "1"},
        {"status", "CapEff:", "0000000000000000"},
        {"status", "CapPrm:", "0000000000000000"},
        {"status", "CapInh:", "0000000000000000"},
        {"limits", "Max core file size", "0 "},
        {"limits", "Max file size", "2049 "},
    };
    bool all = true;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[128];
        if (strncmp(said(pid, lines[i].file, lines[i].word, text), lines[i].text,
                    strlen(lines[i].text)) != 0) {
            printf("# process %d: %s %s\n", (int)pid, lines[i].word, text);
            all = false;
        }
    }
    return all;
}

/** Several kernels of some seconds, which several processes build. */
static char *long_source(void) {
    enum { KERNELS = 6, TERMS = 40, BYTES = 1 << 16 };
    char *source = calloc(1, BYTES);
    size_t at = 0;
    for (int k = 0; k < KERNELS; k++) {
        at += (size_t)snprintf(source + at, BYTES - at,
                               "kernel void k%d(global double16 *p) {\n double16 v = *p;\n", k);
        for (int i = 0; i < TERMS; i++)
            at += (size_t)snprintf(source + at, BYTES - at, " v = pow(sin(v), tgamma(v + %d.0));\n",
                                   i + k);
        at += (size_t)snprintf(source + at, BYTES - at, " *p = v;\n}\n");
    }
    return source;
}

static int is_confined(void *unused) {
    static guest guest;
    pthread_t thread;
    pid_t jobs[8], copies[8];
    int seen = 0, seen_copies = 0;
    char text[128];
    (void)unused;
    REQUIRE(open_guest(&guest));
    guest.source = long_source();
    guest.options = "";
    REQUIRE(pthread_create(&thread, NULL, build_guest, &guest) == 0);
    for (double end = seconds_now() + 50; !guest.ended && !seen_copies && seconds_now() < end;
         usleep(2000)) {
        pid_t server = own_server();
        if (server <= 0 || find_processes(server, 0, jobs, 8) != 1 ||
            strcmp(said(jobs[0], "status", "Seccomp:", text), "2") != 0)
            continue; /* it is still reading its request */
        REQUIRE(looks_confined(jobs[0]) || guest.ended);
        REQUIRE(strcmp(said(server, "status", "Seccomp:", text), "0") == 0 || guest.ended);
        seen++;
        int count = find_processes(jobs[0], 0, copies, 8);
        for (int i = 0; i < count; i++)
            if (strcmp(said(copies[i], "status", "Seccomp:", text), "2") == 0)
                seen_copies += looks_confined(copies[i]);
    }
    printf("# seen %d times, with %d copies\n", seen, seen_copies);
    fflush(stdout);
    REQUIRE(strcmp(said(getpid(), "status", "Seccomp:", text), "0") == 0);
    REQUIRE(seen && seen_copies);
    _exit(0); /* nobody needs the rest of the build */
}

static bool kernel_confines(void) {
    char text[128];
    said(getpid(), "status", "Seccomp:", text);
    if (strcmp(text, "0") != 0)
        return false;
    const char *root = getenv("WEFT_BUILD_ROOT");
    char command[4200];
    snprintf(command, sizeof command, "%s/compiler/weft-compiler --confinement >/dev/null",
             root ? root : ".");
    return system(command) == 0;
}

TEST(a_running_build_is_confined) {
    if (!kernel_confines())
        SKIP("this kernel refuses some of it, or the test runs under a filter");
    int line = in_child(is_confined, NULL);
    if (line != -2) /* it ends without a result when all was seen */
        FAIL("failed at line %d", line);
}

/* ---- kernels that refuse ----------------------------------------------------------------------
 */

/** What containers do: these calls fail for us and all that we start. 0: not refused. */
static bool refuse(int landlock, int seccomp) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
        BPF_STMT(BPF_RET | BPF_K,
                 landlock ? SECCOMP_RET_ERRNO | (unsigned)landlock : SECCOMP_RET_ALLOW),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
        BPF_STMT(BPF_RET | BPF_K,
                 seccomp ? SECCOMP_RET_ERRNO | (unsigned)seccomp : SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/** Sends stderr to a file in memory. */
static int catch_stderr(void) {
    int fd = memfd_create("stderr", MFD_CLOEXEC);
    return fd >= 0 && dup2(fd, 2) == 2 ? fd : -1;
}

static bool was_written(int fd, const char *text) {
    static char all[65536];
    ssize_t bytes = pread(fd, all, sizeof all - 1, 0);
    all[bytes > 0 ? bytes : 0] = 0;
    if (!strstr(all, text))
        printf("# no '%s' in: %.3000s\n", text, all);
    fflush(stdout);
    return strstr(all, text) != NULL;
}

typedef struct refusal {
    int landlock, seccomp;
    const char *says;
} refusal;

static int builds_unconfined(void *argument) {
    const refusal *refusal = argument;
    static guest guest = {.source = "kernel void k(global int *p) { *p = 1; }"};
    char line[256];
    if (!refuse(refusal->landlock, refusal->seccomp))
        return CHILD_SKIP;
    setenv("WEFT_DEBUG", "build", 1);
    int errors = catch_stderr();
    REQUIRE(errors >= 0 && open_guest(&guest));
    build_guest(&guest);
    REQUIRE(guest.status == CL_SUCCESS);
    snprintf(line, sizeof line, "weft: build: %s\n", refusal->says);
    REQUIRE(was_written(errors, line));
    return 0;
}

/** The tool says the same, and calls it no failure. */
static int tool_says(void *argument) {
    const refusal *refusal = argument;
    const char *root = getenv("WEFT_BUILD_ROOT");
    char command[4200], line[256];
    if (!refuse(refusal->landlock, refusal->seccomp))
        return CHILD_SKIP;
    int errors = catch_stderr();
    snprintf(command, sizeof command, "%s/runtime/tool/weft selftest global >&2",
             root ? root : ".");
    REQUIRE(errors >= 0 && system(command) == 0);
    snprintf(line, sizeof line, "note  a build's process is %s\n", refusal->says);
    REQUIRE(was_written(errors, line));
    return 0;
}

TEST(kernels_that_refuse) {
    static refusal refusals[] = {
        {0, 0, "confined: no capabilities, Landlock, seccomp"},
        {ENOSYS, 0, "confined: no capabilities, seccomp; not by Landlock (ENOSYS)"},
        {EOPNOTSUPP, 0, "confined: no capabilities, seccomp; not by Landlock (EOPNOTSUPP)"},
        {0, EINVAL, "confined: no capabilities, Landlock; not by seccomp (EINVAL)"},
        {EPERM, ENOSYS, "confined: no capabilities; not by Landlock (EPERM), seccomp (ENOSYS)"},
    };
    if (!kernel_confines())
        SKIP("this kernel refuses some of it already");
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        CHECK_CHILD(builds_unconfined, &refusals[i]);
        CHECK_CHILD(tool_says, &refusals[i]);
    }
}

/* ---- root in others' folders ------------------------------------------------------------------
 */

/** A header that only its owner may read, in a folder likewise. */
static int reads_privately(void *unused) {
    static guest guest = {.source =
                              "#include \"private.h\"\nkernel void k(global int *p) { *p = N; }"};
    char folder[] = "/tmp/weft-private-XXXXXX", path[64], options[64];
    (void)unused;
    if (geteuid() != 0)
        return CHILD_SKIP;
    REQUIRE(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/private.h", folder);
    snprintf(options, sizeof options, "-I %s", folder);
    FILE *file = fopen(path, "we");
    REQUIRE(file && fputs("#define N 5\n", file) >= 0 && fclose(file) == 0);
    REQUIRE(chmod(path, 0600) == 0 && chmod(folder, 0700) == 0);
    if (chown(path, 65534, 65534) != 0 || chown(folder, 65534, 65534) != 0)
        return CHILD_SKIP;
    guest.options = options;
    bool opened = open_guest(&guest);
    if (opened)
        build_guest(&guest);
    unlink(path);
    rmdir(folder);
    printf("%s%s", guest.log[0] ? "# " : "", guest.log);
    REQUIRE(opened && guest.status == CL_SUCCESS);
    return 0;
}

TEST(root_reads_headers_of_others) {
    CHECK_CHILD(reads_privately, NULL);
}

TEST_MAIN()
