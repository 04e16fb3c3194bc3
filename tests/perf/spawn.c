// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts child copies of this program, talks to them, and finds out how they end.
#include "parent.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
volatile bool interrupted;

double clock_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

enum { MAX_ENVIRONMENT = 512, OWN_VARIABLES = 5 };

struct environment {
    char own[OWN_VARIABLES][640];
    char *list[MAX_ENVIRONMENT + OWN_VARIABLES + 2];
};

// What an ICD's child must not inherit. The reference keeps what the user says about OpenMP.
static bool is_ours(const char *variable) {
    static const char *const names[] = {"OCL_ICD_VENDORS=", "OCL_ICD_FILENAMES=", "XDG_CACHE_HOME=",
                                        "OMP_NUM_THREADS=", "WEFT_DEBUG="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void make_environment(struct environment *e, const struct participant *p,
                             const char *extra) {
    int count = 0, own = 0;
    for (char **v = environ; *v && count < MAX_ENVIRONMENT; v++)
        if (!p->vendors[0] || !is_ours(*v))
            e->list[count++] = *v;
    if (p->vendors[0]) {
        snprintf(e->own[own++], sizeof e->own[0], "OCL_ICD_VENDORS=%s", p->vendors);
        snprintf(e->own[own++], sizeof e->own[0], "XDG_CACHE_HOME=%s", p->cache);
        // The reference only checks results there; its threads must not be in the way.
        snprintf(e->own[own++], sizeof e->own[0], "OMP_NUM_THREADS=1");
    } else if (!getenv("OMP_WAIT_POLICY")) {
        // A thread that spins until its twin has finished may be what keeps the twin from running.
        snprintf(e->own[own++], sizeof e->own[0], "OMP_WAIT_POLICY=passive");
    }
    if (p->preload[0])
        snprintf(e->own[own++], sizeof e->own[0], "LD_PRELOAD=%s", p->preload);
    if (extra)
        snprintf(e->own[own++], sizeof e->own[0], "%s", extra);
    for (int i = 0; i < own; i++)
        e->list[count++] = e->own[i];
    e->list[count] = NULL;
}

static int spawn(struct child *child, char *const *arguments, char *const *variables,
                 int their_end) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, child->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawn_file_actions_adddup2(&actions, their_end, CHILD_FD);
    posix_spawnattr_init(&attributes);
    // A group of its own: what a hanging child has started can be ended with it.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    child->started = clock_ms();
    const int status =
        posix_spawn(&child->pid, "/proc/self/exe", &actions, &attributes, arguments, variables);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return status;
}

bool start_child(struct child *child, const struct participant *participant, const char *role,
                 const struct line *line, uint64_t nonce, int run, const char *extra) {
    int ends[2];
    char number[32], run_text[16];
    static struct environment environment;
    *child = (struct child){.socket = -1, .process = -1, .participant = participant};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    snprintf(number, sizeof number, "%llu", (unsigned long long)nonce);
    snprintf(run_text, sizeof run_text, "%d", run);
    snprintf(child->log, sizeof child->log, "%.480s/log", participant->scratch);
    char *const arguments[] = {(char *)"weft-bench",
                               (char *)"--child",
                               (char *)role,
                               (char *)line->id,
                               number,
                               run_text,
                               (char *)participant->scratch,
                               NULL};
    make_environment(&environment, participant, extra);
    const int status = spawn(child, arguments, environment.list, ends[1]);
    close(ends[1]);
    child->socket = ends[0];
    if (status != 0) {
        close(ends[0]);
        return false;
    }
    child->process = (int)syscall(SYS_pidfd_open, child->pid, 0);
    return true;
}

static void close_child(struct child *child) {
    if (child->socket >= 0)
        close(child->socket);
    if (child->process >= 0)
        close(child->process);
    child->socket = child->process = -1;
    child->pid = 0;
}

void end_child(struct child *child) {
    if (child->pid > 0) {
        kill(-child->pid, SIGKILL);
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
    }
    close_child(child);
}

// Waits until the descriptor is readable; false at the deadline or when the user interrupts.
static bool wait_for(int descriptor, double deadline) {
    for (;;) {
        const double left = deadline - clock_ms();
        if (left <= 0 || interrupted)
            return false;
        struct pollfd entry = {.fd = descriptor, .events = POLLIN};
        const int ready = poll(&entry, 1, left > 60000 ? 60000 : (int)left + 1);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

// The last line that the child wrote, for a process that ended without a word.
static void last_log_line(const struct child *child, char *note, size_t size) {
    char text[256], last[256] = "";
    FILE *file = fopen(child->log, "r");
    while (file && fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = '\0';
        if (text[strspn(text, " \t")])
            memcpy(last, text, sizeof last);
    }
    if (file)
        fclose(file);
    if (last[0]) {
        const size_t used = strlen(note);
        snprintf(note + used, size - used, "; it last wrote: %.200s", last);
    }
}

static enum outcome died(struct child *child, int status, struct answer *answer) {
    if (WIFSIGNALED(status))
        snprintf(answer->note, sizeof answer->note, "%s", strsignal(WTERMSIG(status)));
    else
        snprintf(answer->note, sizeof answer->note, "ended with status %d before it answered",
                 WEXITSTATUS(status));
    last_log_line(child, answer->note, sizeof answer->note);
    close_child(child);
    return OUTCOME_CRASH;
}

static enum outcome too_late(struct child *child, int timeout, struct answer *answer) {
    end_child(child);
    if (interrupted) {
        snprintf(answer->note, sizeof answer->note, "interrupted");
        return OUTCOME_NONE;
    }
    snprintf(answer->note, sizeof answer->note, "no answer in %d s", timeout);
    last_log_line(child, answer->note, sizeof answer->note);
    return OUTCOME_TIMEOUT;
}

static enum outcome outcome_of(const struct answer *answer) {
    switch (answer->kind) {
    case ANSWER_WRONG:
        return OUTCOME_WRONG;
    case ANSWER_FAILED:
        return OUTCOME_FAILED;
    case ANSWER_UNSUPPORTED:
        return OUTCOME_UNSUPPORTED;
    default:
        return OUTCOME_OK;
    }
}

enum outcome ask_child(struct child *child, int run, int timeout, struct answer *answer) {
    const struct order order = {.run = run};
    *answer = (struct answer){0};
    if (run != INT_MIN)
        (void)!send(child->socket, &order, sizeof order, MSG_NOSIGNAL);
    if (!wait_for(child->socket, clock_ms() + timeout * 1e3))
        return too_late(child, timeout, answer);
    if (recv(child->socket, answer, sizeof *answer, 0) != (ssize_t)sizeof *answer) {
        // The other end is closed: it has ended, or is about to.
        *answer = (struct answer){0};
        int status = 0;
        if (!wait_for(child->process, clock_ms() + timeout * 1e3))
            return too_late(child, timeout, answer);
        waitpid(child->pid, &status, 0);
        return died(child, status, answer);
    }
    answer->note[sizeof answer->note - 1] = '\0';
    const enum outcome outcome = outcome_of(answer);
    if (outcome != OUTCOME_OK)
        end_child(child);
    return outcome;
}

enum outcome finish_child(struct child *child, int timeout, struct answer *answer, double *life) {
    int status = 0;
    *answer = (struct answer){0};
    if (!wait_for(child->process, child->started + timeout * 1e3))
        return too_late(child, timeout, answer);
    waitpid(child->pid, &status, 0);
    *life = clock_ms() - child->started;
    if (recv(child->socket, answer, sizeof *answer, MSG_DONTWAIT) != (ssize_t)sizeof *answer) {
        *answer = (struct answer){0};
        return died(child, status, answer);
    }
    answer->note[sizeof answer->note - 1] = '\0';
    // An answer that is followed by a crash at exit is a crash.
    if (WIFSIGNALED(status))
        return died(child, status, answer);
    close_child(child);
    return outcome_of(answer);
}
