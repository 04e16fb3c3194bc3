// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What an image carries for debuggers and profilers: sections behind the segments, never
 *  mapped. */
#ifndef WEFT_IMAGE_DEBUG_H
#define WEFT_IMAGE_DEBUG_H

#include "image/objects.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <utility>
#include <vector>

namespace weft {

/** A section of the image that only tools read. */
struct ToolSection {
    std::string name;
    std::string bytes;
    std::vector<uint64_t> addresses; /* offsets of 8-byte image addresses in `bytes` */
};

/** Source text by name, as debug_info.h leaves it in the module. */
using SourceTexts = std::vector<std::pair<std::string, std::string>>;

/**
 * The objects' DWARF, linked: one section per name, addresses those of the image. Then, where there
 * are line tables, ".weft.lines" and ".weft.paths" (device-cpu/perf.c has their form; they spare
 * the application's process a reader of DWARF), and ".weft.sources" (device-cpu/sources.c). To be
 * called when every live piece has its address. What debug information refers to and the image has
 * not is address 0, which debuggers take for gone.
 */
llvm::Expected<std::vector<ToolSection>> linkDebug(Objects &objects, const SourceTexts &sources);

} // namespace weft

#endif
