// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define WEFT_DOT(signs, type_a, type_b, result, call)                                              \
    WEFT_FN result dot_4x8packed_##signs##_##result(uint a, uint b) {                              \
        return weft_dot_##signs(a, b);                                                             \
    }
WEFT_DOTS(WEFT_DOT)
#undef WEFT_DOT
