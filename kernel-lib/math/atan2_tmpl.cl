// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype atan2(gentype y, gentype x) {
    return weft_atan2_of(y, x);
}
