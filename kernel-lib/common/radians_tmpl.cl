// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype radians(gentype x) {
    return x * (sgentype)0.01745329251994329576923690768489;
}
