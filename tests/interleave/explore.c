// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The program around schedules: runs scenarios, puts faults back, prints TAP. */

#include "schedule.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USUAL_SCHEDULES = 40000, FAULT_SCHEDULES = 300000, FAULT_SECONDS = 5, TEXT = 2048 };

static const char *program, *the_name;
static char failure[TEXT];
static bool failed, drawing, in_schedule;
static jmp_buf out_of_main;
static uint64_t seed = 1;

/* ---- one schedule ---------------------------------------------------------------------------- */

void explore_thread(const char *name, void (*run)(void *argument), void *argument) {
    thread_add(name, run, NULL, argument);
}

void explore_fail(const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(failure, sizeof(failure), format, arguments);
    va_end(arguments);
    failed = true;
    if (current >= 0)
        threads_abandon();
    if (!in_schedule) {
        printf("Bail out! setting up: %s\n", failure);
        exit(2);
    }
    longjmp(out_of_main, 1);
}

static const char *const WAITS_FOR[] = {"may go on",
                                        "for a mutex",
                                        "asleep on a futex",
                                        "asleep on a condition variable",
                                        "for what does not come",
                                        "for a thread's end",
                                        "ended"};

/* Nobody can go on: that is the end, or they wait for what nobody will do. */
static void check_ended(void) {
    char text[TEXT] = "";
    size_t at = 0;
    bool stuck = false;

    for (int i = 0; i < thread_count; i++) {
        const logical_thread *thread = &threads[i];
        bool idle =
            thread->product && (thread->state == THREAD_FUTEX || thread->state == THREAD_COND);
        stuck = stuck || (thread->state != THREAD_ENDED && !idle);
        if (thread->state != THREAD_ENDED && at < sizeof(text))
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%d '%s' %s in %s:%d",
                                   at ? "; " : "", i, thread->name, WAITS_FOR[thread->state],
                                   thread->site->function, (int)thread->site->line);
    }
    if (stuck)
        explore_fail("nobody can go on: %s", text);
}

/* False: it has failed, and `failure` says why. */
static bool run_one(const explore_scenario *scenario) {
    failed = false;
    memory_restore(1);
    schedule_begin();
    steps_begin();
    in_schedule = true;
    if (setjmp(out_of_main) == 0) {
        threads_run(scenario->begin);
        if (!failed) {
            check_ended();
            if (scenario->end)
                scenario->end();
        }
    }
    in_schedule = false;
    return !failed;
}

static void say_failure(void) {
    char text[TEXT];

    schedule_write(text, sizeof(text));
    printf("# %s\n# with every step: %s --replay %s '%s'\n", failure, program, the_name, text);
    fflush(stdout);
}

/* ---- different schedules --------------------------------------------------------------------- */

/* Signatures, to count those that differ; twice as many places as schedules. */
static uint64_t *seen;
static size_t seen_room, seen_count;

static void forget_seen(uint64_t schedules) {
    seen_room = 1024;
    while (seen_room < 2 * schedules)
        seen_room *= 2;
    free(seen);
    seen = calloc(seen_room, sizeof(*seen));
    if (!seen)
        abort();
    seen_count = 0;
}

static void note_seen(uint64_t signature) {
    size_t at = (size_t)(signature ^ signature >> 32) & (seen_room - 1);

    signature |= signature == 0;
    while (seen[at] && seen[at] != signature)
        at = (at + 1) & (seen_room - 1);
    seen_count += !seen[at];
    seen[at] = signature;
}

/* ---- a scenario ------------------------------------------------------------------------------ */

typedef struct outcome {
    uint64_t schedules, steps, longest, distinct;
    int preemptions; /* up to so many, all schedules were run; -1: not even without any */
    bool failed;
} outcome;

static bool run_and_count(const explore_scenario *scenario, outcome *out) {
    bool good = run_one(scenario);

    out->schedules++;
    out->steps += schedule_steps();
    if (schedule_steps() > out->longest)
        out->longest = schedule_steps();
    note_seen(schedule_signature());
    out->failed = !good;
    return good;
}

/* Half of them are enumerated, with one more preemption each round; the rest, and what is left when
 * there are no more, are drawn. */
