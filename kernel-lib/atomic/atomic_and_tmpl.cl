// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_OLD_TYPES(WEFT_OLD, and, __atomic_fetch_and)
