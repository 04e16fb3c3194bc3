// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What kernels print: records are collected per thread and formatted on the host when the command
 * ends, in the order of work-groups, whichever threads ran them.
 */
#ifndef WEFT_PRINTF_H
#define WEFT_PRINTF_H

#include "weft/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** The output of one command. */
typedef struct weft_printf_sink weft_printf_sink;

/** immediate: every record is written at once, in whatever order. NULL: out of memory. */
weft_printf_sink *weft_printf_create(bool immediate);

/**
 * Room for a record of `bytes`, written by the caller, then committed. `owner` tells threads apart
 * (the address of the worker); `order` is the first group of the chunk that runs. NULL: out of
 * memory or the record is too large. Calls with different owners may run at the same time.
 */
void *weft_printf_reserve(weft_printf_sink *sink, const void *owner, uint64_t order,
                          uint32_t bytes);
/** Publishes the record last reserved by `owner`. */
void weft_printf_commit(weft_printf_sink *sink, const void *owner);

/** Writes what is left to stdout, flushes it, frees the sink. No thread prints any more. */
void weft_printf_finish(weft_printf_sink *sink);

/** Formats one record; never reads outside of it, whatever the format says. For tests, too. */
void weft_printf_format(FILE *out, const weft_printf_record *record);

#endif
