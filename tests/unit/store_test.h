// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the tests of the disk cache share: one store in a folder of its own, and numbered
 *  results. */
#ifndef WEFT_STORE_TEST_H
#define WEFT_STORE_TEST_H

#include "compiler/client/store.h"
#include "robust/client_test.h"

#include <CL/cl.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIMIT = 64 << 20 };

/* ---- folders and results -------------------------------------------------------------------- */

static char folder[64];
static weft_store store;

/** A store in a folder of its own that does not exist yet, below one that does. */
static inline void open_store(uint64_t limit) {
    char path[128];
    snprintf(folder, sizeof folder, "/tmp/weft-store-XXXXXX");
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/weft", folder);
    weft_store_init(&store, path, limit);
    CHECK(store.folder);
}

static inline void close_store(void) {
    char command[128];
    weft_store_finish(&store);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_EQ(system(command), 0);
}

static inline weft_cache_keys keys_of(uint64_t number) {
    return (weft_cache_keys){.inputs = {number / 16, 7}, .job = {number * 16 + 1, number}};
}

static inline const char *path_of(int kind, weft_cache_key key) {
    static char path[256];
    char name[WEFT_STORE_NAME];
    weft_store_name(kind, key, name);
    snprintf(path, sizeof path, "%s/weft/%s", folder, name);
    return path;
}

static inline const char *result_path(uint64_t number) {
    return path_of(WEFT_STORE_RESULT, keys_of(number).job);
}

/** A result that tells its number in every part. */
static inline weft_job_result make_result(uint64_t number, size_t image_bytes) {
    char text[64];
    weft_job_result result = {.status = CL_SUCCESS};
    snprintf(text, sizeof text, "log %u", (unsigned)number);
    result.log = weft_blob_create(text, strlen(text));
    result.ir = weft_blob_create(text + 1, strlen(text) - 1);
    result.image = weft_blob_create(NULL, image_bytes);
    for (size_t i = 0; i < image_bytes; i++)
        result.image->data[i] = (unsigned char)(i * 7 + number);
    return result;
}

static inline bool same_blob(const weft_blob *a, const weft_blob *b) {
    return a && b ? a->bytes == b->bytes && !memcmp(a->data, b->data, a->bytes) : a == b;
}

static inline bool same_result(const weft_job_result *a, const weft_job_result *b) {
    return a->status == b->status && a->is_library == b->is_library && same_blob(a->log, b->log) &&
           same_blob(a->ir, b->ir) && same_blob(a->image, b->image);
}

static inline int add(uint64_t number, size_t image_bytes) {
    weft_cache_keys keys = keys_of(number);
    weft_job_result result = make_result(number, image_bytes);
    int error = weft_store_add(&store, &keys, &result, true);
    weft_job_result_finish(&result);
    return error;
}

/** As weft_store_find; -1: something else was found. */
static inline int find(uint64_t number, size_t image_bytes) {
    weft_cache_keys keys = keys_of(number);
    weft_job_result wanted = make_result(number, image_bytes), found = {0};
    int error = weft_store_find(&store, &keys, &found);
    if (!error && (!found.cached || !same_result(&wanted, &found)))
        error = -1;
    weft_job_result_finish(&found);
    weft_job_result_finish(&wanted);
    return error;
}

static inline bool there(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

/** Files in the store's folder whose names begin so; -1: no folder. */
static inline int count_files(const char *begin) {
    char path[128];
    int count = 0;
    snprintf(path, sizeof path, "%s/weft", folder);
    DIR *entries = opendir(path);
    if (!entries)
        return -1;
    for (const struct dirent *entry; (entry = readdir(entries));)
        count += entry->d_name[0] != '.' && !strncmp(entry->d_name, begin, strlen(begin));
    closedir(entries);
    return count;
}

static inline int open_descriptors(void) {
    int count = 0;
    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static inline void set_age(const char *path, long seconds) {
    struct timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= seconds;
    times[1] = times[0];
    CHECK_EQ(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

#endif
