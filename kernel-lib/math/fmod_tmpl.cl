// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Exact by definition; code generation calls kernel-lib/rt. */
WEFT_FN gentype fmod(gentype x, gentype y) {
    return __builtin_elementwise_fmod(x, y);
}
