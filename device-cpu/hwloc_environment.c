// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hwloc_environment.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* A file, folder or link that nobody but this user and root may change, take away or put in place
 * of another. In a sticky folder others may do so with their own only. */
static bool is_ours(const char *path) {
    struct stat status;

    if (lstat(path, &status) || (status.st_uid != geteuid() && status.st_uid != 0))
        return false;
    return S_ISLNK(status.st_mode) || !(status.st_mode & 022) || status.st_mode & S_ISVTX;
}

/* All folders on the way, too. `path` is absolute and is changed for the time of the call. */
static bool way_is_ours(char *path) {
    bool good = is_ours("/");

    for (char *end = path + 1; good && (end = strchr(end, '/')); end++) {
        *end = 0;
        good = is_ours(path);
        *end = '/';
    }
    return good && is_ours(path);
}

/* One of the paths in a variable. What does not exist may come from whoever it is for. */
static bool place_is_ours(const char *name, size_t length) {
    char path[PATH_MAX], real[PATH_MAX];

    if (length == 0)
        return true;
    if (name[0] != '/' || length >= sizeof(path))
        return false;
    memcpy(path, name, length);
    path[length] = 0;
    return realpath(path, real) && way_is_ours(path) && way_is_ours(real);
}

/* A value without a slash is a word, a number or a synthetic machine. */
static bool value_is_ours(const char *value) {
    if (!strchr(value, '/'))
        return true;
    for (;; value++) {
        size_t length = strcspn(value, ":");
        if (!place_is_ours(value, length))
            return false;
        value += length;
        if (!*value)
            return true;
    }
}

bool weft_hwloc_environment_is_ours(void) {
    if (getauxval(AT_SECURE))
        return false;
    for (char **entry = environ; entry && *entry; entry++) {
        const char *value = strchr(*entry, '=');
        if (value && strncmp(*entry, "HWLOC_", 6) == 0 && !value_is_ours(value + 1))
            return false;
    }
    return true;
}
