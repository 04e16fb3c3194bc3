// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* sin x, |x| at least WEFT_TURNS_LIMIT, of doubles WEFT_REDUCE_LIMIT. */
WEFT_FN gentype weft_far_sin(gentype x) {
    gentype sine = weft_far_sine(__builtin_elementwise_abs(x), 0);
    igentype sign = WEFT_AS(igentype, x) ^ WEFT_AS(igentype, __builtin_elementwise_abs(x));
    return WEFT_AS(gentype, WEFT_AS(igentype, sine) ^ sign);
}
