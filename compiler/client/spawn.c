// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Two clones, both with CLONE_VM | CLONE_VFORK: no page table is copied, each parent sleeps until
 * its child has called exec or exit. The first child has exit signal 0: such a child sends no
 * SIGCHLD and only a wait with __WALL or __WCLONE sees it, so a wait(-1) of the application cannot
 * take it from us. (An exec would turn its exit signal back to SIGCHLD, hence the second child.)
 *
 * The code of the children runs in the application's memory: raw system calls only, which no
 * sanitizer or preloaded library replaces, and nothing that allocates, locks or is instrumented.
 */
#include "compiler/client/spawn.h"

#include "compiler/shared/protocol.h"
#include "weft/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define IN_CHILD __attribute__((no_sanitize("address", "thread", "undefined")))

/* glibc's other name for clone(2): ThreadSanitizer and preloaded libraries replace the common one
 * by something that takes every child for one of fork(). */
extern int __clone(int (*run)(void *), void *stack, int flags, void *argument, ...);

/* Room for the dynamic linker to save vector registers in when it binds a symbol. */
enum { STACK_BYTES = 32 * 1024, KERNEL_SIGNALS = 64 };

static int IN_CHILD failed(weft_spawn *spawn, const char *step) {
    spawn->error = errno;
    spawn->step = step;
    return 127;
}

/** Default disposition of every signal; exec would only reset those that have a handler. */
static void IN_CHILD default_signals(void) {
    /* The kernel's struct sigaction, all zero: SIG_DFL, no flags, empty mask. */
    const unsigned long nothing[8] = {0};
    for (long number = 1; number <= KERNEL_SIGNALS; number++)
        syscall(SYS_rt_sigaction, number, nothing, NULL, KERNEL_SIGNALS / 8);
}

/** 0, 1 and 2: /dev/null, or where there is none, a pipe that nobody reads. */
static bool IN_CHILD empty_streams(void) {
    int ends[2];
    ends[0] = ends[1] = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
    if (ends[0] < 0 && syscall(SYS_pipe2, ends, O_NONBLOCK) != 0)
        return false;
    /* They may be among 0, 1 and 2 already: first move them out of the way. */
    for (int i = 0; i < 2; i++)
        ends[i] = (int)syscall(SYS_fcntl, ends[i], F_DUPFD, WEFT_WIRE_FD_PARENT + 1);
    return ends[0] >= 0 && ends[1] >= 0 && syscall(SYS_dup3, ends[0], 0, 0) == 0 &&
           syscall(SYS_dup3, ends[1], 1, 0) == 1 && syscall(SYS_dup3, ends[1], 2, 0) == 2;
}

static void IN_CHILD close_from(unsigned first) {
    if (syscall(SYS_close_range, first, ~0u, 0) == 0)
        return;
    /* Linux before 5.9. No /proc/self/fd to read: the limit bounds the numbers. */
    struct rlimit limit = {.rlim_cur = 1024};
    syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
    if (limit.rlim_cur > 1u << 20)
        limit.rlim_cur = 1u << 20;
    for (unsigned fd = first; fd < limit.rlim_cur; fd++)
        syscall(SYS_close, fd);
}

/** Exactly the descriptors of protocol.h. */
static bool IN_CHILD arrange_descriptors(weft_spawn *spawn) {
    const int high = WEFT_WIRE_FD_PARENT + 1;
    int control = (int)syscall(SYS_fcntl, spawn->control, F_DUPFD, high);
    int parent = spawn->parent < 0 ? -1 : (int)syscall(SYS_fcntl, spawn->parent, F_DUPFD, high);
    if (control < 0 || !empty_streams() ||
        syscall(SYS_dup3, control, WEFT_WIRE_FD_CONTROL, 0) != WEFT_WIRE_FD_CONTROL)
        return false;
    if (parent < 0)
        syscall(SYS_close, WEFT_WIRE_FD_PARENT);
    else if (syscall(SYS_dup3, parent, WEFT_WIRE_FD_PARENT, 0) != WEFT_WIRE_FD_PARENT)
        return false;
    close_from(WEFT_WIRE_FD_PARENT + 1);
    return true;
}

/** The second child: becomes the compiler. */
static int IN_CHILD second_child(void *argument) {
    weft_spawn *spawn = argument;
    /* Nothing of the application's environment: no preloads, no locale, no sanitizer options. The
     * C library then asks for huge pages for its heap: a third fewer page faults in a large job. */
    char *const environment[] = {(char *)"LC_ALL=C", (char *)"PATH=/usr/bin:/bin",
                                 (char *)"GLIBC_TUNABLES=glibc.malloc.hugetlb=1", NULL};
    const int normal[1] = {0}; /* struct sched_param: SCHED_OTHER has no priority */
    const unsigned long no_signals = 0;
    if (syscall(SYS_setsid) < 0)
        return failed(spawn, "setsid");
    /* A real-time thread of the application must not make a real-time compiler. */
    syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, normal);
    if (syscall(SYS_chdir, "/") != 0)
        return failed(spawn, "chdir");
    if (!arrange_descriptors(spawn))
        return failed(spawn, "dup");
    default_signals();
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, KERNEL_SIGNALS / 8);
    syscall(SYS_execve, spawn->path, spawn->argv, environment);
    return failed(spawn, "execve");
}

static int IN_CHILD first_child(void *argument) {
    weft_spawn *spawn = argument;
    pid_t pid = __clone(second_child, spawn->inner_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, spawn);
    if (pid < 0)
        return failed(spawn, "clone");
    spawn->pid = pid;
    return 0;
}

/** With all signals blocked: a handler of the application must not run in a child. */
static int clone_and_reap(weft_spawn *spawn, char *stacks) {
    sigset_t all, before;
    int status = 0, error = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    spawn->inner_stack = stacks + STACK_BYTES;
    pid_t pid = __clone(first_child, stacks + 2 * STACK_BYTES, CLONE_VM | CLONE_VFORK, spawn);
    if (pid < 0) {
        error = errno;
    } else {
        while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int weft_spawn_run(weft_spawn *spawn, const char **step) {
    spawn->pid = 0;
    spawn->error = 0;
    spawn->step = "clone";
    *step = "mmap";
    char *stacks = weft_mmap(NULL, 2 * STACK_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED)
        return ENOMEM;
    *step = "clone";
    int error = weft_shim_fails() ? EAGAIN : clone_and_reap(spawn, stacks);
    munmap(stacks, 2 * STACK_BYTES);
    if (!error) {
        error = spawn->error;
        *step = spawn->step;
    }
    return error;
}
