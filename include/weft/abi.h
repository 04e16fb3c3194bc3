// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The structures that compiled kernels, the kernel library and a device share.
 *
 * Compiled images are kept in caches and in program binaries, so this layout is versioned: whoever
 * changes a structure here raises WEFT_ABI_VERSION, and older images become cache misses. The
 * header compiles as C11, as C++17 (the compiler process reads offsets from it) and depends on
 * nothing but <stdint.h>. All addresses are 64 bits wide, whatever machine runs the compiler.
 */
#ifndef WEFT_ABI_H
#define WEFT_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_ABI_VERSION 6u

/** Alignment of argument blocks, local memory, arenas and buffers: the largest OpenCL C type. */
#define WEFT_BLOCK_ALIGN 128u

/** Private variables take no more than half of this in a frame; the rest lives in the worker's
 * arena. A kernel whose whole stack is larger (by spills) gets a remark. */
#define WEFT_MAX_FRAME 4096u

/** What compiled code may use of a thread's stack, with all that it calls. */
#define WEFT_MAX_STACK 131072u

/** A kernel is called with its stack at a multiple of this (C's convention: 16), so that what it
 * has of the widest registers there lies in one line of the cache each. */
#define WEFT_STACK_ALIGN 64

struct weft_launch;
struct weft_worker;
struct weft_pipe;

/**
 * A compiled kernel: runs `group_count` work-groups, the first of which has the linear number
 * `first_group` (x fastest). Called concurrently from many workers with the same launch; never
 * unwinds, never blocks except in services. See WEFT_STACK_ALIGN.
 */
typedef void weft_entry_fn(const struct weft_launch *launch, struct weft_worker *worker,
                           uint64_t first_group, uint64_t group_count);

/* ---- what a launch is ----------------------------------------------------------------------- */

/** Everything that all groups of one ND-range share. Read-only while the kernel runs. */
typedef struct weft_launch {
    uint32_t abi_version;
    uint32_t work_dim; /* 1..3 */
    const void *args;  /* argument block, layout in weft_kernel_info */
    uint64_t global_size[3];
    uint64_t global_offset[3];
    uint64_t local_size[3]; /* enqueued size; the last group of a row may be smaller */
    uint64_t num_groups[3]; /* rounded up: counts the smaller last group */
    uint64_t local_bytes;   /* local memory of one group, static part included */
    uint64_t run_bytes;     /* arena bytes per run, see weft_body_info */
    uint32_t sub_group_size;
    uint32_t max_sub_groups;
    void *program_data; /* writable program-scope variables of (program, device) */
    const struct weft_services *services;
    void *command; /* the device's own handle: printf sink, parent of enqueued kernels */
    uint32_t
        apart; /* 1: of the buffers that weft_kernel_info.apart names none overlaps a written one */
    uint32_t reserved0;
    uint64_t reserved[7];
} weft_launch;

/** What one thread brings along. Exclusive to the thread while a chunk runs. */
typedef struct weft_worker {
    void *local_memory;   /* launch->local_bytes, WEFT_BLOCK_ALIGN aligned */
    void *private_memory; /* fixed_bytes + runs of a group * run_bytes, aligned alike */
    uint32_t index;       /* 0-based within the device */
    uint32_t reserved0;
    void *device;      /* the device's own handle */
    void *private_end; /* end of what private_memory is part of; the same where there is none */
    uint64_t reserved[11];
} weft_worker;

/* ---- services ------------------------------------------------------------------------------- */

/**
 * A printf record, written by compiled code: this header, then `arg_count` arguments. Each argument
 * is a weft_printf_arg followed by its value (lanes * element_size bytes), padded to 8 bytes.
 * The format and strings are constants of the image, which the command pins until it has ended.
 */
typedef struct weft_printf_record {
    uint32_t bytes; /* whole record, a multiple of 8 */
    uint32_t arg_count;
    const char *format;
} weft_printf_record;

enum { WEFT_PRINTF_INT = 0, WEFT_PRINTF_FLOAT = 1, WEFT_PRINTF_POINTER = 2 };

typedef struct weft_printf_arg {
    uint8_t kind;         /* WEFT_PRINTF_* */
    uint8_t element_size; /* bytes: 1, 2, 4, 8 */
    uint8_t lanes;        /* 1, 2, 3, 4, 8, 16 */
    uint8_t reserved[5];
} weft_printf_arg;

