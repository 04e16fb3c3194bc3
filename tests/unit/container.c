// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The container of program binaries: round trips, everything that can be wrong, other versions. */
#include "compiler/shared/container.h"

#include "harness.h"

#include <CL/cl.h>

static unsigned char bytes[512];

static weft_container_part text(const char *string) {
    return (weft_container_part){string, strlen(string)};
}

/** A small executable in `bytes`; returns its size. */
static size_t make(void) {
    weft_container container = {.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
                                .abi_version = 7,
                                .source_hash = {1, 2},
                                .parts = {text("x86-64-v3"), text("-DX -w"), text("weft"),
                                          text("the IR"), text("the image")}};
    CHECK(weft_container_size(&container) <= sizeof bytes);
    weft_container_write(&container, bytes);
    return (size_t)weft_container_size(&container);
}

static bool is(const weft_container *container, int part, const char *wanted) {
    return container->parts[part].bytes == strlen(wanted) &&
           memcmp(container->parts[part].data, wanted, strlen(wanted)) == 0;
}

TEST(round_trip) {
    weft_container read;
    size_t size = make();
    CHECK(!weft_container_read(bytes, size, &read));
    CHECK_EQ(read.type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK_EQ(read.abi_version, 7);
    CHECK(read.source_hash[0] == 1 && read.source_hash[1] == 2);
    CHECK(is(&read, WEFT_CONTAINER_ISA, "x86-64-v3"));
    CHECK(is(&read, WEFT_CONTAINER_OPTIONS, "-DX -w"));
    CHECK(is(&read, WEFT_CONTAINER_MAKER, "weft"));
    CHECK(is(&read, WEFT_CONTAINER_IR, "the IR"));
    CHECK(is(&read, WEFT_CONTAINER_IMAGE, "the image"));
}

TEST(every_truncation) {
    weft_container read;
    size_t size = make();
    for (size_t i = 0; i < size; i++) {
        /* Its own memory, so that a sanitiser sees a read behind the end. */
        unsigned char *copy = malloc(i ? i : 1);
        memcpy(copy, bytes, i);
        CHECK(weft_container_read(copy, i, &read));
        free(copy);
    }
    bytes[size] = 0;
    CHECK(weft_container_read(bytes, size + 1, &read));
}

TEST(every_flipped_bit) {
    weft_container read;
    size_t size = make();
    for (size_t i = 0; i < size * 8; i++) {
        bytes[i / 8] ^= (unsigned char)(1u << i % 8);
        if (!weft_container_read(bytes, size, &read))
            FAIL("bit %zu of byte %zu may be wrong", i % 8, i / 8);
        bytes[i / 8] ^= (unsigned char)(1u << i % 8);
    }
    CHECK(!weft_container_read(bytes, size, &read));
}

static const char *fault_of(weft_container container) {
    weft_container read;
    weft_container_write(&container, bytes);
    return weft_container_read(bytes, (size_t)weft_container_size(&container), &read);
}

TEST(kinds_need_their_parts) {
    weft_container container = {.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE};
    CHECK(fault_of(container));
    container.parts[WEFT_CONTAINER_IR] = text("IR");
    CHECK(!fault_of(container));
    container.type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    CHECK(!fault_of(container));
    container.parts[WEFT_CONTAINER_IMAGE] = text("image");
    CHECK(fault_of(container));
    container.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    CHECK(!fault_of(container));
    container.parts[WEFT_CONTAINER_IR].bytes = 0;
    CHECK(!fault_of(container));
    container.type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
    CHECK(fault_of(container));
    container.type = 99;
    CHECK(fault_of(container));
    container.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    container.parts[WEFT_CONTAINER_OPTIONS] = (weft_container_part){"a\0b", 3};
    CHECK(fault_of(container));
}

TEST(versions_and_strangers) {
    weft_container read;
    size_t size = make();
    bytes[8] = 3;
    CHECK_STR(weft_container_read(bytes, size, &read),
              "the program binary was made by a later Weft");
    bytes[8] = 0;
    CHECK(weft_container_read(bytes, size, &read));
    CHECK_STR(weft_container_read("\177ELF and more of it", 20, &read),
              "not a program binary of Weft");
    CHECK(weft_container_read("", 0, &read));
}

TEST(hash_is_of_the_bytes) {
    uint64_t whole[2], pieces[2], other[2];
    weft_container_part one = text("some source"), two[2] = {text("some "), text("source")};
    weft_container_part changed = text("some sourcf");
    weft_content_hash(&one, 1, whole);
    weft_content_hash(two, 2, pieces);
    weft_content_hash(&changed, 1, other);
    CHECK(whole[0] == pieces[0] && whole[1] == pieces[1]);
    CHECK(whole[0] != other[0]);
}

TEST_MAIN()
