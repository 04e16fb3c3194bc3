// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * The field is shifted to the top, and back with its sign: "The remaining bits in the result will be
 * sign extended by replicating the bit numbered offset + count - 1 of base". "If count equals 0,
 * the result is 0": shifts are modulo the width, so that is a mask of its own.
 */
WEFT_FN igentype bitfield_extract_signed(gentype base, uint offset, uint count) {
    igentype up = WEFT_AS(igentype, base) << (igentype)(isgentype)(WEFT_BITS - offset - count);
    igentype field = up >> (igentype)(isgentype)(WEFT_BITS - count);
    return field & (igentype)(isgentype)(count ? -1 : 0);
}
