// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/client/client.h"

#include "compiler/client/cache.h"
#include "compiler/client/exchange.h"
#include "compiler/client/process.h"
#include "compiler/client/store.h"
#include "weft/shim.h"
#include "weft/trace.h"

#include <CL/cl.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifndef WEFT_MOST_JOBS
#define WEFT_MOST_JOBS 64 /* the interleaving tests want fewer */
#endif

enum {
    DEFAULT_JOB_SECONDS = 600,
    DEFAULT_JOB_MEGABYTES = 2048,
    DEFAULT_IDLE_SECONDS = 120,
    /* Beyond the limit of a job, for a compiler that is slow to start or does not answer at all. */
    ANSWER_SECONDS = 30,
    ATTEMPTS = 3,
    /* Jobs at once: each takes two descriptors here and two there. More wait in line. */
    MOST_JOBS = WEFT_MOST_JOBS
};

/** Which executable made, or would make, a result. */
typedef struct maker {
    bool known; /* else nothing is read from disk or kept there */
    weft_cache_key key;
} maker;

struct weft_compiler {
    weft_compiler_settings settings;
    char *setting_path;   /* copy; settings.compiler_path points to it */
    pthread_mutex_t lock; /* guards what follows; never held while a job runs */
    weft_process process;
    weft_cache cache;
    char path[PATH_MAX]; /* the executable, "": not found so far */
    maker process_maker; /* what `process` is a process of */
    weft_store store;    /* guards itself */
    pthread_cond_t fewer_jobs;
    unsigned jobs; /* that are with the process */

    /* Which process these are the objects of: its id + 2, FORKED once a fork has wiped the page,
     * CLAIMED while a thread of the child makes them its own. */
    _Atomic uint32_t *owner;
    bool owner_is_wiped;
    _Atomic uint32_t plain_owner; /* where such pages do not exist (Linux before 4.14) */
};

enum { FORKED = 0, CLAIMED = 1 };

/* ---- debug ---------------------------------------------------------------------------------- */

