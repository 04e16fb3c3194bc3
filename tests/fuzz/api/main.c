// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The driver: sequences in child processes, so that a crash, a hang or a wrong status is told with
 * its seed; then the sequence is made shorter as long as it still fails, and printed.
 *
 *     fuzz-api [--seed N] [--sequences N] [--calls N] [--threads T] [--total CALLS]
 *              [--seconds S] [--only FUNCTION] [--table] [--list]
 */

#include "icd/dispatch.h"
#include "rows.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CALLS = 4096, MOST_THREADS = 64, PER_CHILD = 400, HANG_SECONDS = 120 };

static struct options {
    uint64_t seed, sequences, total;
    unsigned calls, threads, seconds;
    const char *only;
    bool table;
} options = {.seed = 1, .sequences = UINT64_MAX, .total = UINT64_MAX, .calls = 300, .threads = 1};

/* What parent and child share. */
static struct board {
    _Atomic unsigned progress[MOST_THREADS];
    _Atomic uint64_t seed; /* of the sequence that runs */
    _Atomic uint64_t calls, compared;
    bool keep[MOST_CALLS]; /* in a shortened sequence */
    tally tallies[MOST_ROWS];
} *board;

/* No races of Weft's: the application, this one, lets commands use the same memory at once. */
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
    return "race:device-cpu/transfer.c\nrace:device-cpu/"
           "stream.c\nrace:^memcpy$\n";
}

/* ---- in the child ---------------------------------------------------------------------------- */

static world *make_world(cl_platform_id platform, unsigned thread) {
    world *w = calloc(1, sizeof(*w));
    if (!w)
        _exit(2);
    w->platform = platform;
    w->host_in = calloc(2, HOST_BYTES);
    w->host_out = calloc(2, HOST_BYTES);
    w->progress = &board->progress[thread];
    w->compared = &board->compared;
    for (size_t i = 0; i < 2 * HOST_BYTES; i++) /* nobody writes to it: what it holds is known */
        w->host_in[i] = (unsigned char)(i * 0x9e3779b97f4a7c15u >> 56);
    return w;
}

static void drop_world(world *w) {
    free(w->host_in);
    free(w->host_out);
    free(w);
}

static cl_platform_id open_weft(void) {
    cl_platform_id platform = NULL;
    void *(*find_function)(const char *) = NULL;
    void *library = dlopen(getenv("FUZZ_LIBRARY"), RTLD_NOW);
    cl_int (*list)(cl_uint, cl_platform_id *, cl_uint *) = NULL;
    if (library) {
        *(void **)&list = dlsym(library, "clIcdGetPlatformIDsKHR");
        *(void **)&find_function = dlsym(library, "clGetExtensionFunctionAddress");
    }
    if (!list || !find_function || list(1, &platform, NULL)) {
        fprintf(stderr, "no Weft: set FUZZ_LIBRARY to libweft.so (%s)\n", dlerror());
        _exit(2);
    }
    const weft_dispatch *table = *(const weft_dispatch *const *)platform;
#define WEFT_ENTRY(name) *(void **)&cl.name = (void *)(uintptr_t)table->name;
#include "icd/entrypoints.def"
#define EXTENSION(name) *(void **)&cl.name = find_function(#name);
#include "extensions.def"
#undef EXTENSION
    return platform;
}

typedef struct job {
    world *w;
    uint64_t seed;
    shared *all;
    const bool *keep;
} job;

static void run_sequence(world *w, uint64_t seed, shared *all, const bool *keep) {
    world_begin(w, seed);
    for (unsigned i = 0; i < options.calls; i++) {
        if (keep && !keep[i])
            continue;
        if (all && i % 4 == 3)
            shared_call(w, i, all);
        else
            world_call(w, i, options.only);
    }
    world_end(w);
}

static void *run_job(void *argument) {
    job *j = argument;
    run_sequence(j->w, j->seed, j->all, j->keep);
    return NULL;
}

/* Small stacks, so that what recurses without bound is found. */
static void run_threads(job *jobs, unsigned count) {
    pthread_t threads[MOST_THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    pthread_attr_setstacksize(&attributes, 1 << 20);
#else
    pthread_attr_setstacksize(&attributes, 384 << 10);
#endif
    for (unsigned i = 0; i < count; i++)
        if (pthread_create(&threads[i], &attributes, run_job, &jobs[i]))
            _exit(2);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
}

/* As many sequences from this seed on, each on every thread. */
static void run_child(uint64_t seed, uint64_t count, const bool *keep, bool trace) {
    cl_platform_id platform = open_weft();
    job jobs[MOST_THREADS] = {{0}};
    unsigned threads = keep ? 1 : options.threads;
    setup_programs(platform);
    for (unsigned i = 0; i < threads; i++) {
        jobs[i].w = make_world(platform, i);
        jobs[i].w->trace = trace;
    }
    for (uint64_t n = 0; n < count; n++) {
        atomic_store(&board->seed, seed + n);
        shared *all = threads > 1 ? shared_begin(platform) : NULL;
        for (unsigned i = 0; i < threads; i++) {
            jobs[i].seed = seed + n + (uint64_t)i * 1000000007u;
            jobs[i].all = all;
            jobs[i].keep = keep;
        }
        run_threads(jobs, threads);
        if (all)
            shared_end(all);
        atomic_fetch_add(&board->calls, (uint64_t)options.calls * threads);
    }
    for (unsigned i = 0; i < threads; i++)
        drop_world(jobs[i].w);
}

/* ---- in the parent --------------------------------------------------------------------------- */

static uint64_t progress(void) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < MOST_THREADS; i++)
        sum += atomic_load(&board->progress[i]);
    return sum;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The child's wait status; SIGALRM's if it made no call for so long. */
