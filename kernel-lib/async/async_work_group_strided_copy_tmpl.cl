// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The stride, in elements, is that of the side in global memory. */
#define WEFT_COPY(to, from, to_stride, from_stride)                                                \
    WEFT_FN event_t async_work_group_strided_copy(to gentype *dst, const from gentype *src,        \
                                                  size_t count, size_t stride, event_t event) {    \
        for (size_t i = __weft_local_linear_id(); i < count; i += __weft_group_items())            \
            dst[i * (to_stride)] = src[i * (from_stride)];                                         \
        return event;                                                                              \
    }
WEFT_COPY(__local, __global, 1, stride)
WEFT_COPY(__global, __local, stride, 1)
#undef WEFT_COPY