/** ndrange_t as device code sees it. */
typedef struct weft_ndrange {
    uint32_t work_dim;
    uint32_t reserved;
    uint64_t global_offset[3];
    uint64_t global_size[3];
    uint64_t local_size[3]; /* 0: chosen by the device */
} weft_ndrange;

/** A block literal for device-side enqueue: Clang's layout for OpenCL, captures behind it. */
typedef struct weft_block {
    uint32_t size;
    uint32_t align;
    const void *invoke;
} weft_block;

/** Why compiled code gives up a command. */
enum {
    WEFT_FAULT_TRAP = 1,          /* __builtin_trap, unreachable code */
    WEFT_FAULT_BOUNDS = 2,        /* check mode: access outside of every object */
    WEFT_FAULT_UNINITIALISED = 3, /* check mode */
    WEFT_FAULT_RACE = 4,          /* check mode */
    WEFT_FAULT_DIVERGENCE = 5,    /* check mode: a barrier not reached by all */
    /* What stages of the compiler claim and check with WEFT_CHECKS (docs/differential.md): */
    WEFT_FAULT_MASK = 16,  /* linearise: a lane's mask says that it is where its own way leads */
    WEFT_FAULT_SHAPE = 17, /* widen: a value is the same, or strided, in all lanes */
    WEFT_FAULT_EXIT = 18,  /* regions: the barrier, or end, that an item comes to is the one that is
                              foretold, and the same for the whole group */
    WEFT_FAULT_GROUP =
        19 /* regions: a value that is kept once for the group is that of each item */
};

/**
 * Calls from compiled code into the device. Every member is set; a service that this version of the
 * device does not offer returns its failure value (named per line). Members are only ever appended.
 */
typedef struct weft_services {
    uint32_t abi_version;
    uint32_t bytes; /* sizeof(weft_services) of the provider */

    /* Room for one printf record of `bytes`; NULL: dropped, printf returns -1. Commit publishes. */
    void *(*printf_reserve)(const weft_launch *launch, weft_worker *worker, uint32_t bytes);
    void (*printf_commit)(const weft_launch *launch, weft_worker *worker, void *record);

    /* Ends the command with an error; returns, the kernel goes on harmlessly or returns. */
    void (*fault)(const weft_launch *launch, weft_worker *worker, uint32_t fault, uint64_t detail,
                  const char *text);

    /* Pipes: 0 done, -1 no packet, no room or no such reservation. Reservation 0 is invalid. */
    int32_t (*pipe_read)(struct weft_pipe *pipe, void *packet);
    int32_t (*pipe_write)(struct weft_pipe *pipe, const void *packet);
    uint64_t (*pipe_reserve)(struct weft_pipe *pipe, uint32_t packets, uint32_t is_write);
    int32_t (*pipe_access)(struct weft_pipe *pipe, uint64_t reservation, uint32_t index,
                           void *packet, uint32_t is_write);
    void (*pipe_commit)(struct weft_pipe *pipe, uint64_t reservation, uint32_t is_write);

    /*
     * Device-side enqueue: 0 or a negative CLK_ error. `kernel` names the block's kernel in the
     * image of the launch, a constant of that image. Its first argument is the address of a copy
     * of what the block captured that lives until the child has ended, the others are local memory
     * of so many bytes. An event that a call does not give is WEFT_NULL_EVENT.
     */
    int32_t (*enqueue)(const weft_launch *parent, weft_worker *worker, void *queue, uint32_t flags,
                       const weft_ndrange *range, uint32_t wait_count, void *const *wait_list,
                       void **event, const char *kernel, const void *captures,
                       uint64_t capture_bytes, uint32_t local_count, const uint64_t *local_bytes);
    int32_t (*enqueue_marker)(const weft_launch *parent, weft_worker *worker, void *queue,
                              uint32_t wait_count, void *const *wait_list, void **event);
    void *(*create_user_event)(const weft_launch *parent); /* WEFT_NULL_EVENT */
    void (*set_user_event_status)(const weft_launch *launch, weft_worker *worker, void *event,
                                  int32_t state);
    void (*retain_event)(void *event);
    void (*release_event)(void *event);
    uint32_t (*is_valid_event)(void *event); /* 0 */
    void (*capture_profiling)(void *event, uint32_t name, void *value);
    void *(*default_queue)(const weft_launch *launch); /* NULL */
    /* WEFT_QUERY_* about a block's kernel. */
    uint32_t (*query_kernel)(const weft_launch *launch, weft_worker *worker, const char *kernel,
                             uint32_t query);
    /* Sub-groups in each full work-group of a block's kernel for a range; 0: no valid range. */
    uint32_t (*sub_group_count)(const weft_launch *launch, weft_worker *worker, const char *kernel,
                                const weft_ndrange *range);
    /* Work-items of a group with so many whole sub-groups; 0: there is none. */
    uint32_t (*sub_group_local_size)(const weft_launch *launch, weft_worker *worker,
                                     const char *kernel, uint32_t count);
} weft_services;

