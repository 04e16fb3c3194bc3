// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The compiler client against a fake compiler: jobs, results, failures, limits, the cache. What
 * hostile applications do to it is in robust/host.c, hostile bytes in robust/protocol.c. */
#include "robust/client_test.h"

#include <CL/cl.h>
#include <pthread.h>
#include <sched.h>

/* ---- results -------------------------------------------------------------------------------- */

TEST(build_gives_ir_image_and_log) {
    weft_compiler *compiler = new_compiler();
    weft_job_result result;
    run_job(compiler, WEFT_JOB_BUILD, NULL, "hello", &result);
    CHECK_EQ(result.status, CL_SUCCESS);
    CHECK(!result.cached);
    CHECK_STR((char *)result.log->data, "built for v1");
    CHECK_STR((char *)result.ir->data, "hello");
    CHECK_STR((char *)result.image->data, "image");
    weft_job_result_finish(&result);
    CHECK(!result.ir && !result.image && !result.log);
    weft_compiler_destroy(compiler);
}

TEST(compile_and_link_kinds) {
    weft_compiler *compiler = new_compiler();
    weft_job_result result;
    run_job(compiler, WEFT_JOB_COMPILE, "", "a", &result);
    CHECK(result.status == CL_SUCCESS && result.ir && !result.image);
    weft_job_result_finish(&result);
    run_job(compiler, WEFT_JOB_LINK, "", "a", &result);
    CHECK(result.status == CL_SUCCESS && result.image && !result.is_library);
    weft_job_result_finish(&result);
    run_job(compiler, WEFT_JOB_LINK, "-create-library", "a", &result);
    CHECK(result.status == CL_SUCCESS && result.ir && !result.image && result.is_library);
    weft_job_result_finish(&result);
    weft_compiler_destroy(compiler);
}

/** Several inputs, with and without names, of sizes around the borders of packets. */
TEST(inputs_arrive_whole) {
    static const size_t sizes[] = {0, 1, 15, 16, 32767, 32768, 32769, 65536, 1000003};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    weft_compiler *compiler = new_compiler();
    weft_job_input inputs[COUNT];
    weft_job_result result;
    size_t total = 0, at = 0;
    for (size_t i = 0; i < COUNT; i++) {
        unsigned char *data = malloc(sizes[i] + 1);
        for (size_t k = 0; k < sizes[i]; k++)
            data[k] = (unsigned char)(k * 31 + i);
        inputs[i] = (weft_job_input){i % 2 ? WEFT_INPUT_HEADER : WEFT_INPUT_SOURCE,
                                     i % 2 ? "name.h" : NULL, data, sizes[i]};
        total += sizes[i];
    }
    weft_job job = {WEFT_JOB_COMPILE, "-x", "v3", "a b", inputs, COUNT, NULL, false};
    weft_compiler_run(compiler, &job, &result);
    CHECK_EQ(result.status, CL_SUCCESS);
    CHECK_EQ(result.ir->bytes, total);
    for (size_t i = 0; i < COUNT; at += sizes[i++])
        CHECK(memcmp(result.ir->data + at, inputs[i].data, sizes[i]) == 0);
    weft_job_result_finish(&result);
    for (size_t i = 0; i < COUNT; i++)
        free((void *)inputs[i].data);
    weft_compiler_destroy(compiler);
}

TEST(fifty_megabytes) {
    size_t bytes = 50 << 20;
    weft_compiler *compiler = new_compiler();
    weft_job_result result;
    char *source = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; i++)
        source[i] = (char)('a' + i % 23);
    source[bytes] = 0;
    run_job(compiler, WEFT_JOB_COMPILE, "", source, &result);
    CHECK_EQ(result.status, CL_SUCCESS);
    CHECK_EQ(result.ir->bytes, bytes);
    CHECK(memcmp(result.ir->data, source, bytes) == 0);
    weft_job_result_finish(&result);
    free(source);
    weft_compiler_destroy(compiler);
}

/* ---- failures ------------------------------------------------------------------------------- */

