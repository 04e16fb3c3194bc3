// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FETCH_INTEGERS(atomic_fetch_add, __opencl_atomic_fetch_add)
WEFT_FETCH_FLOATS(atomic_fetch_add, __opencl_atomic_fetch_add)
