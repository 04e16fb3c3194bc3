// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* weft compile: the compiler process' executable is the offline compiler, with its own options. */
#include "runtime/tool/tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const compiler_places[] = {"weft-compiler", "../../compiler/weft-compiler",
                                              WEFT_COMPILER_FROM_TOOL "/weft-compiler", NULL};

int weft_tool_compile(int argc, char **argv) {
    char path[PATH_MAX];
    (void)argc;
    if (!weft_tool_find(compiler_places, path)) {
        fprintf(stderr, "weft: weft-compiler is not where it belongs, relative to %s\n", path);
        return TOOL_BAD;
    }
    argv[0] = path;
    fflush(NULL);
    execv(path, argv);
    fprintf(stderr, "weft: %s: %s\n", path, strerror(errno));
    return TOOL_BAD;
}
