// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft cache: what the disk cache holds; verifies and clears it (docs/cache.md). */
#include "compiler/client/store.h"
#include "runtime/settings.h"
#include "runtime/tool/tool.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/** What one walk over the folder found. */
typedef struct census {
    weft_store store;
    DIR *list;
    unsigned results, marks, temporary, damaged, removed, failed;
    uint64_t bytes;
    time_t oldest, newest;
    bool verbose;
} census;

static void show_result(census *census, const struct stat *status, const char *name) {
    char used[32] = "?";
    struct tm when;
    if (localtime_r(&status->st_mtime, &when))
        strftime(used, sizeof used, "%Y-%m-%d %H:%M", &when);
    if (census->verbose)
        printf("%s  %10jd bytes  used %s\n", name, (intmax_t)status->st_size, used);
}

static void count_file(census *census, const char *name, int kind, weft_cache_key key) {
    struct stat status;
    (void)key;
    if (fstatat(dirfd(census->list), name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return; /* another process has removed it */
    census->bytes += (uint64_t)status.st_size;
    census->results += kind == WEFT_STORE_RESULT;
    census->marks += kind == WEFT_STORE_INPUTS;
    census->temporary += kind == WEFT_STORE_TEMPORARY;
    if (kind != WEFT_STORE_RESULT)
        return;
    if (!census->oldest || status.st_mtime < census->oldest)
        census->oldest = status.st_mtime;
    if (status.st_mtime > census->newest)
        census->newest = status.st_mtime;
    show_result(census, &status, name);
}

static void verify_file(census *census, const char *name, int kind, weft_cache_key key) {
    if (kind != WEFT_STORE_RESULT)
        return;
    int error = weft_store_verify(&census->store, key);
    census->results++;
    if (error == EBADMSG) {
        census->damaged++;
        printf("%s: damaged, removed\n", name);
    } else if (error && error != ENOENT) {
        census->failed++;
        printf("%s: %s\n", name, strerror(error));
    } else if (census->verbose) {
        printf("%s: good\n", name);
    }
}

static void remove_file(census *census, const char *name, int kind, weft_cache_key key) {
    (void)kind;
    (void)key;
    if (unlinkat(dirfd(census->list), name, 0) == 0)
        census->removed++;
    else if (errno != ENOENT) {
        census->failed++;
        fprintf(stderr, "weft: %s: %s\n", name, strerror(errno));
    }
}

/** Calls `visit` for each file that is the cache's. False: there is no folder, which is said, and
 * `status` is whether that is as it may be. */
static bool walk(census *census, void (*visit)(struct census *, const char *, int, weft_cache_key),
                 int *status) {
    census->list = opendir(census->store.folder);
    *status = census->list || errno == ENOENT ? TOOL_GOOD : TOOL_BAD;
    if (*status == TOOL_BAD)
        fprintf(stderr, "weft: %s: %s\n", census->store.folder, strerror(errno));
    else if (!census->list)
        printf("%s: nothing yet\n", census->store.folder);
    if (!census->list)
        return false;
    for (struct dirent *entry; (entry = readdir(census->list)) != NULL;) {
        weft_cache_key key;
        int kind = weft_store_parse_name(entry->d_name, &key);
        if (kind)
            visit(census, entry->d_name, kind, key);
    }
    closedir(census->list);
    return true;
}

static int show(census *census, const weft_settings *settings) {
    int status;
    if (!walk(census, count_file, &status))
        return status;
    printf("Folder     %s%s\n", census->store.folder,
           settings->disk_cache ? "" : "   [off: WEFT_CACHE=0]");
    printf("Results    %u\n", census->results);
    printf("Size       %" PRIu64 " KiB of %u MiB\n", (census->bytes + 1023) / 1024,
           settings->disk_cache_megabytes);
    if (census->temporary)
        printf("Being written, or left by killed processes: %u\n", census->temporary);
    if (census->results) {
        char text[2][32] = {"?", "?"};
        time_t times[2] = {census->oldest, census->newest};
        for (int i = 0; i < 2; i++) {
            struct tm when;
            if (localtime_r(&times[i], &when))
                strftime(text[i], sizeof text[i], "%Y-%m-%d %H:%M", &when);
        }
        printf("Last used  %s .. %s\n", text[0], text[1]);
    }
    return TOOL_GOOD;
}

static int verify(census *census) {
    int status;
    if (!walk(census, verify_file, &status))
        return status;
    printf("%u results, %u damaged, %u not readable\n", census->results, census->damaged,
           census->failed);
    return census->damaged || census->failed ? TOOL_BAD : TOOL_GOOD;
}

static int clear(census *census) {
    int status;
    if (!walk(census, remove_file, &status))
        return status;
    printf("%u files removed\n", census->removed);
    return census->failed ? TOOL_BAD : TOOL_GOOD;
}

typedef struct request {
    const char *action;
    bool verbose;
} request;

static error_t parse(int key, char *argument, struct argp_state *state) {
    request *request = state->input;
    if (key == 'v') {
        request->verbose = true;
    } else if (key == ARGP_KEY_ARG && state->arg_num == 0) {
        request->action = argument;
        if (strcmp(argument, "show") != 0 && strcmp(argument, "verify") != 0 &&
            strcmp(argument, "clear") != 0)
            argp_error(state, "no action `%s'", argument);
    } else {
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int weft_tool_cache(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"verbose", 'v', NULL, 0, "a line for each result", 0}, {0}};
    const struct argp parser = {
        .options = options,
        .parser = parse,
        .args_doc = "[show|verify|clear]",
        .doc =
            "Looks after the disk cache of built programs.\v"
            "verify reads every result and removes the damaged ones; its exit status is then 1."};
    request request = {"show", false};
    census census = {0};
    weft_settings settings;
    char folder[PATH_MAX];
    if (argp_parse(&parser, argc, argv, 0, NULL, &request) != 0)
        return TOOL_USAGE;
    if (!weft_tool_read_settings(&settings))
        return TOOL_BAD;
    int status = TOOL_BAD;
    if (!weft_store_folder(settings.disk_cache_folder, folder)) {
        fprintf(stderr, "weft: there is no folder for a cache: neither WEFT_CACHE_DIR, "
                        "XDG_CACHE_HOME nor HOME names one that can be used\n");
    } else {
        weft_store_init(&census.store, folder, UINT64_MAX);
        census.verbose = request.verbose;
        if (!census.store.folder)
            fprintf(stderr, "weft: out of memory\n");
        else if (strcmp(request.action, "verify") == 0)
            status = verify(&census);
        else if (strcmp(request.action, "clear") == 0)
            status = clear(&census);
        else
            status = show(&census, &settings);
        weft_store_finish(&census.store);
    }
    weft_settings_finish(&settings);
    return status;
}
