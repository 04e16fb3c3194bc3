// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_BY_CORE(asinh, weft_asinh_of)
