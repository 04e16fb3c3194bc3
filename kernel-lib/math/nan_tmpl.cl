// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* A quiet NaN with the payload `code`. */
#if WEFT_BITS == 16
#define WEFT_QUIET 0x7e00
#elif WEFT_BITS == 32
#define WEFT_QUIET 0x7fc00000u
#else
#define WEFT_QUIET 0x7ff8000000000000ul
#endif
WEFT_FN gentype nan(ugentype code) {
    return WEFT_AS(gentype, (ugentype)(code | (ugentype)WEFT_QUIET));
}
#undef WEFT_QUIET
