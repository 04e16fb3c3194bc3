// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Starts a program that is nobody's child: the application never sees a SIGCHLD or a new process in
 * wait(-1), and the program inherits nothing of the application but its user, limits and root.
 */
#ifndef WEFT_CLIENT_SPAWN_H
#define WEFT_CLIENT_SPAWN_H

#include <signal.h>
#include <sys/types.h>

typedef struct weft_spawn {
    const char *path;  /* absolute */
    char *const *argv; /* ends with NULL */
    int control;       /* becomes WEFT_WIRE_FD_CONTROL */
    int parent;        /* becomes WEFT_WIRE_FD_PARENT, -1: none */

    /* Set by weft_spawn_run. The children write here: they share our memory until they exec. */
    pid_t pid;
    volatile int error; /* errno value, 0: started */
    const char *volatile step;
    void *inner_stack;
} weft_spawn;

/**
 * Returns as soon as the program runs or could not be started: 0, or an errno value with the name
 * of the system call that failed in *step. Thread-safe. Costs the same in a process of many GB,
 * works without /proc and with little stack.
 */
int weft_spawn_run(weft_spawn *spawn, const char **step);

#endif
