// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The file of `weft ci` to which each process adds a line `PROCESS KERNEL` when its first kernel
 * has run (WEFT_RAN, runtime/ran.h). */
#ifndef WEFT_CI_RECORD_H
#define WEFT_CI_RECORD_H

#include <limits.h>
#include <stdbool.h>

/** Makes an empty record of a name that no one else has, in TMPDIR, in /tmp or here, so that jobs
 * at the same time or within each other do not share one. False: in none, said to stderr. */
bool weft_ci_record_make(char path[PATH_MAX]);

/** Makes an empty record of that name, or empties the one that is there: what an earlier job left
 * does not count. A file that is no record is left alone. False: said to stderr. */
bool weft_ci_record_begin(const char *path);

/** Its lines: one for each process that has run a kernel; others do not count. 0: no such file. */
unsigned weft_ci_record_count(const char *path);

/** Adds the lines of a record to another one that is there: what ran within a job within a job has
 * run in both. */
void weft_ci_record_add(const char *path, const char *to);

#endif
