// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * libFuzzer: program binaries and the compiled images in them. A mutated container is a fault of
 * its checksum and nothing else would ever be reached, so each input is read as it is and once more
 * with its checksums made right.
 */
#include "compiler/shared/container.c"
#include "device-cpu/loader.h"
#include "tests/wild_binary.h"

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
        weft_wild_mend(copy, bytes);
    }
    free(copy);
    return 0;
}
