// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Images that stay loaded: who finds which, how many there are, and when they go. */
#include "harness.h"

#include "runtime/kept_images.h"

#include <stdlib.h>
#include <string.h>

/* An image counts who holds it. */
static void retain(weft_image *image) {
    ++*(int *)(void *)image;
}

static void release(weft_image *image) {
    --*(int *)(void *)image;
}

static const weft_device_ops ops = {.image_retain = retain, .image_release = release};
static int devices[2];
#define DEVICE(n) ((weft_device *)(void *)&devices[n])

typedef struct program {
    weft_blob *code;
    int holders;
} program;

static program made(size_t bytes) {
    program made = {weft_blob_create(NULL, bytes), 0};
    CHECK(made.code);
    memset(made.code->data, 7, bytes);
    return made;
}

static void add(weft_kept_images *kept, int device, program *of) {
    weft_kept_images_add(kept, &ops, DEVICE(device), of->code, (weft_image *)(void *)&of->holders);
}

static bool has(weft_kept_images *kept, int device, program *of) {
    weft_image *found = weft_kept_images_find(kept, DEVICE(device), of->code);
    if (!found)
        return false;
    CHECK(found == (weft_image *)(void *)&of->holders);
    release(found);
    return true;
}

TEST(the_same_blob_is_found) {
    weft_kept_images kept;
    weft_kept_images_init(&kept);
    program first = made(10), alike = made(10);
    CHECK(!has(&kept, 0, &first));
    add(&kept, 0, &first);
    CHECK_EQ(first.holders, 1);
    CHECK(has(&kept, 0, &first));
    CHECK(!has(&kept, 0, &alike)); /* equal bytes are not asked about */
    CHECK(!has(&kept, 1, &first)); /* another device loads its own */
    weft_kept_images_drop(&kept, NULL);
    CHECK_EQ(first.holders, 0);
    CHECK(!has(&kept, 0, &first));
    CHECK_EQ(first.code->holders, 1);
    weft_blob_release(&first.code);
    weft_blob_release(&alike.code);
}

TEST(those_used_longest_ago_go) {
    weft_kept_images kept;
    program programs[WEFT_KEPT_IMAGES + 3];
    weft_kept_images_init(&kept);
    for (int i = 0; i < WEFT_KEPT_IMAGES + 3; i++) {
        programs[i] = made(10);
        add(&kept, 0, &programs[i]);
        CHECK(has(&kept, 0, &programs[0])); /* so that it stays */
    }
    for (int i = 1; i < WEFT_KEPT_IMAGES + 3; i++)
        CHECK_EQ(programs[i].holders, i > 3);
    CHECK_EQ(programs[0].holders, 1);
    weft_kept_images_drop(&kept, NULL);
    for (int i = 0; i < WEFT_KEPT_IMAGES + 3; i++) {
        CHECK_EQ(programs[i].holders, 0);
        weft_blob_release(&programs[i].code);
    }
}

TEST(bytes_are_limited) {
    weft_kept_images kept;
    weft_kept_images_init(&kept);
    program huge = made(WEFT_KEPT_BYTES / 2 + 1), a = made(WEFT_KEPT_BYTES / 2), b = made(10),
            c = made(WEFT_KEPT_BYTES / 2);
    add(&kept, 0, &huge);
    CHECK_EQ(huge.holders, 0);
    add(&kept, 0, &a);
    add(&kept, 0, &b);
    CHECK_EQ(a.holders + b.holders, 2);
    add(&kept, 0, &c); /* a does not fit beside the others */
    CHECK_EQ(a.holders, 0);
    CHECK(has(&kept, 0, &b) && has(&kept, 0, &c));
    weft_kept_images_drop(&kept, NULL);
    weft_blob_release(&huge.code);
    weft_blob_release(&a.code);
    weft_blob_release(&b.code);
    weft_blob_release(&c.code);
}

TEST(a_device_takes_its_own_along) {
    weft_kept_images kept;
    weft_kept_images_init(&kept);
    program a = made(10), b = made(10);
    add(&kept, 0, &a);
    add(&kept, 1, &b);
    weft_kept_images_drop(&kept, DEVICE(0));
    CHECK(!has(&kept, 0, &a) && has(&kept, 1, &b));
    CHECK_EQ(a.holders, 0);
    weft_kept_images_drop(&kept, DEVICE(1));
    weft_blob_release(&a.code);
    weft_blob_release(&b.code);
}

TEST_MAIN()
