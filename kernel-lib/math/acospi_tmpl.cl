// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_BY_CORE(acospi, weft_acospi_of)
