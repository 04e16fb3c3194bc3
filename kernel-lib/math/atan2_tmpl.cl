// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_BY_CORE2(atan2, weft_atan2_of)
