// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* `expected` may lie in any address space and receives the old value when the exchange fails. */
#define WEFT_CAS(space, atomic, value, to)                                                         \
    WEFT_FN bool atomic_compare_exchange_weak(volatile space atomic *object, to value *expected,   \
                                              value desired) {                                     \
        return __opencl_atomic_compare_exchange_strong(                                            \
            object, expected, desired, memory_order_seq_cst, memory_order_seq_cst, WEFT_SCOPE);    \
    }                                                                                              \
    WEFT_FN bool atomic_compare_exchange_weak_explicit(                                            \
        volatile space atomic *object, to value *expected, value desired, memory_order success,    \
        memory_order failure) {                                                                    \
        (void)success;                                                                             \
        (void)failure;                                                                             \
        return __opencl_atomic_compare_exchange_strong(                                            \
            object, expected, desired, memory_order_seq_cst, memory_order_seq_cst, WEFT_SCOPE);    \
    }                                                                                              \
    WEFT_FN bool atomic_compare_exchange_weak_explicit(                                            \
        volatile space atomic *object, to value *expected, value desired, memory_order success,    \
        memory_order failure, memory_scope scope) {                                                \
        (void)success;                                                                             \
        (void)failure;                                                                             \
        (void)scope;                                                                               \
        return __opencl_atomic_compare_exchange_strong(                                            \
            object, expected, desired, memory_order_seq_cst, memory_order_seq_cst, WEFT_SCOPE);    \
    }
#define WEFT_CAS_SPACE(to)                                                                         \
    WEFT_INTEGER_TYPES(WEFT_CAS, to)                                                               \
    WEFT_FLOAT_TYPES(WEFT_CAS, to)
WEFT_CAS_SPACE(__private)
WEFT_CAS_SPACE(__global)
WEFT_CAS_SPACE(__local)
WEFT_CAS_SPACE(__generic)
#undef WEFT_CAS_SPACE
#undef WEFT_CAS
