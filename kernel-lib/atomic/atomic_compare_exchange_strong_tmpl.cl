// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_CAS_FUNCTIONS(atomic_compare_exchange_strong)
