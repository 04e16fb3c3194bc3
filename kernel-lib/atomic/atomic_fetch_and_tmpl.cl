// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FETCH_INTEGERS(atomic_fetch_and, __opencl_atomic_fetch_and)
