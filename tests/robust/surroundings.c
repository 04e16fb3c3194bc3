// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What hosts do around their calls: small stacks, threads that end, descriptors closed, no /proc,
 * signal handlers and locales of their own. */
#include "robust/guest.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* ---- threads and stacks ---------------------------------------------------------------------- */

/** Runs a body on a thread with so much stack. */
static int on_stack(size_t bytes, void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    void *result;
    pthread_attr_init(&attributes);
    REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
    REQUIRE(pthread_create(&thread, &attributes, body, argument) == 0);
    pthread_attr_destroy(&attributes);
    pthread_join(thread, &result);
    return (int)(intptr_t)result;
}

static void *life_on_a_thread(void *argument) {
    return (void *)(intptr_t)guest_life(argument);
}

static int stack_of_64_kib(void *argument) {
    (void)argument;
    REQUIRE_DONE(on_stack(64 * 1024, life_on_a_thread, NULL)); /* the platform, the build, all */
    return on_stack(64 * 1024, life_on_a_thread, NULL);
}

TEST(stack_of_64_kib_for_the_calling_thread) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP("sanitizers need more stack");
#endif
    CHECK_CHILD(stack_of_64_kib, NULL);
}

static volatile int handler_result = -1;

static void life_in_a_handler(int number) {
    (void)number;
    handler_result = guest_life(NULL);
}

/** A signal handler's alternate stack, a coroutine: not where the thread's own stack is. */
static int on_another_stack(void *argument) {
    stack_t stack = {.ss_size = 256 * 1024, .ss_sp = malloc(256 * 1024)};
    struct sigaction action = {.sa_handler = life_in_a_handler, .sa_flags = SA_ONSTACK};
    (void)argument;
    REQUIRE(sigaltstack(&stack, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
    REQUIRE(raise(SIGUSR1) == 0);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(stack.ss_sp);
    return handler_result;
}

TEST(called_on_an_alternate_stack) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP("not what sanitizers expect of a signal handler");
#endif
    CHECK_CHILD(on_another_stack, NULL);
}

static void *start_and_go(void *argument) {
    return (void *)(intptr_t)guest_hold(argument, NULL);
}

static void *enqueue_and_go(void *argument) {
    guest *g = argument;
    const size_t items = GUEST_ITEMS;
    const cl_uint by = 1;
    clSetKernelArg(g->add, 0, sizeof g->buffer, &g->buffer);
    clSetKernelArg(g->add, 1, sizeof by, &by);
    return (void *)(intptr_t)clEnqueueNDRangeKernel(g->queue, g->add, 1, NULL, &items, NULL, 0,
                                                    NULL, NULL);
}

static int enqueuing_thread_ends(void *argument) {
    static guest g;
    cl_uint value = 5;
    (void)argument;
    REQUIRE_DONE(guest_make(&g));
    REQUIRE_DONE(guest_use(&g));
    REQUIRE(clEnqueueFillBuffer(g.queue, g.buffer, &value, 4, 0, 4, 0, NULL, NULL) == CL_SUCCESS);
    /* One whose kernel runs, then one whose command nobody has flushed. */
    REQUIRE_DONE(on_stack(256 * 1024, start_and_go, &g));
    REQUIRE_DONE(on_stack(256 * 1024, enqueue_and_go, &g));
    REQUIRE(!g.word.ended);
    g.word.stop = 1;
    REQUIRE(clEnqueueReadBuffer(g.queue, g.buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL) == 0);
    REQUIRE(value == 6 && g.word.ended);
    return guest_release(&g);
}

TEST(thread_that_enqueued_ends_before_the_kernel) {
    CHECK_CHILD(enqueuing_thread_ends, NULL);
}

/* ---- descriptors and files ------------------------------------------------------------------- */

static void close_all(void) {
    syscall(SYS_close_range, 3, ~0u, 0);
}

static int close_between_calls(void *argument) {
    static guest g;
    (void)argument;
    close_all();
    REQUIRE_DONE(guest_platform(&g));
    close_all();
    REQUIRE_DONE(guest_objects(&g));
    close_all();
    REQUIRE_DONE(guest_build(&g));
    close_all();
    REQUIRE_DONE(guest_use(&g));
    close_all();
    REQUIRE_DONE(guest_hold(&g, NULL));
    close_all();
    g.word.stop = 1;
    REQUIRE(clFinish(g.queue) == CL_SUCCESS);
    close_all();
    REQUIRE_DONE(guest_use(&g));
    REQUIRE_DONE(guest_release(&g));
    return guest_life(NULL);
}

TEST(all_descriptors_above_2_closed_between_calls) {
    CHECK_CHILD(close_between_calls, NULL);
}

/** The numbers are taken by files of the application, which nothing may write to or close. */
static int reuse_descriptors(void *argument) {
    static guest g;
    struct stat before[40], after;
    char path[] = "/tmp/weft-mine-XXXXXX";
    (void)argument;
    REQUIRE_DONE(guest_make(&g));
    close_all();
    int first = mkstemp(path);
    unlink(path);
    REQUIRE(first == 3);
    while (dup(first) < 39)
        ;
    for (int fd = 3; fd < 40; fd++)
        REQUIRE(fstat(fd, &before[fd]) == 0);
    REQUIRE_DONE(guest_use(&g));
    REQUIRE_DONE(guest_life(NULL));
    REQUIRE_DONE(guest_release(&g));
    REQUIRE(clUnloadPlatformCompiler(g.platform) == CL_SUCCESS);
    for (int fd = 3; fd < 40; fd++)
        REQUIRE(fstat(fd, &after) == 0 && after.st_ino == before[fd].st_ino && after.st_size == 0);
    return 0;
}

TEST(descriptors_reused_by_the_application) {
    CHECK_CHILD(reuse_descriptors, NULL);
}

static int standard_streams_closed(void *argument) {
    close(0);
    close(1);
    close(2);
    REQUIRE_DONE(guest_life(argument));
    for (int fd = 0; fd < 3; fd++)
        REQUIRE(fcntl(fd, F_GETFD) < 0); /* none of ours took their places */
    return 0;
}

TEST(standard_streams_closed_before_use) {
    CHECK_CHILD(standard_streams_closed, NULL);
}

static int without_proc(void *argument) {
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("weft", "/proc", "tmpfs", 0, NULL) != 0)
        return CHILD_SKIP;
    REQUIRE(access("/proc/self", F_OK) != 0);
    REQUIRE_DONE(guest_life(argument));
    REQUIRE_DONE(on_stack(256 * 1024, life_on_a_thread, NULL));
    return in_child(guest_life, NULL);
}

