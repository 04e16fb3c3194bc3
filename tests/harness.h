// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The whole test framework: a program is a list of TEST(name) { ... } bodies and prints TAP.
 *
 *     TEST(adds) { CHECK(1 + 1 == 2); CHECK_EQ(clFinish(queue), CL_SUCCESS); }
 *     TEST_MAIN()
 *
 * A failed check ends its test, says where and what, and the next test runs. `program NAME...` runs
 * only the tests whose name contains one of the words; `program --list` names them. SKIP("why")
 * ends a test that cannot run here; it is never counted as passed. Tests run in the order of the
 * file, in one process; checks may be used in the test's own thread only (other threads return
 * values to it).
 */
#ifndef WEFT_HARNESS_H
#define WEFT_HARNESS_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int setenv(const char *name, const char *value, int overwrite); /* strict C hides it */

typedef struct weft_test {
    const char *name;
    void (*run)(void);
    struct weft_test *next;
} weft_test;

static weft_test *weft_tests, **weft_tests_end = &weft_tests;
static jmp_buf weft_test_end;
static char weft_test_why[1024];

enum { WEFT_TEST_PASSED = 0, WEFT_TEST_FAILED = 1, WEFT_TEST_SKIPPED = 2 };

#define TEST(test_name)                                                                            \
    static void test_##test_name(void);                                                            \
    static weft_test weft_test_##test_name = {#test_name, test_##test_name, NULL};                 \
    __attribute__((constructor)) static void weft_add_##test_name(void) {                          \
        *weft_tests_end = &weft_test_##test_name;                                                  \
        weft_tests_end = &weft_test_##test_name.next;                                              \
    }                                                                                              \
    static void test_##test_name(void)

#define WEFT_TEST_STOP(how, ...)                                                                   \
    do {                                                                                           \
        snprintf(weft_test_why, sizeof(weft_test_why), __VA_ARGS__);                               \
        longjmp(weft_test_end, (how));                                                             \
    } while (0)

/** Ends the test as failed with a sentence of its own. */
#define FAIL(...) WEFT_TEST_STOP(WEFT_TEST_FAILED, __VA_ARGS__)
/** Ends the test as not run. */
#define SKIP(...) WEFT_TEST_STOP(WEFT_TEST_SKIPPED, __VA_ARGS__)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            FAIL("%s:%d: %s", __FILE__, __LINE__, #condition);                                     \
    } while (0)

/** Two integers (of any type) are equal. */
#define CHECK_EQ(got, wanted)                                                                      \
    do {                                                                                           \
        intmax_t weft_got = (intmax_t)(got), weft_wanted = (intmax_t)(wanted);                     \
        if (weft_got != weft_wanted)                                                               \
            FAIL("%s:%d: %s is %jd, not %s = %jd", __FILE__, __LINE__, #got, weft_got, #wanted,    \
                 weft_wanted);                                                                     \
    } while (0)

#define CHECK_STR(got, wanted)                                                                     \
    do {                                                                                           \
        const char *weft_got = (got), *weft_wanted = (wanted);                                     \
        if (strcmp(weft_got, weft_wanted) != 0)                                                    \
            FAIL("%s:%d: %s is \"%.300s\", not \"%.300s\"", __FILE__, __LINE__, #got, weft_got,    \
                 weft_wanted);                                                                     \
    } while (0)

static bool weft_test_wanted(const char *name, int argc, char **argv) {
    if (argc < 2)
        return true;
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i]))
            return true;
    return false;
}

/** Returns the number of failed tests. */
static int weft_run_tests(int argc, char **argv) {
    /* volatile: they live across longjmp */
    volatile int number = 0, failed = 0;

    for (weft_test *volatile test = weft_tests; test; test = test->next) {
        if (argc == 2 && strcmp(argv[1], "--list") == 0) {
            puts(test->name);
            continue;
        }
        if (!weft_test_wanted(test->name, argc, argv))
            continue;
        number++;
        if (getenv("WEFT_RECORD")) /* tests/coverage notes which test provokes what */
            setenv("WEFT_RECORD_TEST", test->name, 1);
        switch (setjmp(weft_test_end)) {
        case 0:
            test->run();
            printf("ok %d - %s\n", number, test->name);
            break;
        case WEFT_TEST_SKIPPED:
            printf("ok %d - %s # SKIP %s\n", number, test->name, weft_test_why);
            break;
        default:
            failed++;
            printf("# %s\nnot ok %d - %s\n", weft_test_why, number, test->name);
        }
        fflush(stdout);
    }
    if (argc != 2 || strcmp(argv[1], "--list") != 0)
        printf("1..%d\n", number);
    return failed;
}

#define TEST_MAIN()                                                                                \
    int main(int argc, char **argv) {                                                              \
        return weft_run_tests(argc, argv) ? 1 : 0;                                                 \
    }

#endif
