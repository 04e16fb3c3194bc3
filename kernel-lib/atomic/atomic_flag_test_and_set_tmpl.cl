// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* atomic_flag is an atomic_int: 0 clear, 1 set. */
#define WEFT_TEST(space, unused)                                                                   \
    WEFT_FN bool atomic_flag_test_and_set(volatile space atomic_flag *flag) {                      \
        return __opencl_atomic_exchange(flag, 1, memory_order_seq_cst, WEFT_SCOPE) != 0;           \
    }                                                                                              \
    WEFT_FN bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *flag,               \
                                                   memory_order order) {                           \
        (void)order;                                                                               \
        return __opencl_atomic_exchange(flag, 1, memory_order_seq_cst, WEFT_SCOPE) != 0;           \
    }                                                                                              \
    WEFT_FN bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *flag,               \
                                                   memory_order order, memory_scope scope) {       \
        (void)order;                                                                               \
        (void)scope;                                                                               \
        return __opencl_atomic_exchange(flag, 1, memory_order_seq_cst, WEFT_SCOPE) != 0;           \
    }
WEFT_SPACES(WEFT_TEST, )
#undef WEFT_TEST
