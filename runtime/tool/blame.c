// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Compares what reference execution does with a kernel and what each stage of the compiler leaves
 * of it (WEFT_ORACLE, docs/differential.md). Settings are read once per process, so each is tried
 * in one of its own. */
#include "runtime/tool/blame.h"
#include "runtime/settings.h"
#include "runtime/tool/tool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_KERNELS = 256, MAX_WHY = 120 };
static const char *const last_stage = "code generation";

/** What came out of one kernel under some settings. */
typedef struct outcome {
    char kernel[256];
    char hash[BLAME_LAUNCHES][24]; /* "": did not come so far */
    char why[MAX_WHY];             /* it cannot be tried */
    int launches;
} outcome;

typedef struct outcomes {
    outcome rows[MAX_KERNELS];
    size_t count;
    bool built;
} outcomes;

static outcome *row_of(outcomes *all, const char *kernel) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->rows[i].kernel, kernel) == 0)
            return &all->rows[i];
    if (all->count == MAX_KERNELS)
        return NULL;
    outcome *row = &all->rows[all->count++];
    memset(row, 0, sizeof *row);
    snprintf(row->kernel, sizeof row->kernel, "%s", kernel);
    return row;
}

/** "kernel launch hash", "kernel launch ! why", or "kernel launch" and the end. */
static void take_line(outcomes *all, const char *line) {
    char kernel[256], hash[24] = "";
    int launch = 0, words = sscanf(line, "%255s %d %23s", kernel, &launch, hash);
    outcome *row = words >= 2 ? row_of(all, kernel) : NULL;
    const char *why = strstr(line, " ! ");
    if (!row || launch < 0 || launch >= BLAME_LAUNCHES)
        return;
    if (why)
        snprintf(row->why, sizeof row->why, "%.*s", (int)strcspn(why + 3, "\n"), why + 3);
    else if (words == 3)
        snprintf(row->hash[launch], sizeof row->hash[launch], "%s", hash);
    row->launches = launch + 1;
}

/** The settings of a process: `oracle` NULL: the usual way, "": reference execution. */
static void set_up(const char *oracle) {
    unsetenv("WEFT_REFERENCE");
    unsetenv("WEFT_ORACLE");
    if (oracle)
        setenv(*oracle ? "WEFT_ORACLE" : "WEFT_REFERENCE", *oracle ? oracle : "1", 1);
}

/** One kernel, or all of them, in a process of its own. */
static void try_once(const blame_input *input, const char *oracle, outcomes *all) {
    int ends[2], status = 0;
    char line[512];
    if (pipe(ends) != 0)
        return;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        set_up(oracle);
        FILE *out = fdopen(ends[1], "w");
        _exit(out ? blame_run(input, out) : TOOL_BAD);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    while (in && fgets(line, sizeof line, in))
        take_line(all, line);
    if (in)
        fclose(in);
    if (child > 0 && waitpid(child, &status, 0) == child)
        all->built = !WIFEXITED(status) || WEXITSTATUS(status) == TOOL_GOOD;
}

/** All kernels; where one takes the process with it, the others are tried alone. */
static void try_stage(const blame_input *input, const char *oracle, const outcomes *wanted,
                      outcomes *all) {
    blame_input one = *input;
    all->count = 0;
    try_once(input, oracle, all);
    for (size_t i = 0; wanted && all->built && i < wanted->count; i++) {
        one.kernel = wanted->rows[i].kernel;
        if (row_of(all, one.kernel)->launches == 0)
            try_once(&one, oracle, all);
    }
}

static bool is_same(const outcome *wanted, const outcomes *all) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->rows[i].kernel, wanted->kernel) == 0)
            return memcmp(all->rows[i].hash, wanted->hash, sizeof wanted->hash) == 0;
    return false;
}

/** NULL: it ran as it should. */
static const char *why_not(const outcome *wanted) {
    if (wanted->why[0])
        return wanted->why;
    for (int launch = 0; launch < BLAME_LAUNCHES; launch++)
        if (!wanted->hash[launch][0])
            return "reference execution did not come to its end with made-up arguments";
    return NULL;
}

/** The first stage of each kernel that changed a result; `blamed`: one for each. */
static bool try_stages(const blame_input *input, const outcomes *wanted, const char **blamed) {
    static outcomes found;
    static char words[512];
    const char *stages = "";
    bool good = true;
    for (size_t i = 0; i < weft_setting_count; i++)
        if (strcmp(weft_setting_rows[i].name, "WEFT_ORACLE") == 0)
            stages = weft_setting_rows[i].words;
    snprintf(words, sizeof words, "%s|", stages);
    for (char *rest = words, *stage; (stage = strsep(&rest, "|"));) {
        if (strcmp(stage, "reference") == 0)
            continue;
        try_stage(input, *stage ? stage : NULL, wanted, &found);
        for (size_t i = 0; i < wanted->count; i++)
            if (!blamed[i] && !why_not(&wanted->rows[i]) && !is_same(&wanted->rows[i], &found)) {
                blamed[i] = *stage ? stage : last_stage;
                good = false;
            }
    }
    return good;
}

static int blame(const blame_input *input) {
    static outcomes wanted;
    static const char *blamed[MAX_KERNELS];
    try_stage(input, "", NULL, &wanted);
    if (!wanted.built)
        return TOOL_BAD;
    bool good = try_stages(input, &wanted, blamed);
    for (size_t i = 0; i < wanted.count; i++) {
        const char *kernel = wanted.rows[i].kernel, *why = why_not(&wanted.rows[i]);
        if (why)
            printf("%s: not tried: %s\n", kernel, why);
        else if (blamed[i])
            printf("%s: first differs after stage %s\n", kernel, blamed[i]);
        else
            printf("%s: same in all stages\n", kernel);
    }
    return good ? TOOL_GOOD : TOOL_BAD;
}

int weft_tool_blame(int argc, char **argv) {
    static char options[1 << 14];
    blame_input input = {.options = options};
    for (int i = 1; i < argc; i++) {
        size_t used = strlen(options);
        bool is_option = argv[i][0] == '-';
        if (strcmp(argv[i], "--blame") == 0)
            continue;
        if (!is_option && !input.file &&
            (i == 1 || strlen(argv[i - 1]) != 2 || !strchr("DIU", argv[i - 1][1]))) {
            input.file = argv[i];
            continue;
        }
        if ((size_t)snprintf(options + used, sizeof options - used, " %s", argv[i]) >=
            sizeof options - used)
            return TOOL_USAGE;
    }
    if (!input.file) {
        fprintf(stderr, "usage: weft compile --blame [build options] file.cl\n");
        return TOOL_USAGE;
    }
    return blame(&input);
}
