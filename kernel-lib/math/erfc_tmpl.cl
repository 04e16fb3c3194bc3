// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_BY_CORE(erfc, weft_erfc_of)
