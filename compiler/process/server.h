// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** The main loop of the compiler process. */
#ifndef WEFT_SERVER_H
#define WEFT_SERVER_H

namespace weft {

/**
 * Serves jobs on the control socket (protocol.h) until the application is gone, the socket is
 * closed or no job came for the idle time. Single-threaded: forks one child per job. Takes the
 * arguments of main(), argv[1] being WEFT_WIRE_SERVE. Returns the exit status.
 */
int serve(int argc, char **argv);

} // namespace weft

#endif
