// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_BY_CORE2(hypot, weft_hypot_of)
