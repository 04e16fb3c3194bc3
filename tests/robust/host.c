// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The compiler client inside applications that do what applications do: wait for children, close
 * descriptors, fork, change user or root, forbid processes, end threads. */
#include "robust/client_test.h"

#include <CL/cl.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/close_range.h>
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

enum { NOBODY = 65534 };

/* ---- children and signals ------------------------------------------------------------------- */

static volatile sig_atomic_t child_signals;

static void count_signal(int number) {
    (void)number;
    child_signals++;
}

typedef struct waiter {
    _Atomic bool stop;
    _Atomic int seen;
} waiter;

/** An application thread that takes every child it can get. */
static void *wait_for_any(void *argument) {
    waiter *state = argument;
    while (!state->stop)
        if (waitpid(-1, NULL, 0) > 0)
            state->seen++;
    return NULL;
}

static int no_child_shows(void *argument) {
    (void)argument;
    waiter state = {0};
    pthread_t thread;
    struct sigaction action = {.sa_handler = count_signal};
    sigaction(SIGCHLD, &action, NULL);
    weft_compiler *compiler = new_compiler();
    REQUIRE(pthread_create(&thread, NULL, wait_for_any, &state) == 0);
    for (int i = 0; i < 20; i++) {
        pid_t server = server_of(compiler);
        REQUIRE(server > 0);
        if (i % 2)
            kill(server, SIGKILL);
        else
            weft_compiler_unload(compiler);
        REQUIRE(process_ends(server, 10));
    }
    weft_compiler_destroy(compiler);
    state.stop = true;
    pthread_join(thread, NULL);
    REQUIRE(state.seen == 0);
    REQUIRE(child_signals == 0);
    REQUIRE(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD);
    return 0;
}

TEST(no_child_in_wait_and_no_sigchld) {
    CHECK_CHILD(no_child_shows, NULL);
}

