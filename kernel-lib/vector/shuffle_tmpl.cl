// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Lane i of the result is lane (mask[i] mod m) of a source with m lanes. */
#define WEFT_SHUFFLE(m)                                                                            \
    WEFT_FN gentype shuffle(WEFT_PASTE(sgentype, m) x, ugentype mask) {                            \
        mask &= (ugentype)(m - 1);                                                                 \
        gentype result;                                                                            \
        for (int i = 0; i < WEFT_N; i++)                                                           \
            result[i] = x[mask[i]];                                                                \
        return result;                                                                             \
    }
WEFT_SHUFFLE(2)
WEFT_SHUFFLE(4)
WEFT_SHUFFLE(8)
WEFT_SHUFFLE(16)
#undef WEFT_SHUFFLE
