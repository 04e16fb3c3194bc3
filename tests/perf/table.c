// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table on the terminal: a row as soon as it is measured.
#include "parent.h"
#include "reference/reference.h"

#include <math.h>
#include <string.h>

enum { TITLE_WIDTH = 50, UNIT_WIDTH = 5, VALUE_WIDTH = 9, SPREAD_WIDTH = 6, RATIO_WIDTH = 8 };

const char *unit_name(enum unit unit) {
    static const char *const names[] = {"ms", "µs", "ns", "MB", "GB/s", "x"};
    return names[unit];
}

const char *outcome_name(enum outcome outcome) {
    static const char *const names[] = {"", "ok", "WRONG", "failed", "CRASH", "TIMEOUT", "n/a"};
    return names[outcome];
}

// Three digits that count.
void format_value(char text[16], double value) {
    const double size = fabs(value);
    const int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    snprintf(text, 16, "%.*f", digits, value);
}

void format_ratio(char text[16], double value) {
    snprintf(text, 16, "%.*f", value >= 100 ? 0 : value >= 10 ? 1 : value < 0.1 ? 3 : 2, value);
}

static int display_width(const char *text) {
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void put(struct bench *bench, const char *text, int width, const char *style) {
    const int padding = (width < 0 ? -width : width) - display_width(text);
    const bool styled = bench->terminal && style;
    if (width > 0 && padding > 0)
        fprintf(bench->out, "%*s", padding, "");
    fprintf(bench->out, "%s%s%s", styled ? style : "", text, styled ? "\033[0m" : "");
    if (width < 0 && padding > 0)
        fprintf(bench->out, "%*s", padding, "");
}

static const char bold[] = "\033[1m", red[] = "\033[1;31m", dim[] = "\033[2m";

static void rule(struct bench *bench, const char *cross) {
    const int left = TITLE_WIDTH + UNIT_WIDTH + 1;
    for (int i = 0; i < left; i++)
        fputs("─", bench->out);
    for (int p = 0; p < bench->count; p++) {
        fprintf(bench->out, "─%s─", cross);
        int width = VALUE_WIDTH;
        if (p > 0)
            width += SPREAD_WIDTH + RATIO_WIDTH + (p == bench->base ? 0 : RATIO_WIDTH);
        for (int i = 0; i < width; i++)
            fputs("─", bench->out);
    }
    fputc('\n', bench->out);
}

void print_head(struct bench *bench) {
    const struct machine machine = describe_machine();
    fprintf(bench->out,
            "weft-bench, %s\n%s, %d CPUs, %s, load %.1f%s\n%d runs of each line, all in turn; C: "
            "%s\n",
            machine.date, machine.cpu, machine.cpus, machine.kernel, machine.load,
            bench->options.realtime             ? ", real-time class"
            : machine.load > 0.3 * machine.cpus ? " (BUSY: expect noise, or use --realtime)"
                                                : "",
            bench->options.runs, reference_compiler());
    for (int p = 1; p < bench->count; p++)
        fprintf(bench->out, "  %-8s %s\n", bench->participants[p].name,
                bench->participants[p].description);
    fprintf(bench->out,
            "spread: half the interquartile range. ×C, ×%s: how many times as fast as the "
            "hand-written C, as %s\n(or times the bandwidth, or one over times the memory): more "
            "is better, 1 is equal.\n",
            bench->participants[bench->base].name, bench->participants[bench->base].name);
}

void print_section_head(struct bench *bench, const struct section *section) {
    char name[40];
    fputc('\n', bench->out);
    put(bench, section->title, -(TITLE_WIDTH + UNIT_WIDTH + 1), bold);
    for (int p = 0; p < bench->count; p++) {
        const struct participant *participant = &bench->participants[p];
        fputs(" │ ", bench->out);
        put(bench, participant->name, VALUE_WIDTH, bold);
        if (p == 0)
            continue;
        put(bench, "spread", SPREAD_WIDTH + 1, dim);
        put(bench, "×C", RATIO_WIDTH - 1, dim);
        snprintf(name, sizeof name, "×%.6s", bench->participants[bench->base].name);
        if (p != bench->base)
            put(bench, name, RATIO_WIDTH, dim);
    }
    fputc('\n', bench->out);
    rule(bench, "┼");
    fflush(bench->out);
}

bool has_ratio(const struct result *result, int participant, int to) {
    if (to == 0 && result->line->probe->whole_process)
        return false; // C does something else there
    return result->samples[participant].outcome == OUTCOME_OK &&
           result->samples[to].outcome == OUTCOME_OK;
}

static struct summary summary_of(const struct result *result, int participant) {
    const struct samples *samples = &result->samples[participant];
    return summarise(samples->values[result->line->value], samples->runs);
}

double ratio(const struct result *result, int participant, int to) {
    const double mine = summary_of(result, participant).median;
    const double other = summary_of(result, to).median;
    return more_is_better(result->line->unit) ? mine / other : other / mine;
}

static void put_ratio(struct bench *bench, const struct result *result, int p, int to, int width) {
    char text[16] = "";
    if (has_ratio(result, p, to))
        format_ratio(text, ratio(result, p, to));
    put(bench, text, width, NULL);
}

static bool is_best(const struct bench *bench, const struct result *result, int participant) {
    for (int p = 1; p < bench->count; p++)
        if (p != participant && has_ratio(result, participant, p) &&
            ratio(result, participant, p) < 1)
            return false;
    return bench->count > 2;
}

static void put_cell(struct bench *bench, const struct result *result, int p) {
    const struct samples *samples = &result->samples[p];
    char value[16] = "", spread[16] = "";
    fputs(" │ ", bench->out);
    if (samples->outcome != OUTCOME_OK) {
        const bool bad = samples->outcome != OUTCOME_UNSUPPORTED;
        put(bench, outcome_name(samples->outcome), VALUE_WIDTH, bad ? red : dim);
    } else {
        const struct summary summary = summary_of(result, p);
        format_value(value, summary.median);
        put(bench, value, VALUE_WIDTH, p > 0 && is_best(bench, result, p) ? bold : NULL);
        if (summary.median != 0)
            snprintf(spread, sizeof spread, "±%.0f%%",
                     50 * (summary.high - summary.low) / fabs(summary.median));
    }
    if (p == 0)
        return;
    put(bench, spread, SPREAD_WIDTH + 1, dim);
    put_ratio(bench, result, p, 0, RATIO_WIDTH - 1);
    if (p != bench->base)
        put_ratio(bench, result, p, bench->base, RATIO_WIDTH);
}

void print_result(struct bench *bench, const struct result *result) {
    put(bench, result->line->title, -TITLE_WIDTH, NULL);
    put(bench, unit_name(result->line->unit), -(UNIT_WIDTH + 1), dim);
    for (int p = 0; p < bench->count; p++)
        put_cell(bench, result, p);
    fputc('\n', bench->out);
    fflush(bench->out);
}

// The geometric mean of one participant's ratios; 0 if it has none in this section.
static double mean_ratio(const struct section *section, const struct result *results, size_t count,
                         int participant, int to) {
    double values[256];
    int found = 0;
    for (size_t i = 0; i < count && found < 256; i++)
        if (results[i].section == section && has_ratio(&results[i], participant, to))
            values[found++] = ratio(&results[i], participant, to);
    return geometric_mean(values, found);
}

static void put_mean(struct bench *bench, double mean, int width) {
    char text[16] = "";
    if (mean > 0)
        format_ratio(text, mean);
    put(bench, text, width, bold);
}

void print_section_foot(struct bench *bench, const struct section *section,
                        const struct result *results, size_t count) {
    rule(bench, "┼");
    put(bench, "geometric mean", -(TITLE_WIDTH + UNIT_WIDTH + 1), NULL);
    for (int p = 0; p < bench->count; p++) {
        fputs(" │ ", bench->out);
        put(bench, "", VALUE_WIDTH, NULL);
        if (p == 0)
            continue;
        put(bench, "", SPREAD_WIDTH + 1, NULL);
        put_mean(bench, mean_ratio(section, results, count, p, 0), RATIO_WIDTH - 1);
        if (p != bench->base)
            put_mean(bench, mean_ratio(section, results, count, p, bench->base), RATIO_WIDTH);
    }
    fputc('\n', bench->out);
    fflush(bench->out);
}

void print_parts(struct bench *bench, const char *title, const struct parts *parts) {
    fprintf(bench->out, "\nparts of the build, %s (ms, median of %d builds, added up over jobs)\n",
            title, bench->options.runs);
    for (int i = 0; i < parts->count; i++) {
        char value[16], least[16], most[16];
        const struct summary *summary = &parts->values[i];
        format_value(value, summary->median);
        format_value(least, summary->least);
        format_value(most, summary->most);
        fprintf(bench->out, "    ");
        put(bench, parts->names[i], -32, NULL);
        put(bench, value, VALUE_WIDTH, NULL);
        fprintf(bench->out, "   %s..%s\n", least, most);
    }
    fflush(bench->out);
}

void print_notes(struct bench *bench, const struct result *results, size_t count) {
    bool first = true;
    for (size_t i = 0; i < count; i++)
        for (int p = 0; p < bench->count && results[i].owner; p++) {
            const struct samples *samples = &results[i].samples[p];
            if (samples->outcome == OUTCOME_OK || samples->outcome == OUTCOME_NONE)
                continue;
            if (first)
                fprintf(bench->out, "\nnotes\n");
            first = false;
            fprintf(bench->out, "  %s, %s: %s: %s\n", results[i].line->id,
                    bench->participants[p].name, outcome_name(samples->outcome), samples->note);
        }
}
