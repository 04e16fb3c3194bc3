// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* 2^-26 with AVX-512, else 2^-21. */
WEFT_FN gentype native_rsqrt(gentype x) {
    return weft_rsqrt_terms(x, 1);
}
