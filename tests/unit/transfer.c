// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* device-cpu's copies and fills, through the device's table. */

#include "device-cpu/stream.h"
#include "work.h"

static void run_transfer(weft_device *device, const weft_transfer *transfer) {
    command c;

    memset(&c, 0, sizeof(c));
    c.device = device;
    c.work.kind = WEFT_WORK_TRANSFER;
    c.transfer = *transfer;
    c.work.transfer.items = &c.transfer;
    c.work.transfer.count = 1;
    c.work.begin = on_begin;
    c.work.done = on_done;
    ops->submit(device, &c.work, NULL);
    wait_done(&c);
    CHECK_EQ(c.status, CL_SUCCESS);
}

TEST(linear_copies) {
    static const size_t sizes[] = {1, 4095, 262144, 262145, 1048576, 40000001};
    weft_device *device = make_device(3, 0, 0);

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        size_t bytes = sizes[i];
        unsigned char *from = malloc(bytes + 2), *to = calloc(1, bytes + 2);
        for (size_t k = 0; k < bytes + 2; k++)
            from[k] = (unsigned char)(k * 7 + k / 251);
        run_transfer(
            device,
            &(weft_transfer){
                .to = to + 1, .from = from + 1, .row_bytes = bytes, .rows = 1, .planes = 1});
        CHECK(memcmp(to + 1, from + 1, bytes) == 0);
        CHECK_EQ(to[0], 0);
        CHECK_EQ(to[bytes + 1], 0);
        free(from);
        free(to);
    }
    ops->destroy(device);
}

static void check_rectangle(weft_device *device, size_t row, size_t rows, size_t planes,
                            size_t gap) {
    size_t to_row = row + gap, to_plane = to_row * rows + 2 * gap;
    size_t from_row = row + 2 * gap, from_plane = from_row * rows + gap;
    unsigned char *to = calloc(planes, to_plane), *wanted = calloc(planes, to_plane);
    unsigned char *from = malloc(planes * from_plane);

    for (size_t i = 0; i < planes * from_plane; i++)
        from[i] = (unsigned char)(i * 31 + i / 255 + 1);
    for (size_t p = 0; p < planes; p++)
        for (size_t r = 0; r < rows; r++)
            memcpy(wanted + p * to_plane + r * to_row, from + p * from_plane + r * from_row, row);
    run_transfer(device, &(weft_transfer){.to = to,
                                          .from = from,
                                          .row_bytes = row,
                                          .rows = rows,
                                          .planes = planes,
                                          .to_row_pitch = to_row,
                                          .to_plane_pitch = to_plane,
                                          .from_row_pitch = from_row,
                                          .from_plane_pitch = from_plane});
    CHECK(memcmp(to, wanted, planes * to_plane) == 0);
    free(to);
    free(wanted);
    free(from);
}

TEST(rectangular_copies) {
    weft_device *device = make_device(3, 0, 0);

    check_rectangle(device, 1, 1, 1, 0);
    check_rectangle(device, 7, 5, 3, 4);
    check_rectangle(device, 7, 5, 3, 0);
    check_rectangle(device, 3, 100000, 3, 1);
    check_rectangle(device, 5000, 300, 2, 64);
    check_rectangle(device, 3000001, 3, 2, 5);
    check_rectangle(device, 4096, 1, 1000, 16);
    ops->destroy(device);
}

TEST(fills) {
    weft_device *device = make_device(3, 0, 0);

    for (uint32_t pattern = 1; pattern <= 128; pattern *= 2) {
        for (size_t bytes = pattern; bytes < 20000000; bytes = bytes * 13 / pattern * pattern) {
            weft_transfer t = {
                .row_bytes = bytes, .rows = 1, .planes = 1, .pattern_bytes = pattern};
            unsigned char *to = calloc(1, bytes + 1);
            t.to = to;
            for (uint32_t i = 0; i < pattern; i++)
                t.pattern[i] = (unsigned char)(i * 37 + 11);
            run_transfer(device, &t);
            for (size_t i = 0; i < bytes; i++)
                if (to[i] != t.pattern[i % pattern])
                    FAIL("pattern of %u, %zu bytes: byte %zu", pattern, bytes, i);
            CHECK_EQ(to[bytes], 0);
            free(to);
        }
    }
    ops->destroy(device);
}

