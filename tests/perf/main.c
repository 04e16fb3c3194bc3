// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// weft-bench: one table of what OpenCL implementations cost, beside hand-written C.
#include "parent.h"
#include "setup.h"

#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: weft-bench [options]\n"
    "  --icd NAME=FILE   measure the ICD of this .icd file under this name; may be repeated\n"
    "                    (default: all of /etc/OpenCL/vendors)\n"
    "  --preload NAME=LIBRARY\n"
    "                    measure the hand-written C once more, with this library in front of the\n"
    "                    C library: SLEEF=libsleefgnuabi.so.3\n"
    "  --base NAME       the ICD that the others are compared with (default: the first)\n"
    "  --runs N          runs of each line (default: 9)\n"
    "  --only PATTERN    lines whose name contains or matches PATTERN; may be repeated\n"
    "  --timeout S       seconds that a child may take for one answer (default: 120)\n"
    "  --json FILE       write the results with every sample\n"
    "  --markdown FILE   write the table as Markdown\n"
    "  --realtime        run in the real-time class (root): true numbers on a busy machine, which\n"
    "                    stands still meanwhile\n"
    "  --list            list the lines and end\n"
    "Exit status: 0 all right, 1 a wrong result, an error, a crash or a time-out, 2 cannot run.\n";

static void interrupt(int signal_number) {
    (void)signal_number;
    interrupted = true;
}

static bool is_chosen(const struct options *options, const struct line *line) {
    for (int i = 0; i < options->only_count; i++)
        if (strstr(line->id, options->only[i]) || fnmatch(options->only[i], line->id, 0) == 0)
            return true;
    return options->only_count == 0;
}

static int list_lines(const struct options *options) {
    for (size_t s = 0; s < bench_section_count; s++)
        for (size_t i = 0; i < *bench_sections[s].count; i++) {
            const struct line *line = &bench_sections[s].lines[i];
            if (is_chosen(options, line))
                printf("%-28s %s\n", line->id, line->title + strspn(line->title, " "));
        }
    return 0;
}

const struct line *measurement_of(const struct section *section, const struct line *line) {
    while (line > section->lines && line[-1].probe == line->probe && line[-1].data == line->data)
        line--;
    return line;
}

static void show_progress(const struct bench *bench, const struct line *line) {
    if (bench->terminal)
        fprintf(stderr, "\r\033[K%s …\r", line->title + strspn(line->title, " "));
}

// Measures and prints the chosen lines of one section; returns how many results it added.
static size_t run_section(struct bench *bench, const struct section *section, struct result *all,
                          size_t count) {
    size_t added = 0;
    const struct line *measured = NULL;
    for (size_t i = 0; i < *section->count && !interrupted; i++) {
        const struct line *line = &section->lines[i];
        if (!is_chosen(&bench->options, line))
            continue;
        struct result *result = &all[count + added];
        *result = (struct result){.section = section, .line = line};
        if (added == 0)
            print_section_head(bench, section);
        if (measured != measurement_of(section, line)) {
            measured = measurement_of(section, line);
            show_progress(bench, line);
            measure(bench, measured, result->samples);
            result->owner = true;
        } else {
            memcpy(result->samples, result[-1].samples, sizeof result->samples);
        }
        if (bench->terminal)
            fputs("\r\033[K", stderr);
        print_result(bench, result);
        added++;
    }
    if (added > 1)
        print_section_foot(bench, section, all, count + added);
    return added;
}

// For each ICD that says so: where the time of the three builds goes.
static void run_parts(struct bench *bench, const struct result *results, size_t count) {
    for (int p = 1; p < bench->count; p++)
        for (size_t i = 0; i < count && !interrupted; i++) {
            const struct result *result = &results[i];
            char title[160];
            struct parts parts;
            if (!result->owner || !result->line->probe->builds ||
                result->samples[p].outcome != OUTCOME_OK)
                continue;
            if (!measure_parts(bench, p, result->line, &parts))
                break;
            snprintf(title, sizeof title, "%s: %s", bench->participants[p].name,
                     result->line->title);
            print_parts(bench, title, &parts);
        }
}

