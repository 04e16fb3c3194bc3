// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_BY_DOUBLE(erfc, weft_erfc_of)
