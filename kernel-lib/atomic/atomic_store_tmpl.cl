// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* A store that is not sequentially consistent is a plain one; the other is an exchange. */
#define WEFT_STORE_ORDERED(object, x, order)                                                       \
    do {                                                                                           \
        if (order == memory_order_seq_cst)                                                         \
            __opencl_atomic_store(object, x, memory_order_seq_cst, WEFT_SCOPE);                    \
        else                                                                                       \
            __opencl_atomic_store(object, x, memory_order_release, WEFT_SCOPE);                    \
    } while (0)
#define WEFT_STORE(space, atomic, value, unused)                                                   \
    WEFT_FN void atomic_store(volatile space atomic *object, value x) {                            \
        __opencl_atomic_store(object, x, memory_order_seq_cst, WEFT_SCOPE);                        \
    }                                                                                              \
    WEFT_FN void atomic_store_explicit(volatile space atomic *object, value x,                     \
                                       memory_order order) {                                       \
        WEFT_STORE_ORDERED(object, x, order);                                                      \
    }                                                                                              \
    WEFT_FN void atomic_store_explicit(volatile space atomic *object, value x, memory_order order, \
                                       memory_scope scope) {                                       \
        (void)scope;                                                                               \
        WEFT_STORE_ORDERED(object, x, order);                                                      \
    }
WEFT_INTEGER_TYPES(WEFT_STORE, )
WEFT_FLOAT_TYPES(WEFT_STORE, )
#undef WEFT_STORE
#undef WEFT_STORE_ORDERED
