// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Lanes 0 to m - 1 of the source are x, lanes m to 2m - 1 are y. */
#define WEFT_SHUFFLE(m)                                                                            \
    WEFT_FN gentype shuffle2(WEFT_PASTE(sgentype, m) x, WEFT_PASTE(sgentype, m) y,                 \
                             ugentype mask) {                                                      \
        ugentype lane = mask & (ugentype)(m - 1);                                                  \
        gentype result;                                                                            \
        for (int i = 0; i < WEFT_N; i++)                                                           \
            result[i] = (mask[i] & m) ? y[lane[i]] : x[lane[i]];                                   \
        return result;                                                                             \
    }
WEFT_SHUFFLE(2)
WEFT_SHUFFLE(4)
WEFT_SHUFFLE(8)
WEFT_SHUFFLE(16)
#undef WEFT_SHUFFLE