/** CLK_NULL_EVENT: no event. A null pointer is none either. */
#define WEFT_NULL_EVENT ((void *)UINTPTR_MAX)

enum {
    WEFT_QUERY_GROUP_SIZE = 0,
    WEFT_QUERY_GROUP_MULTIPLE = 1,
    WEFT_QUERY_SUB_GROUP_SIZE = 2,
    WEFT_QUERY_MAX_SUB_GROUPS = 3
};

/** kernel_enqueue_flags_t: what a child waits for before it starts. */
enum {
    WEFT_ENQUEUE_NO_WAIT = 0,
    WEFT_ENQUEUE_WAIT_KERNEL = 1,    /* all work-items of its parent */
    WEFT_ENQUEUE_WAIT_WORK_GROUP = 2 /* all work-items of the work-group that enqueued it */
};

/* ---- objects that arguments point to -------------------------------------------------------- */

/** How one channel is stored: the low byte of a texel code. */
enum {
    WEFT_COMPONENT_UNORM8 = 0,
    WEFT_COMPONENT_UNORM16 = 1,
    WEFT_COMPONENT_SNORM8 = 2,
    WEFT_COMPONENT_SNORM16 = 3,
    WEFT_COMPONENT_S8 = 4,
    WEFT_COMPONENT_S16 = 5,
    WEFT_COMPONENT_S32 = 6,
    WEFT_COMPONENT_U8 = 7,
    WEFT_COMPONENT_U16 = 8,
    WEFT_COMPONENT_U32 = 9,
    WEFT_COMPONENT_HALF = 10,
    WEFT_COMPONENT_FLOAT = 11,
    WEFT_COMPONENT_SRGB8 = 12, /* alpha is UNORM8 */
    /* whole pixels */
    WEFT_COMPONENT_565 = 13,
    WEFT_COMPONENT_555 = 14,
    WEFT_COMPONENT_101010 = 15,
    WEFT_COMPONENT_1010102 = 16
};

/** Order of the channels in memory, for what has quick ways of its own. */
enum {
    WEFT_LAYOUT_PLAIN = 0, /* R, RG, RGBA, DEPTH */
    WEFT_LAYOUT_BGRA = 1,
    WEFT_LAYOUT_OTHER = 2 /* read_map and write_map tell */
};

/** A texel code: what is stored for a pixel. */
#define WEFT_TEXEL(component, channels, layout)                                                    \
    ((uint32_t)(component) | (uint32_t)(channels) << 8 | (uint32_t)(layout) << 16)
#define WEFT_TEXEL_COMPONENT(texel) ((texel) & 255u)
#define WEFT_TEXEL_CHANNELS(texel)  ((texel) >> 8 & 255u)

/**
 * read_map: four bits for each of r, g, b, a: the channel it comes from, or one of these constants.
 * write_map: four bits for each channel: the component (0 r .. 3 a) that is stored there.
 */
enum {
    WEFT_MAP_ZERO = 4,
    WEFT_MAP_ONE = 5,
    WEFT_MAP_OPAQUE_BORDER = 1 << 16 /* in read_map: the border colour is (0, 0, 0, 1) */
};

/**
 * An image as kernels see it. Sizes in pixels, pitches in bytes; unused dimensions are 1.
 * kernel-lib/image/image.h has the same struct in OpenCL C.
 */
typedef struct weft_image_desc {
    void *data;
    uint32_t object_type; /* CL_MEM_OBJECT_IMAGE* */
    uint32_t channel_order;
    uint32_t channel_type;
    uint32_t element_bytes;
    uint32_t width, height, depth, array_size;
    uint64_t row_pitch, slice_pitch; /* a 1D array's images are slice_pitch apart */
    uint32_t mip_levels, samples;
    uint32_t texel; /* WEFT_TEXEL */
    uint32_t read_map, write_map;
    uint32_t reserved0;
    uint64_t reserved[2];
} weft_image_desc;

