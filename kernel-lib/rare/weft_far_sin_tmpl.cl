// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* sin x, |x| at least WEFT_TURNS_LIMIT, of doubles WEFT_REDUCE_LIMIT. */
WEFT_FN gentype weft_far_sin(gentype x) {
    return weft_flip(weft_far_sine(__builtin_elementwise_abs(x), 0), weft_sign_of(x));
}
