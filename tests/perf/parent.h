// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parent's files share: who takes part, what they answered, and how it is shown.
#ifndef WEFT_BENCH_PARENT_H
#define WEFT_BENCH_PARENT_H

#include "bench.h"

#include <stdio.h>
#include <sys/types.h>

enum { MAX_ICDS = 8, MAX_PARTICIPANTS = MAX_ICDS + 1, MAX_PARTS = 24, NAME_SIZE = 32 };

// Participant 0 is the hand-written C, the others are ICDs in the order of the command line, and
// the hand-written C with another library's functions.
struct participant {
    char name[NAME_SIZE];
    char vendors[512]; // folder with just this .icd; empty for the reference
    char preload[512]; // of the reference once more: what goes in front of the C library
    char scratch[512];
    char cache[512];       // so that no earlier program's cache is met, and none is left behind
    char description[256]; // platform, version, device
};

struct options {
    int runs;
    int timeout; // seconds for one answer of a child
    const char *only[128];
    int only_count;
    const char *json, *markdown;
    const char *base; // name of the participant to compare with; NULL: the first
    bool list, realtime;
};

struct bench {
    struct options options;
    struct participant participants[MAX_PARTICIPANTS];
    int count;        // of participants
    int base;         // index
    char folder[256]; // temporary, holds all of theirs
    uint64_t nonce;
    FILE *out;   // the table
    bool failed; // a wrong result, a crash, a time-out
    bool terminal;
};

enum outcome {
    OUTCOME_NONE,
    OUTCOME_OK,
    OUTCOME_WRONG,
    OUTCOME_FAILED,
    OUTCOME_CRASH,
    OUTCOME_TIMEOUT,
    OUTCOME_UNSUPPORTED
};

// What one participant made of one measurement.
struct samples {
    enum outcome outcome;
    char note[NOTE_SIZE];
    int runs;
    double *values[MAX_VALUES]; // values[v][run]
};

struct summary {
    double median, low, high, least, most; // low and high are the quartiles
};

struct summary summarise(const double *values, int count);
double geometric_mean(const double *values, int count);

// ---- spawn.c: child processes

struct child {
    pid_t pid;
    int socket, process; // the parent's end; the pidfd
    double started;
    char log[512]; // what it wrote to stdout and stderr
    const struct participant *participant;
};

double clock_ms(void);
extern volatile bool interrupted;

// Starts a child; extra is one more VARIABLE=VALUE for its environment, or NULL.
bool start_child(struct child *child, const struct participant *participant, const char *role,
                 const struct line *line, uint64_t nonce, int run, const char *extra);

// Sends an order (unless run is INT_MIN) and waits for the answer. Anything but OUTCOME_OK has
// ended the child; the note says why.
enum outcome ask_child(struct child *child, int run, int timeout, struct answer *answer);

// Waits for the end of a child that was started for one run. life is its time in ms.
enum outcome finish_child(struct child *child, int timeout, struct answer *answer, double *life);

void end_child(struct child *child);

// ---- measure.c

// Measures the lines from first on that share a measurement; the arrays are of bench->count.
void measure(struct bench *bench, const struct line *first, struct samples *samples);
void free_samples(struct samples *samples, int count);

// Parts of builds, from Weft's debug log.
struct parts {
    int count;
    char names[MAX_PARTS][48];
    struct summary values[MAX_PARTS];
};

bool measure_parts(struct bench *bench, int participant, const struct line *line,
                   struct parts *parts);
// Adds up "weft: build: PART MILLISECONDS ms" lines of a log by part; returns how many it found.
int parse_build_log(FILE *log, char names[MAX_PARTS][48], double sums[MAX_PARTS]);

// ---- table.c, report.c: output

struct result {
    const struct section *section;
    const struct line *line;
    struct samples samples[MAX_PARTICIPANTS]; // owned by the first line of a measurement
    bool owner;
};

const struct line *measurement_of(const struct section *section, const struct line *line);
bool has_ratio(const struct result *result, int participant, int to);
double ratio(const struct result *result, int participant, int to);
const char *unit_name(enum unit unit);
const char *outcome_name(enum outcome outcome);
void format_value(char text[16], double value);
void format_ratio(char text[16], double value);

void print_head(struct bench *bench);
void print_section_head(struct bench *bench, const struct section *section);
void print_result(struct bench *bench, const struct result *result);
void print_section_foot(struct bench *bench, const struct section *section,
                        const struct result *results, size_t count);
void print_parts(struct bench *bench, const char *title, const struct parts *parts);
void print_notes(struct bench *bench, const struct result *results, size_t count);

bool write_json(struct bench *bench, const struct result *results, size_t count);
bool write_markdown(struct bench *bench, const struct result *results, size_t count);

// ---- machine.c

struct machine {
    char cpu[128], kernel[128], date[32];
    int cpus;
    double load; // average of the last minute
};

struct machine describe_machine(void);

#endif
