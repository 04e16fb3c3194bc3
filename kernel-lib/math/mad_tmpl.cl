// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype mad(gentype a, gentype b, gentype c) {
#pragma clang fp contract(on)
    return a * b + c;
}