/* What a fill of more than the caches hold does, wherever it begins and ends. */
TEST(fills_past_the_caches) {
    static const size_t sizes[] = {0, 1, 63, 200, 4096, 300001, 3000017};
    const size_t most = 3000017 + 256;
    unsigned char *to = malloc(most), block[128];

    for (unsigned pattern = 1; pattern <= 128; pattern *= 2)
        for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
            for (size_t at = 1; at < 128; at += 37) {
                for (unsigned k = 0; k < 128; k++)
                    block[k] = (unsigned char)(k % pattern * 41 + 3);
                memset(to, 0, most);
                weft_stream_fill(to + at, block, sizes[i]);
                weft_stream_end();
                CHECK_EQ(to[at - 1], 0);
                CHECK_EQ(to[at + sizes[i]], 0);
                for (size_t k = 0; k < sizes[i]; k++)
                    if (to[at + k] != block[k % 128])
                        FAIL("pattern of %u, %zu bytes at %zu: byte %zu", pattern, sizes[i], at, k);
            }
    free(to);
}

/* Each byte of a transfer belongs to one chunk, whatever the number of threads. */
TEST(any_number_of_threads) {
    enum { BYTES = 47 << 20 };
    unsigned char *to = malloc(BYTES), *from = malloc(BYTES);

    for (size_t i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 2654435761u >> 24);
    for (uint32_t threads = 1; threads <= 17; threads += 4) {
        weft_device *device = make_device(threads, 0, 0);
        for (size_t bytes = BYTES; bytes > 100000; bytes = bytes / 3 - 1) {
            memset(to, 0, BYTES);
            run_transfer(device,
                         &(weft_transfer){
                             .to = to, .from = from, .row_bytes = bytes, .rows = 1, .planes = 1});
            CHECK(memcmp(to, from, bytes) == 0);
            if (bytes < BYTES)
                CHECK_EQ(to[bytes], 0);
        }
        ops->destroy(device);
    }
    free(to);
    free(from);
}

/* Larger than any last-level cache that we count on: written past it. */
TEST(large_transfers) {
    enum { BYTES = 160 << 20 };
    weft_device *device = make_device(3, 0, 0);
    unsigned char *to = malloc(BYTES + 200), *from = malloc(BYTES + 200);
    weft_transfer t = {
        .to = to + 3, .row_bytes = BYTES, .rows = 1, .planes = 1, .pattern_bytes = 8};

    memcpy(t.pattern, "abcdefgh", 8);
    to[2] = to[BYTES + 3] = 1;
    run_transfer(device, &t);
    for (size_t i = 0; i < BYTES; i++)
        if (to[3 + i] != "abcdefgh"[i % 8])
            FAIL("byte %zu of a fill", i);
    CHECK_EQ(to[2], 1);
    CHECK_EQ(to[BYTES + 3], 1);
    for (size_t i = 0; i < BYTES / 8; i++)
        memcpy(from + 5 + i * 8, &i, 8);
    t.from = from + 5;
    run_transfer(device, &t);
    CHECK(memcmp(to + 3, from + 5, BYTES) == 0);
    CHECK_EQ(to[2], 1);
    CHECK_EQ(to[BYTES + 3], 1);
    t.rows = BYTES / 8192; /* and in rows with gaps */
    t.row_bytes = 5001;
    t.to_row_pitch = t.from_row_pitch = 8192;
    t.from = NULL;
    t.to_plane_pitch = BYTES;
    run_transfer(device, &t);
    t.from = from + 5;
    t.from_plane_pitch = BYTES;
    memset(to, 0, BYTES + 200);
    run_transfer(device, &t);
    for (size_t r = 0; r < t.rows; r++) {
        CHECK(memcmp(to + 3 + r * 8192, from + 5 + r * 8192, 5001) == 0);
        CHECK_EQ(to[3 + r * 8192 + 5001], 0);
    }
    ops->destroy(device);
    free(to);
    free(from);
}

TEST_MAIN()
