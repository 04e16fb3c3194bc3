// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype sin(gentype x);
WEFT_FN gentype cos(gentype x);

WEFT_HELPER gentype weft_sincos(gentype x, __private gentype *cosine) {
    *cosine = cos(x);
    return sin(x);
}
#define WEFT_OUT_TYPE gentype
WEFT_OUT_SPACES(sincos, weft_sincos, gentype, (gentype x), (x), gentype)
#undef WEFT_OUT_TYPE
