// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Results of jobs on disk, by the content that decides them: what one process has built, the next
 * need not build. docs/cache.md says what the files are.
 *
 * Thread-safe, without any lock, in one process and between processes: a file is written under a
 * name of its own and then renamed, and whatever is wrong with one that is read is a miss. No
 * descriptor stays open between calls. Functions that say so return 0 or an errno value; none of
 * these is a reason for a build to fail.
 */
#ifndef WEFT_CLIENT_STORE_H
#define WEFT_CLIENT_STORE_H

#include "compiler/client/cache.h"

#include <limits.h>
#include <stdatomic.h>

typedef struct weft_store {
    char *folder; /* absolute; NULL: there is no disk cache */
    uint64_t limit;
    _Atomic uint64_t written; /* bytes since this process last looked at the folder's size */
} weft_store;

/**
 * The folder that the environment asks for: `setting` if it is not empty, else weft in
 * $XDG_CACHE_HOME, else .cache/weft in $HOME. False: none of them is there, it is too long, or we
 * are root and it is another user's. Nothing is created.
 */
bool weft_store_folder(const char *setting, char folder[PATH_MAX]);

/** `folder` (copied) NULL, limit 0 or out of memory: a store that holds nothing. Touches no
 *  file. */
void weft_store_init(weft_store *store, const char *folder, uint64_t limit);
void weft_store_finish(weft_store *store);

/**
 * What identifies the executable that makes the results: its path, size, time of change of its
 * content and of its inode. False: it cannot be found.
 */
bool weft_store_maker(const char *path, weft_cache_key *maker);
/** The keys of a job that this executable runs. */
weft_cache_keys weft_store_keys(const weft_cache_keys *keys, weft_cache_key maker);

/**
 * 0: found, *result is filled in and its blobs belong to the caller. ENOENT: not there. EBADMSG: it
 * was there but not whole or not ours, and has been removed if that was possible. Others: a system
 * call failed. *result is only set on 0.
 */
int weft_store_find(const weft_store *store, const weft_cache_keys *keys, weft_job_result *result);
/** True if a result of these inputs has been kept, whatever its kind and options; a guess. */
bool weft_store_has_inputs(const weft_store *store, const weft_cache_keys *keys);
/**
 * Keeps a successful result; sometimes makes room by removing what was not used for longest.
 * `by_inputs`: weft_store_has_inputs will be asked for it. 0 or why it was not kept (EFBIG: larger
 * than a quarter of the limit).
 */
int weft_store_add(weft_store *store, const weft_cache_keys *keys, const weft_job_result *result,
                   bool by_inputs);
/** Removes the oldest files until three quarters of the limit are left, if it is exceeded, and what
 *  killed processes have left behind. 0 or errno. */
int weft_store_trim(weft_store *store);

/* ---- looking after it (weft cache, tests) ---------------------------------------------------- */

/** Reads a result whole, without counting it as used. 0: good; ENOENT; EBADMSG: damaged, and
 * removed if that was possible; another errno. */
int weft_store_verify(const weft_store *store, weft_cache_key key);

/** WEFT_STORE_RESULT, _INPUTS or _TEMPORARY, and the key; 0: not a name of ours. */
int weft_store_parse_name(const char *name, weft_cache_key *key);

/* ---- names, for store.c and store_trim.c ----------------------------------------------------- */

enum {
    WEFT_STORE_RESULT = 'r',
    WEFT_STORE_INPUTS = 's', /* empty: results of these inputs exist */
    WEFT_STORE_TEMPORARY = 't',
    WEFT_STORE_NAME = 2 + 32 + 1 /* r-<32 hexadecimal digits> */
};

void weft_store_name(int kind, weft_cache_key key, char name[WEFT_STORE_NAME]);

#endif
