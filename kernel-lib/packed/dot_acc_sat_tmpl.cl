// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "product = dot(a,b); result = add_sat(product, acc);" */
#define WEFT_DOT(signs, type_a, type_b, result, call)                                              \
    WEFT_FN result dot_acc_sat(type_a a, type_b b, result acc) {                                   \
        result product = weft_dot_##signs(WEFT_AS(uint, a), WEFT_AS(uint, b));                     \
        return __builtin_elementwise_add_sat(product, acc);                                        \
    }
WEFT_DOTS(WEFT_DOT)
#undef WEFT_DOT
