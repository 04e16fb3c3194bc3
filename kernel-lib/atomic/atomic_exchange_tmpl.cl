// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_INTEGER_TYPES(WEFT_FETCH_SAME, atomic_exchange, __opencl_atomic_exchange)
WEFT_FLOAT_TYPES(WEFT_FETCH_SAME, atomic_exchange, __opencl_atomic_exchange)