static void explore(const explore_scenario *scenario, uint64_t schedules, outcome *out) {
    memset(out, 0, sizeof(*out));
    out->preemptions = -1;
    forget_seen(schedules);
    drawing = false;
    for (unsigned allowed = 0; allowed < 100 && out->schedules < schedules / 2; allowed++) {
        uint64_t before = out->distinct = seen_count;
        bool more = true;
        schedule_enumerate(allowed);
        for (; more && out->schedules < schedules / 2; more = schedule_next())
            if (!run_and_count(scenario, out))
                return;
        if (!more)
            out->preemptions = (int)allowed;
        if (!more && allowed && seen_count == before)
            break; /* no schedule has as many */
    }
    drawing = true;
    for (uint64_t i = 0; out->schedules < schedules; i++) {
        schedule_draw(seed * UINT64_C(1000000007) + i);
        if (!run_and_count(scenario, out))
            return;
    }
    out->distinct = seen_count;
}

static void set_up(const explore_scenario *scenario) {
    the_name = scenario->name;
    memory_restore(0);
    thread_count = 0;
    if (scenario->setup)
        scenario->setup();
    memory_keep(1);
}

/* Of processor time: others may be at it. */
static double seconds(void) {
    struct timespec now;

    (clock_gettime)(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* False: some schedule failed. */
static bool run_scenario(const explore_scenario *scenario, uint64_t schedules, int number) {
    outcome out;
    double start = seconds();

    set_up(scenario);
    explore(scenario, schedules, &out);
    if (out.failed)
        say_failure();
    else
        printf("# %s: %llu schedules, %llu different (all with up to %d preemptions), "
               "%llu steps on average, %llu at most; %.2f s\n",
               scenario->name, (unsigned long long)out.schedules, (unsigned long long)out.distinct,
               out.preemptions, (unsigned long long)(out.steps / out.schedules),
               (unsigned long long)out.longest, seconds() - start);
    printf("%s %d - %s\n", out.failed ? "not ok" : "ok", number, scenario->name);
    fflush(stdout);
    return !out.failed;
}

/* ---- faults that are put back ---------------------------------------------------------------- */

typedef struct found {
    uint64_t schedules; /* run so far */
    bool done, caught;
    char failure[TEXT];
} found;

static void search_one(const explore_scenario *scenario, found *result) {
    if (result->schedules++ % 1024 == 0)
        alarm(FAULT_SECONDS); /* a list that bites its tail */
    run_one(scenario);
}

/* In a process of its own: what a fault does to it is nobody's affair. */
static void search_fault(const explore_scenario *scenario, uint64_t schedules, found *result) {
    bool more = true;

    failed = false;
    for (unsigned allowed = 0; allowed < 3 && !failed; allowed++) {
        schedule_enumerate(allowed);
        more = true;
        for (uint64_t i = 0; more && !failed && i < schedules / 4; i++, more = schedule_next())
            search_one(scenario, result);
    }
    for (uint64_t i = 0; !failed && result->schedules < schedules; i++) {
        schedule_draw(seed * UINT64_C(1000000007) + i);
        search_one(scenario, result);
    }
    result->caught = failed;
    result->done = true;
    if (failed)
        memcpy(result->failure, failure, sizeof(result->failure));
}

static bool find_fault(const explore_scenario *scenario, const explore_fault *fault,
                       uint64_t schedules, found *result) {
    int status = 0;

    memset(result, 0, sizeof(*result));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        signal(SIGFPE, SIG_DFL);
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 2);
        dup2(nowhere, 1);
        if (!steps_set_fault(fault))
            _exit(3);
        set_up(scenario);
        search_fault(scenario, schedules, result);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        snprintf(result->failure, sizeof(result->failure), "there is no such place");
        return false;
    }
    if (WIFSIGNALED(status))
        snprintf(result->failure, sizeof(result->failure), "%s",
                 WTERMSIG(status) == SIGALRM ? "it does not end" : strsignal(WTERMSIG(status)));
    return result->caught || (!result->done && result->schedules);
}

static const char *const FAULT_NAMES[] = {"",        "not atomic",      "late", "left out", "stale",
                                          "relaxed", "without the lock"};

