// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "vstorea_half3 writes to address (p + (offset * 4))". Rounding: vector/half_rounding.h, which
 * vstore_half_tmpl.cl has included for this type. That the address is aligned to the whole vector
 * is not relied on, as in vloada_half_tmpl.cl. */
#if WEFT_N == 3
#define WEFT_STORE(rounding, space)                                                                \
    WEFT_FN void WEFT_PASTE(vstorea_half3, rounding)(gentype value, size_t offset,                 \
                                                     space half *p) {                              \
        half3 h = WEFT_PASTE(weft_half, rounding)(value);                                          \
        p += offset * 4;                                                                           \
        p[0] = h.x;                                                                                \
        p[1] = h.y;                                                                                \
        p[2] = h.z;                                                                                \
    }
#else
#define WEFT_STORE(rounding, space)                                                                \
    WEFT_FN void WEFT_PASTE(WEFT_SIZED(vstorea_half), rounding)(gentype value, size_t offset,      \
                                                                space half *p) {                   \
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
