// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The child process: takes orders from the parent and answers with what it measured.
#include "child.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static char run_note[NOTE_SIZE];

static void send_answer(const struct answer *answer) {
    // A parent that has gone needs no answer.
    if (send(CHILD_FD, answer, sizeof *answer, MSG_NOSIGNAL) < 0)
        _exit(2);
}

void child_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run_note, sizeof run_note, format, arguments);
    va_end(arguments);
}

static _Noreturn void end_with(enum answer_kind kind, const char *format, va_list arguments) {
    struct answer answer = {.kind = kind};
    vsnprintf(answer.note, sizeof answer.note, format, arguments);
    send_answer(&answer);
    _exit(1);
}

void child_wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end_with(ANSWER_WRONG, format, arguments);
}

void child_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end_with(ANSWER_FAILED, format, arguments);
}

void child_unsupported(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end_with(ANSWER_UNSUPPORTED, format, arguments);
}

double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static const double enough_ms = 30.0;

double best_ms(void (*once)(void *), void *context) {
    const double start = now_ms();
    double best = 0, before = start, now = start;
    for (int count = 0; count < 3 || now - start < enough_ms; count++) {
        once(context);
        now = now_ms();
        if (count == 0 || now - before < best)
            best = now - before;
        before = now;
    }
    return best;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_ms(void (*once)(void *), void *context) {
    enum { BATCH = 16, MOST = 4096 };
    static double batches[MOST];
    const double start = now_ms();
    double before = start;
    int count = 0;
    while (count < MOST && (count == 0 || before - start < enough_ms)) {
        for (int i = 0; i < BATCH; i++)
            once(context);
        const double now = now_ms();
        batches[count++] = (now - before) / BATCH;
        before = now;
    }
    qsort(batches, (size_t)count, sizeof *batches, compare);
    return (batches[(count - 1) / 2] + batches[count / 2]) / 2;
}

void *allocate(size_t bytes) {
    const size_t page = 4096;
    bytes = (bytes + page - 1) / page * page;
    void *memory = aligned_alloc(page, bytes ? bytes : page);
    if (!memory)
        child_fail("no memory for %zu bytes", bytes);
    memset(memory, 0, bytes);
    return memory;
}

// Serves one long-lived process: ready, then one answer for each order.
static void serve(struct job *job) {
    const struct probe *probe = job->line->probe;
    struct answer answer = {.kind = ANSWER_READY};
    probe->open(job);
    send_answer(&answer);
    struct order order;
    while (recv(CHILD_FD, &order, sizeof order, 0) == (ssize_t)sizeof order) {
        answer = (struct answer){.kind = ANSWER_VALUES};
        if (order.run < 0) {
            if (probe->check && !job->reference)
                probe->check(job);
            send_answer(&answer);
            break;
        }
        job->run = order.run;
        probe->run(job, answer.values);
        send_answer(&answer);
    }
    _exit(0);
}

static int serve_once(struct job *job, bool prepare) {
    const struct probe *probe = job->line->probe;
    struct answer answer = {.kind = ANSWER_VALUES};
    if (prepare) {
        probe->prepare(job);
    } else {
        if (probe->open)
            probe->open(job);
        probe->run(job, answer.values);
        memcpy(answer.note, run_note, sizeof run_note);
    }
    send_answer(&answer);
    if (!probe->whole_process)
        _exit(0);
    return 0; // the way out through destructors is part of what is measured
}

// argv: the program without its name: --child ROLE ID NONCE RUN SCRATCH, ROLE one of run,
// reference, prepare.
int child_main(int argc, char **argv) {
    if (argc != 6)
        return 2;
    const char *role = argv[1];
    struct job job = {.line = find_line(argv[2]),
                      .reference = strcmp(role, "reference") == 0,
                      .nonce = strtoull(argv[3], NULL, 10),
                      .run = atoi(argv[4]),
                      .scratch = argv[5]};
    if (!job.line)
        return 2;
    if (!job.line->probe->fresh)
        serve(&job);
    return serve_once(&job, strcmp(role, "prepare") == 0);
}
