// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "The remaining bits in the result will be zero"; of an empty field all are. */
WEFT_FN ugentype bitfield_extract_unsigned(gentype base, uint offset, uint count) {
    ugentype field = WEFT_AS(ugentype, base) >> (ugentype)(usgentype)offset;
    return field & (ugentype)WEFT_LOW_BITS(count);
}
