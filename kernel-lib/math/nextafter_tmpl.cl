// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
