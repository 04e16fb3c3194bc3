// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The offline compiler: any part of a build on files, for people and for tests. */
#ifndef WEFT_OFFLINE_H
#define WEFT_OFFLINE_H

namespace weft {

/**
 * weft-compiler [--isa X] [--emit ir|bc|native|asm|obj|image] [--stage NAME] [--dump-after NAME]
 *               [--dump FOLDER] [--extensions LIST] [--verify] [--time] [-o FILE] [build options]
 *               file.cl|file.ll|file.bc ... | file.o
 * Prints to stdout (text) or to FILE; the log goes to stderr. Returns the exit status: 0; 1: the
 * build failed; 2: the command line is wrong.
 */
int compileOffline(int argc, char **argv);

} // namespace weft

#endif
