// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/program_data.h"

/* The loader has checked the offsets. */
static void apply_fixups(const weft_image_info *info, uint64_t image_base, unsigned char *block) {
    const weft_data_fixup *fixups =
        (const weft_data_fixup *)(const void *)((const unsigned char *)info + info->fixups);

    for (uint32_t i = 0; i < info->fixup_count; i++) {
        uint64_t base = fixups[i].base ? (uint64_t)(uintptr_t)block : image_base;
        uint64_t address = base + fixups[i].addend;
        memcpy(block + fixups[i].at, &address, sizeof(address));
    }
}

bool weft_program_data_make(weft_build *build) {
    const weft_device_ops *ops = build->device->ops;
    const weft_image_info *info = ops->image_info(build->image);
    const void *initial = ops->image_data(build->image);

    if (build->data || !info->data_bytes)
        return true;
    /* "OpenCL 2.0 C: program scope variables [...] are zero initialized if there is no
     * initializer": the device's memory is. */
    build->data = ops->memory_alloc(build->device->device, info->data_bytes, info->data_align);
    if (!build->data)
        return false;
    build->data_bytes = info->data_bytes;
    if (initial)
        memcpy(build->data, initial, info->data_init_bytes);
    apply_fixups(info, ops->image_base(build->image), build->data);
    return true;
}

void weft_program_data_free(weft_build *build) {
    if (build->data)
        build->device->ops->memory_free(build->device->device, build->data, build->data_bytes);
    build->data = NULL;
    build->data_bytes = 0;
}
