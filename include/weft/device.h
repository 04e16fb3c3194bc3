// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What the runtime asks of a device: one table of functions. The runtime knows devices only through
 * this header; a device knows nothing of the runtime's objects.
 *
 * Sizes are bytes and times nanoseconds unless a name says otherwise. All functions may be called
 * from any thread unless their comment says more. Errors are OpenCL's (negative cl_int) values.
 */
#ifndef WEFT_DEVICE_H
#define WEFT_DEVICE_H

#include "weft/abi.h"
#include "weft/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_device weft_device;             /* a device or sub-device; opaque */
typedef struct weft_image weft_image;               /* a loaded compiled image; opaque */
typedef struct weft_device_queue weft_device_queue; /* kernels enqueue to it; opaque */
typedef struct weft_device_ops weft_device_ops;

/* ---- what a device is ------------------------------------------------------------------------ */

/** At most so many events of children and user events of one host command are in the hands of its
 *  kernels. */
enum { WEFT_MAX_EVENTS = 65536 };

/** Facts that do not change while the device exists. Strings belong to the device. */
typedef struct weft_device_caps {
    const char *name;       /* the CPU's brand string */
    const char *maker;      /* of the CPU, as cpuid has it: "GenuineIntel", "AuthenticAMD" */
    const char *isa;        /* canonical feature set, as given to the compiler and cache keys */
    uint32_t vendor_id;     /* PCI vendor of the CPU's maker: 0x8086, 0x1022, or 0 */
    uint32_t compute_units; /* min(affinity mask, cpuset, cpu quota rounded up) */
    uint32_t clock_mhz;     /* 0: cpuid does not say, see clock_mhz() */
    uint32_t vector_bytes;  /* width of the widest vector register that code uses */
    uint32_t cache_line_bytes;
    uint64_t cache_bytes;  /* last-level data cache */
    uint64_t memory_bytes; /* min(RAM, cgroup limit) */
    uint64_t local_bytes;  /* local memory of one group */
    uint64_t max_group_items;
    bool has_fma;
    bool has_f16c;
} weft_device_caps;

/** The next multiple of WEFT_BLOCK_ALIGN. */
static inline uint64_t weft_block_align(uint64_t bytes) {
    return (bytes + WEFT_BLOCK_ALIGN - 1) & ~(uint64_t)(WEFT_BLOCK_ALIGN - 1);
}

/* ---- code ------------------------------------------------------------------------------------ */

/** One kernel of a loaded image. */
typedef struct weft_kernel_code {
    const weft_kernel_info *info;
    const weft_arg_info *args; /* info->arg_count of them */
    weft_entry_fn *entry[WEFT_SHAPE_COUNT];
    bool foreign; /* a function of the application's: runs on the device's threads only */
    const char *name;
    const weft_image *image; /* that it is of; NULL: foreign */
} weft_kernel_code;

/* ---- work ------------------------------------------------------------------------------------ */

/** One rectangular copy or fill: `planes` x `rows` x `row_bytes`. */
typedef struct weft_transfer {
    void *to;
    const void *from;    /* NULL: fill with `pattern` */
    size_t row_bytes;    /* 1 row, 1 plane: linear */
    size_t rows, planes; /* at least 1 */
    size_t to_row_pitch, to_plane_pitch;
    size_t from_row_pitch, from_plane_pitch;
    uint8_t pattern[128];
    uint32_t pattern_bytes; /* power of two <= 128 */
} weft_transfer;

typedef enum weft_work_kind {
    WEFT_WORK_KERNEL,   /* an ND-range, cut into chunks of groups; waiting threads may help */
    WEFT_WORK_TRANSFER, /* cut into chunks of bytes; waiting threads may help */
    WEFT_WORK_HOST      /* one function on one worker; never on a waiting thread */
} weft_work_kind;

/** A thread while it runs chunks. */
typedef struct weft_runner {
    void *waiter; /* what `run` or `help` was given; NULL: a thread of the device */
} weft_runner;

/**
 * A command whose dependencies are met. Owned by the runtime; the device only links it while it is
 * submitted, and reads everything above `done`. `device` is all zero when it is handed over.
 *
 * Life: submit or run -> begin(work) on the thread that takes the first chunk -> chunks on any
 * threads -> done(work, status, runner) exactly once, on the thread that ends the last chunk;
 * runner is that thread, to be passed on when done submits further work. After done is called the
 * device does not touch the work again. status is CL_SUCCESS or a negative error.
 *
 * A kernel that has enqueued others is done when they are, and what they enqueued: ended(work)
 * tells when its own work-items are, if that is earlier. The status is the first error of all of
 * them.
 */
