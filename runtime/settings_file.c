// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/settings_file.h"

#include "weft/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME   "weft.conf"
#define SYSTEM_FILE "/etc/" FILE_NAME

/* ---- reading --------------------------------------------------------------------------------- */

/** Opens without waiting for whoever writes into a pipe; -1: `errno`. */
static int open_file(const char *path) {
    if (weft_shim_fails()) {
        errno = EMFILE;
        return -1;
    }
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/** `<folder of the library>/weft.conf`, where links lead to; empty if the path does not fit. */
static void name_beside(const char *library, char path[PATH_MAX]) {
    char *end = library && realpath(library, path) ? strrchr(path, '/') : NULL;
    if (!end || (size_t)(end - path) + sizeof("/" FILE_NAME) > PATH_MAX)
        path[0] = 0;
    else
        memcpy(end, "/" FILE_NAME, sizeof("/" FILE_NAME));
}

/** 0 or errno; EFBIG: longer than a file may be. */
static int read_all(int fd, char *text, size_t *bytes) {
    for (*bytes = 0; *bytes <= WEFT_SETTINGS_FILE_BYTES;) {
        ssize_t got = read(fd, text + *bytes, WEFT_SETTINGS_FILE_BYTES + 1 - *bytes);
        if (got == 0)
            return 0;
        if (got < 0 && errno != EINTR)
            return errno;
        *bytes += got > 0 ? (size_t)got : 0;
    }
    return EFBIG;
}

/** False: out of memory. */
static bool read_text(weft_settings_file *file, int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        file->unread = "it is no regular file";
        return true;
    }
    char *text = weft_malloc(WEFT_SETTINGS_FILE_BYTES + 1);
    if (!text)
        return false;
    int error = read_all(fd, text, &file->bytes);
    if (error) {
        file->unread = error == EFBIG ? "it is too long" : "reading it failed";
        weft_free(text);
    } else {
        file->text = text;
    }
    return true;
}

bool weft_settings_file_read(weft_settings_file *file, const char *library) {
    file->text = NULL;
    file->bytes = 0;
    file->unread = NULL;
    name_beside(library, file->path);
    int fd = file->path[0] ? open_file(file->path) : -1;
    if (fd < 0 && (!file->path[0] || errno == ENOENT)) {
        memcpy(file->path, SYSTEM_FILE, sizeof(SYSTEM_FILE));
        fd = open_file(file->path);
    }
    if (fd < 0) {
        if (errno != ENOENT)
            file->unread = "it cannot be opened";
        return errno != EMFILE && errno != ENFILE && errno != ENOMEM;
    }
    bool read = read_text(file, fd);
    close(fd);
    return read;
}

void weft_settings_file_finish(weft_settings_file *file) {
    weft_free(file->text);
    file->text = NULL;
}

/* ---- lines ----------------------------------------------------------------------------------- */

typedef struct {
    const char *at;
    size_t length;
} span;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static span trimmed(span text) {
    while (text.length && is_blank(text.at[0]))
        text.at++, text.length--;
    while (text.length && is_blank(text.at[text.length - 1]))
        text.length--;
    return text;
}

/** Copies if it fits, and holds no zero that would hide the rest. */
static bool take(char *to, size_t bytes, span text) {
    if (text.length >= bytes || memchr(text.at, 0, text.length))
        return false;
    memcpy(to, text.at, text.length);
    to[text.length] = 0;
    return true;
}

static void read_line(span text, weft_settings_line *line) {
    const char *equals = memchr(text.at, '=', text.length);
    size_t before = equals ? (size_t)(equals - text.at) : 0;
    line->name[0] = line->value[0] = 0;
    line->wrong = NULL;
    if (!equals || !before)
        line->wrong = "not NAME = value";
    else if (!take(line->name, sizeof(line->name), trimmed((span){text.at, before})))
        line->wrong = "no setting has such a name";
    else if (!take(line->value, sizeof(line->value),
                   trimmed((span){equals + 1, text.length - before - 1})))
        line->wrong = "the value is too long, or has a zero in it";
    if (line->wrong)
        line->name[0] = line->value[0] = 0;
}

bool weft_settings_file_next(const weft_settings_file *file, size_t *at, weft_settings_line *line) {
    if (*at == 0)
        line->number = 0;
    while (file->text && *at < file->bytes) {
        const char *start = file->text + *at;
        const char *end = memchr(start, '\n', file->bytes - *at);
        size_t length = end ? (size_t)(end - start) : file->bytes - *at;
        *at += length + 1;
        line->number++;
        span text = trimmed((span){start, length});
        if (!text.length || text.at[0] == '#')
            continue;
        read_line(text, line);
        return true;
    }
    return false;
}

const char *weft_settings_file_value(const weft_settings_file *file, const char *name,
                                     weft_settings_line *line) {
    bool found = false;
    weft_settings_line next;
    for (size_t at = 0; weft_settings_file_next(file, &at, &next);)
        if (strcmp(next.name, name) == 0) {
            *line = next;
            found = true;
        }
    return found ? line->value : NULL;
}
