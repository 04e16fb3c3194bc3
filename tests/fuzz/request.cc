// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* libFuzzer: what a client may ask. Every string of an accepted request lies inside of it and ends
 * in a NUL byte. */
#include "compiler/process/request.h"

#include <cstdlib>
#include <cstring>

static void require(bool condition) {
    if (!condition)
        abort();
}

static volatile unsigned long sum;

static void use(llvm::StringRef text) {
    for (char c : text)
        sum += static_cast<unsigned char>(c);
    require(text.data()[text.size()] == 0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    /* As the worker has it: aligned, of exactly the size that was announced. */
    char *copy = static_cast<char *>(malloc(bytes ? bytes : 1));
    memcpy(copy, data, bytes);
    weft::JobRequest request;
    if (weft::parseRequest(copy, bytes, request)) {
        use(request.options);
        use(request.isa);
        use(request.extensions);
        use(request.switches);
        for (const weft::JobInput &input : request.inputs) {
            use(input.name);
            use(input.data);
            require((reinterpret_cast<uintptr_t>(input.data.data()) & 15) == 0);
        }
    }
    free(copy);
    return 0;
}
