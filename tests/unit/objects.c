// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The base of objects (three counts, validation), the information engine. */

#include "harness.h"

#include "icd/dispatch.h"
#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/platform.h"

#include <sys/wait.h>
#include <unistd.h>

static int finished, freed;

static void finish_thing(weft_object *object) {
    (void)object;
    finished++;
}

static void free_thing(weft_object *object) {
    freed++;
    weft_free(object);
}

static const weft_class thing_class = {"thing", CL_INVALID_MEM_OBJECT, finish_thing, free_thing};
static const weft_class other_class = {"other", CL_INVALID_KERNEL, finish_thing, free_thing};

typedef struct thing {
    weft_object base;
    int number;
    const char *text;
} thing;

static thing *make(weft_object *parent) {
    if (!weft_platform_get(&weft_dispatch_table))
        FAIL("no platform");
    thing *made = weft_calloc(1, sizeof(*made));
    weft_object_init(&made->base, &thing_class, parent);
    return made;
}

TEST(counts) {
    finished = freed = 0;
    thing *t = make(NULL);
    CHECK_EQ(weft_object_app_retain(&t->base), CL_SUCCESS);
    weft_retain(t);
    CHECK_EQ(weft_object_app_release(&t->base), CL_SUCCESS);
    CHECK_EQ(weft_object_app_release(&t->base), CL_SUCCESS);
    /* The application has none left to give back; the object is alive. */
    CHECK_EQ(weft_object_app_release(&t->base), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(finished, 0);
    weft_release(&t);
    CHECK(!t);
    CHECK(finished == 1 && freed == 1);
    weft_release(&t); /* NULL is accepted */
}

TEST(weak_references) {
    finished = freed = 0;
    thing *t = make(NULL);
    weft_object_retain_weak(&t->base);
    CHECK(weft_object_try_retain(&t->base));
    weft_object_release(&t->base);
    CHECK_EQ(weft_object_app_release(&t->base), CL_SUCCESS);
    CHECK(finished == 1 && freed == 0);
    CHECK(!weft_object_try_retain(&t->base));
    weft_object_release_weak(&t->base);
    CHECK_EQ(freed, 1);
}

TEST(parents_outlive_children) {
    finished = freed = 0;
    thing *parent = make(NULL), *child = make(&parent->base), *grandchild = make(&child->base);
    weft_release(&parent);
    weft_release(&child);
    CHECK_EQ(finished, 0);
    weft_release(&grandchild);
    CHECK(finished == 3 && freed == 3);
}

TEST(validation) {
    thing *t = make(NULL);
    void *other[16] = {NULL};
    CHECK(weft_object_is(t, &thing_class));
    CHECK(!weft_object_is(t, &other_class));
    CHECK(!weft_object_is(NULL, &thing_class));
    CHECK(!weft_object_is(other, &thing_class));
    CHECK(!weft_object_is((char *)t + 1, &thing_class));
    CHECK(!weft_is_context(weft_platform_current()));
    CHECK(weft_is_platform(weft_platform_current()));
    weft_release(&t);
}

TEST(icd_word_is_copied) {
    thing *parent = make(NULL);
    parent->base.dispatch = &weft_dispatch_table;
    thing *child = make(&parent->base);
    CHECK(child->base.dispatch == &weft_dispatch_table);
    CHECK_EQ(offsetof(weft_object, dispatch), 0);
    weft_release(&child);
    weft_release(&parent);
}

/* "new objects work in the child; inherited ones return errors, never hang" */
static int in_child(thing *inherited) {
    weft_platform *platform = weft_platform_current();
    if (weft_object_is(inherited, &thing_class))
        return 1;
    if (!weft_is_platform(platform) || weft_platform_refresh(platform) != CL_SUCCESS)
        return 2;
    if (weft_object_is(inherited, &thing_class))
        return 3;
    thing *own = make(NULL);
    if (!weft_object_is(own, &thing_class))
        return 4;
    pid_t grandchild = fork();
    if (grandchild == 0)
        _exit(weft_object_is(own, &thing_class) ? 1 : 0);
    int status = 1;
    waitpid(grandchild, &status, 0);
    return status == 0 ? 0 : 5;
}

TEST(fork_makes_objects_invalid) {
    thing *t = make(NULL);
    CHECK_EQ(weft_platform_refresh(weft_platform_current()), CL_SUCCESS);
    pid_t child = fork();
    if (child == 0)
        _exit(in_child(t));
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQ(WEXITSTATUS(status), 0);
    CHECK(weft_object_is(t, &thing_class));
    weft_release(&t);
}

/* ---- information ----------------------------------------------------------------------------- */

static cl_int get_two(const void *object, weft_info_out *out) {
    const thing *t = object;
    weft_info_put(out, &t->number, sizeof(t->number));
    weft_info_put(out, &t->number, sizeof(t->number));
    return CL_SUCCESS;
}

static cl_int get_error(const void *object, weft_info_out *out) {
    (void)object;
    (void)out;
    return CL_INVALID_PROGRAM_EXECUTABLE;
}

static const weft_info_row rows[] = {
    WEFT_INFO_FIELD(1, thing, number),   WEFT_INFO_STRING(2, thing, text),
    WEFT_INFO_CONSTANT(3, cl_ulong, 77), WEFT_INFO_TEXT(4, "four"),
    WEFT_INFO_GETTER(5, get_two),        WEFT_INFO_GETTER(6, get_error),
};

TEST(info) {
    thing t = {.number = 42};
    int number[2] = {0};
    cl_ulong big = 0;
    char text[8] = "??";
    size_t size = 0;
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 1, sizeof(int), number, &size), CL_SUCCESS);
    CHECK(number[0] == 42 && size == sizeof(int));
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 2, sizeof(text), text, &size), CL_SUCCESS);
    CHECK_STR(text, ""); /* a NULL string is "" */
    CHECK_EQ(size, 1);
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 3, sizeof(big), &big, NULL), CL_SUCCESS);
    CHECK_EQ(big, 77);
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 4, sizeof(text), text, &size), CL_SUCCESS);
    CHECK_STR(text, "four");
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 5, sizeof(number), number, &size), CL_SUCCESS);
    CHECK(number[1] == 42 && size == 2 * sizeof(int));
}

TEST(info_sizes) {
    thing t = {.number = 42};
    char value[4] = "abc";
    size_t size = 0;
    /* Only the size is asked for; the value's size does not count then. */
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 4, 0, NULL, &size), CL_SUCCESS);
    CHECK_EQ(size, 5);
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 4, 1, NULL, NULL), CL_SUCCESS);
    /* Too small: an error, nothing is written. */
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 4, sizeof(value), value, NULL), CL_INVALID_VALUE);
    CHECK_STR(value, "abc");
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 9, sizeof(value), value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(WEFT_INFO_GET(NULL, rows, &t, 6, sizeof(value), value, NULL),
             CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_MAIN()