static void check_failure(weft_compiler *compiler, const char *options, const char *words) {
    static const struct {
        weft_job_kind kind;
        int32_t status;
    } kinds[] = {{WEFT_JOB_BUILD, CL_BUILD_PROGRAM_FAILURE},
                 {WEFT_JOB_COMPILE, CL_COMPILE_PROGRAM_FAILURE},
                 {WEFT_JOB_LINK, CL_LINK_PROGRAM_FAILURE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        weft_job_result result;
        run_job(compiler, kinds[i].kind, options, "source", &result);
        CHECK_EQ(result.status, kinds[i].status);
        CHECK(result.log && !result.ir && !result.image);
        if (!strstr((char *)result.log->data, words))
            FAIL("log of %s has no \"%s\": %s", options, words, (char *)result.log->data);
        weft_job_result_finish(&result);
    }
}

TEST(every_end_of_a_job_is_a_failure_with_a_log) {
    weft_compiler *compiler = new_compiler();
    check_failure(compiler, "-crash", "signal 6 (SIGABRT)");
    check_failure(compiler, "-crash", "Assertion `x' failed"); /* what it wrote to stderr */
    check_failure(compiler, "-exit", "status 3");
    check_failure(compiler, "-silent", "ended while it built");
    check_failure(compiler, "-memory", "memory limit of 256 MiB");
    check_failure(compiler, "-empty", "no result and no reason");
    CHECK_EQ(build(compiler, "", NULL), CL_SUCCESS);
    weft_compiler_destroy(compiler);
}

TEST(errors_of_the_source_come_through) {
    weft_compiler *compiler = new_compiler();
    char log[4096];
    CHECK_EQ(build(compiler, "-error", log), CL_BUILD_PROGRAM_FAILURE);
    CHECK_STR(log, "bad source\n");
    weft_compiler_destroy(compiler);
}

TEST(time_limit) {
    static const char *const ways[] = {"-spin", "-share", "-sleep"};
    static const char *const words[] = {"time limit of 1 seconds of processor time",
                                        "time limit of 1 seconds of processor time",
                                        "no processor time for 1 seconds"};
    weft_compiler_settings settings = {.compiler_path = fake_compiler(), .job_seconds = 1};
    weft_compiler *compiler = weft_compiler_create(&settings);
    for (size_t i = 0; i < 3; i++) {
        char log[4096];
        double begin = seconds_now();
        CHECK_EQ(build(compiler, ways[i], log), CL_BUILD_PROGRAM_FAILURE);
        CHECK(seconds_now() - begin < 20); /* a busy machine takes its time to use up one second */
        if (!strstr(log, words[i]))
            FAIL("%s: %.600s", ways[i], log);
    }
    weft_compiler_destroy(compiler);
}

/** A job that takes longer on the clock than its limit, as on a busy machine, and works. */
TEST(time_on_the_clock_is_no_limit) {
    weft_compiler_settings settings = {.compiler_path = fake_compiler(), .job_seconds = 1};
    weft_compiler *compiler = weft_compiler_create(&settings);
    double begin = seconds_now();
    CHECK_EQ(build(compiler, "-crawl", NULL), CL_SUCCESS);
    CHECK(seconds_now() - begin >= 2);
    weft_compiler_destroy(compiler);
}

/** A build of a source whose answer is larger than any socket holds; its exit status. */
static int build_much(int started) {
    enum { BYTES = 4 << 20 };
    weft_compiler_settings settings = {.compiler_path = fake_compiler(), .job_seconds = 1};
    weft_compiler *compiler = weft_compiler_create(&settings);
    char *source = malloc(BYTES + 1);
    memset(source, 'a', BYTES);
    source[BYTES] = 0;
    weft_job_result result;
    CHECK_EQ(write(started, "", 1), 1);
    run_job(compiler, WEFT_JOB_COMPILE, "-nap", source, &result);
    const bool good = result.status == CL_SUCCESS && result.ir && result.ir->bytes == BYTES;
    weft_job_result_finish(&result);
    free(source);
    weft_compiler_destroy(compiler);
    return good ? 0 : 1;
}

/** By Ctrl-Z or a debugger, for longer than a job may do nothing: the build failed. */
TEST(application_may_be_stopped_while_it_builds) {
    int started[2], status = -1;
    char byte;
    CHECK_EQ(pipe(started), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(build_much(started[1]));
    CHECK_EQ(read(started[0], &byte, 1), 1);
    usleep(100000);
    CHECK_EQ(kill(child, SIGSTOP), 0);
    sleep(4);
    CHECK_EQ(kill(child, SIGCONT), 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    close(started[0]);
    close(started[1]);
}

/** As in a debugger that steps: the server's own signs of life are no reason to wait. */
TEST(job_that_hangs_ends_though_the_application_is_slow) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        weft_compiler_settings settings = {.compiler_path = fake_compiler(), .job_seconds = 1};
        weft_compiler *compiler = weft_compiler_create(&settings);
        _exit(build(compiler, "-sleep", NULL) == CL_BUILD_PROGRAM_FAILURE ? 0 : 1);
    }
    const double begin = seconds_now();
    while (waitpid(child, &status, WNOHANG) == 0 && seconds_now() - begin < 30) {
        kill(child, SIGSTOP);
        usleep(700000);
        kill(child, SIGCONT);
        usleep(150000);
    }
    kill(child, SIGKILL);
    CHECK_EQ(status, 0);
}

struct said {
    int count;
    char last[512];
};

static void take_line(void *user, const char *line) {
    struct said *said = user;
    if (!strstr(line, "s of processor time: "))
        return;
    said->count++;
    snprintf(said->last, sizeof said->last, "%s", line);
}

/** While a build takes longer than two seconds, the debug log says what it is at. */
TEST(progress_of_long_builds) {
    struct said said = {0};
    weft_compiler_settings settings = {
        .compiler_path = fake_compiler(), .debug = take_line, .debug_user = &said};
    weft_compiler *compiler = weft_compiler_create(&settings);
    CHECK_EQ(build(compiler, "-nap", NULL), CL_SUCCESS);
    CHECK_EQ(said.count, 0);
    CHECK_EQ(build(compiler, "-crawl", NULL), CL_SUCCESS);
    CHECK(said.count >= 1);
    CHECK(strstr(said.last, "weft: build: 0."));
    CHECK(strstr(said.last, "crawling?")); /* and nothing that could not be printed */
    weft_compiler_destroy(compiler);
}

static void *kill_soon(void *argument) {
    usleep(100000);
    kill(*(pid_t *)argument, SIGKILL);
    return NULL;
}

TEST(killed_compiler_fails_one_build) {
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    CHECK(server > 0);
    pthread_t killer;
    char log[4096];
    pthread_create(&killer, NULL, kill_soon, &server);
    int32_t status = build(compiler, "-sleep", log);
    pthread_join(killer, NULL);
    CHECK_EQ(status, CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log, "ended while it built"));
    pid_t next = server_of(compiler);
    CHECK(next > 0 && next != server);
    weft_compiler_destroy(compiler);
}

