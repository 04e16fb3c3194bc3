// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
#define WEFT_SMALLEST 0x1p-14h
#elif WEFT_BITS == 32
#define WEFT_SMALLEST 0x1p-126f
#else
#define WEFT_SMALLEST 0x1p-1022
#endif
WEFT_FN relational isnormal(gentype x) {
    gentype magnitude = __builtin_elementwise_abs(x);
    return (magnitude >= (gentype)WEFT_SMALLEST) & (magnitude < (gentype)INFINITY);
}
#undef WEFT_SMALLEST