static int watch(pid_t child, double hang_seconds) {
    uint64_t before = progress();
    double since = now();
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        usleep(2000);
        uint64_t at = progress();
        if (at != before)
            before = at, since = now();
        if (now() - since < hang_seconds)
            continue;
        kill(child, SIGABRT);
        usleep(200 * 1000);
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return SIGALRM;
    }
    return status;
}

static int run(uint64_t seed, uint64_t count, const bool *keep, bool trace, bool quiet) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    if (!child) {
        if (quiet && (!freopen("/dev/null", "w", stderr)))
            _exit(2);
        run_child(seed, count, keep, trace);
        exit(0); /* with the leak checker's word */
    }
    return watch(child, keep ? 20 : HANG_SECONDS);
}

static const char *text_of(int status) {
    static char text[64];
    if (status == SIGALRM)
        return "hangs";
    if (WIFSIGNALED(status))
        snprintf(text, sizeof(text), "ends by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) == 3)
        return "has a wrong answer";
    else
        snprintf(text, sizeof(text), "ends with exit status %d", WEXITSTATUS(status));
    return text;
}

/* Leaves out as many calls as possible, in ever smaller pieces. */
static void reduce(uint64_t seed) {
    for (unsigned i = 0; i < options.calls; i++)
        board->keep[i] = true;
    int status = run(seed, 1, board->keep, false, true);
    if (!status) {
        printf("alone, the sequence does not fail: it takes several threads, or luck\n");
        return;
    }
    double begin = now();
    for (unsigned piece = options.calls / 2; piece; piece /= 2)
        for (unsigned at = 0; at < options.calls && now() - begin < 120; at += piece) {
            bool before[MOST_CALLS];
            bool any = false;
            memcpy(before, board->keep, sizeof(before));
            for (unsigned i = at; i < at + piece && i < options.calls; i++)
                any |= board->keep[i], board->keep[i] = false;
            if (any && !run(seed, 1, board->keep, false, true))
                memcpy(board->keep, before, sizeof(before));
        }
    unsigned kept = 0;
    for (unsigned i = 0; i < options.calls; i++)
        kept += board->keep[i];
    printf("reduced to %u calls of %u:\n", kept, options.calls);
    run(seed, 1, board->keep, true, false);
}

static int report(int status) {
    uint64_t seed = atomic_load(&board->seed);
    printf("seed %llu %s, after %llu calls (--seed %llu --sequences 1 --calls %u --threads %u)\n",
           (unsigned long long)seed, text_of(status), (unsigned long long)progress(),
           (unsigned long long)seed, options.calls, options.threads);
    for (unsigned i = 0; i < options.threads; i++) {
        if (options.threads > 1)
            printf("thread %u alone:\n", i);
        reduce(seed + (uint64_t)i * 1000000007u);
    }
    return 1;
}

static void read_options(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(name, "--list") == 0) {
            for (unsigned row = 0; row < row_count; row++)
                puts(rows[row].name);
            exit(0);
        }
        if (strcmp(name, "--table") == 0) {
            options.table = true;
            continue;
        }
        i++;
        if (strcmp(name, "--seed") == 0)
            options.seed = strtoull(value, NULL, 0);
        else if (strcmp(name, "--sequences") == 0)
            options.sequences = strtoull(value, NULL, 0);
        else if (strcmp(name, "--calls") == 0)
            options.calls = (unsigned)strtoul(value, NULL, 0);
        else if (strcmp(name, "--threads") == 0)
            options.threads = (unsigned)strtoul(value, NULL, 0);
        else if (strcmp(name, "--total") == 0)
            options.total = strtoull(value, NULL, 0);
        else if (strcmp(name, "--seconds") == 0)
            options.seconds = (unsigned)strtoul(value, NULL, 0);
        else if (strcmp(name, "--only") == 0)
            options.only = value;
        else
            options.calls = 0;
    }
    if (!options.calls || options.calls > MOST_CALLS || !options.threads ||
        options.threads > MOST_THREADS) {
        fprintf(stderr, "see tests/fuzz/api/main.c for the options\n");
        exit(2);
    }
}

int main(int argc, char **argv) {
    read_options(argc, argv);
    setenv("WEFT_DEVICES", "2", 1);
    setenv("WEFT_TOPOLOGY", "numa:2 l2:2 pu:1", 0); /* domains to partition by */
    board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED)
        return 2;
    tallies = board->tallies;
    double begin = now();
    uint64_t done = 0;
    while (done < options.sequences && progress() < options.total &&
           !(options.seconds && now() - begin > options.seconds)) {
        uint64_t count =
            options.sequences - done < PER_CHILD ? options.sequences - done : PER_CHILD;
        if (options.seconds && count > 20)
            count = 20;
        int status = run(options.seed + done, count, NULL, false, false);
        if (status)
            return report(status);
        done += count;
        if (count == PER_CHILD) /* so that a long run that is ended has said how far it was */
            fprintf(stderr, "# %llu calls in %llu sequences, %.1f s\n",
                    (unsigned long long)progress(), (unsigned long long)done, now() - begin);
    }
    for (unsigned i = 0; options.table && i < row_count; i++)
        printf("%-48s %10llu succeeded %10llu refused\n", rows[i].name,
               (unsigned long long)atomic_load(&tallies[i].good),
               (unsigned long long)atomic_load(&tallies[i].refused));
    printf("%llu calls in %llu sequences on %u threads, %llu bytes compared, %.1f s, nothing "
           "found\n",
           (unsigned long long)progress(), (unsigned long long)done, options.threads,
           (unsigned long long)atomic_load(&board->compared), now() - begin);
    return 0;
}
