// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What a job is given: sources, headers, modules. Mirrors weft_job_input of client/client.h. */
#ifndef WEFT_INPUT_H
#define WEFT_INPUT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace weft {

/** Values equal weft_input_kind. */
enum class InputKind : uint32_t { Source = 1, Header = 2, Ir = 3, Spirv = 4, SpecConstants = 5 };

/** `name` and `data` are each followed by a NUL byte that their size does not count, and `data`
 *  starts at a multiple of 16, so that both serve as memory buffers without a copy. */
struct JobInput {
    InputKind kind = InputKind::Source;
    llvm::StringRef name; /* a header's include name, else empty */
    llvm::StringRef data; /* untrusted: may hold anything */
};

} // namespace weft

#endif
