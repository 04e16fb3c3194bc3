// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft ci: a job of a continuous integration with Weft as the only device (docs/ci.md). */
#include "runtime/tool/ci_record.h"
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

/* The last of the variables. */
enum { CI_RAN = 4, CI_VARIABLES };

typedef struct ci {
    const char *cache, *ran; /* as the user named them, or NULL */
    unsigned threads;        /* 0: as many as this job may use */
    bool plain;              /* NAME=VALUE, not export NAME='VALUE' */
    bool check, reference;
    char **command; /* NULL: print */
    char record[PATH_MAX];
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
static bool absolute(const char *name, char path[PATH_MAX]) {
    char folder[PATH_MAX];
    int length = name[0] == '/' || !getcwd(folder, sizeof folder)
                     ? snprintf(path, PATH_MAX, "%s", name)
                     : snprintf(path, PATH_MAX, "%s/%s", folder, name);
    if (length >= PATH_MAX)
        fprintf(stderr, "weft ci: a path is too long\n");
    return length < PATH_MAX;
}

/** Makes the folder of the cache, if it is not there, so that git does not see it. */
static void make_cache(const char *folder) {
    char name[PATH_MAX];
    if (mkdir(folder, 0700) != 0 ||
        snprintf(name, sizeof name, "%s/.gitignore", folder) >= (int)sizeof name)
        return; /* the library makes what is missing, or does without */
    FILE *file = fopen(name, "we");
    if (!file)
        return;
    fputs("*\n", file);
    fclose(file);
}

static bool make_variables(ci *ci) {
    char library[PATH_MAX], cache[PATH_MAX];
    if (!weft_tool_library_path(library) || !absolute(ci->cache ? ci->cache : ".weft-cache", cache))
        return false;
    make_cache(cache);
    /* A library's path is taken as it is by ocl-icd in the one, by Khronos' loader in the other. */
    bool good = asprintf(&ci->variables[0], "OCL_ICD_VENDORS=%s", library) > 0;
    good = good && asprintf(&ci->variables[1], "OCL_ICD_FILENAMES=%s", library) > 0;
    good = good && asprintf(&ci->variables[2], "WEFT_CACHE_DIR=%s", cache) > 0;
    good = good && asprintf(&ci->variables[3], "WEFT_THREADS=%u",
                            ci->threads ? ci->threads : usable_processors()) > 0;
    good = good && asprintf(&ci->variables[CI_RAN], "WEFT_RAN=%s", ci->record) > 0;
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

static int check_ran(const char *path) {
    unsigned processes = weft_ci_record_count(path);
    if (!processes) {
        fprintf(stderr, "weft ci: no kernel has run on Weft\n");
        return CI_NO_KERNEL;
    }
    fprintf(stderr, "weft ci: %u process%s ran kernels on Weft\n", processes,
            processes == 1 ? "" : "es");
    return TOOL_GOOD;
}

/* ---- running a command ---------------------------------------------------------------------- */

/* Signals that end a job: the command gets what was meant for all of it. */
static const int forwarded[] = {SIGTERM, SIGHUP};
enum { FORWARDED = sizeof forwarded / sizeof *forwarded };

static volatile sig_atomic_t running; /* the command's process, 0: it has ended */

static void forward(int number) {
    if (running > 0)
        kill((pid_t)running, number);
}

/** What weft ci itself was started with, which the command is to have. */
typedef struct signals {
    struct sigaction child, interrupt, quit, forwarded[FORWARDED];
    sigset_t mask;
} signals;

/** Before the command is there: signals that come meanwhile wait for it. */
static void hold_signals(signals *before) {
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < FORWARDED; i++)
        sigaddset(&held, forwarded[i]);
    sigprocmask(SIG_BLOCK, &held, &before->mask);
    /* Ignored, as a parent may leave it, it would take the status from waitpid(). */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &before->child);
}

/** While it runs. The keys that interrupt are the command's business; what is ignored (nohup) stays
 * so. */
