// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype mul_hi(gentype x, gentype y);

WEFT_FN gentype mad_hi(gentype a, gentype b, gentype c) {
    return (gentype)(mul_hi(a, b) + c);
}
