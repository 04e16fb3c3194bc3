// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Whether hwloc, which obeys a dozen variables of its own, may be loaded in this process. */
#ifndef WEFT_HWLOC_ENVIRONMENT_H
#define WEFT_HWLOC_ENVIRONMENT_H

#include <stdbool.h>

/**
 * False where the environment may be somebody else's: the program has more rights than its user
 * (set- user-ID, capabilities: HWLOC_PLUGINS_PATH is a folder whose code hwloc runs), or a variable
 * of hwloc's names a place that another user may change, as under `sudo -E`. Reads the environment
 * and looks at files; as thread-safe as getenv.
 */
bool weft_hwloc_environment_is_ours(void);

#endif
