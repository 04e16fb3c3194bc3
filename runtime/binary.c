// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/binary.h"

#include "compiler/shared/container.h"
#include "runtime/log.h"
#include "runtime/program_start.h"
#include "version.h"

static weft_container_part part_of(const weft_blob *blob) {
    return blob ? (weft_container_part){blob->data, blob->bytes} : (weft_container_part){NULL, 0};
}

static weft_container_part text_part(const char *text) {
    return (weft_container_part){text, strlen(text)};
}

/** What a build's container holds; pointers are the build's. False: there is no binary. */
static bool describe(const weft_build *build, weft_container *container) {
    memset(container, 0, sizeof *container);
    if (build->type == CL_PROGRAM_BINARY_TYPE_NONE || (!build->ir && !build->code))
        return false;
    container->type = build->type;
    memcpy(container->source_hash, build->source_hash, sizeof build->source_hash);
    container->parts[WEFT_CONTAINER_OPTIONS] = text_part(build->options ? build->options : "");
    container->parts[WEFT_CONTAINER_MAKER] = text_part("weft " WEFT_VERSION);
    container->parts[WEFT_CONTAINER_IR] = part_of(build->ir);
    if (build->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE || !build->code)
        return build->ir != NULL;
    container->abi_version = WEFT_ABI_VERSION;
    container->parts[WEFT_CONTAINER_ISA] = text_part(build->device->caps->isa);
    container->parts[WEFT_CONTAINER_IMAGE] = part_of(build->code);
    return true;
}

size_t weft_binary_size(const weft_build *build) {
    weft_container container;
    return describe(build, &container) ? weft_container_size(&container) : 0;
}

void weft_binary_write(const weft_build *build, unsigned char *to) {
    weft_container container;
    if (describe(build, &container))
        weft_container_write(&container, to);
}

/** An empty part stays NULL. False: out of memory. */
static bool copy_part(const weft_container *container, int part, weft_blob **blob) {
    const weft_container_part *from = &container->parts[part];
    if (from->bytes)
        *blob = weft_blob_create(from->data, from->bytes);
    return !from->bytes || *blob;
}

static bool made_for(const weft_container *container, const char *isa) {
    const weft_container_part *part = &container->parts[WEFT_CONTAINER_ISA];
    return part->bytes == strlen(isa) && memcmp(part->data, isa, part->bytes) == 0;
}

/** Loads the image, or leaves the IR for clBuildProgram where another machine's or another
 *  version's image does not run here. */
static cl_int load(weft_build *build, const weft_container *container, const char **reason) {
    cl_device_id device = build->device;
    cl_int status = CL_INVALID_BINARY;
    bool other_abi = container->abi_version != WEFT_ABI_VERSION;
    if (!container->parts[WEFT_CONTAINER_IMAGE].bytes)
        return CL_SUCCESS;
    if (other_abi)
        *reason = "the program binary's image was made by another version of Weft";
    else if (!copy_part(container, WEFT_CONTAINER_IMAGE, &build->code))
        return CL_OUT_OF_HOST_MEMORY;
    else
        status = device->ops->image_load(device->device, build->code->data, build->code->bytes,
                                         &build->image, reason);
    if (status == CL_SUCCESS && (*reason = weft_program_start_refusal(build)))
        return CL_INVALID_BINARY;
    if (status != CL_INVALID_BINARY || !build->ir ||
        (!other_abi && made_for(container, device->caps->isa)))
        return status;
    weft_log(WEFT_LOG_BUILD, "a program binary will be compiled from its IR: %s",
             *reason ? *reason : "its image is for another machine");
    weft_blob_release(&build->code);
    *reason = NULL;
    return CL_SUCCESS;
}

cl_int weft_binary_read(weft_build *build, const unsigned char *bytes, size_t size,
                        const char **reason) {
    weft_container container;
    *reason = weft_container_read(bytes, size, &container);
    if (*reason)
        return CL_INVALID_BINARY;
    const weft_container_part *options = &container.parts[WEFT_CONTAINER_OPTIONS];
    cl_int status = CL_OUT_OF_HOST_MEMORY;
    build->type = container.type;
    memcpy(build->source_hash, container.source_hash, sizeof build->source_hash);
    build->options = weft_malloc(options->bytes + 1);
    if (build->options && copy_part(&container, WEFT_CONTAINER_IR, &build->ir)) {
        memcpy(build->options, options->data, options->bytes);
        build->options[options->bytes] = 0;
        status = load(build, &container, reason);
    }
    if (status != CL_SUCCESS)
        weft_build_clear(build);
    return status;
}