static void debug(const weft_compiler *compiler, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void debug(const weft_compiler *compiler, const char *format, ...) {
    char line[512];
    va_list arguments;
    if (!compiler->settings.debug)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    compiler->settings.debug(compiler->settings.debug_user, line);
}

static void debug_part(const weft_compiler *compiler, const char *part, uint64_t nanoseconds) {
    /* Integers: the calling thread's floating-point exceptions may be unmasked. */
    debug(compiler, "weft: build: %s %" PRIu64 ".%03u ms", part, nanoseconds / 1000000,
          (unsigned)(nanoseconds / 1000 % 1000));
}

static uint64_t between(uint64_t begin, uint64_t end) {
    return end > begin ? end - begin : 0;
}

static const char *const PARTS[WEFT_WIRE_PARTS] = {"front end", "passes", "codegen", "link"};

/* What the compiler process did, into the timeline. The parts of a job follow each other. */
static void trace_reply(weft_trace *trace, const weft_exchange_reply *reply) {
    uint64_t begin = reply->hello.running, process = reply->hello.server_pid;

    if (!trace || !reply->heard)
        return;
    if (reply->hello.started >= trace->start) /* not by an earlier job */
        weft_trace_add(trace, WEFT_TRACE_COMPILER, "start",
                       (const uint64_t[4]){reply->hello.started, reply->hello.ready}, 0, process);
    weft_trace_add(trace, WEFT_TRACE_COMPILER, "fork",
                   (const uint64_t[4]){reply->hello.received, begin}, 0, process);
    for (size_t i = 0; i < WEFT_WIRE_PARTS; i++) {
        uint64_t end = begin + reply->result.nanoseconds[i];
        if (end > begin)
            weft_trace_add(trace, WEFT_TRACE_COMPILER, PARTS[i], (const uint64_t[4]){begin, end}, 0,
                           process);
        begin = end;
    }
}

static void debug_reply(const weft_compiler *compiler, const weft_exchange_reply *reply) {
    trace_reply(compiler->settings.trace, reply);
    if (!compiler->settings.debug || !reply->heard)
        return;
    /* How long the process took from being asked for to its first job; again with each job, so
     * that whoever reads the log need not know which was the first. */
    debug_part(compiler, "spawn", between(reply->hello.started, reply->hello.ready));
    debug_part(compiler, "fork", between(reply->hello.received, reply->hello.running));
    for (size_t i = 0; i < WEFT_WIRE_PARTS; i++)
        debug_part(compiler, PARTS[i], reply->result.nanoseconds[i]);
    char confined[200];
    weft_confined_text(&reply->result.confined, confined, sizeof confined);
    debug(compiler, "weft: build: %s", confined);
}

/* ---- fork ----------------------------------------------------------------------------------- */

static bool is_owner(const weft_compiler *compiler, uint32_t owner) {
    return compiler->owner_is_wiped ? owner > CLAIMED : owner == (uint32_t)getpid() + 2;
}

/** A child of fork() has a copy of our memory, taken while other threads, which it does not have,
 *  were anywhere in it: the lock and the cache are made anew, the old cache is left as it is. */
static void forget_parent(weft_compiler *compiler) {
    pthread_mutex_init(&compiler->lock, NULL);
    pthread_cond_init(&compiler->fewer_jobs, NULL);
    compiler->jobs = 0;
    weft_cache_init(&compiler->cache, compiler->cache.limit);
    compiler->process.pid = 0; /* the parent's */
    compiler->process.may_adopt = false;
    weft_process_drop(&compiler->process);
}

/** To be called before everything else: makes the object usable after a fork. */
static void enter(weft_compiler *compiler) {
    for (;;) {
        uint32_t owner = atomic_load_explicit(compiler->owner, memory_order_acquire);
        if (__builtin_expect(is_owner(compiler, owner), 1))
            return;
        if (owner != CLAIMED && atomic_compare_exchange_strong(compiler->owner, &owner, CLAIMED)) {
            forget_parent(compiler);
            atomic_store_explicit(compiler->owner, (uint32_t)getpid() + 2, memory_order_release);
            return;
        }
        sched_yield(); /* another thread of this child is at it */
    }
}

static void owner_init(weft_compiler *compiler) {
    long page = sysconf(_SC_PAGESIZE);
    void *memory =
        weft_mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED && madvise(memory, (size_t)page, MADV_WIPEONFORK) != 0) {
        munmap(memory, (size_t)page);
        memory = MAP_FAILED;
    }
    compiler->owner_is_wiped = memory != MAP_FAILED;
    compiler->owner = compiler->owner_is_wiped ? memory : &compiler->plain_owner;
    atomic_store(compiler->owner, (uint32_t)getpid() + 2);
}

/* ---- life ----------------------------------------------------------------------------------- */

static uint32_t or_default(uint32_t value, uint32_t fallback) {
    return value ? value : fallback;
}

static void init_store(weft_compiler *compiler, const weft_compiler_settings *settings) {
    char folder[PATH_MAX];
    bool found = settings->disk_cache && weft_store_folder(settings->disk_cache_folder, folder);
    weft_store_init(&compiler->store, found ? folder : NULL, settings->disk_cache_bytes);
    compiler->settings.disk_cache_folder = NULL; /* the caller's */
}

