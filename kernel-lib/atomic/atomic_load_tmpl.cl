// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_LOAD(space, atomic, value, unused)                                                    \
    WEFT_FN value atomic_load(volatile space atomic *object) {                                     \
        return __opencl_atomic_load(object, memory_order_seq_cst, WEFT_SCOPE);                     \
    }                                                                                              \
    WEFT_FN value atomic_load_explicit(volatile space atomic *object, memory_order order) {        \
        (void)order;                                                                               \
        return __opencl_atomic_load(object, memory_order_seq_cst, WEFT_SCOPE);                     \
    }                                                                                              \
    WEFT_FN value atomic_load_explicit(volatile space atomic *object, memory_order order,          \
                                       memory_scope scope) {                                       \
        (void)order;                                                                               \
        (void)scope;                                                                               \
        return __opencl_atomic_load(object, memory_order_seq_cst, WEFT_SCOPE);                     \
    }
WEFT_INTEGER_TYPES(WEFT_LOAD, )
WEFT_FLOAT_TYPES(WEFT_LOAD, )
#undef WEFT_LOAD
