// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The compiler process as the application's side sees it: found, started, recognised, let go.
 * None of these functions is thread-safe by itself: the caller serialises them per weft_process.
 */
#ifndef WEFT_CLIENT_PROCESS_H
#define WEFT_CLIENT_PROCESS_H

#include "compiler/client/client.h"
#include "compiler/shared/protocol.h"

#include <limits.h>
#include <sys/types.h>

/** A descriptor and what it was when we made it: applications close and reuse descriptors. */
typedef struct weft_descriptor {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
} weft_descriptor;

/** True if the descriptor still is what it was. */
bool weft_descriptor_valid(const weft_descriptor *descriptor);
/** Takes over `fd`; moves it above 2, where an application would take it for its own standard
 *  streams. 0 or errno; closes it on failure, fd is then -1. */
int weft_descriptor_take(weft_descriptor *descriptor, int fd);
/** Closes it if it still is ours. */
void weft_descriptor_close(weft_descriptor *descriptor);
/**
 * Two connected SOCK_SEQPACKET sockets, closed on exec, none of them 0, 1 or 2. Returns 0 or errno.
 */
int weft_descriptor_pair(weft_descriptor *ours, weft_descriptor *theirs);

typedef struct weft_process {
    weft_descriptor control; /* fd -1: no process */
    uint64_t serial;         /* counts the processes that were started */
    uint64_t spawn_ns;       /* how long starting took the calling thread */
    pid_t pid;               /* 0: unknown */
    uid_t user;
    gid_t group;
    dev_t root_device;
    ino_t root_inode;
    bool may_adopt; /* orphans become children of this application */
} weft_process;

/**
 * The executable: `setting`, or where it lies relative to libweft.so, in a build tree or installed.
 * 0 with its real path, or an errno value with the path that was expected.
 */
int weft_process_find(const char *setting, char path[PATH_MAX]);

/**
 * Starts the executable without waiting for it. 0, or an errno value; *step then is a static name
 * of the system call that failed. On success process->control is set.
 */
int weft_process_start(weft_process *process, const char *path, uint32_t idle_seconds,
                       const char **step);

/** True if there is a process that was started by this user, under this root, and not known to have
 *  ended. */
bool weft_process_usable(const weft_process *process);

/** Closes the control socket: the process ends when its jobs have ended. */
void weft_process_drop(weft_process *process);

uint64_t weft_client_now(void); /* CLOCK_MONOTONIC, nanoseconds */

#endif
