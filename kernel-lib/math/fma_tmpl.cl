// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Correctly rounded: one instruction from x86-64-v3 on, else kernel-lib/rt. */
WEFT_FN gentype fma(gentype a, gentype b, gentype c) {
    return __builtin_elementwise_fma(a, b, c);
}
