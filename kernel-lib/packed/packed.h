// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/*
 * cl_khr_integer_dot_product. A call of these is one of the compiler's own
 * (compiler/norm/packed_dot.h), which has instructions for it, as wide as the kernel: four bytes
 * with or without a sign in each word.
 */
__attribute__((const)) uint __weft_dot4_uu(uint a, uint b);
__attribute__((const)) uint __weft_dot4_us(uint a, uint b); /* a's bytes have no sign */
__attribute__((const)) uint __weft_dot4_ss(uint a, uint b);

/** define(name of both signs, type of a, of b, result, the call) for each combination. */
#define WEFT_DOTS(define)                                                                          \
    define(uu, uchar4, uchar4, uint, __weft_dot4_uu(a, b))                                         \
        define(ss, char4, char4, int, __weft_dot4_ss(a, b))                                        \
            define(us, uchar4, char4, int, __weft_dot4_us(a, b))                                   \
                define(su, char4, uchar4, int, __weft_dot4_us(b, a))

/** The same for plain words. */
#define WEFT_PACKED_DOT(signs, type_a, type_b, result, call)                                       \
    WEFT_HELPER result weft_dot_##signs(uint a, uint b) {                                          \
        return (result)call;                                                                       \
    }
WEFT_DOTS(WEFT_PACKED_DOT)
