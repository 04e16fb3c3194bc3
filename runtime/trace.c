// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Writes what was recorded (weft/trace.h) as Chromium JSON, which Perfetto and chrome://tracing
 * show. It is written by exit(), while other threads may still record: no lock is taken, no memory
 * allocated, and an event that is being written is not there yet.
 */

#include "runtime/trace.h"

#include "runtime/log.h"
#include "runtime/platform.h"

#include <CL/cl_ext.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Commands are shown on tracks of their own beside the threads'. */
enum { QUEUE_TRACK = 100000000 };
/* Not blocking: a pipe without a reader is an error, not a wait. */
enum { FILE_FLAGS = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW };

/* ---- the file -------------------------------------------------------------------------------- */

/* WEFT_TRACE with "%p" replaced by the number of the process. False: too long. */
static bool file_name(const weft_platform *platform, char *name, size_t room) {
    const char *from = platform->settings.trace;
    size_t used = 0;

    for (; *from; from++) {
        int more = 1;
        if (from[0] == '%' && from[1] == 'p') {
            more = snprintf(name + used, room - used, "%ld", (long)getpid());
            from++;
        } else if (used + 1 < room) {
            name[used] = *from;
        }
        if ((used += (size_t)more) >= room)
            return false;
    }
    name[used] = 0;
    return true;
}

typedef struct writer {
    int file;
    bool failed, first;
    uint64_t start;
    long process;
    size_t used;
    char text[8192];
} writer;

static void flush(writer *out) {
    const char *from = out->text;

    while (out->used && !out->failed) {
        ssize_t done = write(out->file, from, out->used);
        if (done < 0 && errno == EINTR)
            continue;
        out->failed = done <= 0;
        if (done > 0) {
            from += done;
            out->used -= (size_t)done;
        }
    }
    out->used = 0;
}

static void put(writer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Less than 1 KiB at a time. */
static void put(writer *out, const char *format, ...) {
    va_list arguments;

    if (sizeof(out->text) - out->used < 1024)
        flush(out);
    va_start(arguments, format);
    int bytes = vsnprintf(out->text + out->used, 1024, format, arguments);
    va_end(arguments);
    if (bytes > 0)
        out->used += bytes < 1024 ? (size_t)bytes : 1023;
}

/* A JSON string's inside. */
static void put_text(writer *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            put(out, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f) /* cut names may end inside a character */
            put(out, "\\u%04x", c);
        else
            put(out, "%c", c);
    }
}

/* Opens an event. */
static void put_event(writer *out, const char *phase, const char *name, long thread) {
    put(out, "%s\n{\"ph\":\"%s\",\"pid\":%ld,\"tid\":%ld,\"name\":\"", out->first ? "" : ",", phase,
        out->process, thread);
    put_text(out, name);
    put(out, "\"");
    out->first = false;
}

