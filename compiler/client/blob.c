// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/client/client.h"

#include "weft/shim.h"

#include <stdatomic.h>

weft_blob *weft_blob_create(const void *data, size_t bytes) {
    if (bytes > SIZE_MAX - sizeof(weft_blob) - 1)
        return NULL;
    weft_blob *blob = weft_malloc(sizeof(weft_blob) + bytes + 1);
    if (!blob)
        return NULL;
    atomic_init(&blob->holders, 1);
    blob->bytes = bytes;
    if (data && bytes)
        memcpy(blob->data, data, bytes);
    blob->data[bytes] = 0;
    return blob;
}

weft_blob *weft_blob_retain(weft_blob *blob) {
    if (blob)
        atomic_fetch_add_explicit(&blob->holders, 1, memory_order_relaxed);
    return blob;
}

void weft_blob_release(weft_blob **blob) {
    weft_blob *held = *blob;
    *blob = NULL;
    if (held && atomic_fetch_sub_explicit(&held->holders, 1, memory_order_acq_rel) == 1)
        weft_free(held);
}

void weft_job_result_finish(weft_job_result *result) {
    weft_blob_release(&result->log);
    weft_blob_release(&result->ir);
    weft_blob_release(&result->image);
}
