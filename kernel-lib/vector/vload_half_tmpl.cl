// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* As vload, of half elements. */
#if WEFT_N == 3
#define WEFT_LOAD(space)                                                                           \
    WEFT_FN gentype vload_half3(size_t offset, const space half *p) {                              \
        p += offset * 3;                                                                           \
        return __builtin_convertvector((half3)(p[0], p[1], p[2]), gentype);                        \
    }
#else
#define WEFT_LOAD(space)                                                                           \
    WEFT_FN gentype WEFT_SIZED(vload_half)(size_t offset, const space half *p) {                   \
        typedef WEFT_VECTOR(half) stored __attribute__((aligned(2)));                              \
        return WEFT_CONVERT(gentype, *(const space stored *)(p + offset * WEFT_N));                \
    }
#endif
WEFT_READABLE(WEFT_LOAD)
#undef WEFT_LOAD
