// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * "The address must be aligned to the element." Three elements are read one by one: a vector of
 * three occupies four, and the fourth may not exist.
 */
#if WEFT_N == 3
#define WEFT_LOAD(space)                                                                           \
    WEFT_FN gentype vload3(size_t offset, const space sgentype *p) {                               \
        p += offset * 3;                                                                           \
        return (gentype)(p[0], p[1], p[2]);                                                        \
    }
#else
#define WEFT_LOAD(space)                                                                           \
    WEFT_FN gentype WEFT_SIZED(vload)(size_t offset, const space sgentype *p) {                    \
        typedef gentype unaligned __attribute__((aligned(WEFT_BITS / 8)));                         \
        return *(const space unaligned *)(p + offset * WEFT_N);                                    \
    }
#endif
WEFT_READABLE(WEFT_LOAD)
#undef WEFT_LOAD
