// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** What compiled code may ask about queues, children and events: parts of weft_services. */
#ifndef WEFT_ENQUEUE_SERVICE_H
#define WEFT_ENQUEUE_SERVICE_H

#include "weft/device.h"

/* What enqueue_kernel and enqueue_marker return (OpenCL C, section 6.15.15). */
enum {
    CLK_SUCCESS = 0,
    CLK_OUT_OF_RESOURCES = -5,
    CLK_INVALID_ARG_SIZE = -51,
    CLK_INVALID_EVENT_WAIT_LIST = -57,
    CLK_EVENT_ALLOCATION_FAILURE = -100,
    CLK_ENQUEUE_FAILURE = -101,
    CLK_INVALID_QUEUE = -102,
    CLK_INVALID_NDRANGE = -160,
    CLK_DEVICE_QUEUE_FULL = -161
};

int32_t weft_enqueue_kernel(const weft_launch *parent, weft_worker *worker, void *queue,
                            uint32_t flags, const weft_ndrange *range, uint32_t wait_count,
                            void *const *wait_list, void **event, const char *kernel,
                            const void *captures, uint64_t capture_bytes, uint32_t local_count,
                            const uint64_t *local_bytes);
int32_t weft_enqueue_marker(const weft_launch *parent, weft_worker *worker, void *queue,
                            uint32_t wait_count, void *const *wait_list, void **event);
void *weft_enqueue_user_event(const weft_launch *parent);
void weft_enqueue_set_status(const weft_launch *launch, weft_worker *worker, void *event,
                             int32_t status);
void weft_enqueue_retain(void *event);
void weft_enqueue_release(void *event);
uint32_t weft_enqueue_is_valid(void *event);
void weft_enqueue_capture(void *event, uint32_t name, void *value);
void *weft_enqueue_default_queue(const weft_launch *launch);
uint32_t weft_enqueue_query(const weft_launch *launch, weft_worker *worker, const char *kernel,
                            uint32_t query);
uint32_t weft_enqueue_sub_group_count(const weft_launch *launch, weft_worker *worker,
                                      const char *kernel, const weft_ndrange *range);
uint32_t weft_enqueue_sub_group_local_size(const weft_launch *launch, weft_worker *worker,
                                           const char *kernel, uint32_t count);

/** As in weft_device_ops. */
weft_device_queue *weft_enqueue_queue_create(weft_device *device, uint32_t bytes);
void weft_enqueue_queue_destroy(weft_device_queue *queue);

#endif
