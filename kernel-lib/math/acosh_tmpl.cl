// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_BY_CORE(acosh, weft_acosh_of)
