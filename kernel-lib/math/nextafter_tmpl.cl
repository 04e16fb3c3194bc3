// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if WEFT_BITS == 16
/* By steps of the bits, which for negative numbers go the other way; from 0 to the smallest. */
WEFT_FN gentype nextafter(gentype x, gentype y) {
    WEFT_F from = weft_float(x), to = weft_float(y);
    intn bits = WEFT_CONVERT(intn, WEFT_AS(igentype, x));
    intn up = WEFT_SELECT(from < to, (intn)1, (intn)-1);
    intn next = bits + WEFT_SELECT(bits < (intn)0, -up, up);
    next =
        WEFT_SELECT(from == (WEFT_F)0.0f, WEFT_SELECT(up < (intn)0, (intn)0x8001, (intn)1), next);
    next = WEFT_SELECT(from == to, WEFT_CONVERT(intn, WEFT_AS(igentype, y)), next);
    next = WEFT_SELECT((from != from) | (to != to), (intn)0x7e00, next);
    return WEFT_AS(gentype, WEFT_CONVERT(igentype, next));
}
#else
/* By steps of the bits, which for negative numbers go the other way; from 0 to the smallest. */
WEFT_FN gentype nextafter(gentype x, gentype y) {
    const igentype minus = (igentype)((isgentype)1 << (WEFT_BITS - 1));
    igentype bits = WEFT_AS(igentype, x);
    igentype up = WEFT_SELECT(x < y, (igentype)1, (igentype)-1);
    igentype next = bits + WEFT_SELECT(bits < (igentype)0, -up, up);
    igentype smallest = WEFT_SELECT(up < (igentype)0, minus | (igentype)1, (igentype)1);
    next = WEFT_SELECT(x == (gentype)0, smallest, next);
    gentype result = WEFT_SELECT(x == y, y, WEFT_AS(gentype, next));
    result = WEFT_SELECT(y == y, result, y);
    return WEFT_SELECT(x == x, result, x);
}
#endif
