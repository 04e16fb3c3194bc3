// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The ICD dispatch table and the functions of cl_khr_icd. */
#ifndef WEFT_DISPATCH_H
#define WEFT_DISPATCH_H

#include "runtime/api.h"

/** What the first word of every object points to: slots as in struct _cl_icd_dispatch. */
typedef struct weft_dispatch {
#define WEFT_ENTRY(name)              void (*name)(void);
#define WEFT_ENTRY_ABSENT(name, stub) void (*name)(void);
#include "icd/entrypoints.def"
} weft_dispatch;

extern const weft_dispatch weft_dispatch_table;

/* cl_khr_icd: see docs/icd.md. Thread-safe. */
cl_int weft_clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                   cl_uint *num_platforms);

#endif