/* False: no schedule shows it. */
static bool run_fault(const explore_scenario *scenario, const explore_fault *fault,
                      uint64_t schedules, found *result, int number) {
    bool caught = find_fault(scenario, fault, schedules, result);

    printf("# %s: %s %s %s, %s: ", fault->function, fault->operation, fault->operand,
           FAULT_NAMES[fault->kind], fault->why);
    if (caught)
        printf("found by schedule %llu: %.300s\n", (unsigned long long)result->schedules,
               result->failure);
    else
        printf("not found in %llu schedules %s\n", (unsigned long long)result->schedules,
               result->failure);
    printf("%s %d - %s finds: %s\n", caught ? "ok" : "not ok", number, scenario->name, fault->why);
    fflush(stdout);
    return caught;
}

/* ---- every fault of these kinds that the sources could have ---------------------------------- */

typedef struct survey {
    const explore_scenario *scenarios;
    size_t count;
    uint64_t schedules;
    const char *word; /* of the file's name */
    found *result;
    unsigned tried, caught;
} survey;

static void try_fault(survey *all, const step_site *site, unsigned nth, explore_fault_kind kind) {
    explore_fault fault = {kind, site->function, site->operation, site->operand, nth, "surveyed"};
    uint64_t schedules = 0;
    bool caught = false;

    for (size_t i = 0; i < all->count && !caught; i++) {
        caught = find_fault(&all->scenarios[i], &fault, all->schedules, all->result);
        schedules += all->result->schedules;
    }
    all->tried++;
    all->caught += caught;
    printf("%-9s %8llu  %s:%d %s: %s %s %s: %.100s\n", caught ? "found" : "NOT FOUND",
           (unsigned long long)schedules, site->file, (int)site->line, site->function,
           site->operation, site->operand, FAULT_NAMES[kind], all->result->failure);
}

static unsigned nth_of_name(const step_site *site, const step_site *first) {
    uint64_t lines[64];
    unsigned count = 0, before = 1;

    for (const step_site *other = first; other->file; other++) {
        if (strcmp(other->function, site->function) || strcmp(other->operation, site->operation) ||
            strcmp(other->operand, site->operand) || other->line >= site->line)
            continue;
        bool known = false;
        for (unsigned i = 0; i < count; i++)
            known = known || lines[i] == other->line;
        if (!known && count < 64) {
            lines[count++] = other->line;
            before++;
        }
    }
    return before;
}

static step_site all_sites[8192];
static size_t all_site_count;

static void list_site(const step_site *site, uint64_t passed, void *user) {
    const survey *all = user;

    if (!passed || !strstr(site->file, all->word) || all_site_count + 1 >= 8192)
        return;
    for (size_t i = 0; i < all_site_count; i++)
        if (all_sites[i].line == site->line && strcmp(all_sites[i].file, site->file) == 0 &&
            strcmp(all_sites[i].operand, site->operand) == 0 &&
            strcmp(all_sites[i].operation, site->operation) == 0)
            return;
    all_sites[all_site_count++] = *site;
}

