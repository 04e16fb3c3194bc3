// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_N == 3
#define WEFT_STORE(space)                                                                          \
    WEFT_FN void vstore3(gentype value, size_t offset, space sgentype *p) {                        \
        p += offset * 3;                                                                           \
        p[0] = value.x;                                                                            \
        p[1] = value.y;                                                                            \
        p[2] = value.z;                                                                            \
    }
#else
#define WEFT_STORE(space)                                                                          \
    WEFT_FN void WEFT_SIZED(vstore)(gentype value, size_t offset, space sgentype *p) {             \
        typedef gentype unaligned __attribute__((aligned(WEFT_BITS / 8)));                         \
        *(space unaligned *)(p + offset * WEFT_N) = value;                                         \
    }
#endif
WEFT_WRITABLE(WEFT_STORE)
#undef WEFT_STORE
