// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Halves are computed in float and rounded once. */
#define WEFT_F WEFT_VECTOR(float)