static void survey_site(survey *all, const step_site *site) {
    static const struct {
        const char *operation;
        explore_fault_kind kinds[4];
    } rows[] = {
        {"store", {FAULT_SKIP, FAULT_LATE, FAULT_RELAXED}},
        {"exchange", {FAULT_SPLIT, FAULT_RELAXED}},
        {"fetch_add", {FAULT_SPLIT, FAULT_LATE}},
        {"fetch_sub", {FAULT_SPLIT, FAULT_LATE, FAULT_RELAXED}},
        {"fetch_or", {FAULT_SPLIT, FAULT_LATE}},
        {"fetch_and", {FAULT_SPLIT}},
        {"compare_exchange", {FAULT_SPLIT, FAULT_RELAXED}},
        {"load", {FAULT_STALE}},
        {"lock", {FAULT_UNLOCKED}},
        {"signal", {FAULT_SKIP}},
        {"broadcast", {FAULT_SKIP}},
        {"futex wake", {FAULT_SKIP}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (int k = 0; strcmp(rows[i].operation, site->operation) == 0 && rows[i].kinds[k]; k++)
            try_fault(all, site, nth_of_name(site, all_sites), rows[i].kinds[k]);
}

static int survey_faults(survey *all) {
    /* Which sites are passed at all. */
    for (size_t i = 0; i < all->count; i++) {
        outcome out;
        set_up(&all->scenarios[i]);
        explore(&all->scenarios[i], 2000, &out);
    }
    steps_visit(list_site, all);
    for (size_t i = 0; i < all_site_count; i++)
        survey_site(all, &all_sites[i]);
    printf("%u of %u faults found\n", all->caught, all->tried);
    return 0;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void on_signal(int number) {
    snprintf(failure, sizeof(failure), "%s in thread '%s'", strsignal(number),
             current < 0 ? "none" : threads[current].name);
    say_failure();
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void) {
    static unsigned char stack[64 * 1024];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};

    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaction(numbers[i], &action, NULL);
}

static int replay(const explore_scenario *scenarios, size_t count, const char *name,
                  const char *text) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(scenarios[i].name, name))
            continue;
        if (!schedule_read(text)) {
            printf("Bail out! %s is no schedule\n", text);
            return 2;
        }
        set_up(&scenarios[i]);
        schedule_traces = true;
        bool good = run_one(&scenarios[i]);
        if (!good)
            say_failure();
        printf("%s 1 - %s\n1..1\n", good ? "ok" : "not ok", name);
        return !good;
    }
    printf("Bail out! there is no scenario %s\n", name);
    return 2;
}

static bool is_wanted(const explore_scenario *scenario, const char *word) {
    return !word || strstr(scenario->name, word);
}

static int run_all(const explore_scenario *scenarios, size_t count, const char *word,
                   uint64_t schedules) {
    found *result =
        mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int number = 0, bad = 0;

    for (size_t i = 0; i < count; i++)
        if (is_wanted(&scenarios[i], word))
            bad += !run_scenario(&scenarios[i], schedules, ++number);
    survey places = {.word = ""};
    steps_visit(list_site, &places);
    printf("# %zu places in the sources where threads meet were passed\n", all_site_count);
    for (size_t i = 0; i < count && result != MAP_FAILED; i++)
        for (int f = 0; f < EXPLORE_FAULTS && scenarios[i].faults[f].why; f++)
            if (is_wanted(&scenarios[i], word))
                bad += !run_fault(&scenarios[i], &scenarios[i].faults[f], FAULT_SCHEDULES, result,
                                  ++number);
    printf("1..%d\n", number);
    return bad != 0;
}

static const char USAGE[] =
    "%s [--schedules N] [--seed N] [WORD]   N schedules of each scenario whose name has the word, "
    "then its faults\n"
    "%s --replay SCENARIO SCHEDULE          one schedule, every step of it written\n"
    "%s --survey FILE [N]                   each simple fault in files of that name, "
    "N schedules for each\n";

int explore_main(int argc, char **argv, void (*setup)(void), const explore_scenario *scenarios,
                 size_t count) {
    uint64_t schedules = USUAL_SCHEDULES;
    int at = 1;

    program = argv[0];
    memory_init();
    threads_init();
    catch_signals();
    if (setup)
        setup();
    memory_keep(0);
    if (argc == 4 && strcmp(argv[1], "--replay") == 0)
        return replay(scenarios, count, argv[2], argv[3]);
    if (argc >= 3 && strcmp(argv[1], "--survey") == 0) {
        survey all = {.scenarios = scenarios, .count = count, .word = argv[2]};
        all.schedules = argc > 3 ? strtoull(argv[3], NULL, 10) : 20000;
        all.result =
            mmap(NULL, sizeof(found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        return survey_faults(&all);
    }
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (strcmp(argv[at], "--schedules") == 0)
            schedules = strtoull(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "--seed") == 0)
            seed = strtoull(argv[at + 1], NULL, 10);
    }
    if (at < argc && strncmp(argv[at], "--", 2) == 0) {
        printf(USAGE, argv[0], argv[0], argv[0]);
        return 2;
    }
    return run_all(scenarios, count, at < argc ? argv[at] : NULL, schedules);
}
