// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_FETCH_INTEGERS(atomic_fetch_sub, __opencl_atomic_fetch_sub)
WEFT_FETCH_FLOATS(atomic_fetch_sub, __opencl_atomic_fetch_sub)