weft_compiler *weft_compiler_create(const weft_compiler_settings *settings) {
    weft_compiler *compiler = weft_calloc(1, sizeof *compiler);
    if (!compiler)
        return NULL;
    compiler->settings = *settings;
    if (settings->compiler_path && settings->compiler_path[0]) {
        compiler->setting_path = weft_strdup(settings->compiler_path);
        if (!compiler->setting_path) {
            weft_free(compiler);
            return NULL;
        }
    }
    compiler->settings.compiler_path = compiler->setting_path;
    compiler->settings.job_seconds = or_default(settings->job_seconds, DEFAULT_JOB_SECONDS);
    compiler->settings.job_megabytes = or_default(settings->job_megabytes, DEFAULT_JOB_MEGABYTES);
    compiler->settings.idle_seconds = or_default(settings->idle_seconds, DEFAULT_IDLE_SECONDS);
    compiler->process.control.fd = -1;
    pthread_mutex_init(&compiler->lock, NULL);
    pthread_cond_init(&compiler->fewer_jobs, NULL);
    weft_cache_init(&compiler->cache, settings->memory_cache_bytes);
    /* Now, while a relative name still means what it did when the library was loaded. */
    if (weft_process_find(compiler->setting_path, compiler->path) != 0)
        compiler->path[0] = 0;
    init_store(compiler, settings);
    owner_init(compiler);
    return compiler;
}

void weft_compiler_destroy(weft_compiler *compiler) {
    if (!compiler)
        return;
    enter(compiler);
    weft_process_drop(&compiler->process);
    weft_cache_finish(&compiler->cache);
    weft_store_finish(&compiler->store);
    pthread_cond_destroy(&compiler->fewer_jobs);
    pthread_mutex_destroy(&compiler->lock);
    if (compiler->owner_is_wiped)
        munmap((void *)compiler->owner, (size_t)sysconf(_SC_PAGESIZE));
    weft_free(compiler->setting_path);
    weft_free(compiler);
}

/** Why there is no process. */
typedef struct start_error {
    int error;
    const char *step; /* static */
} start_error;

/** With the lock: what a process that starts now would be a process of. */
static maker maker_now(const weft_compiler *compiler) {
    maker now = {0};
    now.known = compiler->store.folder && weft_store_maker(compiler->path, &now.key);
    return now;
}

static bool same_maker(maker a, maker b) {
    return a.known && b.known && a.key.low == b.key.low && a.key.high == b.key.high;
}

/** With the lock. The executable may be replaced at any time, and what the old one makes must not
 *  be taken for the work of the new one. */
static int start_process(weft_compiler *compiler, const char **step) {
    maker before = maker_now(compiler);
    int error = weft_process_start(&compiler->process, compiler->path,
                                   compiler->settings.idle_seconds, step);
    compiler->process_maker = before;
    compiler->process_maker.known = same_maker(before, maker_now(compiler));
    return error;
}

/** With the lock: there is a process, or `why` says why not. */
static bool ensure_process(weft_compiler *compiler, start_error *why) {
    if (weft_process_usable(&compiler->process))
        return true;
    weft_process_drop(&compiler->process);
    why->step = "access";
    why->error = 0;
    if (!compiler->path[0] || access(compiler->path, X_OK) != 0)
        why->error = weft_process_find(compiler->setting_path, compiler->path);
    if (why->error == 0)
        why->error = start_process(compiler, &why->step);
    return why->error == 0;
}

void weft_compiler_prepare(weft_compiler *compiler) {
    start_error why;
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    enter(compiler);
    pthread_mutex_lock(&compiler->lock);
    uint64_t before = compiler->process.serial;
    bool started = ensure_process(compiler, &why);
    bool fresh = started && compiler->process.serial != before;
    uint64_t nanoseconds = compiler->process.spawn_ns;
    pthread_mutex_unlock(&compiler->lock);
    if (fresh)
        debug_part(compiler, "spawn call", nanoseconds);
    if (!started)
        debug(compiler, "weft: build: no compiler process: %s: %s (%s)", compiler->path,
              strerror(why.error), why.step);
    pthread_setcancelstate(cancel, NULL);
}

void weft_compiler_unload(weft_compiler *compiler) {
    enter(compiler);
    pthread_mutex_lock(&compiler->lock);
    weft_process_drop(&compiler->process);
    pthread_mutex_unlock(&compiler->lock);
}

