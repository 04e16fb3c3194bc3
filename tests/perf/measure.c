// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of things: for each line, one run of each participant in turn, until all runs are done.
#include "parent.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Threads that spin for a while after their work must not run into the next one's time.
static void settle(void) {
    const struct timespec pause = {.tv_nsec = 3 * 1000 * 1000};
    nanosleep(&pause, NULL);
}

static const char *role_of(const struct participant *participant) {
    return participant->vendors[0] ? "run" : "reference";
}

static void take(struct samples *samples, enum outcome outcome, const struct answer *answer) {
    samples->outcome = outcome;
    if (outcome == OUTCOME_OK)
        for (int v = 0; v < MAX_VALUES; v++)
            samples->values[v][samples->runs] = answer->values[v];
    else
        snprintf(samples->note, sizeof samples->note, "%s", answer->note);
    samples->runs += outcome == OUTCOME_OK;
}

// One process for each run, and one before it if the probe wants something prepared.
static void fresh_run(struct bench *bench, int index, const struct line *line, int run,
                      struct samples *samples) {
    const struct participant *participant = &bench->participants[index];
    const uint64_t nonce = ++bench->nonce;
    struct child child;
    struct answer answer;
    double life = 0;
    enum outcome outcome = OUTCOME_OK;
    if (line->probe->prepare) {
        if (!start_child(&child, participant, "prepare", line, nonce, run, NULL))
            return;
        outcome = finish_child(&child, bench->options.timeout, &answer, &life);
        settle();
    }
    if (outcome == OUTCOME_OK) {
        if (!start_child(&child, participant, role_of(participant), line, nonce, run, NULL))
            return;
        outcome = finish_child(&child, bench->options.timeout, &answer, &life);
    }
    if (line->probe->whole_process)
        answer.values[0] = life;
    take(samples, outcome, &answer);
    settle();
}

static void measure_fresh(struct bench *bench, const struct line *line, struct samples *samples) {
    for (int run = 0; run < bench->options.runs && !interrupted; run++)
        for (int p = 0; p < bench->count; p++)
            if (samples[p].outcome == OUTCOME_OK)
                fresh_run(bench, p, line, run, &samples[p]);
}

// Processes that stay for all runs.
static void measure_served(struct bench *bench, const struct line *line, struct samples *samples) {
    struct child children[MAX_PARTICIPANTS];
    struct answer answer;
    const int timeout = bench->options.timeout;
    for (int p = 0; p < bench->count; p++) {
        if (samples[p].outcome != OUTCOME_OK)
            continue;
        const struct participant *participant = &bench->participants[p];
        if (!start_child(&children[p], participant, role_of(participant), line, ++bench->nonce, 0,
                         NULL)) {
            samples[p].outcome = OUTCOME_FAILED;
            continue;
        }
        const enum outcome outcome = ask_child(&children[p], INT_MIN, timeout, &answer);
        if (outcome != OUTCOME_OK)
            take(&samples[p], outcome, &answer);
    }
    for (int run = 0; run < bench->options.runs && !interrupted; run++)
        for (int p = 0; p < bench->count; p++) {
            if (samples[p].outcome != OUTCOME_OK)
                continue;
            settle();
            const enum outcome outcome = ask_child(&children[p], run, timeout, &answer);
            take(&samples[p], outcome, &answer);
        }
    for (int p = 0; p < bench->count; p++) {
        if (samples[p].outcome != OUTCOME_OK)
            continue;
        const enum outcome outcome = ask_child(&children[p], -1, timeout, &answer);
        if (outcome != OUTCOME_OK)
            take(&samples[p], outcome, &answer);
        else
            end_child(&children[p]);
    }
}