TEST(killed_idle_compiler_fails_nothing) {
    weft_compiler *compiler = new_compiler();
    for (int i = 0; i < 5; i++) {
        pid_t server = server_of(compiler);
        CHECK(server > 0);
        kill(server, SIGKILL);
    }
    weft_compiler_destroy(compiler);
}

/** Many threads at once, all kinds of ends among them. */
static void *build_many(void *argument) {
    weft_compiler *compiler = argument;
    static const char *const ways[] = {"", "-error", "", "-crash", "-exit", ""};
    static const int32_t wanted[] = {0, -11, 0, -11, -11, 0};
    for (size_t i = 0; i < 30; i++)
        if (build(compiler, ways[i % 6], NULL) != wanted[i % 6])
            return (void *)(uintptr_t)(i + 1);
    return NULL;
}

TEST(threads_build_in_parallel) {
    enum { THREADS = 8 };
    weft_compiler *compiler = new_compiler();
    pthread_t threads[THREADS];
    void *wrong[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, build_many, compiler);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], &wrong[i]);
    for (int i = 0; i < THREADS; i++)
        CHECK(!wrong[i]);
    weft_compiler_destroy(compiler);
}

static void *nap(void *compiler) {
    return (void *)(intptr_t)build(compiler, "-nap", NULL);
}

/** Runs `count` jobs of 0.2 s at once; the seconds that all took. */
static double nap_together(weft_compiler *compiler, int count) {
    pthread_t threads[256];
    int failed = 0;
    double begin = seconds_now();
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, nap, compiler);
    for (int i = 0; i < count; i++) {
        void *status = NULL;
        pthread_join(threads[i], &status);
        failed += status != NULL;
    }
    CHECK_EQ(failed, 0);
    return seconds_now() - begin;
}

