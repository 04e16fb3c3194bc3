// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_OLD_TYPES(WEFT_OLD, sub, __atomic_fetch_sub)
