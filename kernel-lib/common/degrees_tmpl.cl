// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype degrees(gentype x) {
#if WEFT_BITS == 16
    return WEFT_CONVERT(gentype,
                        WEFT_CONVERT(WEFT_F, x) * (WEFT_F)57.295779513082320876798154814105f);
#else
    return x * (sgentype)57.295779513082320876798154814105;
#endif
}
