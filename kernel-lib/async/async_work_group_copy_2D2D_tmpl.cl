// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* A copy of one plane. */
#define WEFT_COPY(to, from)                                                                        \
    WEFT_FN event_t async_work_group_copy_2D2D(                                                    \
        to void *dst, size_t dst_offset, const from void *src, size_t src_offset,                  \
        size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,              \
        size_t src_total_line_length, size_t dst_total_line_length, event_t event) {               \
        weft_copy_lines((to char *)dst + dst_offset * num_bytes_per_element,                       \
                        (const from char *)src + src_offset * num_bytes_per_element,               \
                        num_elements_per_line * num_bytes_per_element, num_lines,                  \
                        src_total_line_length * num_bytes_per_element,                             \
                        dst_total_line_length * num_bytes_per_element);                            \
        return event;                                                                              \
    }
WEFT_COPY(__local, __global)
WEFT_COPY(__global, __local)
#undef WEFT_COPY
