// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Shared virtual memory. Host and devices have one address space, so every address is an SVM
 * pointer (CL_DEVICE_SVM_FINE_GRAIN_SYSTEM). What clSVMAlloc gave is remembered per context,
 * because clSVMFree names no size, and because some calls must tell such a block from other memory.
 */
#ifndef WEFT_SVM_H
#define WEFT_SVM_H

#include <CL/cl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/** A block of clSVMAlloc's. */
typedef struct weft_svm_block {
    unsigned char *data;
    size_t size;
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
/** Frees the block that starts at `pointer`; any other pointer is ignored. Thread-safe. */
void weft_svm_free(cl_context context, void *pointer);

#endif
