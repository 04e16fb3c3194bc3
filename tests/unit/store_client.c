// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The compiler client with a disk cache, against a fake compiler. */
#include "unit/store_test.h"

static char said[4096];

static void hear(void *user, const char *line) {
    size_t length = strlen(said);
    (void)user;
    snprintf(said + length, sizeof said - length, "%s\n", line);
}

/** One process' worth of client: its memory holds nothing. */
static weft_compiler *client_of(const char *path) {
    weft_compiler_settings settings = {.compiler_path = path,
                                       .disk_cache = true,
                                       .disk_cache_folder = store.folder,
                                       .disk_cache_bytes = LIMIT,
                                       .debug = hear};
    said[0] = 0;
    return weft_compiler_create(&settings);
}

static bool builds_cached(weft_compiler *compiler, const char *options, const char *source) {
    weft_job_result result;
    run_job(compiler, WEFT_JOB_BUILD, options, source, &result);
    bool cached = result.status == CL_SUCCESS && result.cached &&
                  !strcmp((char *)result.ir->data, source) &&
                  !strcmp((char *)result.image->data, "image");
    weft_job_result_finish(&result);
    return cached;
}

static void need_fake_compiler(void) {
    if (access(fake_compiler(), X_OK) != 0)
        SKIP("there is no fake compiler in this build");
}

TEST(clients_share_and_start_nothing) {
    weft_job_input input = {WEFT_INPUT_SOURCE, NULL, "same", 4};
    weft_job job = {WEFT_JOB_BUILD, NULL, "v1", "", &input, 1, NULL, false};
    need_fake_compiler();
    open_store(LIMIT);
    weft_compiler *compiler = client_of(fake_compiler());
    CHECK(!weft_compiler_has(compiler, &job));
    CHECK(!builds_cached(compiler, NULL, "same"));
    CHECK(strstr(said, "disk miss\n") && strstr(said, "disk stored\n") && strstr(said, "spawn"));
    weft_compiler_destroy(compiler);
    compiler = client_of(fake_compiler());
    CHECK(weft_compiler_has(compiler, &job));
    CHECK(builds_cached(compiler, NULL, "same"));
    CHECK(strstr(said, "disk hit\n") && !strstr(said, "spawn"));
    CHECK(!builds_cached(compiler, "-DX", "same"));
    CHECK(builds_cached(compiler, "-DX", "same"));
    weft_compiler_destroy(compiler);
    close_store();
}

TEST(failures_and_files_are_not_kept) {
    need_fake_compiler();
    open_store(LIMIT);
    weft_compiler *compiler = client_of(fake_compiler());
    for (int round = 0; round < 2; round++) {
        CHECK(!builds_cached(compiler, "-files", "source"));
        CHECK(!builds_cached(compiler, "-error", "source"));
        CHECK(!builds_cached(compiler, "-crash", "source"));
        CHECK(!builds_cached(compiler, NULL, "print(__TIME__)"));
        CHECK(!builds_cached(compiler, "-DWHEN=__DATE__", "source"));
    }
    CHECK_EQ(count_files(""), -1);
    weft_compiler_destroy(compiler);
    close_store();
}

/** A new executable at the place of the old: nothing of the old one is its work, not even what a
 *  process of the old one, which still runs, makes now. */
TEST(another_executable_is_another_compiler) {
    char path[128], next[160], command[8000];
    need_fake_compiler();
    open_store(LIMIT);
    snprintf(path, sizeof path, "%s/compiler", folder);
    snprintf(next, sizeof next, "%s.new", path);
    snprintf(command, sizeof command, "cp %s %s && cp -p %s %s", fake_compiler(), path, path, next);
    CHECK_EQ(system(command), 0);
    weft_compiler *old = client_of(path);
    CHECK(!builds_cached(old, NULL, "a"));
    CHECK(builds_cached(old, NULL, "a"));
    CHECK_EQ(rename(next, path), 0); /* same size, same time of content */
    CHECK(!builds_cached(old, NULL, "a"));
    CHECK(!builds_cached(old, NULL, "b"));
    weft_compiler *fresh = client_of(path);
    CHECK(!builds_cached(fresh, NULL, "b"));
    CHECK(builds_cached(fresh, NULL, "b"));
    CHECK(builds_cached(old, NULL, "b"));
    weft_compiler_destroy(old);
    weft_compiler_destroy(fresh);
    close_store();
}

TEST(damage_is_built_again) {
    char command[160];
    need_fake_compiler();
    open_store(LIMIT);
    weft_compiler *compiler = client_of(fake_compiler());
    CHECK(!builds_cached(compiler, NULL, "a"));
    snprintf(command, sizeof command, "for f in %s/r-*; do echo x >> $f; done", store.folder);
    CHECK_EQ(system(command), 0);
    CHECK(!builds_cached(compiler, NULL, "a"));
    CHECK(strstr(said, "disk miss: a damaged or foreign file"));
    CHECK(builds_cached(compiler, NULL, "a"));
    weft_compiler_destroy(compiler);
    close_store();
}

/* ---- n-th failure --------------------------------------------------------------------------- */

#ifdef WEFT_FAULT_INJECTION

#include "weft/shim.h"

/** Each call that can fail fails once, in a build that is kept and in one that is found. */
TEST(every_failure_leaves_the_client_usable) {
    uint64_t n = 1;
    need_fake_compiler();
    for (bool reached = true; reached; n++) {
        open_store(LIMIT);
        uint64_t calls = weft_shim_calls();
        weft_shim_fail_at(n);
        for (int round = 0; round < 2; round++) {
            weft_job_result result = {0};
            weft_compiler *compiler = client_of(fake_compiler());
            if (compiler)
                run_job(compiler, WEFT_JOB_BUILD, NULL, "same", &result);
            if (result.image)
                CHECK_STR((char *)result.image->data, "image");
            weft_job_result_finish(&result);
            weft_compiler_destroy(compiler);
        }
        weft_shim_fail_at(0);
        reached = weft_shim_calls() - calls >= n;
        weft_compiler *compiler = client_of(fake_compiler());
        builds_cached(compiler, NULL, "same");
        CHECK(builds_cached(compiler, NULL, "same"));
        CHECK_EQ(count_files("t"), 0);
        weft_compiler_destroy(compiler);
        close_store();
    }
    printf("# %d calls\n", (int)n - 1);
    CHECK(n > 20);
}

#endif

TEST_MAIN()
