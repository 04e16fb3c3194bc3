// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * "Any bits of the result value numbered outside [offset, offset + count - 1] (inclusive) will come
 * from the corresponding bits in base." Offset and count are one number for all elements.
 */
WEFT_FN gentype bitfield_insert(gentype base, gentype insert, uint offset, uint count) {
    ugentype place = (ugentype)(usgentype)(WEFT_LOW_BITS(count) << offset);
    ugentype moved = WEFT_AS(ugentype, insert) << (ugentype)(usgentype)offset;
    return WEFT_AS(gentype, (ugentype)((WEFT_AS(ugentype, base) & ~place) | (moved & place)));
}
