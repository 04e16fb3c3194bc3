// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** weft-compiler: the compiler process (--serve), the offline compiler behind `weft compile`, and
 *  a question about this kernel (--confinement). */

#include "process/confine.h"
#include "process/offline.h"
#include "compiler/shared/protocol.h"
#include "process/server.h"

#include <stdio.h>
#include <string.h>

/** Confines itself as the process of a build does, and says what came of it, for `weft selftest`.
 *  0: all of it. */
static int tryConfinement() {
    char text[200];
    weft::Confinement what;
    what.files = weft::FilesRead::Any;
    weft_confined confined = weft::confine(what);
    weft_confined_text(&confined, text, sizeof text);
    puts(text);
    return confined.capabilities || confined.landlock || confined.seccomp ? 1 : 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], WEFT_WIRE_SERVE) == 0)
        return weft::serve(argc, argv);
    if (argc > 1 && strcmp(argv[1], "--confinement") == 0)
        return tryConfinement();
    bool named = argc > 1 && strcmp(argv[1], "--offline") == 0;
    return weft::compileOffline(argc - named, argv + named);
}
