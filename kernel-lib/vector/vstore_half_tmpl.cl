// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_WIDE gentype
#include "vector/half_rounding.h"

/* "vstore_half uses the default rounding mode", round to nearest even. */
#if WEFT_N == 3
#define WEFT_STORE(rounding, space)                                                                \
    WEFT_FN void WEFT_PASTE(vstore_half3, rounding)(gentype value, size_t offset, space half *p) { \
        half3 h = WEFT_PASTE(weft_half, rounding)(value);                                          \
        p += offset * 3;                                                                           \
        p[0] = h.x;                                                                                \
        p[1] = h.y;                                                                                \
        p[2] = h.z;                                                                                \
    }
#else
#define WEFT_STORE(rounding, space)                                                                \
    WEFT_FN void WEFT_PASTE(WEFT_SIZED(vstore_half), rounding)(gentype value, size_t offset,       \
                                                               space half *p) {                    \
        typedef WEFT_VECTOR(half) stored __attribute__((aligned(2)));                              \
        *(space stored *)(p + offset * WEFT_N) = WEFT_PASTE(weft_half, rounding)(value);           \
    }
#endif
#define WEFT_STORES(space)                                                                         \
    WEFT_STORE(, space)                                                                            \
    WEFT_STORE(_rte, space)                                                                        \
    WEFT_STORE(_rtz, space)                                                                        \
    WEFT_STORE(_rtp, space)                                                                        \
    WEFT_STORE(_rtn, space)
WEFT_WRITABLE(WEFT_STORES)
#undef WEFT_STORES
#undef WEFT_STORE