bool weft_compiler_has(weft_compiler *compiler, const weft_job *job) {
    int saved_error = errno;
    enter(compiler);
    if (!compiler->cache.limit && !compiler->store.folder)
        return false;
    weft_cache_keys keys;
    if (!weft_cache_keys_of(job, &keys))
        return false;
    weft_blob_release(&keys.content); /* a guess: where to look is enough */
    pthread_mutex_lock(&compiler->lock);
    bool found = weft_cache_has_inputs(&compiler->cache, &keys);
    maker maker = {0};
    if (!found)
        maker = maker_now(compiler);
    pthread_mutex_unlock(&compiler->lock);
    if (maker.known) {
        keys = weft_store_keys(&keys, maker.key);
        found = weft_store_has_inputs(&compiler->store, &keys);
    }
    errno = saved_error;
    return found;
}

/* ---- handing over a job --------------------------------------------------------------------- */

/** What one attempt at a job came to, beside the reply. */
typedef struct attempt {
    weft_exchange_end end;
    bool no_process; /* `why` says why, `path` what was tried */
    start_error why;
    uint64_t serial; /* of the process that got the job */
    maker maker;     /* likewise */
} attempt;

/** One packet on the control socket: the job, its socket and the working directory (-1: none).
 *  0 or errno. */
static int send_job(const weft_descriptor *control, const weft_wire_job *job, int socket,
                    int directory) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } ancillary = {.room = {0}};
    int descriptors[2] = {socket, directory};
    size_t bytes = (directory >= 0 ? 2 : 1) * sizeof(int);
    struct iovec part = {(void *)job, sizeof *job};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &ancillary,
                             .msg_controllen = CMSG_SPACE(bytes)};
    ancillary.header.cmsg_level = SOL_SOCKET;
    ancillary.header.cmsg_type = SCM_RIGHTS;
    ancillary.header.cmsg_len = CMSG_LEN(bytes);
    memcpy(CMSG_DATA(&ancillary.header), descriptors, bytes);
    return sendmsg(control->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? errno : 0;
}

/** Gives the job to a process, a new one if the old one has ended. 0 or errno, or why no
 *  process. */
static int submit(weft_compiler *compiler, const weft_wire_job *job, int socket, int directory,
                  uint64_t deadline, attempt *attempt) {
    for (int restarts = 0;;) {
        pthread_mutex_lock(&compiler->lock);
        attempt->no_process = !ensure_process(compiler, &attempt->why);
        int error = 0;
        if (!attempt->no_process) {
            attempt->serial = compiler->process.serial;
            attempt->maker = compiler->process_maker;
            error = send_job(&compiler->process.control, job, socket, directory);
            if (error == EPIPE || error == ECONNRESET || error == ENOTCONN)
                weft_process_drop(&compiler->process);
        }
        pthread_mutex_unlock(&compiler->lock);
        if (attempt->no_process || error == 0)
            return 0;
        if (error == EPIPE || error == ECONNRESET || error == ENOTCONN) {
            if (++restarts == ATTEMPTS) {
                attempt->end = WEFT_EXCHANGE_UNHEARD;
                return error;
            }
        } else if (error != EAGAIN && error != EINTR) {
            return error;
        } else if (weft_client_now() > deadline) {
            return ETIMEDOUT;
        } else {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* its queue is full */
        }
    }
}

/** The process with this number did not take up a job: it has ended, or is about to. */
static void drop_serial(weft_compiler *compiler, uint64_t serial) {
    pthread_mutex_lock(&compiler->lock);
    if (compiler->process.serial == serial)
        weft_process_drop(&compiler->process);
    pthread_mutex_unlock(&compiler->lock);
}

/** Seconds without a sign of the server after which it is given up. */
static uint32_t patience(const weft_compiler *compiler) {
    uint32_t seconds = compiler->settings.job_seconds;
    return (seconds < WEFT_WIRE_QUIET_SECONDS ? seconds : WEFT_WIRE_QUIET_SECONDS) + ANSWER_SECONDS;
}

