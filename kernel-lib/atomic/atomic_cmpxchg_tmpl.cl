// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* Returns the old value, which equals `expected` if the exchange took place. */
#define WEFT_CMPXCHG(space, type, name, unused)                                                    \
    WEFT_FN type name(volatile space type *p, type expected, type desired) {                       \
        __atomic_compare_exchange_n(p, &expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return expected;                                                                           \
    }
WEFT_OLD_TYPES(WEFT_CMPXCHG, cmpxchg, )
#undef WEFT_CMPXCHG