/* Microseconds since the start, as the format wants them. */
static void put_time(writer *out, const char *key, uint64_t from, uint64_t to) {
    uint64_t ns = to > from ? to - from : 0;

    put(out, ",\"%s\":%llu.%03u", key, (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
}

static void put_track_name(writer *out, long thread, const char *name, unsigned number) {
    put_event(out, "M", "thread_name", thread);
    put(out, ",\"args\":{\"name\":\"");
    put_text(out, name);
    if (number)
        put(out, " %u", number);
    put(out, "\"}}");
}

/* ---- events ---------------------------------------------------------------------------------- */

static const char *const CATEGORY[] = {"command", "chunk", "build", "compiler", "callback", "wait"};

/* What lasted from one time to another on a thread. */
static void put_span(writer *out, const weft_trace_event *event, long thread) {
    static const char *const value_names[] = {"", "units", "status", "", "status", "status"};

    put_event(out, "X", event->name, thread);
    put(out, ",\"cat\":\"%s\"", CATEGORY[event->kind]);
    put_time(out, "ts", out->start, event->times[0]);
    put_time(out, "dur", event->times[0], event->times[1]);
    put(out, ",\"args\":{");
    if (event->id)
        put(out, "\"queue\":%llu,\"command\":%llu,", (unsigned long long)(event->id >> 40),
            (unsigned long long)(event->id & ((UINT64_C(1) << 40) - 1)));
    put(out, "\"%s\":%lld}}", value_names[event->kind], (long long)event->value);
}

/* One phase of something that overlaps others of its track: a pair of asynchronous events. */
static void put_phase(writer *out, const weft_trace_event *event, const char *name, uint64_t from,
                      uint64_t to, long track, uint64_t id) {
    for (int end = 0; end < 2; end++) {
        put_event(out, end ? "e" : "b", name, track);
        put(out, ",\"cat\":\"%s\",\"id\":\"0x%llx\"", CATEGORY[event->kind],
            (unsigned long long)id);
        put_time(out, "ts", out->start, end ? to : from);
        if (!end)
            put(out, ",\"args\":{\"queue\":%llu,\"command\":%llu,\"value\":%lld}",
                (unsigned long long)(event->id >> 40),
                (unsigned long long)(event->id & ((UINT64_C(1) << 40) - 1)),
                (long long)event->value);
        put(out, "}");
    }
}

/* A command: from queued to ended, and within that what it did meanwhile. */
static void put_command(writer *out, const weft_trace_event *event) {
    static const char *const phases[] = {"queued", "submitted", "running"};
    long track = QUEUE_TRACK + (long)(event->id >> 40);

    put_phase(out, event, event->name, event->times[0], event->times[3], track, event->id);
    for (int i = 0; i < 3; i++)
        put_phase(out, event, phases[i], event->times[i], event->times[i + 1], track, event->id);
}

static void put_block(writer *out, const weft_trace_block *block) {
    uint32_t count = atomic_load_explicit(&block->count, memory_order_acquire);

    for (uint32_t i = 0; i < count; i++) {
        const weft_trace_event *event = &block->events[i];
        if (event->kind == WEFT_TRACE_COMMAND)
            put_command(out, event);
        else if (event->kind == WEFT_TRACE_COMPILER)
            put_phase(out, event, event->name, event->times[0], event->times[1], (long)event->value,
                      event->times[0]);
        else
            put_span(out, event, block->thread);
    }
}

/* Tracks are named once per block: the last name counts, and all are alike. */
static void put_names(writer *out, const weft_trace *trace, uint32_t blocks) {
    uint32_t queues = atomic_load_explicit(&trace->queues, memory_order_relaxed);
    uint64_t compiler = 0;

    put_event(out, "M", "process_name", 0);
    put(out, ",\"args\":{\"name\":\"Weft\"}}");
    for (uint32_t i = 1; i <= queues; i++)
        put_track_name(out, QUEUE_TRACK + (long)i, "queue", i);
    for (uint32_t i = 0; i < blocks; i++) {
        const weft_trace_block *block = &trace->blocks[i];
        uint32_t count = atomic_load_explicit(&block->count, memory_order_acquire);
        if (count)
            put_track_name(out, block->thread, block->thread_name, 0);
        for (uint32_t j = 0; j < count; j++)
            if (block->events[j].kind == WEFT_TRACE_COMPILER && block->events[j].value != compiler)
                put_track_name(out, (long)(compiler = block->events[j].value), "weft-compiler", 0);
    }
}

static void write_trace(const weft_trace *trace, int file) {
    uint32_t taken = atomic_load_explicit(&trace->taken, memory_order_acquire);
    uint32_t blocks = taken < trace->block_count ? taken : trace->block_count;
    writer out = {.file = file, .first = true, .start = trace->start, .process = trace->process};

    put(&out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":%llu},\"traceEvents\":[",
        (unsigned long long)atomic_load(&trace->dropped));
    put_names(&out, trace, blocks);
    for (uint32_t i = 0; i < blocks; i++)
        put_block(&out, &trace->blocks[i]);
    put(&out, "\n]}\n");
    flush(&out);
    if (out.failed)
        weft_log(WEFT_LOG_SETTINGS, "WEFT_TRACE: the file could not be written: %s",
                 strerror(errno));
}

const char *weft_timeline_name(cl_command_type type) {
    static const struct {
        cl_command_type type;
        const char *name;
    } names[] = {{CL_COMMAND_NDRANGE_KERNEL, "kernel"},
                 {CL_COMMAND_TASK, "kernel"},
                 {CL_COMMAND_NATIVE_KERNEL, "native kernel"},
                 {CL_COMMAND_READ_BUFFER, "read buffer"},
                 {CL_COMMAND_WRITE_BUFFER, "write buffer"},
                 {CL_COMMAND_COPY_BUFFER, "copy buffer"},
                 {CL_COMMAND_READ_IMAGE, "read image"},
                 {CL_COMMAND_WRITE_IMAGE, "write image"},
                 {CL_COMMAND_COPY_IMAGE, "copy image"},
                 {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "copy image to buffer"},
                 {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "copy buffer to image"},
                 {CL_COMMAND_MAP_BUFFER, "map buffer"},
                 {CL_COMMAND_MAP_IMAGE, "map image"},
                 {CL_COMMAND_UNMAP_MEM_OBJECT, "unmap"},
                 {CL_COMMAND_MARKER, "marker"},
                 {CL_COMMAND_BARRIER, "barrier"},
                 {CL_COMMAND_READ_BUFFER_RECT, "read buffer rect"},
                 {CL_COMMAND_WRITE_BUFFER_RECT, "write buffer rect"},
                 {CL_COMMAND_COPY_BUFFER_RECT, "copy buffer rect"},
                 {CL_COMMAND_FILL_BUFFER, "fill buffer"},
                 {CL_COMMAND_FILL_IMAGE, "fill image"},
                 {CL_COMMAND_MIGRATE_MEM_OBJECTS, "migrate"},
                 {CL_COMMAND_SVM_FREE, "svm free"},
                 {CL_COMMAND_SVM_MEMCPY, "svm memcpy"},
                 {CL_COMMAND_SVM_MEMFILL, "svm memfill"},
                 {CL_COMMAND_SVM_MAP, "svm map"},
                 {CL_COMMAND_SVM_UNMAP, "svm unmap"},
                 {CL_COMMAND_SVM_MIGRATE_MEM, "svm migrate"},
                 {CL_COMMAND_MEMFILL_INTEL, "usm memfill"},
                 {CL_COMMAND_MEMCPY_INTEL, "usm memcpy"},
                 {CL_COMMAND_MIGRATEMEM_INTEL, "usm migrate"},
                 {CL_COMMAND_MEMADVISE_INTEL, "usm advise"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].type == type)
            return names[i].name;
    return "command";
}

/* ---- its life -------------------------------------------------------------------------------- */

/* A regular file of this user's under one name. */
static bool is_plain(const struct stat *status) {
    return S_ISREG(status->st_mode) && status->st_uid == geteuid() && status->st_nlink == 1;
}

/* One of the process's own descriptors: /dev/stdout, or what a shell makes of >(...). */
static bool is_descriptor(const char *name) {
    return strncmp(name, "/dev/fd/", 8) == 0 || strncmp(name, "/proc/self/fd/", 14) == 0 ||
           strcmp(name, "/dev/stdout") == 0 || strcmp(name, "/dev/stderr") == 0;
}

/* -1 and errno. The name may lie where others can write: what they put there (a link, one of this
 * user's files by another name, a pipe) is not followed, opened, written to or emptied. */
static int open_file(const char *name, bool empty) {
    struct stat status;
    int file;

    if (is_descriptor(name))
        return open(name, FILE_FLAGS & ~(O_NOFOLLOW | O_CREAT | O_NONBLOCK));
    if (lstat(name, &status) == 0 && !is_plain(&status)) {
        errno = EPERM;
        return -1;
    }
    file = open(name, FILE_FLAGS, 0666);
    if (file < 0 ||
        (fstat(file, &status) == 0 && is_plain(&status) && (!empty || ftruncate(file, 0) == 0)))
        return file;
    close(file);
    errno = EPERM;
    return -1;
}

/* Why it was not opened. */
static const char *reason(void) {
    return errno == EPERM ? "what is there is no plain file of this user's" : strerror(errno);
}

static void at_exit(void) {
    const weft_platform *platform = weft_platform_current();
    const weft_trace *trace = platform ? platform->trace : NULL;
    char name[PATH_MAX];

    /* A child made by fork() inherits the handler; its parent's timeline is its parent's. */
    if (!trace || trace->process != getpid() || !file_name(platform, name, sizeof(name)))
        return;
    int file = open_file(name, true);
    if (file < 0) {
        weft_log(WEFT_LOG_SETTINGS, "WEFT_TRACE=%s: %s", name, reason());
        return;
    }
    write_trace(trace, file);
    close(file);
}

/* Can the file be written? It is made now, so that a bad name is told at once. */
static bool try_file(const weft_platform *platform) {
    char name[PATH_MAX];
    int file = -1;

    errno = ENAMETOOLONG;
    if (file_name(platform, name, sizeof(name)))
        file = open_file(name, false);
    if (file < 0)
        weft_log(WEFT_LOG_SETTINGS, "WEFT_TRACE=%s is ignored: %s", platform->settings.trace,
                 reason());
    else
        close(file);
    return file >= 0;
}

void weft_timeline_start(weft_platform *platform, bool in_child) {
    const char *name = platform->settings.trace;
    bool parents = platform->trace != NULL;

    if (!name || (!in_child && parents))
        return; /* or an earlier call began, and failed later on */
    platform->trace = NULL;
    if ((in_child && !strstr(name, "%p")) || !try_file(platform))
        return;
    platform->trace = weft_trace_create(platform->settings.trace_megabytes);
    if (platform->trace && !parents) { /* else they are inherited */
        /* Weft has no destructors; whoever asks for a timeline gets these two handlers. */
        atexit(at_exit);
        at_quick_exit(at_exit);
    }
}
