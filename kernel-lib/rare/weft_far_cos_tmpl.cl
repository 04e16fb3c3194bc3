// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* cos x, |x| at least WEFT_TURNS_LIMIT, of doubles WEFT_REDUCE_LIMIT. */
WEFT_FN gentype weft_far_cos(gentype x) {
    return weft_far_sine(__builtin_elementwise_abs(x), 1);
}
