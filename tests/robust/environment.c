// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Every WEFT_* variable with values nobody should set: the device works as if it were not set, or
 * does what the value says; it never crashes or hangs. */
#include "robust/guest.h"

#include "runtime/settings.h"

#include <fcntl.h>

typedef struct environment {
    const char *name, *value;
} environment;

static char *huge;

/** Some values are good ones for text: a path that is none. */
static bool may_have_no_compiler(const environment *set) {
    return strcmp(set->name, "WEFT_COMPILER") == 0 || strstr(set->name, "WEFT_COMPILER_") != NULL;
}

/** WEFT_PERF=map leaves a file where perf looks for it. */
static void remove_map(void) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    unlink(path);
}

static int live_with(void *argument) {
    static guest g;
    const environment *set = argument;
    const char *source = guest_source;
    cl_int error;
    setenv(set->name, set->value, 1);
    REQUIRE_DONE(guest_platform(&g));
    REQUIRE_DONE(guest_objects(&g));
    if (!may_have_no_compiler(set)) {
        REQUIRE_DONE(guest_build(&g));
        REQUIRE_DONE(guest_use(&g));
        remove_map();
        return guest_release(&g);
    }
    g.program = clCreateProgramWithSource(g.context, 1, &source, NULL, &error);
    REQUIRE(error == CL_SUCCESS);
    error = clBuildProgram(g.program, 0, NULL, "", NULL, NULL);
    REQUIRE(error == CL_SUCCESS || error == CL_COMPILER_NOT_AVAILABLE ||
            error == CL_BUILD_PROGRAM_FAILURE);
    return 0;
}

static void check_values(const char *name, const char *const *values) {
    for (; *values; values++) {
        environment set = {name, *values};
        int failed = in_child(live_with, &set);
        if (failed)
            FAIL("%s=%.40s: line or status %d", name, *values, failed);
    }
}

static void make_huge(void) {
    huge = malloc((1 << 20) + 1);
    CHECK(huge);
    memset(huge, '9', 1 << 20);
    huge[1 << 20] = 0;
}

TEST(garbage_in_every_setting) {
    make_huge();
    const char *const values[] = {"",   "-1", "99999999999999999999", "%s%n%n", "\xff\xfe\x01 \n",
                                  huge, NULL};
    for (size_t i = 0; i < weft_setting_count; i++)
        check_values(weft_setting_rows[i].name, values);
}

/** The ends of what is allowed. */
TEST(least_and_most_of_every_number) {
    for (size_t i = 0; i < weft_setting_count; i++) {
        const weft_setting_row *row = &weft_setting_rows[i];
        char least[16], most[16];
        if (row->kind != WEFT_SETTING_IS_UINT)
            continue;
        snprintf(least, sizeof least, "%u", row->minimum);
        snprintf(most, sizeof most, "%u", row->maximum);
        check_values(row->name, (const char *const[]){least, most, NULL});
    }
}

TEST(every_word_of_every_setting) {
    for (size_t i = 0; i < weft_setting_count; i++) {
        const weft_setting_row *row = &weft_setting_rows[i];
        char words[128], *rest = words, *word;
        if (row->kind != WEFT_SETTING_IS_WORD)
            continue;
        snprintf(words, sizeof words, "%s", row->words);
        while ((word = strsep(&rest, "|")))
            check_values(row->name, (const char *const[]){word, NULL});
    }
}

static int all_garbage(void *argument) {
    static guest g;
    (void)argument;
    for (size_t i = 0; i < weft_setting_count; i++)
        if (strcmp(weft_setting_rows[i].name, "WEFT_COMPILER") != 0)
            setenv(weft_setting_rows[i].name, huge, 1);
    setenv("WEFT_NO_SUCH_SETTING", huge, 1);
    setenv("WEFT_DEBUG", "all", 1); /* says about each that it is ignored, 1 MB long as it is */
    REQUIRE_DONE(guest_make(&g));
    return guest_use(&g);
}

TEST(all_of_them_at_once) {
    if (!huge)
        make_huge();
    fflush(stderr);
    int saved = dup(2), null = open("/dev/null", O_WRONLY);
    dup2(null, 2);
    int failed = in_child(all_garbage, NULL);
    dup2(saved, 2);
    close(saved);
    close(null);
    CHECK_EQ(failed, 0);
}

TEST_MAIN()
