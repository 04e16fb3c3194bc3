// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * The images of the last programs stay loaded: who builds the same again, of which the compiler's
 * client has the bytes, maps nothing. Images are constant, so that programs can share them.
 */
#ifndef WEFT_KEPT_IMAGES_H
#define WEFT_KEPT_IMAGES_H

#include "compiler/client/client.h"
#include "weft/device.h"

#include <pthread.h>

/** So many images, and so many bytes of them together, at most. */
enum { WEFT_KEPT_IMAGES = 16, WEFT_KEPT_BYTES = 8 << 20 };

typedef struct weft_kept_image {
    weft_blob *code; /* what it was loaded from: nobody else has a blob at this address */
    weft_image *image;
    weft_device *device; /* that loaded it; only compared */
    const weft_device_ops *ops;
} weft_kept_image;

typedef struct weft_kept_images {
    pthread_mutex_t lock;                   /* only tried: who finds it taken does without */
    weft_kept_image rows[WEFT_KEPT_IMAGES]; /* the latest first; code is NULL behind the last */
} weft_kept_images;

void weft_kept_images_init(weft_kept_images *kept);

/** The image of this very blob if `device` has loaded one, retained; else NULL. From any thread. */
weft_image *weft_kept_images_find(weft_kept_images *kept, weft_device *device,
                                  const weft_blob *code);

/** Keeps an image and its blob, for which those used longest ago may go. From any thread. */
void weft_kept_images_add(weft_kept_images *kept, const weft_device_ops *ops, weft_device *device,
                          weft_blob *code, weft_image *image);

/** Releases those of a device, all for NULL. From any thread. */
void weft_kept_images_drop(weft_kept_images *kept, const weft_device *device);

#endif