typedef struct weft_work {
    weft_work_kind kind;
    int8_t priority; /* 1 before 0 before -1, at chunks' ends also of what runs already */
    bool frugal;     /* no sleeping thread is to be woken for a share of it */
    union {
        struct {
            const weft_kernel_code *code;
            weft_launch launch;               /* complete but for services and command */
            weft_device_queue *default_queue; /* of get_default_queue(); NULL: none */
            _Atomic(void *) family;           /* the device's: what it has enqueued; NULL */
        } kernel;
        struct {
            const weft_transfer *items;
            uint32_t count;
        } transfer;
        struct {
            int32_t (*run)(void *user); /* returns the status */
            void *user;
        } host;
    };
    _Atomic uint32_t fault; /* WEFT_FAULT_* for which compiled code gave it up; 0: none */
    uint64_t trace_id;      /* of its chunks in a timeline (weft_trace_id); unused without one */
    void (*begin)(struct weft_work *work);
    /* Another thread is about to run its first chunk: perhaps before begin, whose thread may have
     * been interrupted on its way, perhaps on several threads at once. NULL: need not be told. */
    void (*joined)(struct weft_work *work);
    void (*ended)(struct weft_work *work); /* NULL: need not be told */
    void (*done)(struct weft_work *work, int32_t status, weft_runner *runner);

    /* Private to the device. All threads write the first two, for each chunk. For 48 bytes before
     * and behind, which is all that a cache line can hold beside them, there is nothing that they
     * also read for each chunk. */
    struct {
        _Alignas(16) _Atomic uint64_t cursor; /* next chunk */
        _Atomic uint32_t open; /* threads that may still run chunks, and the list; 0: not there */
        bool listed, measure, begun;
        bool is_long; /* so that threads are woken from another CPU */
        struct weft_work *next;
        _Atomic(void *) output; /* printf records */
        weft_edges waiting;     /* children that start when its own work-items have ended */
        uint64_t arena_bytes, chunks, unused;
        /* Read for each chunk. */
        weft_entry_fn *entry;
        uint64_t units; /* groups, or pieces of a transfer */
        uint64_t base;  /* first unit of chunk 0 */
        uint64_t chunk_size;
        _Atomic int32_t status;
    } device;
} weft_work;

/* ---- the table ------------------------------------------------------------------------------- */

struct weft_device_ops {
    /** Stops nothing that runs: waits for submitted work to end, joins threads, frees. A part's
     *  threads are not waited for, because they may be the callers; they end when idle. */
    void (*destroy)(weft_device *device);

    /**
     * Along one CL_DEVICE_AFFINITY_DOMAIN_* (not NEXT_PARTITIONABLE) the compute units form so many
     * groups, each a range of units; the first `room` of their sizes are stored. 0: the machine
     * has no such level, or it is not known. The first call reads the topology.
     */
    uint32_t (*groups)(weft_device *device, uint64_t domain, uint32_t *sizes, uint32_t room);
    /** A device of `count` of the compute units, from number `first` on: its work runs on them
     *  only, and its memory lies next to them. NULL: out of memory. */
    weft_device *(*part)(weft_device *device, uint32_t first, uint32_t count);

    const weft_device_caps *(*caps)(const weft_device *device);
    /** Highest clock in MHz where caps do not know it; may read files. 0: unknown. */
    uint32_t (*clock_mhz)(const weft_device *device);

    /** Memory for buffers, WEFT_BLOCK_ALIGN aligned, zero-filled. NULL: out of memory. */
    void *(*memory_alloc)(weft_device *device, size_t bytes, size_t align);
    void (*memory_free)(weft_device *device, void *memory, size_t bytes);
    /** Bytes of a pipe with its packets; to be zero but for packet_size and max_packets. */
    uint64_t (*pipe_bytes)(uint32_t packet_size, uint32_t max_packets);

    /** A queue for kernels that run on the device: its commands that have not ended take at most
     *  `bytes`. NULL: out of memory. It lives until no command that may use it is left. */
    weft_device_queue *(*queue_create)(weft_device *device, uint32_t bytes);
    void (*queue_destroy)(weft_device_queue *queue);

