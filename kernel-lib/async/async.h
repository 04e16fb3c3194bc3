// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Internals of the compiler's pipeline (compiler/norm/internals.def). */
ulong __weft_local_linear_id(void);
ulong __weft_group_items(void);
void __weft_barrier(int flags, int scope);

/*
 * Lines of `bytes`, whose beginnings are `from_pitch` and `to_pitch` bytes apart: the items of a
 * group copy each line together, in words where all lines begin and end with one.
 */
#define WEFT_COPY_WORDS(to, from, type)                                                            \
    for (size_t line = 0; line < lines; line++) {                                                  \
        to type *here = (to type *)(dst + line * to_pitch);                                        \
        const from type *there = (const from type *)(src + line * from_pitch);                     \
        for (size_t i = __weft_local_linear_id(); i < bytes / sizeof(type);                        \
             i += __weft_group_items())                                                            \
            here[i] = there[i];                                                                    \
    }
#define WEFT_COPY_LINES(to, from)                                                                  \
    WEFT_HELPER void weft_copy_lines(to char *dst, const from char *src, size_t bytes,             \
                                     size_t lines, size_t from_pitch, size_t to_pitch) {           \
        size_t all = (size_t)dst | (size_t)src | bytes | from_pitch | to_pitch;                    \
        if (all % sizeof(uint) == 0) {                                                             \
            WEFT_COPY_WORDS(to, from, uint)                                                        \
        } else {                                                                                   \
            WEFT_COPY_WORDS(to, from, char)                                                        \
        }                                                                                          \
    }
WEFT_COPY_LINES(__local, __global)
WEFT_COPY_LINES(__global, __local)
