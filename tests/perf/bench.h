// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// weft-bench: what parent and child share: the table of lines, and the messages between them.
//
// The parent runs each line in child copies of itself, one child per ICD (and one for the
// hand-written C), and asks them in turn for one run after the other, so that a noisy moment of the
// machine hits all of them alike. The child knows OpenCL; the parent never calls it.
#ifndef WEFT_BENCH_H
#define WEFT_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_VALUES = 4, NOTE_SIZE = 400 };

enum unit { UNIT_MS, UNIT_US, UNIT_NS, UNIT_MB, UNIT_GB_S, UNIT_TIMES };

static inline bool more_is_better(enum unit unit) {
    return unit == UNIT_GB_S || unit == UNIT_TIMES;
}

// One child process's work: this line, for OpenCL or for the reference.
struct job {
    const struct line *line;
    bool reference;      // measure the hand-written C, make no OpenCL call
    uint64_t nonce;      // makes sources unlike any that a cache may hold
    const char *scratch; // folder of this ICD's children, to leave files in for the next one
    int run;             // number of the run that is asked for
    void *state;         // the probe's own
};

// How a line is measured. All functions are called in the child; a failure ends the child by the
// functions of child.h. What is NULL is not needed.
struct probe {
    bool fresh;         // every run is a new process, else one process serves all runs
    bool has_reference; // hand-written C takes part
    bool whole_process; // value 0 is the life of the process as the parent sees it, in ms
    bool builds;        // ask Weft for the parts of its builds, in runs of their own
    void (*prepare)(struct job *); // in a process of its own before each fresh run
    void (*open)(struct job *);    // set up, warm up, check the first result
    void (*run)(struct job *, double values[MAX_VALUES]);
    void (*check)(struct job *); // after the last run
};

// Lines that follow each other with the same probe and data are values of one measurement.
struct line {
    const char *id; // section/name, what --only matches
    const char *title;
    enum unit unit;
    const struct probe *probe;
    int value; // which of the probe's values
    const void *data;
};

struct section {
    const char *title;
    const struct line *lines;
    const size_t *count;
};

extern const struct section bench_sections[];
extern const size_t bench_section_count;

// Of lines_queue.c, in lines_clients.c and lines_share.c.
extern const struct probe alternate_probe, clients_probe, quota_probe;
extern const struct probe processes_probe, halves_probe;

extern const struct line start_lines[], build_lines[], queue_lines[], bandwidth_lines[],
    kernel_lines[], unseen_lines[], maths_lines[], builtin_lines[];
extern const size_t start_line_count, build_line_count, queue_line_count, bandwidth_line_count,
    kernel_line_count, unseen_line_count, maths_line_count, builtin_line_count;

// Not in any section: its note says which platform and device the ICD has.
extern const struct line describe_line;

const struct line *find_line(const char *id);

// From parent to child: "do run n". A negative number means check what is left to check and end.
struct order {
    int run;
};

enum answer_kind {
    ANSWER_READY,
    ANSWER_VALUES,
    ANSWER_WRONG,
    ANSWER_FAILED,
    ANSWER_UNSUPPORTED,
};

struct answer {
    enum answer_kind kind;
    double values[MAX_VALUES];
    char note[NOTE_SIZE];
};

// The child's end of the socket to the parent.
enum { CHILD_FD = 3 };

int child_main(int argc, char **argv);

#endif