/** A sampler is a value: these bits, so that a constant sampler folds away. */
enum {
    WEFT_SAMPLER_NORMALIZED = 1u << 0,
    WEFT_SAMPLER_LINEAR = 1u << 1,
    WEFT_SAMPLER_ADDRESS_SHIFT = 4, /* 0 none, 1 clamp to edge, 2 clamp, 3 repeat, 4 mirror */
    WEFT_SAMPLER_ADDRESS_MASK = 7u << 4
};

/** A pipe: header, then `max_packets` packets of `packet_size`, then so many bytes for each packet
 * that are the device's. Counters only grow. */
#define WEFT_PIPE_PACKETS_AT 128u
#define WEFT_PIPE_MARKS      2u
typedef struct weft_pipe {
    uint32_t packet_size;
    uint32_t max_packets;
    uint64_t head, tail;                    /* packets visible to readers: head <= n < tail */
    uint64_t read_reserved, write_reserved; /* taken by reservations, not yet committed */
    uint64_t reserved[10];                  /* the device's; 0 first of all */
} weft_pipe;

/* ---- image metadata ------------------------------------------------------------------------- */

/**
 * A compiled image is an ELF shared object with relative relocations only, no imports, and one note
 * (owner "Weft", type WEFT_NOTE_IMAGE) whose descriptor is this table: weft_image_info, then arrays
 * that it names by byte offsets from its own start, then strings. Offset 0 of a string: "".
 */
#define WEFT_NOTE_OWNER  "Weft"
#define WEFT_NOTE_IMAGE  1u
#define WEFT_IMAGE_MAGIC 0x74666557u /* "Weft" */

/**
 * Debug information (-g) names this folder, with slashes up to WEFT_SOURCES_BYTES, for the source
 * text that the image carries; whoever writes the text somewhere puts the real folder in its place.
 */
#define WEFT_SOURCES_FOLDER "/weft-sources-of-this-image"
#define WEFT_SOURCES_BYTES  1024u

typedef struct weft_image_info {
    uint32_t magic;
    uint32_t abi_version;
    uint32_t bytes; /* whole table, strings included */
    uint32_t kernel_count;
    uint32_t kernels; /* offset of weft_kernel_info[kernel_count] */
    uint32_t args;    /* offset of weft_arg_info[arg_count] of all kernels */
    uint32_t arg_count;
    uint32_t strings;    /* offset of the strings, each NUL-terminated, the last byte is NUL */
    uint32_t isa;        /* string: the feature set that the code needs, canonical, as in isa.h */
    uint32_t options;    /* string: build options */
    uint64_t data_bytes; /* size of the program-scope data block, 0: none */
    uint64_t data_init;  /* image address of the block's initial bytes */
    uint32_t data_init_bytes; /* the rest is zero */
    uint32_t data_align;
    uint32_t fixups; /* offset of weft_data_fixup[fixup_count] */
    uint32_t fixup_count;
    uint32_t init_kernel; /* index + 1 of the program's constructor kernel, 0: none */
    uint32_t fini_kernel;
    uint64_t reserved[8];
} weft_image_info;

/** A pointer inside the program-scope data block: *(block + at) = base + addend. */
typedef struct weft_data_fixup {
    uint64_t at;
    uint64_t addend;
    uint32_t base; /* 0: the image, 1: the block itself */
    uint32_t reserved;
} weft_data_fixup;

enum {
    WEFT_KERNEL_BARRIER = 1u << 0,
    WEFT_KERNEL_PRINTF = 1u << 1,
    WEFT_KERNEL_FLAT = 1u << 2, /* results do not depend on how items are grouped */
    WEFT_KERNEL_LOCAL = 1u << 3,
    WEFT_KERNEL_SUB_GROUPS = 1u << 4,
    WEFT_KERNEL_ENQUEUES = 1u << 5,
    WEFT_KERNEL_FTZ = 1u << 6, /* run with denormals flushed (-cl-denorms-are-zero) */
    WEFT_KERNEL_UNIFORM_GROUPS = 1u << 7,
    WEFT_KERNEL_BLOCK = 1u << 8,   /* enqueued by kernels only; behind all others of its image */
    WEFT_KERNEL_SCATTERS = 1u << 9 /* neighbours write far apart: groups are as the cache likes */
};

