// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** A kernel that plays scripts of device-side enqueues, in OpenCL C (family.c). */
#ifndef WEFT_FUZZ_FAMILY_H
#define WEFT_FUZZ_FAMILY_H

/* What a step does; the numbers are those of the text below. */
enum op {
    STEP_KERNEL = 1,
    STEP_LOCALS, /* as KERNEL, with `value` bytes of local memory */
    STEP_MARKER,
    STEP_USER,
    STEP_SET,
    STEP_RELEASE,
    STEP_RETAIN,
    STEP_CAPTURE,
    STEP_PUBLISH, /* shows an event to another kernel and waits for that, for a while */
    STEP_TAKE,
    STEP_DONE, /* with what was taken */
    STEPS
};

enum { EVENTS = 8, MOST_STEPS = 32 };

/* Places in a script's results, in ints. */
enum { AT_BAD = 0, AT_CODES = 64, AT_COUNTS = 128, AT_TIMES = 256, RESULTS = 512 };

/* A block counts its items in `counts`; before that it looks whether all that it waits for (`need`,
 * by numbers of steps) has been counted to the end, and so its parent if it is to wait for that.
 * PUBLISH goes on for good only if the other one is there: until then it may go away. */
static const char family_text[] =
    "typedef struct { uint op, into, waits, flags, items, from, to, value, need, parent, group,\n"
    "                      unused; } step;\n"
    "enum { KERNEL = 1, LOCALS, MARKER, USER, SET, RELEASE, RETAIN, CAPTURE, PUBLISH, TAKE, DONE "
    "};\n"
    "enum { BAD = 0, CODES = 64, COUNTS = 128, TIMES = 256 };\n"
    "#define NOW(x) atomic_or(&(x), 0)\n"
    "void play(queue_t q, global const step *s, uint from, uint to, global int *r,\n"
    "          global int *other);\n"
    "void work(queue_t q, global const step *s, uint at, global int *r, global int *other) {\n"
    "    for (uint i = 0; i < 32; i++)\n"
    "        if (s[at].need >> i & 1 && NOW(r[COUNTS + i]) != s[i].items) atomic_or(&r[BAD], 1);\n"
    "    if (s[at].flags == 1 && NOW(r[COUNTS + s[at].parent]) != s[s[at].parent].items)\n"
    "        atomic_or(&r[BAD], 2);\n"
    "    if (get_global_id(0) == 0) play(q, s, s[at].from, s[at].to, r, other);\n"
    "    atomic_inc(&r[COUNTS + at]);\n"
    "}\n"
    "#define VALUE(e) *(ulong *)&(e)\n"
    "void play(queue_t q, global const step *s, uint from, uint to, global int *r,\n"
    "          global int *other) {\n"
    "    clk_event_t e[8], list[8], none = CLK_NULL_EVENT;\n"
    "    bool taken = false;\n"
    "    for (int i = 0; i < 8; i++) e[i] = none;\n"
    "    for (uint at = from; at < to; at++) {\n"
    "        const kernel_enqueue_flags_t f = s[at].flags;\n"
    "        const ndrange_t range = s[at].group ? ndrange_1D(s[at].items, s[at].group)\n"
    "                                            : ndrange_1D(s[at].items);\n"
    "        clk_event_t *out = s[at].into < 8 ? &e[s[at].into] : (clk_event_t *)0, mine = none;\n"
    "        if (out) mine = *out;\n"
    "        int code = 0;\n"
    "        uint n = 0;\n"
    "        for (uint i = 0; i < 8; i++) if (s[at].waits >> i & 1) list[n++] = e[i];\n"
    "        switch (s[at].op) {\n"
    "        case KERNEL:\n"
    "            code = n || out ? enqueue_kernel(q, f, range, n, n ? list : (clk_event_t *)0, "
    "out,\n"
    "                                             ^{ work(q, s, at, r, other); })\n"
    "                            : enqueue_kernel(q, f, range, ^{ work(q, s, at, r, other); });\n"
    "            break;\n"
    "        case LOCALS:\n"
    "            code = enqueue_kernel(q, f, range, n, list, out, ^(local void *m) {\n"
    "                ((local char *)m)[get_local_id(0)] = 1; work(q, s, at, r, other); },\n"
    "                s[at].value);\n"
    "            break;\n"
    "        case MARKER: code = enqueue_marker(q, n, list, out); break;\n"
    "        case USER: *out = create_user_event(); break;\n"
    "        case SET: set_user_event_status(mine, (int)s[at].value); break;\n"
    "        case RELEASE: release_event(mine); if (s[at].value) *out = none; break;\n"
    "        case RETAIN: retain_event(mine); break;\n"
    "        case CAPTURE: capture_event_profiling_info(mine, CLK_PROFILING_COMMAND_EXEC_TIME,\n"
    "                                                   (global ulong *)(r + TIMES) + 2 * at); "
    "break;\n"
    "        case PUBLISH:\n"
    "            *(global ulong *)(other + 2) = VALUE(mine);\n"
    "            atomic_xchg(&other[0], 1);\n"
    "            for (int i = 0; i < 100000 && NOW(other[0]) != 3; i++) ;\n"
    "            if (atomic_cmpxchg(&other[0], 1, 0) != 1) while (NOW(other[0]) != 3) ;\n"
    "            break;\n"
    "        case TAKE:\n"
    "            for (int i = 0; i < 100000 && NOW(other[0]) != 1; i++) ;\n"
    "            taken = atomic_cmpxchg(&other[0], 1, 2) == 1;\n"
    "            if (taken) VALUE(*out) = *(global ulong *)(other + 2), atomic_inc(&other[4]);\n"
    "            break;\n"
    "        case DONE: if (taken) atomic_xchg(&other[0], 3); break;\n"
    "        }\n"
    "        r[CODES + at] = code;\n"
    "    }\n"
    "}\n"
    "kernel void family(queue_t q, global const step *s, global int *r, global int *other) {\n"
    "    play(q, s, 1, s[0].to, r, other);\n"
    "    atomic_inc(&r[COUNTS]);\n"
    "}\n";

#endif
