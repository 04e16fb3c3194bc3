// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** weft-compiler: the compiler process (--serve), and the offline compiler behind `weft
 *  compile`. */

#include "offline.h"
#include "protocol.h"
#include "server.h"

#include <string.h>

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], WEFT_WIRE_SERVE) == 0)
        return weft::serve(argc, argv);
    bool named = argc > 1 && strcmp(argv[1], "--offline") == 0;
    return weft::compileOffline(argc - named, argv + named);
}
