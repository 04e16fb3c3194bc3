// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What a copy of a job's first process sends to it; both are the same program. */
#ifndef WEFT_MESSAGE_H
#define WEFT_MESSAGE_H

#include "job/job.h"
#include "stages/pipeline.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <string>
#include <vector>

namespace weft {

using ObjectBytes = llvm::SmallVector<char, 0>;
/** Of each part of a job, indexed by JobPart. */
using Nanoseconds = std::array<uint64_t, static_cast<size_t>(JobPart::Count)>;

struct Message {
    std::string error; /* "": it is built */
    /* Without what stages behind the split do not change: attributes, hints. */
    std::vector<KernelRecord> kernels;
    ObjectBytes object;
    Nanoseconds nanoseconds = {};
};

std::string writeMessage(llvm::Error error, const ModuleRecord &record, const ObjectBytes &object,
                         const Nanoseconds &nanoseconds);

/** False: the copy did not live to send it all. */
bool isWhole(llvm::StringRef message);

/** Of a whole message; false: another program wrote it. */
bool readMessage(llvm::StringRef bytes, Message &message);

} // namespace weft

#endif
