// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel-lib/called.h"
#include "kernel-lib/rt/rt.h"
#include "backend/library.h"

namespace weft {

static llvm::MemoryBufferRef object(const unsigned char *(*find)(unsigned, size_t *),
                                    unsigned level, const char *name) {
    size_t bytes = 0;
    const unsigned char *data = find(level, &bytes);
    return {llvm::StringRef(reinterpret_cast<const char *>(data), bytes), name};
}

llvm::MemoryBufferRef rtObject(unsigned level) {
    return object(weft_rt_object, level, "weft-rt");
}

llvm::MemoryBufferRef calledObject(unsigned level) {
    return object(weft_called_object, level, "weft-called");
}

} // namespace weft
