// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FN gentype degrees(gentype x) {
    return x * (sgentype)57.295779513082320876798154814105;
}
