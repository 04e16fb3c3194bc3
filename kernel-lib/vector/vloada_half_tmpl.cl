// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "vloada_half3 reads a half3 from address (p + (offset * 4))", aligned to the whole vector.
 * Programs that keep such vectors in private arrays of half do not align these (piglit's tests),
 * and an instruction that asks for it would end the process; one that does not is as fast. */
#if WEFT_N == 3
#define WEFT_LOAD(space)                                                                           \
    WEFT_FN gentype vloada_half3(size_t offset, const space half *p) {                             \
        p += offset * 4;                                                                           \
        return __builtin_convertvector((half3)(p[0], p[1], p[2]), gentype);                        \
    }
#else
#define WEFT_LOAD(space)                                                                           \
    WEFT_FN gentype WEFT_SIZED(vloada_half)(size_t offset, const space half *p) {                  \
        typedef WEFT_VECTOR(half) stored __attribute__((aligned(2)));                              \
        return WEFT_CONVERT(gentype, *(const space stored *)(p + offset * WEFT_N));                \
    }
#endif
WEFT_READABLE(WEFT_LOAD)
#undef WEFT_LOAD