TEST(no_proc) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP("sanitizers read /proc themselves");
#endif
    CHECK_CHILD(without_proc, NULL);
}

/** What is left behind in the file system: nothing. */
static int count_entries(const char *folder) {
    int count = 0;
    DIR *entries = opendir(folder);
    while (entries && readdir(entries))
        count++;
    if (entries)
        closedir(entries);
    return count;
}

/** All folders that a library may write to are one, with nothing in it. */
static int life_in_a_new_home(const char *folder) {
    REQUIRE(chdir(folder) == 0);
    for (const char *const *name =
             (const char *const[]){"HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", NULL};
         *name; name++)
        setenv(*name, folder, 1);
    return guest_life(NULL);
}

static int writes_no_files(void *argument) {
    char folder[] = "/tmp/weft-home-XXXXXX";
    (void)argument;
    REQUIRE(mkdtemp(folder));
    setenv("WEFT_CACHE", "0", 1);
    int failed = life_in_a_new_home(folder), left = count_entries(folder);
    rmdir(folder);
    REQUIRE_DONE(failed);
    REQUIRE(left == 2); /* . and .. */
    return 0;
}

TEST(leaves_no_files) {
    CHECK_CHILD(writes_no_files, NULL);
}

/** Two processes' lives, of which the second finds what the first has built. */
static int writes_its_cache(void *home) {
    char cache[64];
    setenv("WEFT_CACHE", "1", 1);
    unsetenv("WEFT_CACHE_DIR");
    REQUIRE_DONE(life_in_a_new_home(home));
    REQUIRE(count_entries(home) == 3);
    snprintf(cache, sizeof cache, "%s/weft", (const char *)home);
    REQUIRE(count_entries(cache) == 4); /* one source, one result */
    return 0;
}

TEST(leaves_only_its_cache) {
    char home[] = "/tmp/weft-home-XXXXXX", command[64];
    CHECK(mkdtemp(home));
    int first = in_child(writes_its_cache, home);
    int second = first ? 0 : in_child(writes_its_cache, home);
    snprintf(command, sizeof command, "rm -rf %s", home);
    CHECK_EQ(system(command), 0);
    CHECK_EQ(first, 0);
    CHECK_EQ(second, 0);
}

/* ---- signals --------------------------------------------------------------------------------- */

static void host_handler(int number) {
    (void)number;
}

static int own_handlers(void *argument) {
    struct sigaction before[NSIG], after;
    sigset_t mask, mask_after;
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action = {.sa_handler = number % 3 ? host_handler : SIG_IGN,
                                   .sa_flags = number % 2 ? SA_RESTART : 0};
        sigaddset(&action.sa_mask, SIGUSR2);
        if (number != SIGALRM)
            sigaction(number, &action, NULL); /* those that cannot be changed stay */
    }
    for (int number = 1; number < NSIG; number++)
        sigaction(number, NULL, &before[number]);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    REQUIRE_DONE(guest_life(argument));
    for (int number = 1; number < NSIG; number++) {
        if (sigaction(number, NULL, &after) != 0)
            continue;
        REQUIRE(after.sa_handler == before[number].sa_handler);
        REQUIRE(after.sa_flags == before[number].sa_flags);
        for (int masked = 1; masked < NSIG; masked++)
            REQUIRE(sigismember(&after.sa_mask, masked) ==
                    sigismember(&before[number].sa_mask, masked));
    }
    pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
    for (int number = 1; number < NSIG; number++)
        REQUIRE(sigismember(&mask, number) == sigismember(&mask_after, number));
    return 0;
}

