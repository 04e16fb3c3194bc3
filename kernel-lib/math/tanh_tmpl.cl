// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_BY_CORE(tanh, weft_tanh_of)
