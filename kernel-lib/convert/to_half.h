// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * Integers beyond 2^17, which is infinite or, in the other modes, the largest half, count as that;
 * so float holds each exactly.
 */
#if WEFT_FROM_FLOAT && WEFT_FROM_BITS == 16
WEFT_SAME_FOR_ALL_ROUNDINGS(, x)
#elif WEFT_FROM_BITS == 8
WEFT_SAME_FOR_ALL_ROUNDINGS(, WEFT_CONVERT(gentype, x))
#else
#if WEFT_FROM_FLOAT
#define WEFT_WIDER x
#elif WEFT_FROM_BITS == 16
#define WEFT_WIDER WEFT_CONVERT(WEFT_F, x)
#else
WEFT_HELPER WEFT_F weft_wider(WEFT_FROM x) {
    x = __builtin_elementwise_min(x, (WEFT_FROM)(1 << 17));
#if WEFT_FROM_SIGNED
    x = __builtin_elementwise_max(x, (WEFT_FROM)(-(1 << 17)));
#endif
    return WEFT_CONVERT(WEFT_F, WEFT_CONVERT(intn, x));
}
#define WEFT_WIDER weft_wider(x)
#endif
WEFT_DEFINE(, weft_half(WEFT_WIDER))
WEFT_DEFINE(_rte, weft_half_rte(WEFT_WIDER))
WEFT_DEFINE(_rtz, weft_half_rtz(WEFT_WIDER))
WEFT_DEFINE(_rtp, weft_half_rtp(WEFT_WIDER))
WEFT_DEFINE(_rtn, weft_half_rtn(WEFT_WIDER))
#undef WEFT_WIDER
#endif
