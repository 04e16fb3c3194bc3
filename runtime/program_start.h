// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Constructors and destructors of program-scope variables: kernels of the image, of one work-item
 * each, that the runtime runs by itself. "These kernels must be executed by OpenCL runtime on a
 * device before any kernel from the same program can be executed on the same device."
 */
#ifndef WEFT_PROGRAM_START_H
#define WEFT_PROGRAM_START_H

#include "runtime/program.h"

/** Of one build; kernels' slots point to it. */
typedef struct weft_program_start weft_program_start;

/** False for devices that report OpenCL 3.0, which knows of neither (and so refuses
 *  clSetProgramReleaseCallback). */
bool weft_program_start_is_supported(cl_device_id device);
/** Why the build's image, just loaded, may not be used on such a device: a static sentence, or
 * NULL.
 */
const char *weft_program_start_refusal(const weft_build *build);

/**
 * Gives a build with an image and its data what the functions below need, unless it has it or its
 * image has neither constructors nor destructors. The program's lock is held. False: out of memory.
 */
bool weft_program_start_make(weft_build *build);

/**
 * To be called before a kernel of the build is enqueued: runs the constructors, once, and returns
 * when they have ended, whoever runs them. No lock is held. CL_OUT_OF_RESOURCES: they did not end
 * well, and no kernel may run. Thread-safe.
 */
cl_int weft_program_start_run(weft_program_start *start);

/**
 * Runs the destructors, once, if the constructors have run; accepts NULL. No kernel of the program
 * is left. With `wait` false only on this thread; returns false if it must not run them.
 */
bool weft_program_start_end(weft_program_start *start, bool wait);

/** Frees; the destructors have run. Accepts a build without. */
void weft_program_start_free(weft_build *build);

#endif