static void pass_signals(signals *before, pid_t child) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, pass = {.sa_handler = forward};
    running = child;
    sigaction(SIGINT, &ignore, &before->interrupt);
    sigaction(SIGQUIT, &ignore, &before->quit);
    for (int i = 0; i < FORWARDED; i++) {
        sigaction(forwarded[i], &pass, &before->forwarded[i]);
        if (before->forwarded[i].sa_handler == SIG_IGN)
            sigaction(forwarded[i], &before->forwarded[i], NULL);
    }
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static void restore_signals(const signals *before) {
    sigaction(SIGCHLD, &before->child, NULL);
    sigaction(SIGINT, &before->interrupt, NULL);
    sigaction(SIGQUIT, &before->quit, NULL);
    for (int i = 0; i < FORWARDED; i++)
        sigaction(forwarded[i], &before->forwarded[i], NULL);
}

_Noreturn static void become(char **command, const signals *before) {
    sigaction(SIGCHLD, &before->child, NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
    execvp(command[0], command);
    fprintf(stderr, "weft ci: %s: %s\n", command[0], strerror(errno));
    _exit(CI_NOT_STARTED);
}

/** Its exit status; a signal's number and 128, as shells have it. */
static int run_command(char **command) {
    signals before;
    int status = 0;
    fflush(NULL);
    hold_signals(&before);
    pid_t child = fork();
    if (child == 0)
        become(command, &before);
    if (child < 0) {
        fprintf(stderr, "weft ci: no process: %s\n", strerror(errno));
        sigaction(SIGCHLD, &before.child, NULL);
        sigprocmask(SIG_SETMASK, &before.mask, NULL);
        return CI_NOT_STARTED;
    }
    pass_signals(&before, child);
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    running = 0;
    restore_signals(&before);
    if (ended < 0) {
        fprintf(stderr, "weft ci: %s: no status: %s\n", command[0], strerror(errno));
        return CI_NOT_STARTED;
    }
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
    const char *outer = getenv("WEFT_RAN"); /* of a job that this one is part of */
    char *noted = outer && *outer ? strdup(outer) : NULL;
    for (int i = 0; i < CI_VARIABLES; i++)
        putenv(ci->variables[i]);
    int status = run_command(ci->command);
    if (noted)
        weft_ci_record_add(ci->record, noted);
    if (status == 0)
        status = check_ran(ci->record);
    else if (ci->reference && status != CI_NOT_STARTED)
        run_reference(ci, status);
    if (!ci->ran)
        unlink(ci->record);
    free(noted);
    return status;
}

/** Which file notes the kernels: one of its own, unless the user names it. */
static bool begin_record(ci *ci) {
    if (!ci->ran)
        return weft_ci_record_make(ci->record);
    return absolute(ci->ran, ci->record) && weft_ci_record_begin(ci->record);
}

static int check_record(const ci *ci) {
    const char *noted = ci->ran ? ci->ran : getenv("WEFT_RAN");
    if (noted && *noted)
        return check_ran(noted);
    fprintf(stderr, "weft ci: not in the environment of `weft ci': neither WEFT_RAN nor --ran says "
                    "where kernels were noted\n");
    return TOOL_USAGE;
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
        if (ci->check || ci->plain)
            argp_error(state, "--%s goes with no command", ci->check ? "check" : "plain");
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
     "where processes note that they ran a kernel, begun anew; default: a file of its own in "
     "TMPDIR",
     0},
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
    if (ci.check)
        return check_record(&ci);
    if (!begin_record(&ci))
        return TOOL_USAGE;
    if (!make_variables(&ci)) {
        if (!ci.ran)
            unlink(ci.record);
        return TOOL_BAD;
    }
    if (ci.command)
        status = run_job(&ci);
    else
        print_variables(&ci);
    if (!ci.command) /* putenv keeps them */
        for (int i = 0; i < CI_VARIABLES; i++)
            free(ci.variables[i]);
    return status;
}
