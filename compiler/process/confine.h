// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * What the process of a build may still do once it has read its request: compute, read the files
 * that the job may read, start copies of itself, and write to what it holds open. Everything else
 * is refused by the kernel (docs/compiler-process.md). Linux on x86-64.
 */
#ifndef WEFT_CONFINE_H
#define WEFT_CONFINE_H

#include "compiler/shared/confined.h"

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/** Which files a job may open for reading. None is ever opened for writing. */
enum class FilesRead : uint8_t {
    None,    /* there is nothing that could name one: a link, SPIR-V */
    Folders, /* those beneath Confinement::folders */
    Any      /* OpenCL C: what #include names */
};

struct Confinement {
    FilesRead files = FilesRead::None;
    /** Where #include looks. With Folders these are all that can be read. A relative one is one of
     *  the current directory's. */
    std::vector<std::string> folders;
    int answers = -1; /* the only descriptor that messages can be sent to */
};

/**
 * Confines the calling process and all that it forks from now on; there is no way back. Every part
 * is tried, whatever becomes of the others, and the result says which of them the kernel refused. A
 * system call that no build needs then raises SIGSYS, which ends the process unless there is a
 * handler; one that libraries ask for without need fails with an error.
 *
 * Capabilities go, but for one: the reading of others' files (CAP_DAC_READ_SEARCH) stays with a
 * process that has it and cannot read one of `folders` without.
 *
 * The process must be single-threaded.
 */
weft_confined confine(const Confinement &what);

} // namespace weft

#endif
