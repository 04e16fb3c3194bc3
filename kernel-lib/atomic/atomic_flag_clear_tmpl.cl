// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_CLEAR(space, unused)                                                                  \
    WEFT_FN void atomic_flag_clear(volatile space atomic_flag *flag) {                             \
        __opencl_atomic_store(flag, 0, memory_order_seq_cst, WEFT_SCOPE);                          \
    }                                                                                              \
    WEFT_FN void atomic_flag_clear_explicit(volatile space atomic_flag *flag,                      \
                                            memory_order order) {                                  \
        (void)order;                                                                               \
        __opencl_atomic_store(flag, 0, memory_order_seq_cst, WEFT_SCOPE);                          \
    }                                                                                              \
    WEFT_FN void atomic_flag_clear_explicit(volatile space atomic_flag *flag, memory_order order,  \
                                            memory_scope scope) {                                  \
        (void)order;                                                                               \
        (void)scope;                                                                               \
        __opencl_atomic_store(flag, 0, memory_order_seq_cst, WEFT_SCOPE);                          \
    }
WEFT_SPACES(WEFT_CLEAR, )
#undef WEFT_CLEAR
