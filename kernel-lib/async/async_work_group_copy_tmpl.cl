// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * "The async copy is performed by all work-items in a work-group": each copies its share at once
 * and wait_group_events is the barrier. The event says nothing that the barrier would not.
 */
#define WEFT_COPY(to, from)                                                                        \
    WEFT_FN event_t async_work_group_copy(to gentype *dst, const from gentype *src, size_t count,  \
                                          event_t event) {                                         \
        for (size_t i = __weft_local_linear_id(); i < count; i += __weft_group_items())            \
            dst[i] = src[i];                                                                       \
        return event;                                                                              \
    }
WEFT_COPY(__local, __global)
WEFT_COPY(__global, __local)
#undef WEFT_COPY
