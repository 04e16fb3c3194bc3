// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Shared virtual memory and unified shared memory (cl_intel_unified_shared_memory). Host and
 * devices have one address space, so every address is an SVM pointer
 * (CL_DEVICE_SVM_FINE_GRAIN_SYSTEM). What clSVMAlloc and cl{Host,Device,Shared}MemAllocINTEL gave
 * is remembered per context in one table, because neither clSVMFree nor clMemFreeINTEL names a
 * size, and because some calls must tell such a block from other memory.
 */
#ifndef WEFT_SVM_H
#define WEFT_SVM_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/** The most that clSVMAlloc and the USM functions align to: "a power of two up to the largest data
 *  type supported by the OpenCL device", which is long16. Every block has this alignment. */
#define WEFT_SVM_ALIGN 128

/** A block of clSVMAlloc's or of unified shared memory. */
typedef struct weft_svm_block {
    unsigned char *data;
    size_t size;
    cl_unified_shared_memory_type_intel type; /* CL_MEM_TYPE_X_INTEL; 0: of clSVMAlloc */
    cl_mem_alloc_flags_intel flags;           /* as given; 0 for clSVMAlloc */
    cl_device_id device;                      /* what it belongs to; NULL: no device */
} weft_svm_block;

/** The blocks of one context by rising address. */
typedef struct weft_svm_table {
    pthread_mutex_t lock; /* guards the rest */
    weft_svm_block *blocks;
    size_t count, room;
} weft_svm_table;

void weft_svm_init(weft_svm_table *table);
/** Frees the table and every block that the application has not freed. */
void weft_svm_finish(cl_context context);

/**
 * The block of the context's that `pointer` lies in, copied to *block. False: there is none, so
 * `pointer` is other memory of the host's. Thread-safe.
 */
bool weft_svm_find(cl_context context, const void *pointer, weft_svm_block *block);
/** Allocates block->size bytes and remembers the block, whose data is filled in. NULL: out of
 *  memory. Thread-safe. */
void *weft_svm_alloc(cl_context context, weft_svm_block *block);
/** Frees the block of clSVMAlloc (or, with `usm`, of unified shared memory) that starts at
 *  `pointer`. False: there is none, and nothing happens. Thread-safe. */
bool weft_svm_free(cl_context context, void *pointer, bool usm);

#endif