/** Children are not waited for by applications that ignore SIGCHLD. */
static int with_ignored_sigchld(void *argument) {
    (void)argument;
    signal(SIGCHLD, SIG_IGN);
    weft_compiler *compiler = new_compiler();
    REQUIRE(server_of(compiler) > 0);
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(ignored_sigchld) {
    CHECK_CHILD(with_ignored_sigchld, NULL);
}

/** Orphans are given to such a process: it must not keep our dead as its zombies. */
static int as_subreaper(void *argument) {
    (void)argument;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    REQUIRE(server > 0);
    kill(server, SIGKILL);
    usleep(100000);
    REQUIRE(server_of(compiler) != server);
    REQUIRE(kill(server, 0) != 0 && errno == ESRCH);
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(subreaper_keeps_no_zombie) {
    CHECK_CHILD(as_subreaper, NULL);
}

static int inherits_nothing(void *argument) {
    (void)argument;
    char log[4096];
    setenv("LD_PRELOAD_X", "1", 1);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigaddset(&mask, SIGTERM);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    int other = open("/dev/null", O_RDONLY); /* not closed on exec */
    REQUIRE(dup2(other, 200) == 200);
    REQUIRE(chdir("/tmp") == 0);
    weft_compiler *compiler = new_compiler();
    REQUIRE(build(compiler, "-describe", log) == CL_SUCCESS);
    weft_compiler_destroy(compiler);
    REQUIRE(!strstr(log, "LD_PRELOAD_X"));
    REQUIRE(strstr(log, "environment LC_ALL=C\n"));
    REQUIRE(!strstr(log, "descriptor 200"));
    REQUIRE(described(log, "blocked") == -1 && described(log, "ignored") == -1);
    REQUIRE(strstr(log, "directory /tmp\n")); /* the job's; the server's is "/" */
    pid_t server = (pid_t)described(log, "server"), job = (pid_t)described(log, "job");
    REQUIRE(server > 0 && job > 0 && getsid(server) != getsid(0));
    return 0;
}

TEST(inherits_nothing_of_the_application) {
    CHECK_CHILD(inherits_nothing, NULL);
}

/* ---- descriptors ---------------------------------------------------------------------------- */

static int close_all_above_2(void *argument) {
    (void)argument;
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    REQUIRE(server > 0);
    syscall(SYS_close_range, 3, ~0u, 0);
    pid_t next = server_of(compiler);
    REQUIRE(next > 0 && next != server);
    REQUIRE(process_ends(server, 10));
    /* Now the numbers are taken by files of the application. */
    syscall(SYS_close_range, 3, ~0u, 0);
    struct stat before[20], after;
    for (int fd = 3; fd < 20; fd++)
        REQUIRE(open("/dev/null", O_RDWR | O_CLOEXEC) == fd && fstat(fd, &before[fd]) == 0);
    REQUIRE(server_of(compiler) > 0);
    weft_compiler_destroy(compiler);
    for (int fd = 3; fd < 20; fd++)
        REQUIRE(fstat(fd, &after) == 0 && after.st_ino == before[fd].st_ino);
    return 0;
}

TEST(all_descriptors_above_2_closed) {
    CHECK_CHILD(close_all_above_2, NULL);
}

static int without_standard_streams(void *argument) {
    (void)argument;
    char log[4096];
    close(0);
    close(1);
    close(2);
    weft_compiler *compiler = new_compiler();
    REQUIRE(build(compiler, "-describe", log) == CL_SUCCESS);
    for (int fd = 0; fd < 3; fd++)
        REQUIRE(fcntl(fd, F_GETFD) < 0);
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(standard_streams_closed) {
    CHECK_CHILD(without_standard_streams, NULL);
}

static int no_more_descriptors(void *argument) {
    (void)argument;
    char log[4096];
    weft_compiler *compiler = new_compiler();
    REQUIRE(server_of(compiler) > 0);
    int fd;
    struct rlimit limit = {64, 64};
    setrlimit(RLIMIT_NOFILE, &limit);
    while ((fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        ;
    REQUIRE(build(compiler, "", log) == CL_OUT_OF_RESOURCES);
    REQUIRE(strstr(log, "Too many open files"));
    for (int i = 40; i < 64; i++)
        close(i);
    REQUIRE(build(compiler, "", log) == CL_SUCCESS);
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(descriptors_exhausted) {
    CHECK_CHILD(no_more_descriptors, NULL);
}

/** What is written to stderr then goes nowhere: the limit holds for files in memory too. */
static int with_small_files(void *argument) {
    (void)argument;
    char log[4096];
    struct rlimit limit = {0, 0};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    REQUIRE(server > 0);
    REQUIRE(build(compiler, "-crash", log) == CL_BUILD_PROGRAM_FAILURE);
    REQUIRE(strstr(log, "SIGABRT"));
    REQUIRE(server_of(compiler) == server);
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(no_file_may_be_written) {
    CHECK_CHILD(with_small_files, NULL);
}

/** Nothing of ours is left open, job after job. */
static int count_descriptors(void) {
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

TEST(descriptors_do_not_leak) {
    int before = count_descriptors();
    weft_compiler *compiler = new_compiler();
    CHECK_EQ(build(compiler, "", NULL), CL_SUCCESS);
    int used = count_descriptors();
    CHECK(used <= before + 1);
    for (int i = 0; i < 50; i++)
        build(compiler, i % 2 ? "" : "-crash", NULL);
    CHECK_EQ(count_descriptors(), used);
    weft_compiler_destroy(compiler);
    CHECK_EQ(count_descriptors(), before);
}

/* ---- threads and stacks --------------------------------------------------------------------- */

static void *first_build(void *compiler) {
    return (void *)(intptr_t)server_of(compiler);
}

static void *run_thread(void *(*run)(void *), void *argument, size_t stack) {
    pthread_attr_t attributes;
    pthread_t thread;
    void *result = NULL;
    pthread_attr_init(&attributes);
    if (stack)
        pthread_attr_setstacksize(&attributes, stack);
    if (pthread_create(&thread, &attributes, run, argument) == 0)
        pthread_join(thread, &result);
    pthread_attr_destroy(&attributes);
    return result;
}

TEST(stack_of_64_kib) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP("sanitizers need more stack");
#endif
    weft_compiler *compiler = new_compiler();
    CHECK((intptr_t)run_thread(first_build, compiler, 64 * 1024) > 0);
    weft_compiler_destroy(compiler);
}

TEST(spawning_thread_ends) {
    weft_compiler *compiler = new_compiler();
    pid_t server = (pid_t)(intptr_t)run_thread(first_build, compiler, 0);
    CHECK(server > 0);
    usleep(100000);
    CHECK_EQ(server_of(compiler), server);
    weft_compiler_destroy(compiler);
}

static void *cancelled_build(void *compiler) {
    pthread_cancel(pthread_self());
    return (void *)(intptr_t)server_of(compiler);
}

/** A cancelled thread finishes its build first: nothing is left half done or locked. */
TEST(cancelled_thread_leaves_no_lock) {
    weft_compiler *compiler = new_compiler();
    run_thread(cancelled_build, compiler, 0);
    CHECK(server_of(compiler) > 0);
    weft_compiler_destroy(compiler);
}

/* ---- fork ----------------------------------------------------------------------------------- */

static int forked_build(void *argument) {
    weft_compiler *compiler = ((void **)argument)[0];
    pid_t parents = *(pid_t *)((void **)argument)[1];
    pid_t mine = server_of(compiler);
    REQUIRE(mine > 0 && mine != parents);
    REQUIRE(server_of(compiler) == mine);
    weft_compiler_destroy(compiler);
    REQUIRE(process_ends(mine, 10));
    return 0;
}

TEST(fork_before_use) {
    weft_compiler *compiler = new_compiler();
    pid_t none = -1;
    void *both[] = {compiler, &none};
    CHECK_CHILD(forked_build, both);
    CHECK(server_of(compiler) > 0);
    weft_compiler_destroy(compiler);
}

TEST(fork_after_use) {
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    void *both[] = {compiler, &server};
    CHECK(server > 0);
    for (int i = 0; i < 3; i++)
        CHECK_CHILD(forked_build, both);
    CHECK_EQ(server_of(compiler), server);
    weft_compiler_destroy(compiler);
}

typedef struct busy {
    weft_compiler *compiler;
    _Atomic bool stop;
} busy;

static void *keep_building(void *argument) {
    busy *state = argument;
    while (!state->stop)
        build(state->compiler, "", NULL);
    return NULL;
}

/** The copy of the lock may be taken, the copy of the cache half changed. */
TEST(fork_while_other_threads_build) {
    busy state = {.compiler = new_compiler()};
    pthread_t threads[3];
    pid_t none = -1;
    void *both[] = {state.compiler, &none};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, keep_building, &state);
    int failed = 0;
    for (int i = 0; i < 30 && !failed; i++)
        failed = in_child(forked_build, both);
    state.stop = true;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(failed, 0);
    weft_compiler_destroy(state.compiler);
}

/* ---- the application's end ------------------------------------------------------------------ */

typedef struct shared {
    _Atomic pid_t server, keeper;
} shared;

/** Uses the compiler, leaves a forked child behind that keeps the socket open, and is killed in the
 *  middle of a build. */
static int die_in_a_build(void *argument) {
    shared *told = argument;
    weft_compiler *compiler = new_compiler();
    told->server = server_of(compiler);
    pid_t keeper = fork();
    if (keeper == 0) {
        sleep(30);
        _exit(0);
    }
    told->keeper = keeper;
    pid_t killer = fork();
    if (killer == 0) {
        usleep(200000);
        kill(getppid(), SIGKILL);
        _exit(0);
    }
    build(compiler, "-spin", NULL);
    return 0;
}

TEST(compiler_ends_with_the_application) {
    shared *told = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    in_child(die_in_a_build, told);
    pid_t server = told->server;
    CHECK(server > 0);
    bool ends = process_ends(server, 5);
    kill(told->keeper, SIGKILL);
    munmap(told, 4096);
    CHECK(ends);
}

/* ---- processes forbidden -------------------------------------------------------------------- */

static int not_available(weft_compiler *compiler, const char *why) {
    char log[4096];
    REQUIRE(build(compiler, "", log) == CL_COMPILER_NOT_AVAILABLE);
    REQUIRE(strstr(log, "weft-fake-compiler") || strstr(log, "/nowhere/"));
    if (!strstr(log, why))
        fprintf(stderr, "# %s\n", log);
    REQUIRE(strstr(log, why));
    weft_compiler_destroy(compiler);
    return 0;
}

static int no_processes_by_limit(void *argument) {
    (void)argument;
    struct rlimit limit = {0, 0};
    weft_compiler *compiler = new_compiler();
    if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
        return CHILD_SKIP;
    REQUIRE(setrlimit(RLIMIT_NPROC, &limit) == 0);
    return not_available(compiler, strerror(EAGAIN));
}

TEST(processes_forbidden_by_limit) {
    CHECK_CHILD(no_processes_by_limit, NULL);
}

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#else
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif

/** From here on the system call `number` fails with EPERM. */
static bool forbid(long number) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int no_processes_by_seccomp(void *argument) {
    weft_compiler *compiler = new_compiler();
    if (!forbid(*(long *)argument))
        return CHILD_SKIP;
    return not_available(compiler, strerror(EPERM));
}

TEST(processes_forbidden_by_seccomp) {
    static long numbers[] = {SYS_clone, SYS_execve};
    for (int i = 0; i < 2; i++)
        CHECK_CHILD(no_processes_by_seccomp, &numbers[i]);
}

/** System calls that we can do without, in the application and in the compiler. */
static int old_kernel(void *argument) {
    weft_compiler *compiler;
    char log[4096];
    if (!forbid(*(long *)argument))
        return CHILD_SKIP;
    compiler = new_compiler();
    REQUIRE(build(compiler, "-crash", log) == CL_BUILD_PROGRAM_FAILURE);
    REQUIRE(strstr(log, "signal 6"));
    REQUIRE(build(compiler, "-describe", log) == CL_SUCCESS);
    REQUIRE(!strstr(log, "descriptor 200"));
    pid_t server = (pid_t)described(log, "server");
    REQUIRE(server > 0);
    return in_child(forked_build, (void *[]){compiler, &server});
}

TEST(without_newer_system_calls) {
    static long numbers[] = {SYS_pidfd_open, SYS_close_range, SYS_memfd_create, SYS_madvise};
    dup2(2, 200);
    for (int i = 0; i < 4; i++)
        CHECK_CHILD(old_kernel, &numbers[i]);
    close(200);
}

TEST(compiler_missing) {
    weft_compiler_settings settings = {.compiler_path = "/nowhere/weft-compiler"};
    CHECK_EQ(not_available(weft_compiler_create(&settings), strerror(ENOENT)), 0);
}

TEST(compiler_not_executable) {
    char path[] = "/tmp/weft-fake-compiler-XXXXXX";
    int fd = mkstemp(path);
    weft_compiler_settings settings = {.compiler_path = path};
    CHECK(fd >= 0);
    int without = not_available(weft_compiler_create(&settings), strerror(EACCES));
    fchmod(fd, 0755);
    (void)!write(fd, "\177ELFnothing", 11);
    close(fd);
    int broken = not_available(weft_compiler_create(&settings), strerror(ENOEXEC));
    unlink(path);
    CHECK_EQ(without, 0);
    CHECK_EQ(broken, 0);
}

/** Starts, but is no compiler. */
TEST(compiler_of_another_kind) {
    weft_compiler_settings settings = {.compiler_path = "/bin/true"};
    char log[4096];
    /* Often: now and then it has ended before the job can be sent. */
    for (int times = 0; times < 20; times++) {
        weft_compiler *compiler = weft_compiler_create(&settings);
        CHECK_EQ(build(compiler, "", log), CL_COMPILER_NOT_AVAILABLE);
        CHECK(strstr(log, "/true ended before it took up the job"));
        weft_compiler_destroy(compiler);
    }
}

static int on_noexec(void *argument) {
    (void)argument;
    char command[9000];
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("weft", "/mnt", "tmpfs", MS_NOEXEC, NULL) != 0)
        return CHILD_SKIP;
    snprintf(command, sizeof command, "cp '%s' /mnt/weft-fake-compiler", fake_compiler());
    REQUIRE(system(command) == 0);
    weft_compiler_settings settings = {.compiler_path = "/mnt/weft-fake-compiler"};
    return not_available(weft_compiler_create(&settings), strerror(EACCES));
}

TEST(compiler_on_noexec) {
    CHECK_CHILD(on_noexec, NULL);
}

/* ---- file systems and users ----------------------------------------------------------------- */

static int without_proc(void *argument) {
    (void)argument;
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("weft", "/proc", "tmpfs", 0, NULL) != 0)
        return CHILD_SKIP;
    REQUIRE(access("/proc/self", F_OK) != 0);
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    REQUIRE(server > 0);
    REQUIRE(build(compiler, "-crash", NULL) == CL_BUILD_PROGRAM_FAILURE);
    REQUIRE(server_of(compiler) == server);
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(no_proc) {
    CHECK_CHILD(without_proc, NULL);
}

static int without_dev_null(void *argument) {
    (void)argument;
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("weft", "/dev", "tmpfs", 0, NULL) != 0)
        return CHILD_SKIP;
    char log[4096];
    weft_compiler *compiler = new_compiler();
    REQUIRE(build(compiler, "-describe", log) == CL_SUCCESS);
    for (const char *const *line =
             (const char *const[]){"descriptor 0\n", "descriptor 1\n", "descriptor 2\n", NULL};
         *line; line++)
        REQUIRE(strstr(log, *line));
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(no_dev_null) {
    CHECK_CHILD(without_dev_null, NULL);
}

/** "a changed euid or root restarts the compiler" */
static int change_user(void *argument) {
    (void)argument;
    char log[4096];
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    REQUIRE(server > 0);
    if (setresgid(-1, NOBODY, -1) != 0 || setresuid(-1, NOBODY, -1) != 0)
        return CHILD_SKIP;
    REQUIRE(build(compiler, "-describe", log) == CL_SUCCESS);
    REQUIRE(described(log, "server") != server && described(log, "user") == NOBODY);
    REQUIRE(setresuid(-1, 0, -1) == 0);
    REQUIRE(build(compiler, "-describe", log) == CL_SUCCESS);
    REQUIRE(described(log, "user") == 0);
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(changed_user_restarts) {
    CHECK_CHILD(change_user, NULL);
}

/** After chroot the old path means nothing: said, and no process of the old root is used. */
static int change_root(void *folder) {
    char log[4096];
    weft_compiler *compiler = new_compiler();
    REQUIRE(server_of(compiler) > 0);
    if (chroot(folder) != 0)
        return CHILD_SKIP;
    REQUIRE(build(compiler, "", log) == CL_COMPILER_NOT_AVAILABLE);
    REQUIRE(strstr(log, strerror(ENOENT)));
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(changed_root_restarts) {
    char folder[] = "/tmp/weft-root-XXXXXX";
    CHECK(mkdtemp(folder));
    int failed = in_child(change_root, folder);
    rmdir(folder);
    if (failed == CHILD_SKIP)
        SKIP("not permitted here");
    CHECK_EQ(failed, 0);
}

static int deleted_directory(void *argument) {
    (void)argument;
    char folder[] = "/tmp/weft-gone-XXXXXX";
    weft_compiler *compiler = new_compiler();
    REQUIRE(mkdtemp(folder) && chdir(folder) == 0 && rmdir(folder) == 0);
    REQUIRE(server_of(compiler) > 0);
    weft_compiler_destroy(compiler);
    return 0;
}

TEST(working_directory_deleted) {
    CHECK_CHILD(deleted_directory, NULL);
}

/** The least of ten, in seconds. */
static double start_seconds(void) {
    double best = 1;
    for (int i = 0; i < 10; i++) {
        weft_compiler *compiler = new_compiler();
        double begin = seconds_now();
        weft_compiler_prepare(compiler);
        double now = seconds_now() - begin;
        best = now < best ? now : best;
        weft_compiler_destroy(compiler);
    }
    return best;
}

/** Starting costs the same in a large process: no page table is copied. */
TEST(large_process_starts_it_as_quickly) {
    size_t bytes = (size_t)512 << 20;
    const double small = start_seconds();
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        SKIP("no memory for it");
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    memset(memory, 1, bytes);
    const double large = start_seconds();
    munmap(memory, bytes);
    printf("# start call: %.3f ms, in a large process %.3f ms\n", small * 1e3, large * 1e3);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(large < small + 3e-3); /* a fork() of this process takes longer */
#endif
}

TEST_MAIN()
