// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/kept_images.h"

#include <string.h>

void weft_kept_images_init(weft_kept_images *kept) {
    *kept = (weft_kept_images){.lock = PTHREAD_MUTEX_INITIALIZER};
}

/** Row `index` becomes the first. */
static void move_to_front(weft_kept_images *kept, size_t index) {
    weft_kept_image row = kept->rows[index];
    memmove(&kept->rows[1], &kept->rows[0], index * sizeof row);
    kept->rows[0] = row;
}

weft_image *weft_kept_images_find(weft_kept_images *kept, weft_device *device,
                                  const weft_blob *code) {
    weft_image *found = NULL;
    if (pthread_mutex_trylock(&kept->lock))
        return NULL;
    for (size_t i = 0; i < WEFT_KEPT_IMAGES && kept->rows[i].code && !found; i++)
        if (kept->rows[i].code == code && kept->rows[i].device == device) {
            found = kept->rows[i].image;
            kept->rows[i].ops->image_retain(found);
            move_to_front(kept, i);
        }
    pthread_mutex_unlock(&kept->lock);
    return found;
}

/** Takes rows that are no longer to be kept out of the table, to be released without the lock. */
static size_t take_beyond(weft_kept_images *kept, weft_kept_image *gone) {
    size_t bytes = 0, count = 0;
    for (size_t i = 0; i < WEFT_KEPT_IMAGES && kept->rows[i].code; i++) {
        bytes += kept->rows[i].code->bytes;
        if (bytes <= WEFT_KEPT_BYTES)
            continue;
        gone[count++] = kept->rows[i];
        kept->rows[i] = (weft_kept_image){0};
    }
    return count;
}

static void release(weft_kept_image *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        rows[i].ops->image_release(rows[i].image);
        weft_blob_release(&rows[i].code);
    }
}

void weft_kept_images_add(weft_kept_images *kept, const weft_device_ops *ops, weft_device *device,
                          weft_blob *code, weft_image *image) {
    weft_kept_image gone[WEFT_KEPT_IMAGES + 1];
    size_t count = 0;
    if (code->bytes > WEFT_KEPT_BYTES / 2 || pthread_mutex_trylock(&kept->lock))
        return;
    if (kept->rows[WEFT_KEPT_IMAGES - 1].code)
        gone[count++] = kept->rows[WEFT_KEPT_IMAGES - 1];
    ops->image_retain(image);
    kept->rows[WEFT_KEPT_IMAGES - 1] =
        (weft_kept_image){weft_blob_retain(code), image, device, ops};
    move_to_front(kept, WEFT_KEPT_IMAGES - 1);
    count += take_beyond(kept, gone + count);
    pthread_mutex_unlock(&kept->lock);
    release(gone, count);
}

void weft_kept_images_drop(weft_kept_images *kept, const weft_device *device) {
    weft_kept_image gone[WEFT_KEPT_IMAGES];
    size_t count = 0, left = 0;
    if (pthread_mutex_trylock(&kept->lock))
        return;
    for (size_t i = 0; i < WEFT_KEPT_IMAGES && kept->rows[i].code; i++) {
        weft_kept_image row = kept->rows[i];
        kept->rows[i] = (weft_kept_image){0};
        if (!device || row.device == device)
            gone[count++] = row;
        else
            kept->rows[left++] = row;
    }
    pthread_mutex_unlock(&kept->lock);
    release(gone, count);
}