void measure(struct bench *bench, const struct line *first, struct samples *samples) {
    for (int p = 0; p < bench->count; p++) {
        const bool reference = !bench->participants[p].vendors[0];
        samples[p] = (struct samples){0};
        if (reference && !first->probe->has_reference)
            continue;
        samples[p].outcome = OUTCOME_OK;
        for (int v = 0; v < MAX_VALUES; v++)
            samples[p].values[v] = calloc((size_t)bench->options.runs + 1, sizeof(double));
    }
    if (first->probe->fresh)
        measure_fresh(bench, first, samples);
    else
        measure_served(bench, first, samples);
    for (int p = 0; p < bench->count; p++) {
        if (samples[p].outcome == OUTCOME_OK && samples[p].runs == 0)
            samples[p].outcome = OUTCOME_NONE;
        if (samples[p].outcome == OUTCOME_WRONG || samples[p].outcome == OUTCOME_FAILED ||
            samples[p].outcome == OUTCOME_CRASH || samples[p].outcome == OUTCOME_TIMEOUT)
            bench->failed = true;
    }
}

void free_samples(struct samples *samples, int count) {
    for (int p = 0; p < count; p++)
        for (int v = 0; v < MAX_VALUES; v++)
            free(samples[p].values[v]);
}

int parse_build_log(FILE *log, char names[MAX_PARTS][48], double sums[MAX_PARTS]) {
    static const char prefix[] = "weft: build: ";
    char text[512];
    int count = 0;
    while (fgets(text, sizeof text, log)) {
        char *from = strstr(text, prefix), *end;
        if (!from)
            continue;
        from += sizeof prefix - 1;
        text[strcspn(text, "\n")] = '\0';
        const size_t length = strlen(from);
        if (length < 5 || strcmp(from + length - 3, " ms") != 0)
            continue;
        from[length - 3] = '\0';
        char *number = strrchr(from, ' ');
        if (!number || number == from)
            continue;
        *number++ = '\0';
        const double value = strtod(number, &end);
        if (end == number || *end || strlen(from) >= 48)
            continue;
        int at = 0;
        while (at < count && strcmp(names[at], from) != 0)
            at++;
        if (at == MAX_PARTS)
            continue;
        if (at == count) {
            memcpy(names[count], from, strlen(from) + 1);
            sums[count++] = 0;
        }
        sums[at] += value;
    }
    return count;
}

// One more build with the debug log on; returns the number of parts found in it.
static int parts_of_one_run(struct bench *bench, int index, const struct line *line,
                            char names[MAX_PARTS][48], double sums[MAX_PARTS]) {
    struct child child;
    struct answer answer;
    double life;
    if (!start_child(&child, &bench->participants[index], "run", line, ++bench->nonce, 0,
                     "WEFT_DEBUG=build"))
        return 0;
    char log[sizeof child.log];
    memcpy(log, child.log, sizeof log);
    if (finish_child(&child, bench->options.timeout, &answer, &life) != OUTCOME_OK)
        return 0;
    settle();
    FILE *file = fopen(log, "r");
    const int count = file ? parse_build_log(file, names, sums) : 0;
    if (file)
        fclose(file);
    return count;
}

bool measure_parts(struct bench *bench, int participant, const struct line *line,
                   struct parts *parts) {
    const int runs = bench->options.runs;
    double *values = calloc((size_t)MAX_PARTS * (size_t)runs, sizeof *values);
    int found[MAX_PARTS] = {0};
    parts->count = 0;
    for (int run = 0; run < runs && !interrupted; run++) {
        char names[MAX_PARTS][48];
        double sums[MAX_PARTS];
        const int count = parts_of_one_run(bench, participant, line, names, sums);
        if (count == 0)
            break; // most ICDs know no such setting: do not try nine times
        for (int i = 0; i < count; i++) {
            int at = 0;
            while (at < parts->count && strcmp(parts->names[at], names[i]) != 0)
                at++;
            if (at == MAX_PARTS)
                continue;
            if (at == parts->count)
                memcpy(parts->names[parts->count++], names[i], sizeof names[i]);
            values[at * runs + found[at]++] = sums[i];
        }
    }
    for (int i = 0; i < parts->count; i++)
        parts->values[i] = summarise(values + i * runs, found[i]);
    free(values);
    return parts->count > 0;
}
