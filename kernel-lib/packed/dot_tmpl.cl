// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* "The components of a and b are sign- or zero-extended to the width of the destination type." */
#define WEFT_DOT(signs, type_a, type_b, result, call)                                              \
    WEFT_FN result dot(type_a a, type_b b) {                                                       \
        return weft_dot_##signs(WEFT_AS(uint, a), WEFT_AS(uint, b));                               \
    }
WEFT_DOTS(WEFT_DOT)
#undef WEFT_DOT
