// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * Source text that an image built with -g carries, so that debuggers can show it.
 *
 * Where the text will lie is not known when the image is compiled (it may come from another user's
 * cache or a file), so its debug information names a folder that nobody has, WEFT_SOURCES_FOLDER
 * and slashes up to WEFT_SOURCES_BYTES (include/weft/abi.h), which is replaced in memory.
 */
#ifndef WEFT_SOURCES_H
#define WEFT_SOURCES_H

#include "elf_sections.h"

/** Writes the image's source files to `folder`, which is made if need be (with the one it lies in).
 *  What is there already is taken to be the same: names contain a hash of the text. */
void weft_sources_write(const weft_elf *elf, const char *folder);

/** Puts `folder` in the place of the one that nobody has, in a whole file or table of strings. */
void weft_sources_rename(unsigned char *bytes, size_t size, const char *folder);

/** Replaces `name`, a path from an image, by the real one. Returns `path` or `name`. */
const char *weft_sources_path(const char *name, const char *folder, char *path, size_t bytes);

#endif
