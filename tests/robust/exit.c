// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Applications that end while kernels run: within 100 ms, with the exit status that they gave. */
#include "robust/guest.h"

#include <fcntl.h>
#include <pthread.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMIT 3.0 /* looking for leaks takes its time */
#else
#define LIMIT 0.1
#endif

enum { STATUS = 7 };

static guest g;
static int report_fd = -1;

/** Tells the parent: the end begins now. */
static void say_now(void) {
    double now = seconds_now();
    if (write(report_fd, &now, sizeof now) != sizeof now)
        _exit(99);
}

/* ---- the ends -------------------------------------------------------------------------------- */

static void end_by_exit(void) {
    say_now();
    exit(STATUS);
}

static void end_by_underscore_exit(void) {
    say_now();
    _exit(STATUS);
}

static void end_by_quick_exit(void) {
    say_now();
    quick_exit(STATUS);
}

static void end_by_return(void) {
    say_now(); /* main returns after us */
}

static void *exit_thread(void *unused) {
    (void)unused;
    usleep(50000); /* main is in clFinish by now, perhaps inside the kernel */
    end_by_exit();
    return NULL;
}

static void end_from_a_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, exit_thread, NULL);
    clFinish(g.queue);
}

/** clFinish of the only command, which this thread then runs by itself. */
static void end_while_main_runs_it(void) {
    const size_t one = 1;
    pthread_t thread;
    g.word.stop = 1;
    clFinish(g.queue);
    g.word.stop = 0;
    clEnqueueNDRangeKernel(g.queue, g.hold, 1, NULL, &one, NULL, 0, NULL, NULL);
    pthread_create(&thread, NULL, exit_thread, NULL);
    clFinish(g.queue);
}

static void end_by_main_thread_leaving(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, exit_thread, NULL);
    pthread_exit(NULL);
}

/** What static destructors of C++ wrappers do: release in the middle of exit. */
static void release_all(void) {
    guest_release(&g);
}

static void end_with_releases_in_atexit(void) {
    atexit(release_all);
    end_by_exit();
}

/** New commands on the way out. */
static void use_again(void) {
    static guest other;
    if (guest_make(&other) || guest_use(&other))
        _exit(98);
}

static void end_with_use_in_atexit(void) {
    atexit(use_again);
    atexit(say_now); /* what we do there is ours to wait for */
    exit(STATUS);
}

static void CL_CALLBACK sleep_callback(cl_event event, cl_int status, void *user) {
    (void)event;
    (void)status;
    (void)user;
    sleep(30);
}

static void end_while_a_callback_sleeps(void) {
    cl_event marker;
    clEnqueueMarkerWithWaitList(g.queue, 0, NULL, &marker);
    clSetEventCallback(marker, CL_COMPLETE, sleep_callback, NULL);
    g.word.stop = 1;
    usleep(50000);
    end_by_exit();
}

static void CL_CALLBACK built(cl_program program, void *user) {
    (void)program;
    (void)user;
}

static void end_while_building(void) {
    const char *source = "kernel void k(global float *x) { x[0] = sin(x[1]) + pow(x[2], x[3]); }";
    cl_program program = clCreateProgramWithSource(g.context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "-DAGAIN", built, NULL);
    end_by_exit();
}

static const struct {
    const char *name;
    void (*run)(void);
} ends[] = {
    {"exit", end_by_exit},
    {"_exit", end_by_underscore_exit},
    {"quick_exit", end_by_quick_exit},
    {"return", end_by_return},
    {"thread", end_from_a_thread},
    {"helping", end_while_main_runs_it},
    {"pthread_exit", end_by_main_thread_leaving},
    {"atexit-release", end_with_releases_in_atexit},
    {"atexit-use", end_with_use_in_atexit},
    {"callback", end_while_a_callback_sleeps},
    {"building", end_while_building},
};

/** The process that ends: holds nothing but what a host of its own would. */
static int be_the_host(const char *name, int fd) {
    report_fd = fd;
    alarm(60);
    if (guest_make(&g) || guest_use(&g) || guest_hold(&g, NULL))
        return 99;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(ends[i].name, name) == 0)
            ends[i].run();
    return STATUS;
}

/* ---- the parent ------------------------------------------------------------------------------ */

static const char *self;

/** Seconds from the host's last word to its end. */
static double time_end(const char *name, int *status) {
    int ends[2];
    char fd[16];
    double began = 0;
    *status = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    pid_t pid = fork();
    if (pid == 0) {
        snprintf(fd, sizeof fd, "%d", dup(ends[1]));
        execl(self, self, "--end", name, fd, (char *)NULL);
        _exit(97);
    }
    close(ends[1]);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    double now = seconds_now();
    bool told = read(ends[0], &began, sizeof began) == sizeof began;
    close(ends[0]);
    return told ? now - began : 1e9;
}

/** The machine may be busy: once within the limit is enough, a wrong end never is. */
static void check_end(const char *name) {
    double least = 1e9;
    int status;
    for (int i = 0; i < 4 && least > LIMIT; i++) {
        double took = time_end(name, &status);
        least = took < least ? took : least;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS)
            FAIL("%s: status %#x, not exit status %d", name, (unsigned)status, STATUS);
    }
    printf("# %s: %.1f ms\n", name, least * 1e3);
    if (least > LIMIT)
        FAIL("%s: ended after %.0f ms", name, least * 1e3);
}

TEST(exit_in_the_middle_of_a_kernel) {
    check_end("exit");
    check_end("_exit");
    check_end("quick_exit");
}

TEST(return_from_main_with_queues_not_released) {
    check_end("return");
}

TEST(exit_from_another_thread) {
    check_end("thread");
    check_end("helping");
    check_end("pthread_exit");
}

TEST(exit_handlers_that_release) {
    check_end("atexit-release");
}

TEST(exit_handlers_that_use_it) {
    check_end("atexit-use");
}

TEST(exit_while_a_callback_sleeps) {
    check_end("callback");
}

TEST(exit_while_building) {
    check_end("building");
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--end") == 0)
        return be_the_host(argv[2], atoi(argv[3]));
    self = argv[0];
    return weft_run_tests(argc, argv) ? 1 : 0;
}
