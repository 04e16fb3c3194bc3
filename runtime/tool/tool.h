// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What the commands of the `weft` tool share. */
#ifndef WEFT_TOOL_H
#define WEFT_TOOL_H

#include "runtime/settings.h"
#include "runtime/settings_file.h"

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <limits.h>
#include <stdbool.h>

/** Exit statuses. */
enum { TOOL_GOOD = 0, TOOL_BAD = 1, TOOL_USAGE = 2 };

/** A command of the tool: arguments as main() gets them, argv[0] is "weft <name>". */
int weft_tool_info(int argc, char **argv);
int weft_tool_cache(int argc, char **argv);
int weft_tool_compile(int argc, char **argv);
int weft_tool_settings(int argc, char **argv);
int weft_tool_ci(int argc, char **argv);
int weft_tool_selftest(int argc, char **argv);
/** `weft compile --blame`. */
int weft_tool_blame(int argc, char **argv);

/** libweft.so opened without a loader: the one that belongs to this tool. */
typedef struct weft_tool_library {
    char path[PATH_MAX];
    const cl_icd_dispatch *api; /* the platform's own table */
    cl_platform_id platform;
    cl_device_id device; /* the first one */
} weft_tool_library;

/** Opens libweft.so and takes platform and device; prints to stderr what is wrong. */
bool weft_tool_open(weft_tool_library *library);

/** The first of `places` (relative to this executable's folder) that exists. */
bool weft_tool_find(const char *const *places, char path[PATH_MAX]);

/** The real path of the libweft.so that belongs to this tool; prints to stderr if there is none. */
bool weft_tool_library_path(char path[PATH_MAX]);

/** The settings file that the library of this tool reads. False: no memory, no descriptor. */
bool weft_tool_settings_file(weft_settings_file *file);

/** What the library of this tool goes by; what is wrong there, `weft settings` says. False: out of
 *  memory. The caller ends it by weft_settings_finish(). */
bool weft_tool_read_settings(weft_settings *settings);

/** The weft-compiler that builds programs: WEFT_COMPILER, as in the library (runtime/settings.def),
 * or the one that belongs to this tool. False: there is none, and `path` is where it was looked
 * for. */
bool weft_tool_compiler(char path[PATH_MAX]);

#endif