static void debug_progress(void *compiler, const char *text) {
    debug(compiler, "weft: build: %s", text);
}

static void try_job(weft_compiler *compiler, const weft_job *job, weft_wire_job *wire,
                    weft_exchange_reply *reply, attempt *attempt) {
    weft_descriptor ours, theirs;
    const weft_exchange_watcher watcher = {debug_progress, compiler};
    uint64_t deadline = weft_client_now() + patience(compiler) * UINT64_C(1000000000);
    attempt->end = WEFT_EXCHANGE_ERROR;
    reply->error = weft_descriptor_pair(&ours, &theirs);
    if (reply->error)
        return;
    /* Relative -I folders are the application's, wherever it is now. */
    int directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    wire->has_directory = directory >= 0;
    wire->user = geteuid();
    wire->group = getegid();
    reply->error = submit(compiler, wire, theirs.fd, directory, deadline, attempt);
    if (directory >= 0)
        close(directory);
    weft_descriptor_close(&theirs);
    if (!reply->error && !attempt->no_process)
        attempt->end = weft_exchange_run(&ours, job, deadline, &watcher, reply);
    weft_descriptor_close(&ours);
    if (attempt->end == WEFT_EXCHANGE_UNHEARD)
        drop_serial(compiler, attempt->serial);
}

/* ---- results -------------------------------------------------------------------------------- */

static int32_t failure_of(weft_job_kind kind) {
    switch (kind) {
    case WEFT_JOB_COMPILE:
        return CL_COMPILE_PROGRAM_FAILURE;
    case WEFT_JOB_LINK:
        return CL_LINK_PROGRAM_FAILURE;
    default:
        return CL_BUILD_PROGRAM_FAILURE;
    }
}