/* As many jobs run at once as there are processors, and one more; the others wait their turn. */
TEST(jobs_at_once_are_limited) {
    cpu_set_t set;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    int at_once = CPU_COUNT(&set) + 1;
    if (at_once > 64)
        SKIP("more processors than the client has jobs at once");
    weft_compiler *compiler = new_compiler();
    build(compiler, "", NULL); /* started */
    double seconds = nap_together(compiler, 3 * at_once);
    CHECK(seconds >= 0.6);
    CHECK(seconds < 0.2 * 3 * at_once || at_once < 2);
    weft_compiler_destroy(compiler);
}

static void *build_one(void *compiler) {
    return (void *)(intptr_t)build(compiler, "", NULL);
}

/* More than the client gives to the process at once. */
TEST(hundred_threads_build) {
    weft_compiler *compiler = new_compiler();
    pthread_t threads[100];
    for (int i = 0; i < 100; i++)
        pthread_create(&threads[i], NULL, build_one, compiler);
    int failed = 0;
    for (int i = 0; i < 100; i++) {
        void *status = NULL;
        pthread_join(threads[i], &status);
        failed += status != NULL;
    }
    CHECK_EQ(failed, 0);
    weft_compiler_destroy(compiler);
}

/* A job that is alone may use all processors for its kernels. */
TEST(lonely_job_gets_all_processors) {
    char log[4096];
    cpu_set_t set;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    weft_compiler *compiler = new_compiler();
    CHECK_EQ(build(compiler, "-describe", log), 0);
    CHECK_EQ(described(log, "processes"), CPU_COUNT(&set));
    weft_compiler_destroy(compiler);
}

/** "A job right after another was given one processor": a child that had answered, but was still
 * giving its memory back, counted as one that compiles. */
TEST(job_after_another_gets_all_processors) {
    char log[4096];
    cpu_set_t set;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    weft_compiler_settings settings = {.compiler_path = fake_compiler(), .job_megabytes = 2048};
    weft_compiler *compiler = weft_compiler_create(&settings);
    for (int i = 0; i < 10; i++) {
        CHECK_EQ(build(compiler, "-large", NULL), 0);
        CHECK_EQ(build(compiler, "-describe", log), 0);
        CHECK_EQ(described(log, "processes"), CPU_COUNT(&set));
    }
    weft_compiler_destroy(compiler);
}

/* ---- life ----------------------------------------------------------------------------------- */

TEST(prepared_process_takes_the_job) {
    weft_compiler *compiler = new_compiler();
    weft_compiler_prepare(compiler);
    weft_compiler_prepare(compiler);
    pid_t server = server_of(compiler);
    CHECK(server > 0);
    weft_compiler_prepare(compiler);
    CHECK_EQ(server_of(compiler), server);
    weft_compiler_destroy(compiler);
    CHECK(process_ends(server, 5));
}

TEST(unload_ends_the_process) {
    weft_compiler *compiler = new_compiler();
    pid_t server = server_of(compiler);
    weft_compiler_unload(compiler);
    weft_compiler_unload(compiler);
    CHECK(process_ends(server, 5));
    pid_t next = server_of(compiler);
    CHECK(next > 0 && next != server);
    weft_compiler_destroy(compiler);
}

static void *build_sleeping(void *compiler) {
    return (void *)(intptr_t)build(compiler, "-sleep", NULL);
}

/** "the process ends when its running jobs have ended", and a new one takes new jobs. */
TEST(unload_waits_for_running_jobs) {
    weft_compiler_settings settings = {.compiler_path = fake_compiler(), .job_seconds = 2};
    weft_compiler *compiler = weft_compiler_create(&settings);
    pid_t server = server_of(compiler);
    pthread_t thread;
    void *status;
    pthread_create(&thread, NULL, build_sleeping, compiler);
    usleep(200000);
    weft_compiler_unload(compiler);
    CHECK(server_of(compiler) != server);
    CHECK(!process_ends(server, 0.5));
    pthread_join(thread, &status);
    CHECK_EQ((intptr_t)status, CL_BUILD_PROGRAM_FAILURE); /* its own time limit */
    CHECK(process_ends(server, 5));
    weft_compiler_destroy(compiler);
}