static int run_bench(struct bench *bench) {
    size_t most = 0, count = 0;
    for (size_t s = 0; s < bench_section_count; s++)
        most += *bench_sections[s].count;
    struct result *results = calloc(most, sizeof *results);
    print_head(bench);
    for (size_t s = 0; s < bench_section_count && !interrupted; s++)
        count += run_section(bench, &bench_sections[s], results, count);
    run_parts(bench, results, count);
    print_notes(bench, results, count);
    if (interrupted)
        fprintf(bench->out, "\ninterrupted: the table is not complete\n");
    int status = bench->failed || interrupted;
    if ((bench->options.json && !write_json(bench, results, count)) ||
        (bench->options.markdown && !write_markdown(bench, results, count))) {
        fprintf(stderr, "weft-bench: cannot write %s\n",
                bench->options.json ? bench->options.json : bench->options.markdown);
        status = 2;
    }
    for (size_t i = 0; i < count; i++)
        if (results[i].owner)
            free_samples(results[i].samples, bench->count);
    free(results);
    return status;
}

struct command_line {
    const char *icds[MAX_ICDS];
    int icd_count;
    const char *preloaded;
};

static bool parse(int argc, char **argv, struct options *options, struct command_line *line) {
    static const struct option names[] = {
        {"icd", 1, NULL, 'i'},     {"base", 1, NULL, 'b'}, {"runs", 1, NULL, 'r'},
        {"only", 1, NULL, 'o'},    {"json", 1, NULL, 'j'}, {"markdown", 1, NULL, 'm'},
        {"timeout", 1, NULL, 't'}, {"list", 0, NULL, 'l'}, {"realtime", 0, NULL, 'R'},
        {"preload", 1, NULL, 'p'}, {"help", 0, NULL, 'h'}, {NULL, 0, NULL, 0}};
    *options = (struct options){.runs = 9, .timeout = 120};
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (c == 'i' && line->icd_count < MAX_ICDS && strchr(optarg, '='))
            line->icds[line->icd_count++] = optarg;
        else if (c == 'o' && options->only_count < 128)
            options->only[options->only_count++] = optarg;
        else if (c == 'p' && strchr(optarg, '='))
            line->preloaded = optarg;
        else if (c == 'b')
            options->base = optarg;
        else if (c == 'r')
            options->runs = atoi(optarg);
        else if (c == 't')
            options->timeout = atoi(optarg);
        else if (c == 'j')
            options->json = optarg;
        else if (c == 'm')
            options->markdown = optarg;
        else if (c == 'R')
            options->realtime = true;
        else if (c == 'l')
            options->list = true;
        else
            return false;
    }
    return optind == argc && options->runs > 0 && options->timeout > 0;
}

typedef bool add_fn(struct bench *bench, const char *name, const char *file);

// NAME=FILE
static bool add_named(struct bench *bench, add_fn *add, const char *argument) {
    char name[64];
    const char *equals = strchr(argument, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - argument), argument);
    return add(bench, name, equals + 1);
}

static bool add_all(struct bench *bench, const struct command_line *line) {
    if (line->icd_count == 0 && !add_installed_icds(bench))
        return false;
    for (int i = 0; i < line->icd_count; i++)
        if (!add_named(bench, add_icd, line->icds[i]))
            return false;
    return !line->preloaded || add_named(bench, add_preloaded, line->preloaded);
}

static bool find_base(struct bench *bench) {
    bench->base = 1;
    if (!bench->options.base)
        return true;
    for (int p = 1; p < bench->count; p++)
        if (strcmp(bench->participants[p].name, bench->options.base) == 0) {
            bench->base = p;
            return true;
        }
    fprintf(stderr, "weft-bench: --base %s is none of the ICDs\n", bench->options.base);
    return false;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--child") == 0)
        return child_main(argc - 1, argv + 1);
    static struct bench bench;
    struct command_line line = {0};
    if (!parse(argc, argv, &bench.options, &line)) {
        fputs(usage, stderr);
        return 2;
    }
    if (bench.options.list)
        return list_lines(&bench.options);
    const struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    bench.out = stdout;
    bench.terminal = isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
    // Unlike that of any other run of this program, whose sources may still be cached.
    bench.nonce = (uint64_t)time(NULL) << 32 | (uint64_t)getpid() << 12;
    int status = 2;
    const struct sched_param lowest = {.sched_priority = 1};
    if (bench.options.realtime && sched_setscheduler(0, SCHED_RR, &lowest) != 0) {
        fprintf(stderr, "weft-bench: --realtime: %s\n", strerror(errno));
        return 2;
    }
    if (!set_up(&bench))
        fprintf(stderr, "weft-bench: cannot make a temporary folder\n");
    else if (add_all(&bench, &line) && find_base(&bench))
        status = run_bench(&bench);
    else if (bench.count < 2)
        fprintf(stderr, "weft-bench: no ICD to measure; name one with --icd NAME=FILE\n");
    tear_down(&bench);
    return status;
}
