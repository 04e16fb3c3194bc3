/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/** What of a build's confinement holds (confine.h), as both ends of the protocol say it. */
#ifndef WEFT_CONFINED_H
#define WEFT_CONFINED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** For each part 0, or the errno with which the kernel refused it. */
typedef struct weft_confined {
    uint32_t capabilities, landlock, seccomp;
} weft_confined;

/** Writes "confined: no capabilities, Landlock, seccomp", or "confined: no capabilities, seccomp;
 *  not by Landlock (ENOSYS)", cut at `bytes` (at least 1), with a NUL. Thread-safe. */
void weft_confined_text(const weft_confined *confined, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
