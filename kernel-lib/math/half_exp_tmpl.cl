// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype half_exp(gentype x) {
    return weft_quick_exp2(x * (gentype)0x1.715476p+0f, 0);
}
