// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "Not required to be atomic": a relaxed store is a plain one. */
#define WEFT_INIT(space, atomic, value, unused)                                                    \
    WEFT_FN void atomic_init(volatile space atomic *object, value x) {                             \
        __opencl_atomic_store(object, x, memory_order_relaxed, WEFT_SCOPE);                        \
    }
WEFT_INTEGER_TYPES(WEFT_INIT, )
WEFT_FLOAT_TYPES(WEFT_INIT, )
#undef WEFT_INIT
