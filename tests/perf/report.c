// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same results as JSON (with every sample) and as Markdown.
#include "parent.h"
#include "reference/reference.h"

#include <string.h>

static void json_text(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void json_field(FILE *file, const char *name, const char *text, const char *after) {
    fprintf(file, "\"%s\": ", name);
    json_text(file, text);
    fputs(after, file);
}

static void json_samples(FILE *file, const struct result *result, int participant) {
    const struct samples *samples = &result->samples[participant];
    if (samples->outcome != OUTCOME_OK) {
        fputs("{", file);
        json_field(file, "outcome", outcome_name(samples->outcome), ", ");
        json_field(file, "note", samples->note, "}");
        return;
    }
    const double *values = samples->values[result->line->value];
    const struct summary s = summarise(values, samples->runs);
    fprintf(file,
            "{\"outcome\": \"ok\", \"median\": %.6g, \"quartiles\": [%.6g, %.6g], "
            "\"range\": [%.6g, %.6g], \"values\": [",
            s.median, s.low, s.high, s.least, s.most);
    for (int run = 0; run < samples->runs; run++)
        fprintf(file, "%s%.6g", run ? ", " : "", values[run]);
    fputs("]}", file);
}

static void json_result(FILE *file, const struct bench *bench, const struct result *result) {
    fputs("    {", file);
    json_field(file, "id", result->line->id, ", ");
    json_field(file, "title", result->line->title + strspn(result->line->title, " "), ", ");
    json_field(file, "unit", unit_name(result->line->unit), ", \"results\": {");
    bool first = true;
    for (int p = 0; p < bench->count; p++) {
        if (result->samples[p].outcome == OUTCOME_NONE)
            continue;
        fputs(first ? "\n      " : ",\n      ", file);
        first = false;
        json_text(file, bench->participants[p].name);
        fputs(": ", file);
        json_samples(file, result, p);
    }
    fputs("}}", file);
}

bool write_json(struct bench *bench, const struct result *results, size_t count) {
    FILE *file = fopen(bench->options.json, "w");
    if (!file)
        return false;
    const struct machine machine = describe_machine();
    fputs("{\n  ", file);
    json_field(file, "date", machine.date, ", ");
    json_field(file, "cpu", machine.cpu, ", ");
    fprintf(file, "\"cpus\": %d, \"load\": %.2f, ", machine.cpus, machine.load);
    json_field(file, "kernel", machine.kernel, ", ");
    json_field(file, "compiler", reference_compiler(), ",\n  ");
    fprintf(file, "\"runs\": %d, ", bench->options.runs);
    json_field(file, "base", bench->participants[bench->base].name, ",\n  \"icds\": {");
    for (int p = 1; p < bench->count; p++)
        json_field(file, bench->participants[p].name, bench->participants[p].description,
                   p + 1 < bench->count ? ", " : "");
    fputs("},\n  \"lines\": [\n", file);
    for (size_t i = 0; i < count; i++) {
        json_result(file, bench, &results[i]);
        fputs(i + 1 < count ? ",\n" : "\n", file);
    }
    fputs("  ]\n}\n", file);
    return fclose(file) == 0;
}

static void markdown_head(FILE *file, const struct bench *bench, const struct section *section) {
    const char *base = bench->participants[bench->base].name;
    fprintf(file, "\n### %s\n\n| line | unit | C |", section->title);
    for (int p = 1; p < bench->count; p++) {
        fprintf(file, " %s | range | ×C |", bench->participants[p].name);
        if (p != bench->base)
            fprintf(file, " ×%s |", base);
    }
    fputs("\n|---|---|--:|", file);
    for (int p = 1; p < bench->count; p++)
        fprintf(file, "--:|--:|--:|%s", p == bench->base ? "" : "--:|");
    fputc('\n', file);
}

static void markdown_ratio(FILE *file, const struct result *result, int participant, int to) {
    char text[16] = "";
    if (has_ratio(result, participant, to))
        format_ratio(text, ratio(result, participant, to));
    fprintf(file, " %s |", text);
}

static void markdown_cell(FILE *file, const struct bench *bench, const struct result *result,
                          int p) {
    const struct samples *samples = &result->samples[p];
    if (samples->outcome != OUTCOME_OK) {
        fprintf(file, " %s |", outcome_name(samples->outcome));
        if (p > 0)
            fputs(" |", file);
    } else {
        char median[16], least[16], most[16];
        const struct summary s = summarise(samples->values[result->line->value], samples->runs);
        format_value(median, s.median);
        format_value(least, s.least);
        format_value(most, s.most);
        fprintf(file, " %s |", median);
        if (p > 0)
            fprintf(file, " %s–%s |", least, most);
    }
    if (p == 0)
        return;
    markdown_ratio(file, result, p, 0);
    if (p != bench->base)
        markdown_ratio(file, result, p, bench->base);
}

bool write_markdown(struct bench *bench, const struct result *results, size_t count) {
    FILE *file = fopen(bench->options.markdown, "w");
    if (!file)
        return false;
    const struct machine machine = describe_machine();
    fprintf(file, "%s, %s, %d CPUs, %s. load %.1f. Median of %d runs, all in turn. C: %s.\n\n",
            machine.date, machine.cpu, machine.cpus, machine.kernel, machine.load,
            bench->options.runs, reference_compiler());
    for (int p = 1; p < bench->count; p++)
        fprintf(file, "- **%s**: %s\n", bench->participants[p].name,
                bench->participants[p].description);
    const struct section *section = NULL;
    for (size_t i = 0; i < count; i++) {
        if (results[i].section != section)
            markdown_head(file, bench, section = results[i].section);
        const char *title = results[i].line->title;
        const size_t indent = strspn(title, " ");
        fprintf(file, "| %s%s | %s |", indent ? "– " : "", title + indent,
                unit_name(results[i].line->unit));
        for (int p = 0; p < bench->count; p++)
            markdown_cell(file, bench, &results[i], p);
        fputc('\n', file);
    }
    return fclose(file) == 0;
}
