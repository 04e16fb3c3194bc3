// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** confine() of the compiler process (compiler/process/confine.h), for a test in C. */
#ifndef WEFT_TEST_CONFINE_DOOR_H
#define WEFT_TEST_CONFINE_DOOR_H

#include "compiler/shared/confined.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Values equal weft::FilesRead. */
typedef enum confine_files { READS_NONE, READS_FOLDERS, READS_ANY } confine_files;

/** `folder` NULL: none. Confines the calling process for good. */
weft_confined confine_with(confine_files files, const char *folder, int answers);

#ifdef __cplusplus
}
#endif

#endif