TEST(idle_process_ends_and_comes_back) {
    weft_compiler_settings settings = {.compiler_path = fake_compiler(), .idle_seconds = 1};
    weft_compiler *compiler = weft_compiler_create(&settings);
    pid_t server = server_of(compiler);
    CHECK(server > 0);
    CHECK(process_ends(server, 10));
    CHECK(server_of(compiler) > 0);
    weft_compiler_destroy(compiler);
}

/* ---- cache ---------------------------------------------------------------------------------- */

static bool job_cached(weft_compiler *compiler, const char *options, const char *source) {
    weft_job_result result;
    run_job(compiler, WEFT_JOB_BUILD, options, source, &result);
    bool cached = result.status == CL_SUCCESS && result.cached;
    weft_job_result_finish(&result);
    return cached;
}

TEST(same_job_comes_from_the_cache) {
    weft_compiler *compiler = new_compiler();
    weft_job_input input = {WEFT_INPUT_SOURCE, NULL, "same", 4};
    weft_job job = {WEFT_JOB_BUILD, NULL, "v1", "", &input, 1, NULL, false};
    CHECK(!weft_compiler_has(compiler, &job));
    CHECK(!job_cached(compiler, NULL, "same"));
    CHECK(weft_compiler_has(compiler, &job));
    job.options = "-DOTHER"; /* not known when a program is created */
    CHECK(weft_compiler_has(compiler, &job));
    job.isa = "v2";
    CHECK(!weft_compiler_has(compiler, &job));
    CHECK(job_cached(compiler, NULL, "same"));
    CHECK(job_cached(compiler, "", "same")); /* no options are no options */
    weft_compiler_unload(compiler);
    CHECK(job_cached(compiler, NULL, "same"));
    weft_compiler_destroy(compiler);
}

TEST(everything_that_decides_is_in_the_key) {
    weft_compiler *compiler = new_compiler();
    weft_job_input one[2] = {{WEFT_INPUT_SOURCE, NULL, "ab", 2}, {WEFT_INPUT_HEADER, "h", "c", 1}};
    weft_job_input other[2] = {{WEFT_INPUT_SOURCE, NULL, "a", 1},
                               {WEFT_INPUT_HEADER, "h", "bc", 2}};
    weft_job_input named[2] = {{WEFT_INPUT_SOURCE, NULL, "ab", 2},
                               {WEFT_INPUT_HEADER, "i", "c", 1}};
    weft_job_input kind[2] = {{WEFT_INPUT_SOURCE, NULL, "ab", 2}, {WEFT_INPUT_IR, "h", "c", 1}};
    const weft_job jobs[] = {{WEFT_JOB_BUILD, "o", "v1", "e", one, 2, NULL, false},
                             {WEFT_JOB_COMPILE, "o", "v1", "e", one, 2, NULL, false},
                             {WEFT_JOB_BUILD, "p", "v1", "e", one, 2, NULL, false},
                             {WEFT_JOB_BUILD, "o", "v2", "e", one, 2, NULL, false},
                             {WEFT_JOB_BUILD, "o", "v1", "f", one, 2, NULL, false},
                             {WEFT_JOB_BUILD, "o", "v1", "e", one, 1, NULL, false},
                             {WEFT_JOB_BUILD, "o", "v1", "e", other, 2, NULL, false},
                             {WEFT_JOB_BUILD, "o", "v1", "e", named, 2, NULL, false},
                             {WEFT_JOB_BUILD, "o", "v1", "e", kind, 2, NULL, false},
                             {WEFT_JOB_BUILD, "ov", "1", "e", one, 2, NULL, false},
                             {WEFT_JOB_BUILD, "o", "v1", "e", one, 2, "s", false},
                             {WEFT_JOB_BUILD, "o", "v1", "e", one, 2, NULL, true}};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
            weft_job_result result;
            weft_compiler_run(compiler, &jobs[i], &result);
            CHECK_EQ(result.status, CL_SUCCESS);
            CHECK_EQ(result.cached, round);
            weft_job_result_finish(&result);
        }
    weft_compiler_destroy(compiler);
}

TEST(failures_and_files_are_not_cached) {
    weft_compiler *compiler = new_compiler();
    for (int round = 0; round < 2; round++) {
        weft_job_result result;
        CHECK(!job_cached(compiler, "-files", "source"));
        run_job(compiler, WEFT_JOB_BUILD, "-error", "source", &result);
        CHECK(result.status == CL_BUILD_PROGRAM_FAILURE && !result.cached);
        weft_job_result_finish(&result);
    }
    weft_compiler_destroy(compiler);
}

