// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The table of rows, from the one list of entry points, and the rows of functions that are absent.
 */

#include "rows.h"

#include <CL/cl_icd.h>

/* ---- looking up ------------------------------------------------------------------------------ */

void row_clGetExtensionFunctionAddress(world *w) {
    bool unknown = odd(w);
    SAY("\"%s\"", unknown ? "clNobody" : "clHostMemAllocINTEL");
    void *found = cl.clGetExtensionFunctionAddress(unknown ? "clNobody" : "clHostMemAllocINTEL");
    if (!found != unknown)
        wrong(w, "found %p", found);
    judge(w, CL_SUCCESS);
}

void row_clGetExtensionFunctionAddressForPlatform(world *w) {
    bool unknown = odd(w), bad = odd(w), none = odd(w);
    const char *name = none ? NULL : unknown ? "clNobody" : "clMemFreeINTEL";
    SAY("%s, \"%s\"", bad ? "junk" : "platform", name ? name : "/* NULL */");
    void *found = cl.clGetExtensionFunctionAddressForPlatform(
        bad ? (cl_platform_id)w->junk : w->platform, name);
    if (!found != (unknown || bad || none))
        wrong(w, "found %p", found);
    judge(w, CL_SUCCESS);
}

/* ---- what is not there ----------------------------------------------------------------------- */

/* Extensions that are not reported: their slots fail, whatever they are given. errcode_ret is the
 * n-th argument, and all of them are as wide as pointers. */
typedef cl_int status_slot(void *, void *, void *, void *, void *, void *, void *, void *);
typedef void *slot3(void *, void *, cl_int *);
typedef void *slot4(void *, void *, void *, cl_int *);
typedef void *slot5(void *, void *, void *, void *, cl_int *);
typedef void *slot6(void *, void *, void *, void *, void *, cl_int *);

static void *slot_at(const world *w, size_t offset) {
    const unsigned char *table;
    void *function;
    memcpy(&table, (const void *)w->platform, sizeof(table));
    memcpy(&function, table + offset, sizeof(function));
    return function;
}

static void absent_status(world *w, size_t offset) {
    arg a = pick(w, (kind)(1 + draw(w, EVENT)), NULL, NULL);
    fault(w, true, CL_INVALID_OPERATION);
    SAY("%s, NULL...", name_of(&a));
    judge(w, ((status_slot *)slot_at(w, offset))(a.handle, w->junk, NULL, NULL, NULL, NULL, NULL,
                                                 NULL));
}

#define ABSENT_OBJECT(n, ...)                                                                      \
    static void absent_object##n(world *w, size_t offset) {                                        \
        arg a = pick(w, (kind)(1 + draw(w, EVENT)), NULL, NULL);                                   \
        fault(w, true, CL_INVALID_OPERATION);                                                      \
        SAY("%s, NULL...", name_of(&a));                                                           \
        judge_object(w, ((slot##n *)slot_at(w, offset))(a.handle, __VA_ARGS__, errcode(w)));       \
    }
ABSENT_OBJECT(3, NULL)
ABSENT_OBJECT(4, NULL, NULL)
ABSENT_OBJECT(5, NULL, NULL, NULL)
ABSENT_OBJECT(6, NULL, NULL, NULL, NULL)

#define WEFT_ENTRY(name)
#define WEFT_ENTRY_ABSENT(name, stub)                                                              \
    void row_##name(world *w) {                                                                    \
        absent_##stub(w, offsetof(cl_icd_dispatch, name));                                         \
    }
#ifdef CL_VERSION_3_1
#define WEFT_ENTRY_ABSENT_31(name, stub) WEFT_ENTRY_ABSENT(name, stub)
#else /* the header does not say where the slot is */
#define WEFT_ENTRY_ABSENT_31(name, stub)                                                           \
    void row_##name(world *w) {                                                                    \
        absent_##stub(w, sizeof(cl_icd_dispatch));                                                 \
    }
#endif
#include "icd/entrypoints.def"

/* ---- the table ------------------------------------------------------------------------------- */

/* What keeps the game going comes more often, what ends it less. */
static unsigned weight_of(const char *name) {
    static const struct {
        const char *begin;
        unsigned weight;
    } weights[] = {{"clRetain", 3},
                   {"clRelease", 4},
                   {"clEnqueueNDRange", 40},
                   {"clLinkProgram", 14},
                   {"clEnqueueFillBuffer", 30},
                   {"clEnqueueCopyBuffer", 30},
                   {"clEnqueueWriteBuffer", 30},
                   {"clEnqueueReadBuffer", 20},
                   {"clEnqueueMapBuffer", 24},
                   {"clEnqueueUnmap", 24},
                   {"clEnqueue", 12},
                   {"clCreate", 8},
                   {"clGetExtension", 1}};
    for (size_t i = 0; i < COUNT(weights); i++)
        if (strncmp(name, weights[i].begin, strlen(weights[i].begin)) == 0)
            return weights[i].weight;
    return 6;
}

const row rows[] = {
#define WEFT_ENTRY(name)              {#name, row_##name},
#define WEFT_ENTRY_ABSENT(name, stub) {#name, row_##name},
#include "icd/entrypoints.def"
#define EXTENSION(name) {#name, row_##name},
#include "extensions.def"
#undef EXTENSION
};
const unsigned row_count = COUNT(rows);

unsigned row_weights(unsigned *weights) {
    unsigned total = 0;
    for (unsigned i = 0; i < row_count; i++) {
        bool is_absent = false;
#define WEFT_ENTRY(name)
#define WEFT_ENTRY_ABSENT(name, stub) is_absent |= rows[i].run == row_##name;
#include "icd/entrypoints.def"
        total += weights[i] = is_absent ? 1 : weight_of(rows[i].name);
    }
    return total;
}
