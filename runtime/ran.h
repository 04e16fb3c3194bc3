// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** WEFT_RAN: a file that says which processes have run kernels, so that a job of a continuous
 * integration cannot be green without one (`weft ci`, docs/ci.md). */
#ifndef WEFT_RAN_H
#define WEFT_RAN_H

#include "runtime/command.h"

/** Notes the end of a command that was timed: the first kernel of the process that ran to its end
 * with work-items adds a line `PROCESS KERNEL` to the file. A failure has no one to be told: the
 * line is missing then, which is the safe side. Thread-safe. */
void weft_ran_note(const weft_command *command, cl_int status);

#endif