    /**
     * Checks every byte of a compiled image that it relies on (the image may come from a damaged
     * file), maps it and applies relocations. On failure *error_text is a static sentence and the
     * result CL_INVALID_BINARY or CL_OUT_OF_HOST_MEMORY. `bytes` is not needed afterwards.
     */
    int32_t (*image_load)(weft_device *device, const void *bytes, size_t size, weft_image **image,
                          const char **error_text);
    void (*image_retain)(weft_image *image);
    void (*image_release)(weft_image *image);
    const weft_image_info *(*image_info)(const weft_image *image);
    /** NULL if `index` is out of range. Valid as long as the image. */
    const weft_kernel_code *(*image_kernel)(const weft_image *image, uint32_t index);
    /** Address of the initial bytes of the program-scope data block, NULL: none. */
    const void *(*image_data)(const weft_image *image);
    /** Image base for weft_data_fixup. */
    uint64_t (*image_base)(const weft_image *image);

    /**
     * Hands over work to the device's threads. runner: the thread that calls, if it does so from
     * inside done(); else NULL. Cannot fail: work that cannot be run ends with
     * done(CL_OUT_OF_RESOURCES). Where threads cannot be started at all, the calling thread runs
     * it before the call returns; so no lock may be held.
     */
    void (*submit)(weft_device *device, weft_work *work, weft_runner *runner);
    /** True for work of one chunk of a kind that `run` takes: waking a thread costs more. */
    bool (*is_small)(weft_device *device, const weft_work *work);
    /**
     * The calling thread runs work that was not submitted, together with the device's threads if it
     * is large. False, and nothing was done, if it must not: work for a host function, a stack that
     * does not suffice. After true the work may be gone, or its last chunks still run elsewhere.
     */
    bool (*run)(weft_device *device, weft_work *work, void *waiter);
    /**
     * The calling thread takes chunks of work that was submitted, under the same conditions.
     * Returns true if it ran at least one. The caller keeps the work's memory alive.
     */
    bool (*help)(weft_device *device, weft_work *work, void *waiter);

    /** Device clock of profiling and clGetDeviceAndHostTimer: CLOCK_MONOTONIC, strictly rising. */
    uint64_t (*time_ns)(const weft_device *device);
};

/** The CPU device's table. */
const weft_device_ops *weft_cpu_ops(void);

/** How perf learns names: not at all, /tmp/perf-PID.map, a jitdump for perf inject. */
enum { WEFT_PERF_OFF, WEFT_PERF_MAP, WEFT_PERF_JITDUMP };

/** Which body a launch takes, where its kernel has several. */
enum weft_shape_choice {
    WEFT_SHAPE_CHOSEN,
    WEFT_SHAPE_FORCE_ROWS,
    WEFT_SHAPE_FORCE_LINEAR,
    WEFT_SHAPE_FORCE_NARROW,
    WEFT_SHAPE_FORCE_SINGLE,
    WEFT_SHAPE_FORCE_TURNED,
    WEFT_SHAPE_FORCE_LONE /* in groups of one */
};

/** Settings of the CPU device, from the runtime's table of settings. Zero means: decide. */
typedef struct weft_cpu_settings {
    const char *isa;       /* forced lower feature set: "v1" .. "v4", NULL: what the CPU has */
    uint32_t threads;      /* size of the pool */
    uint32_t chunk_groups; /* fixed chunk size */
    uint32_t shuffle_seed; /* not 0: groups in a shuffled order */
    enum weft_shape_choice shape;
    bool pin_threads;
    bool no_herald; /* threads are woken by who hands over work, also in a virtual machine */
    struct weft_trace *trace; /* records chunks; NULL: no */
    bool printf_immediate;    /* write printf output record by record instead of at the end */
    bool debugger;            /* register images with gdb */
    uint32_t perf;            /* WEFT_PERF_*: tell perf the names of compiled code */
    const char *folder;       /* the cache folder, absolute; NULL or "": none */
    const char *synthetic;    /* machine to be simulated, in hwloc's notation; kept by the caller */
} weft_cpu_settings;

/** Creates a CPU device: no threads and no hwloc yet. NULL: out of memory. */
weft_device *weft_cpu_create(const weft_cpu_settings *settings);
/** How many CPUs a machine to be simulated has; 0: hwloc does not understand it, or is not there.
 *  Loads hwloc, so never under a lock. */
uint32_t weft_cpu_synthetic_units(const char *synthetic);

#endif
