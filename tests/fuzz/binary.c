// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * libFuzzer: program binaries and the compiled images in them. A mutated container is a fault of
 * its checksum and nothing else would ever be reached, so each input is read as it is and once more
 * with its checksums made right.
 */
#include "compiler/container.c"
#include "device-cpu/loader.h"

#include <stdlib.h>

static void require(bool condition) {
    if (!condition)
        abort();
}

/** Reads every byte of every part, and loads the image as a device does. */
static void use(const weft_container *container) {
    volatile uint64_t sum = 0;
    for (size_t i = 0; i < WEFT_CONTAINER_PARTS; i++)
        for (uint64_t at = 0; at < container->parts[i].bytes; at++)
            sum += ((const unsigned char *)container->parts[i].data)[at];
    const weft_container_part *image = &container->parts[WEFT_CONTAINER_IMAGE];
    if (!image->bytes)
        return;
    weft_isa isa;
    weft_image *loaded = NULL;
    const char *why = NULL;
    weft_isa_detect(&isa, NULL);
    if (weft_loader_load(&isa, "", image->data, image->bytes, &loaded, &why) == CL_SUCCESS) {
        require(loaded);
        weft_loader_release(loaded);
    } else {
        require(!loaded);
    }
}

static void mend(unsigned char *bytes, size_t size) {
    container_header two;
    header_of_version_1 one;
    if (size >= sizeof two && memcmp(bytes, WEFT_CONTAINER_MAGIC, 8) == 0) {
        memcpy(&two, bytes, sizeof two);
        if (two.start.version == 2) {
            two.checksum = checksum_of(two, bytes + sizeof two, size - sizeof two);
            memcpy(bytes, &two, sizeof two);
            return;
        }
        memcpy(&one, bytes, sizeof one);
        one.checksum = 0;
        one.checksum = mix_of_version_1(mix_of_version_1(0x57656674u, &one, sizeof one),
                                        bytes + sizeof one, size - sizeof one);
        memcpy(bytes, &one, sizeof one);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    weft_container container;
    unsigned char *copy = malloc(bytes + !bytes);
    memcpy(copy, data, bytes);
    for (int i = 0; i < 2; i++) {
        if (!weft_container_read(copy, bytes, &container)) {
            unsigned char *again = malloc(weft_container_size(&container));
            use(&container);
            weft_container_write(&container, again);
            require(!weft_container_read(again, weft_container_size(&container), &container));
            free(again);
        }
        mend(copy, bytes);
    }
    free(copy);
    return 0;
}
