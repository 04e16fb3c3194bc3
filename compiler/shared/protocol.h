// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The wire format between libweft.so (the client) and the compiler process (the server, and the
 * child that it forks for each job). Both ends run on one machine, of one or of two versions.
 *
 * Control socket (SOCK_SEQPACKET, client -> server only): one weft_wire_job per job, with one or
 * two descriptors attached: the job's own socket, and the application's working directory.
 *
 * Job socket (SOCK_SEQPACKET): packets of a weft_wire_packet and its payload.
 *   client -> child: DATA... = a weft_wire_request of weft_wire_job.request_bytes
 *   child -> client: HELLO, RESULT, DATA... = log, IR and image, one behind the other
 *   server -> client: WAITING, before HELLO, every WEFT_WIRE_WAITING_SECONDS while other jobs run;
 *                     PROGRESS, at any point, every WEFT_WIRE_PROGRESS_SECONDS of a long build;
 *                     FAILED, at any point, when the child died or the job was refused
 *
 * Neither end trusts the other: each length and kind is checked before it is used. The first two
 * members of weft_wire_job and the FAILED packet are the same in all versions, so that ends of
 * different versions can say so.
 */
#ifndef WEFT_PROTOCOL_H
#define WEFT_PROTOCOL_H

#include "compiler/shared/confined.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_WIRE_MAGIC   0x4a746657u /* "WftJ" */
#define WEFT_WIRE_VERSION 4u

/* The server is started as: weft-compiler --serve <version> <idle seconds> <start, ns>, with these
 * descriptors and /dev/null (or an empty pipe) as 0, 1 and 2; `start` is CLOCK_MONOTONIC. */
enum {
    WEFT_WIRE_FD_CONTROL = 3,
    WEFT_WIRE_FD_PARENT = 4 /* pidfd of the application, may be missing */
};

#define WEFT_WIRE_SERVE "--serve"

/** Payload of one packet at most: fits the smallest usual socket buffer several times. */
#define WEFT_WIRE_PAYLOAD 32768u
/** Text of a FAILED packet at most. */
#define WEFT_WIRE_TEXT 4096u
/** A request or one part of a reply at most. */
#define WEFT_WIRE_MAX_BYTES (UINT64_C(1) << 30)
/** Inputs of one job at most. */
#define WEFT_WIRE_MAX_INPUTS 65536u
/** Strings and data of a request start at multiples of this. */
#define WEFT_WIRE_ALIGN 16u

typedef struct weft_wire_job {
    uint32_t magic;
    uint32_t version;
    uint32_t user, group; /* effective ids of the application: must be the server's own */
    uint32_t seconds;     /* limit of processor time, of all processes of the job together */
    uint32_t megabytes;   /* limit of memory */
    uint32_t has_directory;
    uint32_t reserved;
    uint64_t request_bytes;
} weft_wire_job;

enum {
    WEFT_WIRE_DATA = 1,
    WEFT_WIRE_HELLO = 2,
    WEFT_WIRE_RESULT = 3,
    WEFT_WIRE_FAILED = 4,  /* payload: a sentence for the log, not terminated */
    WEFT_WIRE_WAITING = 5, /* no payload: the job's time has not begun */
    WEFT_WIRE_PROGRESS = 6 /* payload: what the job is at, for the debug log, not terminated */
};

#define WEFT_WIRE_WAITING_SECONDS  5
#define WEFT_WIRE_PROGRESS_SECONDS 2
/** A job that uses no processor time for so long (or for its whole limit, where that is less) is
 *  taken for dead; so is, by the client, a server of which nothing is heard for so long. */
#define WEFT_WIRE_QUIET_SECONDS 60u

typedef struct weft_wire_packet {
    uint32_t kind;
    uint32_t bytes; /* of the payload */
} weft_wire_packet;

/** All times: CLOCK_MONOTONIC, nanoseconds. */
typedef struct weft_wire_hello {
    uint32_t version;
    uint32_t server_pid;
    uint64_t started;  /* as given on the command line */
    uint64_t ready;    /* the server had initialised the compiler */
    uint64_t received; /* the server took up this job */
    uint64_t running;  /* the job's child runs */
} weft_wire_hello;

enum { WEFT_WIRE_LIBRARY = 1u << 0, WEFT_WIRE_TOUCHED_FILES = 1u << 1 };

enum {
    WEFT_WIRE_FRONT_END = 0,
    WEFT_WIRE_PASSES = 1,
    WEFT_WIRE_CODEGEN = 2,
    WEFT_WIRE_LINK = 3,
    WEFT_WIRE_PARTS = 4
};

typedef struct weft_wire_result {
    int32_t status; /* CL_SUCCESS or a negative OpenCL error */
    uint32_t flags;
    weft_confined confined; /* the process that built it */
    uint32_t reserved;
    uint64_t log_bytes, ir_bytes, image_bytes;
    uint64_t nanoseconds[WEFT_WIRE_PARTS];
} weft_wire_result;

/**
 * A request: this header, `input_count` times a weft_wire_input, then options, isa, extensions,
 * switches and, for each input, name and data. Each string or data is followed by a NUL byte and by
 * padding up to a multiple of WEFT_WIRE_ALIGN.
 */
typedef struct weft_wire_request {
    uint32_t kind; /* weft_job_kind */
    uint32_t input_count;
    uint64_t options_bytes, isa_bytes, extensions_bytes, switches_bytes;
    uint64_t flags;
} weft_wire_request;

enum { WEFT_WIRE_UNTRUSTED = 1u << 0 };

typedef struct weft_wire_input {
    uint32_t kind; /* weft_input_kind */
    uint32_t reserved;
    uint64_t name_bytes, data_bytes;
    uint64_t reserved1;
} weft_wire_input;

/** Room that `bytes` bytes take in a request: with their NUL and padding. */
static inline uint64_t weft_wire_room(uint64_t bytes) {
    return (bytes / WEFT_WIRE_ALIGN + 1) * WEFT_WIRE_ALIGN;
}

#ifdef __cplusplus
}
#endif

#endif
