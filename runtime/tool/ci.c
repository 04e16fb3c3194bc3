// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft ci: a job of a continuous integration with Weft as the only device (docs/ci.md). */
#include "runtime/tool/tool.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses of its own; besides, that of the command. */
enum { CI_NO_KERNEL = 3, CI_NOT_STARTED = 127, CI_SIGNAL = 128 };

enum { CI_VARIABLES = 5 };

typedef struct ci {
    const char *cache, *ran; /* as the user named them, or NULL */
    unsigned threads;        /* 0: as many as this job may use */
    bool plain;              /* NAME=VALUE, not export NAME='VALUE' */
    bool check, reference;
    char **command; /* NULL: print */
    char *variables[CI_VARIABLES];
} ci;

/* ---- how many threads ----------------------------------------------------------------------- */

static bool read_line(const char *path, char *line, int bytes) {
    FILE *file = fopen(path, "re");
    bool good = file && fgets(line, bytes, file);
    if (file)
        fclose(file);
    return good;
}

/** Processors that the control group pays for, rounded up; 0: no limit. Containers limit time, not
 *  processors, and one thread per processor of the machine would wait for its turn most of the
 * time. */
static unsigned paid_processors(void) {
    char line[128];
    double quota = 0, period = 0;
    if (read_line("/sys/fs/cgroup/cpu.max", line, sizeof line)) {
        if (sscanf(line, "%lf %lf", &quota, &period) != 2)
            return 0; /* "max" */
    } else if (read_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", line, sizeof line)) {
        quota = atof(line);
        if (read_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us", line, sizeof line))
            period = atof(line);
    }
    if (quota <= 0 || period <= 0)
        return 0;
    unsigned whole = (unsigned)(quota / period);
    return whole + (quota > whole * period);
}

static unsigned usable_processors(void) {
    /* As large as the kernel's own set may be. */
    enum { MOST = 8192 };
    cpu_set_t *set = CPU_ALLOC(MOST);
    unsigned there = 1, paid = paid_processors();
    if (set && sched_getaffinity(0, CPU_ALLOC_SIZE(MOST), set) == 0)
        there = (unsigned)CPU_COUNT_S(CPU_ALLOC_SIZE(MOST), set);
    CPU_FREE(set);
    return paid && paid < there ? paid : there;
}

/* ---- the environment ------------------------------------------------------------------------ */

/** An absolute path for a name that need not exist yet. */
static void absolute(const char *name, char path[PATH_MAX]) {
    char folder[PATH_MAX];
    if (name[0] == '/' || !getcwd(folder, sizeof folder))
        snprintf(path, PATH_MAX, "%s", name);
    else if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
        path[0] = 0;
}

static bool make_variables(ci *ci) {
    char library[PATH_MAX], cache[PATH_MAX], ran[PATH_MAX];
    if (!weft_tool_library_path(library))
        return false;
    absolute(ci->cache ? ci->cache : ".weft-cache", cache);
    absolute(ci->ran ? ci->ran : ".weft-ran", ran);
    /* A library's path is taken as it is by ocl-icd in the one, by Khronos' loader in the other. */
    bool good = asprintf(&ci->variables[0], "OCL_ICD_VENDORS=%s", library) > 0;
    good = good && asprintf(&ci->variables[1], "OCL_ICD_FILENAMES=%s", library) > 0;
    good = good && asprintf(&ci->variables[2], "WEFT_CACHE_DIR=%s", cache) > 0;
    good = good && asprintf(&ci->variables[3], "WEFT_THREADS=%u",
                            ci->threads ? ci->threads : usable_processors()) > 0;
    good = good && asprintf(&ci->variables[4], "WEFT_RAN=%s", ran) > 0;
    if (!good)
        fprintf(stderr, "weft: out of memory\n");
    return good;
}

/** A value for a shell, in single quotes. */
static void print_quoted(const char *text) {
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
    putchar('\'');
}

static void print_variables(const ci *ci) {
    for (int i = 0; i < CI_VARIABLES; i++) {
        const char *value = strchr(ci->variables[i], '=') + 1;
        if (ci->plain) {
            puts(ci->variables[i]);
            continue;
        }
        printf("export %.*s=", (int)(value - ci->variables[i] - 1), ci->variables[i]);
        print_quoted(value);
        putchar('\n');
    }
}

/* ---- did a kernel run? ---------------------------------------------------------------------- */

static const char *value_of(const ci *ci, int variable) {
    return strchr(ci->variables[variable], '=') + 1;
}

/** Lines of the file: one for each process that has run a kernel. */
static unsigned count_processes(const char *path) {
    FILE *file = fopen(path, "re");
    unsigned lines = 0;
    int character;
    if (!file)
        return 0;
    while ((character = getc(file)) != EOF)
        lines += character == '\n';
    fclose(file);
    return lines;
}

static int check_ran(const char *path) {
    unsigned processes = count_processes(path);
    if (!processes) {
        fprintf(stderr, "weft ci: no kernel has run on Weft\n");
        return CI_NO_KERNEL;
    }
    fprintf(stderr, "weft ci: %u process%s ran kernels on Weft\n", processes,
            processes == 1 ? "" : "es");
    return TOOL_GOOD;
}

/* ---- running a command ---------------------------------------------------------------------- */

/** Its exit status; a signal's number and 128, as shells have it. */
static int run_command(char **command) {
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        fprintf(stderr, "weft ci: %s: %s\n", command[0], strerror(errno));
        _exit(CI_NOT_STARTED);
    }
    if (child < 0) {
        fprintf(stderr, "weft ci: no process: %s\n", strerror(errno));
        return CI_NOT_STARTED;
    }
    /* The keys that interrupt are the command's business. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : CI_SIGNAL + WTERMSIG(status);
}

/** Once more, without optimisation: whose fault is it? Changes nothing about the status. */
static void run_reference(const ci *ci, int before) {
    fprintf(stderr, "weft ci: status %d; once more in reference execution\n", before);
    setenv("WEFT_REFERENCE", "1", 1);
    int status = run_command(ci->command);
    unsetenv("WEFT_REFERENCE");
    if (status == 0)
        fprintf(stderr,
                "weft ci: good in reference execution: this is a bug of Weft's compiler, or a race "
                "in the program; `weft compile --blame' finds the stage\n");
    else
        fprintf(stderr,
                "weft ci: status %d in reference execution, too: not the optimiser's doing\n",
                status);
}

static int run_job(const ci *ci) {
    const char *ran = value_of(ci, 4);
    for (int i = 0; i < CI_VARIABLES; i++)
        putenv(ci->variables[i]);
    unlink(ran); /* of an earlier run */
    int status = run_command(ci->command);
    if (status == 0)
        status = check_ran(ran);
    else if (ci->reference && status != CI_NOT_STARTED)
        run_reference(ci, status);
    unlink(ran);
    return status;
}

/* ---- the command line ----------------------------------------------------------------------- */

enum { KEY_CHECK = 256, KEY_REFERENCE, KEY_RAN };

static error_t parse(int key, char *argument, struct argp_state *state) {
    ci *ci = state->input;
    char *end;
    switch (key) {
    case 'c':
        ci->cache = argument;
        return 0;
    case 't':
        ci->threads = (unsigned)strtoul(argument, &end, 10);
        if (*end || !*argument || !ci->threads || ci->threads > 4096)
            argp_error(state, "--threads wants a number from 1 to 4096");
        return 0;
    case 'p':
        ci->plain = true;
        return 0;
    case KEY_RAN:
        ci->ran = argument;
        return 0;
    case KEY_CHECK:
        ci->check = true;
        return 0;
    case KEY_REFERENCE:
        ci->reference = true;
        return 0;
    case ARGP_KEY_ARG: /* what follows is the command's */
        ci->command = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"cache", 'c', "FOLDER", 0, "keep built programs there; default: .weft-cache here", 0},
    {"threads", 't', "N", 0,
     "threads; default: the processors that this job may use, by affinity and by its control "
     "group's share of time",
     0},
    {"plain", 'p', NULL, 0, "print NAME=VALUE, as $GITHUB_ENV and env files want it", 0},
    {"ran", KEY_RAN, "FILE", 0,
     "where processes note that they ran a kernel; default: .weft-ran here", 0},
    {"check", KEY_CHECK, NULL, 0,
     "after the job's tests, in its environment: exit with 3 if no kernel has run", 0},
    {"reference", KEY_REFERENCE, NULL, 0,
     "if COMMAND fails, run it once more in reference execution and say whether that makes a "
     "difference",
     0},
    {0}};

int weft_tool_ci(int argc, char **argv) {
    static const struct argp parser = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[COMMAND [ARGUMENT...]]",
        .doc =
            "For jobs of continuous integration: Weft as the only OpenCL device. Without COMMAND, "
            "prints the environment to use, as lines for a shell: eval \"$(weft ci)\". With "
            "COMMAND, "
            "runs it in that environment and exits with its status; with 3 if that was 0 and no "
            "kernel has run on Weft, so that a job cannot be green by skipping."};
    ci ci = {0};
    int status = TOOL_GOOD;
    if (argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &ci) != 0)
        return TOOL_USAGE;
    if (ci.check) {
        const char *noted = getenv("WEFT_RAN");
        return check_ran(ci.ran ? ci.ran : noted && *noted ? noted : ".weft-ran");
    }
    if (!make_variables(&ci))
        return TOOL_BAD;
    if (ci.command)
        status = run_job(&ci);
    else
        print_variables(&ci);
    if (!ci.command) /* putenv keeps them */
        for (int i = 0; i < CI_VARIABLES; i++)
            free(ci.variables[i]);
    return status;
}