/** A kernel's bodies: vectors along rows, vectors of consecutive linear ids, vectors along rows of
 * half as many items, one item at a time, vectors along columns, and one item that is alone in its
 * group, for launches whose groups all are of one. The body of columns takes a launch whose first
 * two dimensions are exchanged (global_size, global_offset, local_size, num_groups), and gives
 * items the ids that they have without that. */
enum {
    WEFT_SHAPE_ROWS = 0,
    WEFT_SHAPE_LINEAR = 1,
    WEFT_SHAPE_NARROW = 2,
    WEFT_SHAPE_SINGLE = 3,
    WEFT_SHAPE_TURNED = 4,
    WEFT_SHAPE_LONE = 5,
    WEFT_SHAPE_COUNT = 6
};

typedef struct weft_body_info {
    uint64_t entry;     /* image address of weft_entry_fn, 0: no such shape */
    uint64_t run_bytes; /* arena, per run */
    uint32_t width;     /* work-items of a run, or fewer at the end of a row or group */
    uint32_t run_cost;  /* of one run, by estimate, in cycles; 0: not known */
} weft_body_info;

typedef struct weft_kernel_info {
    uint32_t name;
    uint32_t attributes;           /* string: CL_KERNEL_ATTRIBUTES */
    uint32_t vec_type_hint;        /* string */
    uint32_t flags;                /* WEFT_KERNEL_* */
    uint32_t first_arg, arg_count; /* in weft_image_info.args */
    uint32_t args_bytes;           /* argument block */
    uint32_t width;                /* of WEFT_SHAPE_ROWS; 1: scalar */
    weft_body_info body[WEFT_SHAPE_COUNT];
    uint64_t local_bytes;        /* static __local variables; arguments' blocks follow */
    uint64_t fixed_bytes;        /* arena, once per group */
    uint64_t private_bytes;      /* CL_KERNEL_PRIVATE_MEM_SIZE */
    uint32_t frame_bytes;        /* measured stack frame of the deepest call chain */
    uint32_t sub_group_size;     /* items of all sub-groups but a group's last: `width` */
    uint64_t reqd_local_size[3]; /* 0 0 0: none */
    uint64_t local_size_hint[3];
    uint32_t reqd_sub_group_size; /* intel_reqd_sub_group_size; 0: none */
    uint32_t reqd_sub_groups;     /* CL_KERNEL_COMPILE_NUM_SUB_GROUPS; 0: none */
    /* A bit for each argument, a buffer, that the launch is to tell from the others
     * (weft_launch.apart): code that gains from that asks. */
    uint64_t apart;
    /* Those of them that are written there: two that are not may overlap. 0: all may be. */
    uint64_t apart_written;
    uint64_t reserved;
} weft_kernel_info;

enum {
    WEFT_ARG_VALUE = 0,    /* `bytes` by value */
    WEFT_ARG_GLOBAL = 1,   /* address */
    WEFT_ARG_CONSTANT = 2, /* address */
    WEFT_ARG_LOCAL = 3,    /* 8 bytes: offset into the group's local memory */
    WEFT_ARG_IMAGE = 4,    /* address of weft_image_desc */
    WEFT_ARG_SAMPLER = 5,  /* 4 bytes of WEFT_SAMPLER_* */
    WEFT_ARG_PIPE = 6,     /* address of weft_pipe */
    WEFT_ARG_QUEUE = 7     /* handle of a device queue */
};

/* Values of weft_arg_info.type_qualifiers, access and address equal the CL_KERNEL_ARG_* enums. */
typedef struct weft_arg_info {
    uint32_t name;      /* string; "" without -cl-kernel-arg-info */
    uint32_t type_name; /* string; "" likewise */
    uint32_t offset;    /* in the argument block */
    uint32_t bytes;     /* what clSetKernelArg expects; for LOCAL: size of the pointed-to type */
    uint32_t align;     /* of the slot; for LOCAL: of the block */
    uint8_t kind;       /* WEFT_ARG_* */
    uint8_t reserved8[3];
    uint32_t address_qualifier;
    uint32_t access_qualifier;
    uint64_t type_qualifiers;
    uint32_t has_info;   /* 1: name, type and qualifiers were recorded */
    uint32_t image_type; /* IMAGE: CL_MEM_OBJECT_IMAGE*; 0: not known */
} weft_arg_info;

#ifdef __cplusplus
}
#endif

#endif
