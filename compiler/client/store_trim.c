// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Keeps the folder of results small. Any number of processes may do so at once: each removes whole
 * files that others then do not find, and a reader keeps what it has opened. */
#include "compiler/client/process.h"
#include "compiler/client/store.h"
#include "weft/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    LIST_BYTES = 32768,       /* of names at a time */
    MOST_ENTRIES = 1 << 20,   /* more are left for the next time */
    ABANDONED_SECONDS = 3600, /* no process writes one file for so long */
    FILE_BYTES = 512,         /* what an empty file costs, roughly */
    BLOCK_BYTES = 4096
};

/** What the kernel's getdents64 writes. */
typedef struct listed {
    uint64_t inode;
    int64_t offset;
    unsigned short bytes;
    unsigned char type;
    char name[];
} listed;

typedef struct kept_file {
    struct timespec used;
    uint64_t bytes;
    weft_cache_key key;
    int kind;
} kept_file;

typedef struct listing {
    int folder;
    time_t now;
    kept_file *files;
    size_t count, room;
    uint64_t bytes;
} listing;

int weft_store_parse_name(const char *name, weft_cache_key *key) {
    char again[WEFT_STORE_NAME];
    if (!name[0] || !strchr("rst", name[0]) || strlen(name) != WEFT_STORE_NAME - 1 ||
        sscanf(name + 1, "-%16" SCNx64 "%16" SCNx64, &key->high, &key->low) != 2)
        return 0;
    weft_store_name(name[0], *key, again);
    return strcmp(name, again) == 0 ? name[0] : 0;
}

/** 0, or ENOMEM. */
static int note_file(listing *list, const char *name) {
    kept_file file;
    struct stat status;
    file.kind = weft_store_parse_name(name, &file.key);
    if (!file.kind || fstatat(list->folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode) || status.st_uid != geteuid())
        return 0;
    if (file.kind == WEFT_STORE_TEMPORARY) {
        if (list->now - status.st_mtime > ABANDONED_SECONDS)
            unlinkat(list->folder, name, 0);
        return 0;
    }
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 256;
        kept_file *files = weft_realloc(list->files, room * sizeof *files);
        if (!files)
            return ENOMEM;
        list->files = files;
        list->room = room;
    }
    file.used = status.st_mtim;
    file.bytes = ((uint64_t)status.st_size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    file.bytes += FILE_BYTES;
    list->bytes += file.bytes;
    list->files[list->count++] = file;
    return 0;
}

static int list_files(listing *list, const weft_descriptor *folder) {
    /* As 8-byte words: the kernel aligns its entries so. */
    uint64_t *names = weft_malloc(LIST_BYTES);
    int error = names ? 0 : ENOMEM;
    while (!error && list->count < MOST_ENTRIES) {
        long bytes = -1;
        errno = EIO;
        if (weft_descriptor_valid(folder) && !weft_shim_fails())
            bytes = syscall(SYS_getdents64, folder->fd, names, LIST_BYTES);
        if (bytes < 0)
            error = errno;
        if (bytes <= 0)
            break;
        for (long at = 0; at < bytes && !error;) {
            const listed *entry = (const listed *)((const char *)names + at);
            error = note_file(list, entry->name);
            at += entry->bytes;
        }
    }
    weft_free(names);
    return error;
}

static int by_age(const void *left, const void *right) {
    const struct timespec *a = &((const kept_file *)left)->used;
    const struct timespec *b = &((const kept_file *)right)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

static void remove_oldest(listing *list, uint64_t limit) {
    qsort(list->files, list->count, sizeof *list->files, by_age);
    for (size_t i = 0; i < list->count && list->bytes > limit; i++) {
        char name[WEFT_STORE_NAME];
        weft_store_name(list->files[i].kind, list->files[i].key, name);
        if (unlinkat(list->folder, name, 0) == 0 || errno == ENOENT)
            list->bytes -= list->files[i].bytes;
    }
}

int weft_store_trim(weft_store *store) {
    listing list = {.now = time(NULL)};
    weft_descriptor folder = {.fd = -1};
    if (!store->folder)
        return 0;
    atomic_store_explicit(&store->written, 0, memory_order_relaxed);
    if (weft_shim_fails())
        return EIO;
    int fd = open(store->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    int error = fd < 0 ? errno : weft_descriptor_take(&folder, fd);
    if (error)
        return error;
    list.folder = folder.fd;
    error = list_files(&list, &folder);
    if (!error && list.bytes > store->limit)
        remove_oldest(&list, store->limit / 4 * 3);
    weft_descriptor_close(&folder);
    weft_free(list.files);
    return error;
}
