// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft compile: the compiler process' executable is the offline compiler, with its own options. */
#include "runtime/tool/tool.h"

#include "weft/extensions.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int weft_tool_compile(int argc, char **argv) {
    char path[PATH_MAX];
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--blame") == 0)
            return weft_tool_blame(argc, argv);
    if (argc == 2 && strcmp(argv[1], "--version") == 0)
        return puts(argp_program_version) < 0 ? TOOL_BAD : TOOL_GOOD;
    /* What the device reports, unless the user says otherwise behind it. */
    char **all = calloc((size_t)argc + 3, sizeof *all);
    if (!all)
        return TOOL_BAD;
    if (!weft_tool_compiler(path)) {
        fprintf(stderr, "weft: weft-compiler is not where it belongs, relative to %s\n", path);
        return TOOL_BAD;
    }
    all[0] = path;
    all[1] = "--extensions";
    all[2] = WEFT_JOB_EXTENSIONS;
    for (int i = 1; i < argc; i++)
        all[i + 2] = argv[i];
    fflush(NULL);
    execv(path, all);
    free(all);
    fprintf(stderr, "weft: %s: %s\n", path, strerror(errno));
    return TOOL_BAD;
}
