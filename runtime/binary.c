// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/binary.h"

/** Mixes 8 bytes at a time; the tail is padded with zeros, the length goes in first. */
static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
    const unsigned char *at = data;
    hash ^= bytes;
    while (bytes) {
        uint64_t word = 0;
        size_t part = bytes < sizeof(word) ? bytes : sizeof(word);
        memcpy(&word, at, part);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u; /* odd: no bit of the difference is lost */
        hash ^= hash >> 32;
        at += part;
        bytes -= part;
    }
    return hash;
}

static uint64_t checksum(weft_binary_header header, const void *rest, size_t bytes) {
    header.checksum = 0;
    return mix(mix(0x57656674u, &header, sizeof(header)), rest, bytes);
}

static const weft_blob *payload_of(const weft_build *build) {
    return build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE ? build->code : build->ir;
}

static const char *isa_of(const weft_build *build) {
    return build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE ? build->device->caps->isa : "";
}

size_t weft_binary_size(const weft_build *build) {
    const weft_blob *payload = payload_of(build);
    if (build->type == CL_PROGRAM_BINARY_TYPE_NONE || !payload)
        return 0;
    return sizeof(weft_binary_header) + strlen(isa_of(build)) +
           (build->options ? strlen(build->options) : 0) + payload->bytes;
}

void weft_binary_write(const weft_build *build, unsigned char *to) {
    const weft_blob *payload = payload_of(build);
    const char *isa = isa_of(build), *options = build->options ? build->options : "";
    weft_binary_header header = {
        .magic = WEFT_BINARY_MAGIC,
        .version = WEFT_BINARY_VERSION,
        .abi_version = WEFT_ABI_VERSION,
        .type = build->type,
        .isa_bytes = (uint32_t)strlen(isa),
        .options_bytes = (uint32_t)strlen(options),
        .payload_bytes = payload->bytes,
    };
    unsigned char *rest = to + sizeof(header), *at = rest;
    memcpy(at, isa, header.isa_bytes);
    at += header.isa_bytes;
    memcpy(at, options, header.options_bytes);
    at += header.options_bytes;
    memcpy(at, payload->data, payload->bytes);
    at += payload->bytes;
    header.checksum = checksum(header, rest, (size_t)(at - rest));
    memcpy(to, &header, sizeof(header));
}

/** NULL: sound; else what is wrong. */
static const char *find_fault(const weft_binary_header *header, const unsigned char *rest,
                              size_t rest_bytes) {
    if (memcmp(header->magic, WEFT_BINARY_MAGIC, sizeof(header->magic)) != 0)
        return "not a program binary of Weft";
    if (header->version != WEFT_BINARY_VERSION || header->abi_version != WEFT_ABI_VERSION)
        return "the program binary was made by another version of Weft";
    /* 32-bit lengths: their sum cannot overflow 64 bits; payload_bytes is compared on its own. */
    uint64_t strings = (uint64_t)header->isa_bytes + header->options_bytes;
    if (header->payload_bytes == 0 || header->payload_bytes > rest_bytes ||
        strings != rest_bytes - header->payload_bytes)
        return "the program binary's length is wrong";
    if (header->checksum != checksum(*header, rest, rest_bytes))
        return "the program binary is damaged: its checksum is wrong";
    if (header->type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT &&
        header->type != CL_PROGRAM_BINARY_TYPE_LIBRARY &&
        header->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return "the program binary is of an unknown kind";
    if (memchr(rest, 0, strings))
        return "the program binary's strings are damaged";
    return NULL;
}

static cl_int read_payload(weft_build *build, uint32_t type, const unsigned char *payload,
                           size_t bytes, const char **reason) {
    weft_blob *blob = weft_blob_create(payload, bytes);
    if (!blob)
        return CL_OUT_OF_HOST_MEMORY;
    build->type = type;
    if (type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
        build->ir = blob;
        return CL_SUCCESS;
    }
    build->code = blob;
    cl_device_id device = build->device;
    return device->ops->image_load(device->device, blob->data, blob->bytes, &build->image, reason);
}

cl_int weft_binary_read(weft_build *build, const unsigned char *bytes, size_t size,
                        const char **reason) {
    weft_binary_header header;
    if (size < sizeof(header)) {
        *reason = "the program binary is shorter than its header";
        return CL_INVALID_BINARY;
    }
    memcpy(&header, bytes, sizeof(header));
    const unsigned char *rest = bytes + sizeof(header);
    *reason = find_fault(&header, rest, size - sizeof(header));
    if (*reason)
        return CL_INVALID_BINARY;

    cl_int status = CL_OUT_OF_HOST_MEMORY;
    build->options = weft_malloc((size_t)header.options_bytes + 1);
    if (build->options) {
        memcpy(build->options, rest + header.isa_bytes, header.options_bytes);
        build->options[header.options_bytes] = 0;
        rest += (size_t)header.isa_bytes + header.options_bytes;
        status = read_payload(build, header.type, rest, header.payload_bytes, reason);
    }
    if (status != CL_SUCCESS)
        weft_build_clear(build);
    return status;
}
