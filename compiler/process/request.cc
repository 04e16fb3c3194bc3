// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/process/request.h"

#include "compiler/shared/protocol.h"

#include <cstring>

namespace weft {

namespace {

/** The bytes of a request, with what is needed to take it apart safely. */
struct RequestBytes {
    const char *data;
    uint64_t bytes, at = 0;

    /** The next `bytes` bytes and their padding; nullptr: beyond the end. */
    const char *take(uint64_t wanted) {
        if (wanted > bytes - at)
            return nullptr;
        const char *taken = data + at;
        at += wanted;
        return taken;
    }
    bool takeString(uint64_t length, llvm::StringRef &string) {
        if (length > WEFT_WIRE_MAX_BYTES)
            return false;
        const char *taken = take(weft_wire_room(length));
        if (!taken || taken[length] != 0)
            return false;
        string = llvm::StringRef(taken, length);
        return true;
    }
};

} // namespace

bool parseRequest(const char *data, uint64_t bytes, JobRequest &request) {
    static_assert(sizeof(weft_wire_request) % WEFT_WIRE_ALIGN == 0 &&
                  sizeof(weft_wire_input) % WEFT_WIRE_ALIGN == 0);
    RequestBytes from = {data, bytes};
    weft_wire_request header;
    const char *start = from.take(sizeof header);
    if (!start)
        return false;
    memcpy(&header, start, sizeof header);
    if (header.kind < uint32_t(JobKind::Compile) || header.kind > uint32_t(JobKind::Build) ||
        header.input_count > WEFT_WIRE_MAX_INPUTS ||
        (header.flags & ~uint64_t(WEFT_WIRE_UNTRUSTED)))
        return false;
    request.untrusted = header.flags & WEFT_WIRE_UNTRUSTED;
    request.kind = static_cast<JobKind>(header.kind);
    const char *table = from.take(header.input_count * sizeof(weft_wire_input));
    if (!table || !from.takeString(header.options_bytes, request.options) ||
        !from.takeString(header.isa_bytes, request.isa) ||
        !from.takeString(header.extensions_bytes, request.extensions) ||
        !from.takeString(header.switches_bytes, request.switches))
        return false;
    for (uint32_t i = 0; i < header.input_count; i++) {
        weft_wire_input entry;
        JobInput input;
        memcpy(&entry, table + i * sizeof entry, sizeof entry);
        if (entry.kind < uint32_t(InputKind::Source) ||
            entry.kind > uint32_t(InputKind::SpecConstants) ||
            !from.takeString(entry.name_bytes, input.name) ||
            !from.takeString(entry.data_bytes, input.data))
            return false;
        input.kind = static_cast<InputKind>(entry.kind);
        request.inputs.push_back(input);
    }
    return from.at == from.bytes;
}

} // namespace weft