static void fail(weft_job_result *result, int32_t status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** A failure of our own making, with a sentence as its log. */
static void fail(weft_job_result *result, int32_t status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    weft_job_result_finish(result);
    result->status = CL_OUT_OF_HOST_MEMORY;
    result->log = length < 0 ? NULL : weft_blob_create(NULL, (size_t)length);
    if (!result->log)
        return;
    va_start(arguments, format);
    vsnprintf((char *)result->log->data, (size_t)length + 1, format, arguments);
    va_end(arguments);
    result->status = status;
}

/** True if a reply of status CL_SUCCESS holds what the kind of job promises. */
static bool reply_has_result(const weft_job *job, const weft_exchange_reply *reply) {
    switch (job->kind) {
    case WEFT_JOB_COMPILE:
        return reply->ir != NULL;
    case WEFT_JOB_LINK:
        return reply->result.flags & WEFT_WIRE_LIBRARY ? reply->ir != NULL : reply->image != NULL;
    default:
        return reply->ir != NULL && reply->image != NULL;
    }
}

static void take_reply(const weft_job *job, weft_exchange_reply *reply, weft_job_result *result) {
    result->status = reply->result.status;
    result->log = reply->log;
    result->ir = reply->ir;
    result->image = reply->image;
    result->is_library = (reply->result.flags & WEFT_WIRE_LIBRARY) != 0;
    if (result->status != CL_SUCCESS) {
        weft_blob_release(&result->ir);
        weft_blob_release(&result->image);
    } else if (!reply_has_result(job, reply)) {
        fail(result, failure_of(job->kind),
             "weft: the compiler process sent no result and no reason\n");
    }
}

static void take_failure(const weft_compiler *compiler, const weft_job *job, const attempt *attempt,
                         const weft_exchange_reply *reply, weft_job_result *result) {
    /* "CL_COMPILER_NOT_AVAILABLE if program is created with clCreateProgramWithSource and a
     * compiler is not available"; "CL_LINKER_NOT_AVAILABLE if a linker is not available" */
    int32_t missing =
        job->kind == WEFT_JOB_LINK ? CL_LINKER_NOT_AVAILABLE : CL_COMPILER_NOT_AVAILABLE;
    int32_t failure = failure_of(job->kind);
    if (attempt->no_process) {
        fail(result, missing, "weft: the compiler process cannot be started: %s: %s (%s)\n",
             compiler->path, strerror(attempt->why.error), attempt->why.step);
        return;
    }
    switch (attempt->end) {
    case WEFT_EXCHANGE_FAILED:
        fail(result, failure, "%s\n", reply->text);
        break;
    case WEFT_EXCHANGE_UNHEARD:
        fail(result, missing, "weft: the compiler process %s ended before it took up the job\n",
             compiler->path);
        break;
    case WEFT_EXCHANGE_LOST:
        fail(result, failure, "weft: the compiler process ended while it built the program\n");
        break;
    case WEFT_EXCHANGE_LATE:
        fail(result, failure, "weft: the compiler process did not answer within %u seconds\n",
             patience(compiler));
        break;
    case WEFT_EXCHANGE_CLOSED:
        fail(result, failure,
             "weft: the application closed a file descriptor of its OpenCL implementation while it "
             "built the program\n");
        break;
    case WEFT_EXCHANGE_BROKEN:
        fail(result, failure,
             "weft: %s answers in another protocol; libweft.so and weft-compiler must be of one "
             "version\n",
             compiler->path);
        break;
    case WEFT_EXCHANGE_NO_MEMORY:
        fail(result, CL_OUT_OF_HOST_MEMORY, "weft: out of memory\n");
        break;
    default:
        fail(result, reply->error == ENOMEM ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES,
             "weft: cannot talk to the compiler process: %s\n", strerror(reply->error));
        break;
    }
}

/** Waits until there are fewer than MOST_JOBS. */
static void begin_job(weft_compiler *compiler) {
    pthread_mutex_lock(&compiler->lock);
    while (compiler->jobs >= MOST_JOBS)
        pthread_cond_wait(&compiler->fewer_jobs, &compiler->lock);
    compiler->jobs++;
    pthread_mutex_unlock(&compiler->lock);
}

static void end_job(weft_compiler *compiler) {
    pthread_mutex_lock(&compiler->lock);
    compiler->jobs--;
    pthread_cond_signal(&compiler->fewer_jobs);
    pthread_mutex_unlock(&compiler->lock);
}

static void run_uncached(weft_compiler *compiler, const weft_job *job, weft_job_result *result,
                         bool *keep, maker *maker) {
    weft_exchange_reply reply;
    attempt attempt = {0};
    weft_wire_job wire = {.magic = WEFT_WIRE_MAGIC,
                          .version = WEFT_WIRE_VERSION,
                          .seconds = compiler->settings.job_seconds,
                          .megabytes = compiler->settings.job_megabytes,
                          .request_bytes = weft_exchange_request_bytes(job)};
    *keep = false;
    if (!wire.request_bytes) {
        fail(result, failure_of(job->kind),
             "weft: the program's sources are over the limit of "
             "1 GiB\n");
        return;
    }
    for (int i = 0; i < ATTEMPTS; i++) {
        reply.heard = false;
        try_job(compiler, job, &wire, &reply, &attempt);
        if (attempt.end != WEFT_EXCHANGE_UNHEARD || attempt.no_process)
            break;
    }
    if (!attempt.no_process && attempt.end == WEFT_EXCHANGE_DONE) {
        take_reply(job, &reply, result);
        debug_reply(compiler, &reply);
        *keep = result->status == CL_SUCCESS && !(reply.result.flags & WEFT_WIRE_TOUCHED_FILES);
        *maker = attempt.maker;
    } else {
        pthread_mutex_lock(&compiler->lock); /* for compiler->path */
        take_failure(compiler, job, &attempt, &reply, result);
        pthread_mutex_unlock(&compiler->lock);
    }
}

/** Looks in memory, then on disk. */
static bool find_cached(weft_compiler *compiler, const weft_cache_keys *keys,
                        weft_job_result *result) {
    pthread_mutex_lock(&compiler->lock);
    bool found = weft_cache_find(&compiler->cache, keys, result);
    maker maker = {0};
    if (!found)
        maker = maker_now(compiler);
    pthread_mutex_unlock(&compiler->lock);
    debug(compiler, "weft: build: cache %s", found ? "hit" : "miss");
    if (found || !maker.known)
        return found;
    weft_cache_keys disk = weft_store_keys(keys, maker.key);
    int error = weft_store_find(&compiler->store, &disk, result);
    if (!error)
        debug(compiler, "weft: build: disk hit");
    else if (error == ENOENT)
        debug(compiler, "weft: build: disk miss");
    else
        debug(compiler, "weft: build: disk miss: %s",
              error == EBADMSG ? "a damaged or foreign file"
              : error == EPERM ? "the folder is another user's, or others may write to it"
                               : strerror(error));
    return !error;
}

static void keep_in_memory(weft_compiler *compiler, const weft_cache_keys *keys,
                           const weft_job_result *result) {
    pthread_mutex_lock(&compiler->lock);
    weft_cache_add(&compiler->cache, keys, result);
    pthread_mutex_unlock(&compiler->lock);
}

/** True if the result may say when it was made, which must not be another day's. */
static bool tells_the_time(const weft_job *job) {
    static const char *const macros[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
    for (size_t m = 0; m < sizeof macros / sizeof *macros; m++) {
        if (job->options && strstr(job->options, macros[m]))
            return true;
        for (size_t i = 0; i < job->input_count; i++) {
            const weft_job_input *input = &job->inputs[i];
            if ((input->kind == WEFT_INPUT_SOURCE || input->kind == WEFT_INPUT_HEADER) &&
                memmem(input->data, input->bytes, macros[m], strlen(macros[m])))
                return true;
        }
    }
    return false;
}

static void keep_on_disk(weft_compiler *compiler, const weft_job *job, const weft_cache_keys *keys,
                         maker maker, const weft_job_result *result) {
    if (!maker.known || tells_the_time(job))
        return;
    weft_cache_keys disk = weft_store_keys(keys, maker.key);
    /* weft_compiler_has is asked about sources. */
    int error = weft_store_add(&compiler->store, &disk, result, job->kind != WEFT_JOB_LINK);
    if (error)
        debug(compiler, "weft: build: disk not stored: %s", strerror(error));
    else
        debug(compiler, "weft: build: disk stored");
}

/** `keys` NULL: nothing is looked for or kept. */
static void run(weft_compiler *compiler, const weft_job *job, const weft_cache_keys *keys,
                weft_job_result *result) {
    bool keep;
    maker maker = {0};
    if (keys && find_cached(compiler, keys, result)) {
        keep_in_memory(compiler, keys, result); /* does nothing if it came from there */
        return;
    }
    begin_job(compiler);
    run_uncached(compiler, job, result, &keep, &maker);
    end_job(compiler);
    if (keys && keep) {
        keep_in_memory(compiler, keys, result);
        keep_on_disk(compiler, job, keys, maker, result);
    }
}

void weft_compiler_run(weft_compiler *compiler, const weft_job *job, weft_job_result *result) {
    int cancel, saved_error = errno;
    uint64_t begin = weft_client_now();
    memset(result, 0, sizeof *result);
    /* Reading and writing are cancellation points: a cancelled thread would leave its job
     * behind. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    enter(compiler);
    weft_cache_keys keys = {0};
    bool cache =
        (compiler->cache.limit || compiler->store.folder) && weft_cache_keys_of(job, &keys);
    run(compiler, job, cache ? &keys : NULL, result);
    weft_blob_release(&keys.content);
    debug_part(compiler, "total", weft_client_now() - begin);
    pthread_setcancelstate(cancel, NULL);
    errno = saved_error;
}