TEST(signal_handlers_of_the_host_stay) {
    CHECK_CHILD(own_handlers, NULL);
}

static _Atomic(pthread_t) handled_by;
static _Atomic int handled;

static void note_thread(int number) {
    (void)number;
    handled_by = pthread_self();
    handled++;
}

/** A signal to the process reaches a thread of the application's, even in the middle of a
 *  kernel. */
static int signals_reach_the_host(void *argument) {
    static guest g;
    struct sigaction action = {.sa_handler = note_thread};
    (void)argument;
    sigaction(SIGUSR1, &action, NULL);
    REQUIRE_DONE(guest_make(&g));
    REQUIRE_DONE(guest_use(&g));
    REQUIRE_DONE(guest_hold(&g, NULL));
    for (int i = 1; i <= 20; i++) {
        kill(getpid(), SIGUSR1);
        for (int k = 0; k < 1000 && handled < i; k++)
            usleep(1000);
        REQUIRE(handled == i && pthread_equal(handled_by, pthread_self()));
    }
    g.word.stop = 1;
    return clFinish(g.queue);
}

TEST(signals_never_go_to_our_threads) {
    CHECK_CHILD(signals_reach_the_host, NULL);
}

/* ---- locale ---------------------------------------------------------------------------------- */

static const char printing[] =
    "kernel void print(float f) {\n"
    "    printf(\"%.2f %e %g %a %v2f %d\\n\", f, f, f, f, (float2)(f, 1.25f), 1234567);\n"
    "}\n";

/** A locale that writes 1,5, made here: the machine need not have one. */
static bool make_locale(const char *folder) {
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \".\"\\n"
             "grouping 3\\nEND LC_NUMERIC\\n' > source && localedef -c -i source ./weft_COMMA "
             ">/dev/null 2>&1; test -e weft_COMMA/LC_NUMERIC",
             folder);
    return system(command) == 0;
}

static int print_text(char text[256]) {
    static guest g;
    const size_t one = 1;
    const float value = 1.5f;
    const char *source = printing;
    cl_int error;
    char path[] = "/tmp/weft-print-XXXXXX";
    REQUIRE_DONE(guest_platform(&g));
    REQUIRE_DONE(guest_objects(&g));
    g.program = clCreateProgramWithSource(g.context, 1, &source, NULL, &error);
    REQUIRE(clBuildProgram(g.program, 0, NULL, "-DSCALE=1.5", NULL, NULL) == CL_SUCCESS);
    cl_kernel print = clCreateKernel(g.program, "print", &error);
    REQUIRE(error == CL_SUCCESS && clSetKernelArg(print, 0, 4, &value) == CL_SUCCESS);
    int file = mkstemp(path), saved = dup(1);
    unlink(path);
    fflush(stdout);
    dup2(file, 1);
    REQUIRE(clEnqueueNDRangeKernel(g.queue, print, 1, NULL, &one, NULL, 0, NULL, NULL) == 0);
    REQUIRE(clFinish(g.queue) == CL_SUCCESS);
    dup2(saved, 1);
    ssize_t bytes = pread(file, text, 255, 0);
    REQUIRE(bytes > 0);
    text[bytes] = 0;
    return 0;
}

static int with_comma(void *folder) {
    char text[256], host[32];
    setenv("LOCPATH", folder, 1);
    if (!setlocale(LC_ALL, "weft_COMMA"))
        return CHILD_SKIP;
    snprintf(host, sizeof host, "%.1f", 1.5);
    REQUIRE(strcmp(host, "1,5") == 0);
    REQUIRE_DONE(print_text(text));
    if (strcmp(text, "1.50 1.500000e+00 1.5 0x1.8p+0 1.500000,1.250000 1234567\n") != 0)
        fprintf(stderr, "# %s", text);
    REQUIRE(strcmp(text, "1.50 1.500000e+00 1.5 0x1.8p+0 1.500000,1.250000 1234567\n") == 0);
    snprintf(host, sizeof host, "%.1f", 1.5);
    REQUIRE(strcmp(host, "1,5") == 0); /* and the host's is as it was */
    return guest_life(NULL);
}

TEST(host_with_a_decimal_comma) {
    char folder[] = "/tmp/weft-locale-XXXXXX", command[128];
    CHECK(mkdtemp(folder));
    bool made = make_locale(folder);
    int failed = made ? in_child(with_comma, folder) : CHILD_SKIP;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_EQ(system(command), 0);
    if (failed == CHILD_SKIP)
        SKIP("localedef makes no locale here");
    CHECK_EQ(failed, 0);
}

TEST_MAIN()
