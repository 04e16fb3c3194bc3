// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* One plane after the other. */
#define WEFT_COPY(to, from)                                                                        \
    WEFT_FN event_t async_work_group_copy_3D3D(                                                    \
        to void *dst, size_t dst_offset, const from void *src, size_t src_offset,                  \
        size_t num_bytes_per_element, size_t num_elements_per_line, size_t num_lines,              \
        size_t num_planes, size_t src_total_line_length, size_t src_total_plane_area,              \
        size_t dst_total_line_length, size_t dst_total_plane_area, event_t event) {                \
        for (size_t plane = 0; plane < num_planes; plane++) {                                      \
            size_t to_plane = (dst_offset + plane * dst_total_plane_area) * num_bytes_per_element;  \
            size_t from_plane =                                                                    \
                (src_offset + plane * src_total_plane_area) * num_bytes_per_element;               \
            weft_copy_lines((to char *)dst + to_plane, (const from char *)src + from_plane,        \
                            num_elements_per_line * num_bytes_per_element, num_lines,              \
                            src_total_line_length * num_bytes_per_element,                         \
                            dst_total_line_length * num_bytes_per_element);                        \
        }                                                                                          \
        return event;                                                                              \
    }
WEFT_COPY(__local, __global)
WEFT_COPY(__global, __local)
#undef WEFT_COPY
