// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** One job on its own socket: sends the request, takes the reply. Thread-safe, holds no lock. */
#ifndef WEFT_CLIENT_EXCHANGE_H
#define WEFT_CLIENT_EXCHANGE_H

#include "compiler/client/process.h"

typedef enum weft_exchange_end {
    WEFT_EXCHANGE_DONE,    /* reply is complete */
    WEFT_EXCHANGE_FAILED,  /* the compiler process says why, in `text` */
    WEFT_EXCHANGE_UNHEARD, /* ended before the job was taken up: another process may try */
    WEFT_EXCHANGE_LOST,    /* ended while the job ran */
    WEFT_EXCHANGE_LATE,    /* no answer within the limit */
    WEFT_EXCHANGE_BROKEN,  /* an answer that is not of this protocol */
    WEFT_EXCHANGE_CLOSED,  /* the application closed our descriptor */
    WEFT_EXCHANGE_NO_MEMORY,
    WEFT_EXCHANGE_ERROR /* a system call failed, errno value in `error` */
} weft_exchange_end;

/** What the other end sent. Blobs are NULL unless DONE, and then belong to the caller. */
typedef struct weft_exchange_reply {
    weft_wire_hello hello;
    bool heard; /* hello is set */
    bool lives; /* the last packet said that the job waits for others, or how far it is */
    weft_wire_result result;
    weft_blob *log, *ir, *image; /* log is never NULL; ir and image are if they are empty */
    int error;
    char text[WEFT_WIRE_TEXT + 1];
} weft_exchange_reply;

/** Told what the job is at while it takes long; called on the thread that waits for it. */
typedef struct weft_exchange_watcher {
    void (*progress)(void *user, const char *text);
    void *user;
} weft_exchange_watcher;

/** Bytes of the request that carries `job`; 0: over the limits of the protocol. */
uint64_t weft_exchange_request_bytes(const weft_job *job);

/**
 * Until the reply is complete or `deadline` (weft_client_now) has passed, which is put off while
 * the server says that the job waits for others or is at work. `watcher` may be NULL. Checks before
 * each use that the socket still is what it was.
 */
weft_exchange_end weft_exchange_run(const weft_descriptor *socket, const weft_job *job,
                                    uint64_t deadline, const weft_exchange_watcher *watcher,
                                    weft_exchange_reply *reply);

#endif
