// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype mad(gentype a, gentype b, gentype c) {
#if WEFT_BITS == 16
    return weft_half(weft_mad(weft_float(a), weft_float(b), weft_float(c)));
#else
#pragma clang fp contract(on)
    return a * b + c;
#endif
}
