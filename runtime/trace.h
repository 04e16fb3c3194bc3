// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The timeline's life in the runtime: begun with the platform, written when the process ends. */
#ifndef WEFT_RUNTIME_TRACE_H
#define WEFT_RUNTIME_TRACE_H

#include "weft/trace.h"

#include <CL/cl.h>
#include <stdbool.h>

struct _cl_platform_id;

/**
 * Starts recording, if WEFT_TRACE is set: before the first devices are made, and in a forked child
 * (which has a timeline of its own if the file's name has "%p" in it, else none). A file that
 * cannot be written, or no memory: nothing is recorded, and the debug log says so (topic
 * "settings"). Nobody else uses the platform's devices meanwhile.
 */
void weft_timeline_start(struct _cl_platform_id *platform, bool in_child);

/** What a command is called in a timeline: "read buffer" for CL_COMMAND_READ_BUFFER. Static. */
const char *weft_timeline_name(cl_command_type type);

#endif
