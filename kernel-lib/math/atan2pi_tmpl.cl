// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_BY_CORE2(atan2pi, weft_atan2pi_of)