/** The size is kept, what was used last stays, blobs outlive their entry. */
TEST(cache_drops_the_least_recently_used) {
    weft_compiler_settings settings = {.compiler_path = fake_compiler(),
                                       .memory_cache_bytes = 8000};
    weft_compiler *compiler = weft_compiler_create(&settings);
    char source[3][1001];
    weft_job_result held;
    for (int i = 0; i < 3; i++) {
        memset(source[i], 'a' + i, 1000);
        source[i][1000] = 0;
    }
    run_job(compiler, WEFT_JOB_BUILD, NULL, source[0], &held);
    for (int i = 1; i < 3; i++)
        CHECK(!job_cached(compiler, NULL, source[i]));
    CHECK(job_cached(compiler, NULL, source[0])); /* now 1 is the oldest */
    char large[2001];
    memset(large, 'x', 2000);
    large[2000] = 0;
    CHECK(!job_cached(compiler, NULL, large)); /* drops 1 and perhaps 2 */
    CHECK(job_cached(compiler, NULL, source[0]));
    CHECK(job_cached(compiler, NULL, large));
    CHECK(!job_cached(compiler, NULL, source[1]));
    weft_compiler_destroy(compiler);
    CHECK_STR((char *)held.ir->data, source[0]);
    weft_job_result_finish(&held);
}

TEST(cache_of_many) {
    weft_compiler *compiler = new_compiler();
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 200; i++) {
            char source[32];
            snprintf(source, sizeof source, "many %d", i);
            CHECK_EQ(job_cached(compiler, NULL, source), round);
        }
    weft_compiler_destroy(compiler);
}

TEST(cache_off) {
    weft_compiler_settings settings = {.compiler_path = fake_compiler()};
    weft_compiler *compiler = weft_compiler_create(&settings);
    CHECK(!job_cached(compiler, NULL, "same"));
    CHECK(!job_cached(compiler, NULL, "same"));
    weft_compiler_destroy(compiler);
}

/** At most 50 us for a source of 1500 lines; sanitized builds are given more. */
TEST(cache_hit_is_quick) {
    double best = 1, limit = 50e-6;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    limit *= 40;
#endif
    weft_compiler *compiler = new_compiler();
    char *source = malloc(60001);
    memset(source, ' ', 60000);
    source[60000] = 0;
    CHECK(!job_cached(compiler, NULL, source));
    for (int i = 0; i < 200; i++) {
        double begin = seconds_now();
        CHECK(job_cached(compiler, NULL, source));
        double now = seconds_now() - begin;
        best = now < best ? now : best;
    }
    free(source);
    weft_compiler_destroy(compiler);
    printf("# cache hit: %.1f us\n", best * 1e6);
    CHECK(best < limit);
}

/* ---- n-th failure --------------------------------------------------------------------------- */

#ifdef WEFT_FAULT_INJECTION

#include "weft/shim.h"

/** Each call that can fail fails once: the job succeeds, or fails with a reason, and the next
 * works. */
TEST(every_failure_leaves_it_usable) {
    uint64_t n = 1;
    for (bool reached = true; reached; n++) {
        char log[4096];
        uint64_t before = weft_shim_calls();
        weft_shim_fail_at(n);
        weft_compiler *compiler = new_compiler();
        int32_t status = compiler ? build(compiler, "", log) : CL_OUT_OF_HOST_MEMORY;
        weft_shim_fail_at(0);
        reached = weft_shim_calls() - before >= n;
        if (status != CL_SUCCESS && status != CL_OUT_OF_HOST_MEMORY &&
            status != CL_OUT_OF_RESOURCES && status != CL_COMPILER_NOT_AVAILABLE)
            FAIL("call %d: status %d", (int)n, status);
        CHECK(status == CL_SUCCESS || status == CL_OUT_OF_HOST_MEMORY || log[0]);
        if (compiler)
            CHECK_EQ(build(compiler, "", NULL), CL_SUCCESS);
        weft_compiler_destroy(compiler);
    }
    CHECK(n > 10);
}

#endif

TEST_MAIN()
