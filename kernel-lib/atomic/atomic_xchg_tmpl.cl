// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WEFT_OLD_TYPES(WEFT_OLD, xchg, __atomic_exchange_n)

#define WEFT_XCHG(space, name)                                                                     \
    WEFT_FN float name(volatile space float *p, float value) {                                     \
        return as_float(                                                                           \
            __atomic_exchange_n((volatile space int *)p, as_int(value), __ATOMIC_SEQ_CST));        \
    }
WEFT_OLD_SPACES(WEFT_XCHG, atomic_xchg)
#undef WEFT_XCHG
