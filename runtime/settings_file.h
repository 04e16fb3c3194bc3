// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Settings for every program of a machine or an installation: weft.conf, in the folder of
 * libweft.so or else in /etc. Lines `WEFT_NAME = value`; blanks around both are left out, a line
 * that begins with # is a comment. Whoever can write it can write the library, or is root: it is
 * trusted as that is, by programs with privileges too.
 */
#ifndef WEFT_SETTINGS_FILE_H
#define WEFT_SETTINGS_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/** What a file may have at most; a longer one is not read. */
#define WEFT_SETTINGS_FILE_BYTES (64u << 10)
#define WEFT_SETTING_NAME_BYTES  64
#define WEFT_SETTING_VALUE_BYTES 4096

typedef struct weft_settings_file {
    char path[PATH_MAX];
    char *text; /* NULL: there is no file, or it is not read */
    size_t bytes;
    const char *unread; /* why not, where there is one; else NULL */
} weft_settings_file;

typedef struct weft_settings_line {
    unsigned number; /* from 1 */
    char name[WEFT_SETTING_NAME_BYTES];
    char value[WEFT_SETTING_VALUE_BYTES];
    const char *wrong; /* NULL, or why it is no `name = value`; then both are empty */
} weft_settings_line;

/**
 * Finds and reads the file that belongs to `library`, the path of libweft.so (NULL: only /etc is
 * looked into). False: there is no memory or no descriptor to do it with, so that nobody knows what
 * it says.
 */
bool weft_settings_file_read(weft_settings_file *file, const char *library);
void weft_settings_file_finish(weft_settings_file *file);

/** The next line that says something; `at` is 0 for the first one. False: there is no more. */
bool weft_settings_file_next(const weft_settings_file *file, size_t *at, weft_settings_line *line);

/** The value that the last line with this name gives, in `line`; NULL: none does. */
const char *weft_settings_file_value(const weft_settings_file *file, const char *name,
                                     weft_settings_line *line);

#endif
